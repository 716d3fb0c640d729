import { canonical } from './canonical.ts';
import { installConsole, isTruncated, output, startOutput } from './console.ts';
import {
  define,
  installClock,
  installStacks,
  kept,
  performance,
  startClock,
  startStacks,
  strip,
} from './intrinsics.ts';
import { noteAsked, record, startRecord } from './recorder.ts';
import { show } from './show.ts';
import { structuredCopy } from './structured-copy.ts';
import { installTimers, LONGEST_WAIT_MS, takeTimer } from './timers.ts';

/** One string for each input leaves: no object of the program crosses. */

type Probe = (source: string) => unknown;

interface Failure {
  name: string;
  message: string;
  stack: string;
}

const LONGEST_TEXT = 8_000;
/** The program's own globals come first. */
const TAIL = '\n;(function () { return eval(arguments[0]); })\n//# sourceURL=program.js';

// biome-ignore lint/security/noGlobalEval: running a program is what a sandbox is for.
const evaluate = globalThis.eval;

let probe: Probe | null = null;
let failure: Failure | null = null;
let neverEnds = false;
let settled = false;
let isAwaiting = false;
let value: string | null = null;
let outputFrom = 0;
let printedCounts = false;
let isText = false;
let lines: string[] = [];
let isRecorded = false;

function short(text: unknown): string {
  return typeof text === 'string' ? kept.sliceText(text, 0, LONGEST_TEXT) : '';
}

function failureOf(error: unknown): Failure {
  if (error instanceof kept.Error) {
    const { name, message, stack } = error as { name: unknown; message: unknown; stack?: unknown };
    return { name: short(name) || 'Error', message: short(message), stack: short(stack) };
  }
  return { name: 'Uncaught', message: short(show(error)), stack: '' };
}

function fail(error: unknown): void {
  // The first one ends a program; what it leads to is not its cause.
  if (failure) return;
  failure = { name: 'Error', message: 'The error cannot be read.', stack: '' };
  try {
    failure = failureOf(error);
  } catch {
    // Its own getters throw.
  }
}

function nextLine(): string | null {
  if (lines.length === 0) return null;
  const [line] = lines;
  lines = lines.slice(1);
  return line!;
}

/** The question is not printed, as browsers show it in a window. */
function installInput(): void {
  define(globalThis, 'prompt', () => nextLine());
  define(globalThis, 'readline', () => nextLine());
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = kept.indexOfText(text, '\n'); at >= 0; at = kept.indexOfText(text, '\n', at + 1)) count += 1;
  return count;
}

function start(code: string, input: string, outputCapacity: number): void {
  strip();
  startClock();
  startStacks('program.js', linesIn(code));
  startOutput(outputCapacity);
  probe = null;
  failure = null;
  neverEnds = false;
  settled = false;
  isAwaiting = false;
  value = null;
  outputFrom = 0;
  printedCounts = false;
  isText = false;
  lines = [];
  let from = 0;
  while (from < input.length) {
    const end = kept.indexOfText(input, '\n', from);
    lines[lines.length] = kept.sliceText(input, from, end < 0 ? input.length : end);
    from = end < 0 ? input.length : end + 1;
  }
  try {
    probe = evaluate(code + TAIL) as Probe;
  } catch (error) {
    fail(error);
  }
}

function take(result: unknown): void {
  if (result === undefined) printedCounts = true;
  else {
    isText = typeof result === 'string';
    value = canonical(result);
  }
  settled = true;
}

async function settle(result: unknown): Promise<void> {
  try {
    take(await result);
  } catch (error) {
    fail(error);
  }
}

function isThenable(result: unknown): boolean {
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null) return false;
  return typeof (result as { then?: unknown }).then === 'function';
}

function ask(source: string): void {
  if (failure || !probe) return;
  outputFrom = output().length;
  noteAsked();
  try {
    const result = probe(`${source}\n//# sourceURL=input.js`);
    if (isThenable(result)) {
      // Shown as long as it has not become anything.
      value = result instanceof kept.Promise ? show(result) : null;
      isAwaiting = true;
      void settle(result);
      return;
    }
    take(result);
  } catch (error) {
    fail(error);
  }
}

function step(): true | string {
  // Once there is a value, the timers that are left cannot change it.
  if (failure || isTruncated() || (settled && !printedCounts)) return report();
  // An answer that is still awaited may be there after the engine has worked off its promises.
  if (isAwaiting && !settled) {
    isAwaiting = false;
    return true;
  }
  try {
    const timer = takeTimer(LONGEST_WAIT_MS);
    if (typeof timer === 'function') {
      timer();
      return true;
    }
    if (timer === 'later') neverEnds = true;
  } catch (error) {
    fail(error);
  }
  return report();
}

function report(): string {
  let kind = 'value';
  if (isTruncated()) kind = 'output_limit';
  else if (failure) kind = 'runtime_error';
  else if (neverEnds) kind = 'time_limit';
  const text = value ?? (printedCounts ? output(outputFrom) || 'undefined' : null);
  const returned = printedCounts ? 'nothing' : isText ? 'text' : 'value';
  const field = (name: string, content: string | null) =>
    `,"${name}":${content === null ? 'null' : kept.stringify(content)}`;
  const error = failure
    ? `,"error":{"name":${kept.stringify(failure.name)}${field('message', failure.message)}${field('stack', failure.stack)}}`
    : '';
  return `{"kind":"${kind}","returned":"${returned}"${field('value', text)}${field('output', output())}${error}${isRecorded ? `,"trace":${record()}` : ''}}`;
}

function installRest(): void {
  define(globalThis, 'structuredClone', structuredCopy);
  define(globalThis, 'performance', performance);
}

installClock();
installStacks();
installConsole();
installTimers();
installInput();
installRest();

/** Taken by the host, and deleted, before any program runs. */
define(
  globalThis,
  '$harness',
  (command: string, a: string, b: string, c: number, d: string | null): unknown => {
    if (command === 'start') return start(a, b, c);
    // In one go, for programs that leave no promises behind.
    if (command === 'all') {
      start(a, b, c);
      if (d !== null) ask(d);
      return step();
    }
    if (command === 'record') {
      isRecorded = true;
      return startRecord(a);
    }
    if (command === 'ask') return ask(a);
    if (command === 'step') return step();
    return report();
  },
);
