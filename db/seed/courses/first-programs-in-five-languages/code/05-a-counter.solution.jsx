import { useState } from 'react';

export default function Counter({ start = 0 }) {
  const [clicks, setClicks] = useState(start);
  return (
    <div>
      <p>
        Clicked {clicks} {clicks === 1 ? 'time' : 'times'}
      </p>
      <button onClick={() => setClicks(clicks + 1)}>Click</button>
    </div>
  );
}
