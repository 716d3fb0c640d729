import { useEffect, useState } from 'react';

export default function Stopwatch() {
  const [seconds, setSeconds] = useState(0);
  const [isRunning, setIsRunning] = useState(false);

  useEffect(() => {
    if (!isRunning) return;
    const id = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(id);
  }, [isRunning]);

  useEffect(() => {
    document.title = `${seconds} s`;
  }, [seconds]);

  function reset() {
    setIsRunning(false);
    setSeconds(0);
  }

  return (
    <section>
      <p>{seconds} s</p>
      <button onClick={() => setIsRunning(!isRunning)}>{isRunning ? 'Stop' : 'Start'}</button>
      <button onClick={reset}>Reset</button>
    </section>
  );
}
