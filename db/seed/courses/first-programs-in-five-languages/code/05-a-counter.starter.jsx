import { useState } from 'react';

export default function Counter({ start = 0 }) {
  return (
    <div>
      <p>Clicked {start} times</p>
      <button>Click</button>
    </div>
  );
}
