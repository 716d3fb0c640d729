import { useState } from 'react';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];

export function Keypad({ onPress, onClear }) {
  return (
    <div>
      {DIGITS.map((digit) => (
        <button key={digit} type="button" onClick={() => onPress(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" onClick={onClear}>
        Clear
      </button>
    </div>
  );
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
