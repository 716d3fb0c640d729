import { format } from 'node-inspect-extracted';
import { textOnly } from './intrinsics.ts';

/** What a program prints, up to a limit. */
let printed = '';
let room = 0;
let overflowed = false;
let indent = '';

export const output = () => ({ text: printed, overflowed });

/** Empties the output and sets how many characters it may take. */
export function openOutput(limit: number): void {
  printed = '';
  room = limit;
  overflowed = false;
  indent = '';
}

/** Thrown into a program that prints beyond its limit, so that a printing loop ends at once. */
class OutputLimit extends Error {
  override name = 'OutputLimit';
}

/** Adds a line. */
export function printLine(line: string): void {
  if (overflowed) throw new OutputLimit('The program prints too much.');
  const text = `${indent}${line}\n`;
  if (text.length <= room) {
    printed += text;
    room -= text.length;
    return;
  }
  for (let i = 0; i < room; i++) printed += text[i];
  room = 0;
  overflowed = true;
  throw new OutputLimit('The program prints too much.');
}

const print = (...values: unknown[]): void => {
  printLine(textOnly(format(...values)));
};

const counts = new Map<string, number>();

export const sandboxConsole = {
  log: print,
  info: print,
  debug: print,
  warn: print,
  error: print,
  dir: print,
  table: print,
  trace: print,
  group(...values: unknown[]) {
    if (values.length > 0) print(...values);
    if (indent.length < 40) indent += '  ';
  },
  groupCollapsed(...values: unknown[]) {
    sandboxConsole.group(...values);
  },
  groupEnd() {
    indent = indent.slice(2);
  },
  assert(condition: unknown, ...values: unknown[]) {
    if (!condition) print('Assertion failed:', ...values);
  },
  count(label = 'default') {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    print(`${label}: ${count}`);
  },
  countReset(label = 'default') {
    counts.delete(label);
  },
  clear() {},
  time() {},
  timeLog() {},
  timeEnd() {},
};
