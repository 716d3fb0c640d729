// A small fast generator, keyed for every run; lessons need no more.
const entropy = new Uint32Array([1, 2, 3, 4]);

export function keyRandom(key: number[]): void {
  entropy.set(key);
}

function randomWord(): number {
  const sum = (entropy[0]! + entropy[1]! + entropy[3]!) | 0;
  entropy[3] = entropy[3]! + 1;
  entropy[0] = entropy[1]! ^ (entropy[1]! >>> 9);
  entropy[1] = entropy[2]! + (entropy[2]! << 3);
  entropy[2] = ((entropy[2]! << 21) | (entropy[2]! >>> 11)) + sum;
  return sum;
}

export function getRandomValues<View extends Uint8Array>(view: View): View {
  for (let i = 0; i < view.length; i++) view[i] = randomWord() >>> 3;
  return view;
}
