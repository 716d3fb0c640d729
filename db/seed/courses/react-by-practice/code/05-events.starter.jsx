import { useState } from 'react';

export function Keypad({ onPress, onClear }) {
  return <button type="button">1</button>;
}

export default function App() {
  const [code, setCode] = useState('');
  return (
    <section>
      <output>{code}</output>
      <Keypad onPress={(digit) => setCode((before) => before + digit)} onClear={() => setCode('')} />
    </section>
  );
}
