import { useState } from 'react';

export function Panel({ title, actions, children }) {
  return (
    <section>
      <h2>{title}</h2>
      <div className="body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </section>
  );
}

export function ActionButton({ children, ...rest }) {
  return (
    <button type="button" className="action" {...rest}>
      {children}
    </button>
  );
}

export function Confirm({ question, onYes, onNo }) {
  const actions = (
    <>
      <ActionButton onClick={onYes}>Yes</ActionButton>
      <ActionButton onClick={onNo}>No</ActionButton>
    </>
  );
  return (
    <Panel title="Are you sure?" actions={actions}>
      <p>{question}</p>
    </Panel>
  );
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
