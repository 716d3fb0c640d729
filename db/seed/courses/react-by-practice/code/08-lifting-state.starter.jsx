import { useState } from 'react';

export function Boat({ name }) {
  const [guests, setGuests] = useState(0);
  return (
    <li id={name}>
      {name}: <span>{guests}</span>
      <button onClick={() => setGuests(guests - 1)}>-</button>
      <button onClick={() => setGuests(guests + 1)}>+</button>
    </li>
  );
}

export default function App() {
  return (
    <section>
      <p className="left">8 guests left</p>
      <ul>
        <Boat name="Heron" />
        <Boat name="Otter" />
        <Boat name="Swan" />
      </ul>
    </section>
  );
}
