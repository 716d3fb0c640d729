import { outputEnd, printed } from './output.ts';
import { decodeUtf8 } from './utf8.ts';

/** No record has so many steps or bytes: a program that writes here itself fills no memory. */
const MOST_STEPS = 2_100;
const MOST_BYTES = 64 * 1024;

/** Each as JSON, with the bytes that were printed before it. */
let steps: [text: string, printed: number][] = [];
let bytes = 0;
let isWhole = true;

/** Forgets the last record. */
export function startRecord(): void {
  steps = [];
  bytes = 0;
  isWhole = true;
}

/** Takes a step as the harness writes it; an exclamation mark says that there would be more. */
export function keepStep(step: Uint8Array): void {
  bytes += step.length;
  if (step.length === 1 || steps.length >= MOST_STEPS || bytes > MOST_BYTES) isWhole = false;
  // The interpreter hands its bytes over with a sign.
  else steps.push([decodeUtf8(new Uint8Array(step)), outputEnd('all')]);
}

/** The steps so far, as JSON. */
export function record(): string {
  let from = 0;
  let characters = 0;
  const told = steps.map(([text, end]) => {
    characters += printed('all', from, end).length;
    from = end;
    return `{"printed":${characters},${text.slice(1)}`;
  });
  return `{"steps":[${told.join()}],"isWhole":${isWhole}}`;
}
