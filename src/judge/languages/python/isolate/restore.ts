import { PAGE_BYTES, type SnapshotRest } from '../agreement.ts';
import { forgetBallast } from './errors.ts';
import { HOME, OWN_FOLDERS } from './folders.ts';
import { interpreter, pointers } from './running.ts';
import { heedInterrupts, seal } from './seal.ts';

interface Image {
  pages: Uint32Array;
  data: Uint8Array;
  stack: number;
  zeros: [first: number, end: number][] | null;
}

let image: Image | null = null;

function copyPages({ pages, data }: Image, from: number, to: number): void {
  const heap = interpreter.HEAPU8;
  for (let i = from; i < to; ) {
    // Neighbouring pages are copied in one go.
    let end = i + 1;
    while (end < to && pages[end] === pages[end - 1]! + 1) end++;
    heap.set(data.subarray(i * PAGE_BYTES, end * PAGE_BYTES), pages[i]! * PAGE_BYTES);
    i = end;
  }
}

export function restore(pages: Uint32Array, data: Uint8Array, rest: SnapshotRest): void {
  if (interpreter.HEAPU8.length < rest.length && !interpreter.growMemory(rest.length))
    throw new Error('no memory');
  image = { pages, data, stack: rest.stack, zeros: null };
  copyPages(image, 0, rest.differing);
  interpreter.stackRestore(rest.stack);
  Object.assign(pointers, rest.functions);
  seal();
}

/** [first, end); the last run goes to the end of any memory. */
function zeroRuns(pages: Uint32Array): [first: number, end: number][] {
  const filled = [...pages].sort((a, b) => a - b);
  const runs: [first: number, end: number][] = [];
  let next = 0;
  for (const page of filled) {
    if (page > next) runs.push([next, page]);
    next = page + 1;
  }
  runs.push([next, Infinity]);
  return runs;
}

/** Restores all of the interpreter's memory and what the system around it holds for it. */
export function startAfresh(): void {
  if (!image) return;
  image.zeros ??= zeroRuns(image.pages);
  const heap = interpreter.HEAPU8;
  for (const [from, end] of image.zeros)
    heap.fill(0, from * PAGE_BYTES, Math.min(end * PAGE_BYTES, heap.length));
  copyPages(image, 0, image.pages.length);
  interpreter.stackRestore(image.stack);
  heedInterrupts();
  forgetBallast();
  const { FS } = interpreter;
  for (const stream of FS.streams) if (stream) FS.close(stream);
  FS.streams.length = 0;
  FS.createStandardStreams();
  for (const folder of OWN_FOLDERS) FS.chmod(folder, 0o777);
  FS.chdir(HOME);
}
