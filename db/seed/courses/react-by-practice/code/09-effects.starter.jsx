import { useEffect, useState } from 'react';

export default function Stopwatch() {
  const [seconds, setSeconds] = useState(0);

  function start() {
    setInterval(() => setSeconds(seconds + 1), 1000);
  }

  return (
    <section>
      <p>{seconds} s</p>
      <button onClick={start}>Start</button>
    </section>
  );
}
