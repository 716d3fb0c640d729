import { useState } from 'react';

export default function Lamp() {
  let brightness = 2;
  return (
    <section>
      <p>Brightness {brightness}</p>
      <button onClick={() => (brightness -= 1)}>Darker</button>
      <button onClick={() => (brightness += 1)}>Brighter</button>
    </section>
  );
}
