import { useState } from 'react';

export function Panel({ title }) {
  return <section>{title}</section>;
}

export function ActionButton() {
  return <button type="button">Action</button>;
}

export function Confirm({ question, onYes, onNo }) {
  return <p>{question}</p>;
}

export default function App() {
  const [answer, setAnswer] = useState('none');
  return (
    <main>
      <Confirm question="Delete the trip?" onYes={() => setAnswer('yes')} onNo={() => setAnswer('no')} />
      <output>{answer}</output>
    </main>
  );
}
