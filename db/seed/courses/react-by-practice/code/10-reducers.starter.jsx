import { useReducer, useState } from 'react';

export function reading(books, action) {
  books.push({ id: books.length + 1, title: action.title, isRead: false });
  return books;
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
