import { useState } from 'react';

const GROUP = 8;
const NAMES = ['Heron', 'Otter', 'Swan'];

export function Boat({ name, guests, isFull, onChange }) {
  return (
    <li id={name}>
      {name}: <span>{guests}</span>
      <button disabled={guests === 0} onClick={() => onChange(guests - 1)}>
        -
      </button>
      <button disabled={isFull} onClick={() => onChange(guests + 1)}>
        +
      </button>
    </li>
  );
}

function leftText(left) {
  if (left === 0) return 'All aboard';
  return left === 1 ? '1 guest left' : `${left} guests left`;
}

export default function App() {
  const [counts, setCounts] = useState({ Heron: 0, Otter: 0, Swan: 0 });
  const left = GROUP - counts.Heron - counts.Otter - counts.Swan;
  return (
    <section>
      <p className="left">{leftText(left)}</p>
      <ul>
        {NAMES.map((name) => (
          <Boat
            key={name}
            name={name}
            guests={counts[name]}
            isFull={left === 0}
            onChange={(guests) => setCounts({ ...counts, [name]: guests })}
          />
        ))}
      </ul>
    </section>
  );
}
