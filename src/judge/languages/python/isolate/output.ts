import { OUTPUT_BYTES } from '../agreement.ts';
import { boardOutput, interruptProgram } from './board.ts';
import { decodeUtf8 } from '../../surroundings/utf8.ts';

interface Kept {
  bytes: Uint8Array;
  end: number;
}

const empty = (): Kept => ({ bytes: new Uint8Array(OUTPUT_BYTES), end: 0 });

const kept = {
  /** In memory shared with the host, so that it outlives a stopped program. */
  all: empty(),
  /** Standard output, as the shell would see it. */
  out: empty(),
  plain: empty(),
};

export type OutputName = keyof typeof kept;

let over = false;

export function shareOutput(bytes: Uint8Array): void {
  kept.all.bytes = bytes;
}

export function startOutput(): void {
  kept.all.end = kept.out.end = kept.plain.end = 0;
  over = false;
}

export function emptyOutput(name: OutputName): void {
  kept[name].end = 0;
}

export function keep(name: OutputName, bytes: Uint8Array): void {
  const output = kept[name];
  const room = OUTPUT_BYTES - output.end;
  output.bytes.set(bytes.length > room ? bytes.subarray(0, room) : bytes, output.end);
  output.end = Math.min(OUTPUT_BYTES, output.end + bytes.length);
  if (bytes.length > room) {
    over = true;
    interruptProgram();
  }
  boardOutput(kept.all.end, over);
}

export function isOver(): boolean {
  return over;
}

export function outputEnd(name: OutputName): number {
  return kept[name].end;
}

export function printed(name: OutputName, from = 0, end = kept[name].end): string {
  const { bytes } = kept[name];
  return decodeUtf8(bytes.subarray(from, end));
}

/** A program that writes here itself cannot fill memory. */
const MOST_STEPS = 2_100;
const MOST_STEP_BYTES = 64 * 1024;

/** Each as JSON, with the bytes that were printed before it. */
let steps: [text: string, printed: number][] = [];
let stepBytes = 0;
let isWhole = true;
let asked = 0;

export function startRecord(): void {
  steps = [];
  stepBytes = 0;
  isWhole = true;
  asked = 0;
}

export function noteAsked(): void {
  asked = steps.length;
}

/** An exclamation mark says that there would be more. */
export function keepStep(step: Uint8Array): void {
  stepBytes += step.length;
  if (step.length === 1 || steps.length >= MOST_STEPS || stepBytes > MOST_STEP_BYTES) isWhole = false;
  // The interpreter hands its bytes over with a sign.
  else steps.push([decodeUtf8(new Uint8Array(step)), outputEnd('all')]);
}

export function record(): string {
  let from = 0;
  let characters = 0;
  const told = steps.map(([text, end]) => {
    characters += printed('all', from, end).length;
    from = end;
    return `{"printed":${characters},${text.slice(1)}`;
  });
  return `{"steps":[${told.join()}],"asked":${asked},"isWhole":${isWhole}}`;
}
