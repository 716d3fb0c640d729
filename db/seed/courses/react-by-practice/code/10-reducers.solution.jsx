import { useReducer, useState } from 'react';

export function reading(books, action) {
  switch (action.type) {
    case 'add': {
      const id = Math.max(0, ...books.map((book) => book.id)) + 1;
      return [...books, { id, title: action.title, isRead: false }];
    }
    case 'toggle':
      return books.map((book) => (book.id === action.id ? { ...book, isRead: !book.isRead } : book));
    case 'remove':
      return books.filter((book) => book.id !== action.id);
    default:
      throw new Error(`Unknown action: ${action.type}`);
  }
}

export default function App({ initial = [] }) {
  const [books, dispatch] = useReducer(reading, initial);
  const [title, setTitle] = useState('');
  return (
    <section>
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button onClick={() => dispatch({ type: 'add', title })}>Add</button>
      <ul>
        {books.map((book) => (
          <li key={book.id} className={book.isRead ? 'read' : 'unread'}>
            <span>{book.title}</span>
            <button onClick={() => dispatch({ type: 'toggle', id: book.id })}>Read</button>
            <button onClick={() => dispatch({ type: 'remove', id: book.id })}>Remove</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
