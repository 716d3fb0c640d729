import { useState } from 'react';

const example = [
  { id: 1, name: 'Milk', isDone: false },
  { id: 2, name: 'Bread', isDone: true },
  { id: 3, name: 'Apples', isDone: false },
];

function AddForm({ onAdd }) {
  const [name, setName] = useState('');

  function handleSubmit(event) {
    event.preventDefault();
    onAdd(name.trim());
    setName('');
  }

  return (
    <form onSubmit={handleSubmit}>
      <label>
        Item <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <button>Add</button>
    </form>
  );
}

function Item({ item, onToggle, onRemove }) {
  return (
    <li className={item.isDone ? 'done' : undefined}>
      <label>
        <input type="checkbox" checked={item.isDone} onChange={onToggle} /> <span>{item.name}</span>
      </label>
      <button onClick={onRemove}>
        Remove
      </button>
    </li>
  );
}

export default function App({ initial = example }) {
  const [items, setItems] = useState(initial);
  const [isHiding, setIsHiding] = useState(false);
  const done = items.filter((item) => item.isDone).length;
  const shown = isHiding ? items.filter((item) => !item.isDone) : items;

  function add(name) {
    const isKnown = items.some((item) => item.name.toLowerCase() === name.toLowerCase());
    if (!name || isKnown) return;
    const id = Math.max(0, ...items.map((item) => item.id)) + 1;
    setItems([...items, { id, name, isDone: false }]);
  }

  function toggle(id) {
    setItems(items.map((item) => (item.id === id ? { ...item, isDone: !item.isDone } : item)));
  }

  return (
    <main>
      <h1>Shopping list</h1>
      <AddForm onAdd={add} />
      <p className="summary">{items.length === 0 ? 'The list is empty' : `${done} of ${items.length} done`}</p>
      <ul>
        {shown.map((item) => (
          <Item
            key={item.id}
            item={item}
            onToggle={() => toggle(item.id)}
            onRemove={() => setItems(items.filter((other) => other.id !== item.id))}
          />
        ))}
      </ul>
      <button onClick={() => setIsHiding(!isHiding)}>
        {isHiding ? 'Show all' : 'Hide done'}
      </button>
      <button disabled={done === 0} onClick={() => setItems(items.filter((item) => !item.isDone))}>
        Clear done
      </button>
    </main>
  );
}
