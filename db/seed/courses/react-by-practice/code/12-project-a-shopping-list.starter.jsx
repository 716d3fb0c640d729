import { useState } from 'react';

const example = [
  { id: 1, name: 'Milk', isDone: false },
  { id: 2, name: 'Bread', isDone: true },
  { id: 3, name: 'Apples', isDone: false },
];

export default function App({ initial = example }) {
  const [items, setItems] = useState(initial);
  return (
    <main>
      <h1>Shopping list</h1>
      <ul>
        {items.map((item) => (
          <li key={item.id}>{item.name}</li>
        ))}
      </ul>
    </main>
  );
}
