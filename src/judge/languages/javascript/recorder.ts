import { output } from './console.ts';
import { define, kept } from './intrinsics.ts';
import { showShort } from './show.ts';

/** Of a record: more nobody walks through, and it is sent to a browser. */
const MOST_STEPS = 2_000;
const MOST_BYTES = 48 * 1024;

type Readers = (string | (() => unknown))[];

interface Frame {
  fn: string;
  /** As they were told last. */
  told: Record<string, string>;
  value: string | null;
  line: number;
}

const emptyRecord = () => ({ __proto__: null }) as unknown as Record<string, string>;

let steps = '';
let count = 0;
let bytes = 0;
let isFull = false;
/** What is shown may run code of the program, which is no step of it. */
let isShowing = false;
let frames: Frame[] = [];

function sizeOf(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) if (kept.codeAt(text, at) > 0x7f) size += 2;
  return size;
}

function add(kind: string, line: number, fn: string, rest: string): void {
  const step = `{"kind":"${kind}","line":${line},"fn":${kept.stringify(fn)},"depth":${frames.length - 1},"printed":${output().length}${rest}}`;
  bytes += sizeOf(step) + 1;
  if (count >= MOST_STEPS || bytes > MOST_BYTES) {
    isFull = true;
    return;
  }
  steps += (count > 0 ? ',' : '') + step;
  count += 1;
}

function shown(read: () => unknown): string | null {
  try {
    const value = read();
    return typeof value === 'function' ? null : showShort(value);
  } catch {
    // Not initialised yet, or it does not let itself be shown.
    return null;
  }
}

/** The values that have changed since they were told, as JSON; null for a name that has none any more. */
function changes(frame: Frame, readers: Readers): string {
  const now = emptyRecord();
  let text = '';
  const tell = (name: string, value: string | null) => {
    text += `${text && ','}${kept.stringify(name)}:${value === null ? 'null' : kept.stringify(value)}`;
  };
  for (let at = 0; at < readers.length; at += 2) {
    const name = readers[at] as string;
    const value = shown(readers[at + 1] as () => unknown);
    if (value === null) continue;
    now[name] = value;
    if (frame.told[name] !== value) tell(name, value);
  }
  for (const name in frame.told) if (now[name] === undefined) tell(name, null);
  frame.told = now;
  return `,"vars":{${text}}`;
}

function quietly(act: () => void): void {
  if (isFull || isShowing) return;
  isShowing = true;
  act();
  isShowing = false;
}

const top = () => frames[frames.length - 1]!;

const recorder = {
  line: (line: number, fn: string, readers: Readers) =>
    quietly(() => add('line', line, fn, changes(top(), readers))),
  call: (line: number, fn: string, readers: Readers) => {
    // Also when nothing is recorded any more: the ends that follow belong to it.
    frames[frames.length] = { fn, told: emptyRecord(), value: null, line };
    quietly(() => add('call', line, fn, changes(top(), readers)));
  },
  value: (line: number, value?: unknown) => {
    quietly(() => {
      top().line = line;
      top().value = shown(() => value) ?? (typeof value === 'function' ? 'a function' : '…');
    });
    return value;
  },
  end: () => {
    const { fn, line, value } = top();
    quietly(() => add('return', line, fn, value === null ? '' : `,"value":${kept.stringify(value)}`));
    if (frames.length > 1) frames.length -= 1;
  },
  give: (line: number, read: () => unknown) => {
    try {
      return recorder.value(line, read());
    } finally {
      recorder.end();
    }
  },
};

/** Records what the program that is started next does, which calls a global of this name. */
export function startRecord(name: string): void {
  steps = '';
  count = 0;
  bytes = 0;
  isFull = false;
  isShowing = false;
  frames = [{ fn: '', told: emptyRecord(), value: null, line: 0 }];
  define(globalThis, name, recorder);
}

/** The steps so far, as JSON. */
export function record(): string {
  return `{"steps":[${steps}],"isWhole":${!isFull}}`;
}
