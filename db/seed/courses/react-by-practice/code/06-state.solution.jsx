import { useState } from 'react';

const BRIGHTEST = 5;

export default function Lamp() {
  const [level, setLevel] = useState(2);
  const [isOn, setIsOn] = useState(true);
  return (
    <section>
      <p>Brightness {isOn ? level : 0}</p>
      <button disabled={!isOn || level === 0} onClick={() => setLevel((before) => before - 1)}>
        Darker
      </button>
      <button disabled={!isOn || level === BRIGHTEST} onClick={() => setLevel((before) => before + 1)}>
        Brighter
      </button>
      <button onClick={() => setIsOn((before) => !before)}>{isOn ? 'Off' : 'On'}</button>
    </section>
  );
}
