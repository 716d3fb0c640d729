import { output } from './console.ts';
import { define, kept, realNow } from './intrinsics.ts';
import { markOf } from './marks.ts';
import { keepClosed, showShort } from './show.ts';

const MOST_STEPS = 2_000;
const MOST_BYTES = 48 * 1024;
/** The program needs the rest of its time. */
const MOST_SHOWING_MS = 300;

type Readers = (string | (() => unknown))[];

interface Frame {
  fn: string;
  /** Functions that pause have no frame of their own. */
  told: Record<string, Record<string, string>>;
  value: string | null;
  line: number;
}

const emptyRecord = <Value>() => ({ __proto__: null }) as unknown as Record<string, Value>;

let steps = '';
let count = 0;
let asked = 0;
let bytes = 0;
let isFull = false;
let isShowing = false;
let showingMs = 0;
let frames: Frame[] = [];

function sizeOf(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) if (kept.codeAt(text, at) > 0x7f) size += 2;
  return size;
}

function fill(): void {
  isFull = true;
  recorder.on = false;
}

function add(kind: string, line: number, fn: string, rest: string): void {
  const step = `{"kind":"${kind}","line":${line},"fn":${kept.stringify(fn)},"depth":${frames.length - 1},"printed":${output().length}${rest}}`;
  bytes += sizeOf(step) + 1;
  if (count >= MOST_STEPS || bytes > MOST_BYTES) {
    fill();
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

function changes({ told }: Frame, fn: string, readers: Readers): string {
  const before = told[fn] ?? emptyRecord<string>();
  const now = emptyRecord<string>();
  let text = '';
  const tell = (name: string, value: string | null) => {
    text += `${text && ','}${kept.stringify(name)}:${value === null ? 'null' : kept.stringify(value)}`;
  };
  for (let at = 0; at < readers.length; at += 2) {
    const name = readers[at] as string;
    const value = shown(readers[at + 1] as () => unknown);
    if (value === null) continue;
    now[name] = value;
    if (before[name] !== value) tell(name, value);
  }
  for (const name in before) if (now[name] === undefined) tell(name, null);
  told[fn] = now;
  return `,"vars":{${text}}`;
}

function quietly(act: () => void): void {
  if (isFull || isShowing) return;
  isShowing = true;
  const from = realNow();
  try {
    act();
  } catch {
    // At the end of the engine's stack, which is the program's own matter.
    fill();
  }
  isShowing = false;
  showingMs += realNow() - from;
  if (showingMs > MOST_SHOWING_MS) fill();
}

const top = () => frames[frames.length - 1]!;

const recorder = {
  on: true,
  line: (line: number, fn: string, readers: Readers) =>
    quietly(() => add('line', line, fn, changes(top(), fn, readers))),
  call: (line: number, fn: string, readers: Readers) => {
    // Also when nothing is recorded any more: the ends that follow belong to it.
    frames[frames.length] = { fn, told: emptyRecord(), value: null, line };
    quietly(() => add('call', line, fn, changes(top(), fn, readers)));
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

/** Showing a proxy would run its traps, which are the program's code. */
function knowProxies(): void {
  const Native = globalThis.Proxy;
  const { revocable } = Native;
  const make = (_: unknown, values: unknown[]): object => {
    const made = kept.construct(Native, values) as object;
    keepClosed(made);
    return made;
  };
  define(Native, 'revocable', (target: object, handler: ProxyHandler<object>) => {
    const made = kept.apply(revocable, Native, [target, handler]) as { proxy: object };
    keepClosed(made.proxy);
    return made;
  });
  define(
    globalThis,
    'Proxy',
    new Native(Native, { __proto__: null, construct: make } as ProxyHandler<typeof Native>),
  );
}

/** Functions give the learner's texts: who forgets to call one may print it. */
function hideCalls(mark: string): void {
  const method = {
    toString(this: unknown): string {
      const text = kept.functionText(this);
      let own = '';
      let from = 0;
      for (let at = kept.indexOfText(text, mark); at >= 0; at = kept.indexOfText(text, mark, from)) {
        own += kept.sliceText(text, from, at);
        const end = kept.indexOfText(text, mark, at + mark.length);
        // The mark behind a text is not part of it.
        from = end < 0 ? text.length : end + mark.length;
      }
      return own + kept.sliceText(text, from);
    },
  };
  define(Function.prototype, 'toString', method.toString);
}

export function startRecord(name: string): void {
  steps = '';
  count = 0;
  asked = 0;
  bytes = 0;
  isFull = false;
  recorder.on = true;
  isShowing = false;
  showingMs = 0;
  frames = [{ fn: '', told: emptyRecord(), value: null, line: 0 }];
  knowProxies();
  hideCalls(markOf(name));
  define(globalThis, name, recorder);
}

export function noteAsked(): void {
  asked = count;
}

export function record(): string {
  return `{"steps":[${steps}],"asked":${asked},"isWhole":${!isFull}}`;
}
