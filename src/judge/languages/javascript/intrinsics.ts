/** Saves the language before a program can change it, and removes what no isolate's limit holds. */

const { apply, construct, defineProperty, deleteProperty } = Reflect;
const { getPrototypeOf, keys } = Object;
const { isArray } = Array;
const { parse, stringify } = JSON;
const NativeDate = Date;
const nativeNow = Date.now;

/** Later changes by a program cannot reach it. */
function free<T>(method: unknown): (object: unknown, ...values: unknown[]) => T {
  return (object, ...values) => apply(method as () => T, object, values) as T;
}

function getter<T>(prototype: object, name: string): (object: unknown) => T {
  const read = Object.getOwnPropertyDescriptor(prototype, name)!.get as () => T;
  return (object) => apply(read, object, []) as T;
}

const slice = free<string>(String.prototype.slice);
const indexOf = free<number>(String.prototype.indexOf);
const repeat = free<string>(String.prototype.repeat);
const exec = free<RegExpExecArray | null>(RegExp.prototype.exec);
const isAbove = free<boolean>(Object.prototype.isPrototypeOf);

export const kept = {
  apply,
  construct,
  getPrototypeOf,
  hasOwn: Object.hasOwn,
  isArray,
  isFinite: Number.isFinite,
  keys,
  symbols: Object.getOwnPropertySymbols,
  descriptor: Object.getOwnPropertyDescriptor,
  parse,
  stringify,
  parseInt: Number.parseInt,
  parseFloat: Number.parseFloat,
  sqrt: Math.sqrt,
  round: Math.round,
  floor: Math.floor,
  min: Math.min,
  max: Math.max,
  toStringTag: Symbol.toStringTag as typeof Symbol.toStringTag,
  Error,
  Map,
  Set,
  typedArray: getPrototypeOf(Int8Array) as abstract new () => object,
  Date: NativeDate,
  Promise,
  RegExp,
  WeakMap,
  WeakSet,
  ArrayBuffer,
  DataView,
  String,
  Number,
  Boolean,
  RangeError,
  TypeError,
  boxes: [
    [String, 'String', free<unknown>(String.prototype.valueOf)],
    [Number, 'Number', free<unknown>(Number.prototype.valueOf)],
    [Boolean, 'Boolean', free<unknown>(Boolean.prototype.valueOf)],
  ] as const,
  sliceText: (text: string, from: number, to?: number): string => slice(text, from, to),
  indexOfText: (text: string, part: string, from = 0): number => indexOf(text, part, from),
  repeatText: (text: string, count: number): string => repeat(text, count),
  padStart: free<string>(String.prototype.padStart),
  padEnd: free<string>(String.prototype.padEnd),
  upper: free<string>(String.prototype.toUpperCase),
  codeAt: free<number>(String.prototype.charCodeAt),
  hex: (value: number): string => hexText(value, 16),
  symbolText: free<string>(Symbol.prototype.toString),
  functionText: free<string>(Function.prototype.toString),
  errorText: free<string>(Error.prototype.toString),
  regExpText: free<string>(RegExp.prototype.toString),
  dateText: free<string>(Date.prototype.toISOString),
  dateTime: free<number>(Date.prototype.getTime),
  classText: free<string>(Object.prototype.toString),
  weakAdd: free<void>(WeakSet.prototype.add),
  weakHas: free<boolean>(WeakSet.prototype.has),
  mapSize: getter<number>(Map.prototype, 'size'),
  setSize: getter<number>(Set.prototype, 'size'),
  mapForEach: free<void>(Map.prototype.forEach) as (
    map: Map<unknown, unknown>,
    each: (value: unknown, key: unknown) => void,
  ) => void,
  setForEach: free<void>(Set.prototype.forEach) as (
    set: Set<unknown>,
    each: (value: unknown) => void,
  ) => void,
  test: (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null,
  hasInPrototypes: (object: object, prototype: unknown): boolean =>
    typeof prototype === 'object' && prototype !== null
      ? isAbove(prototype, object)
      : typeof prototype === 'function' && isAbove(prototype, object),
};

const hexText = free<string>(Number.prototype.toString);

/** Writable, configurable, not enumerable, as the language itself does. */
export function define(target: object, name: PropertyKey, value: unknown): void {
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** What it makes are the native one's instances. */
function sharePrototype(ours: object, native: { prototype: object }): void {
  defineProperty(ours, 'prototype', { value: native.prototype, writable: false });
  define(native.prototype, 'constructor', ours);
}

/** No options, so that no buffer can grow. */
function fixedBuffers(): void {
  const Native = ArrayBuffer;
  // Named so that programs see the name they know.
  const Fixed = {
    ArrayBuffer: function (this: unknown, length: unknown) {
      if (!new.target) throw new TypeError("Constructor ArrayBuffer requires 'new'");
      return construct(Native, [length], new.target);
    },
  }.ArrayBuffer;
  sharePrototype(Fixed, Native);
  define(Fixed, 'isView', Native.isView);
  for (const method of [
    'resize',
    'transfer',
    'transferToFixedLength',
    'transferToImmutable',
    'sliceToImmutable',
  ]) {
    deleteProperty(Native.prototype, method);
  }
  define(globalThis, 'ArrayBuffer', Fixed);
}

export function strip(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'ShadowRealm']) {
    deleteProperty(globalThis, name);
  }
  if (globalThis.ArrayBuffer === kept.ArrayBuffer) fixedBuffers();
}

/** V8 gives no more to strict code. */
interface Frame {
  getScriptNameOrSourceURL(): unknown;
  getLineNumber(): number | null;
  toString(): string;
}

let programFile = '';
let programLines = 0;

/** Stacks show only the first so many lines of a script of that name. */
export function startStacks(file: string, lines: number): void {
  programFile = file;
  programLines = lines;
}

function stackOf(error: unknown, frames: readonly Frame[]): string {
  let text = 'Error';
  let shown = '';
  try {
    text = kept.errorText(error);
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i]!;
      if (frame.getScriptNameOrSourceURL() !== programFile || frame.getLineNumber()! > programLines) continue;
      shown += `\n    at ${frame.toString()}`;
    }
  } catch {
    // The error has no text of its own, or the program is at the end of the engine's stack.
  }
  // React learns from a stack of its own how this engine writes them.
  return text + (shown || '\n    at <anonymous>');
}

export function installStacks(): void {
  define(Error, 'prepareStackTrace', stackOf);
}

let offsetMs = 0;
/** Null where it goes on by itself. */
let standsAt: number | null = null;
let startedAt = 0;

export function realNow(): number {
  return apply(nativeNow, NativeDate, []) as number;
}

/** Milliseconds since 1970. */
function now(): number {
  return (standsAt ?? realNow()) + offsetMs;
}

export function startClock(epochMs?: number): void {
  standsAt = epochMs === undefined ? null : epochMs - offsetMs;
  startedAt = now();
}

export function advanceClock(ms: number): void {
  offsetMs += ms;
}

export function waitedMs(): number {
  return offsetMs;
}

export const performance = { now: () => now() - startedAt, timeOrigin: 0, mark() {}, measure() {} };

export function installClock(): void {
  const Clocked = {
    Date: function (this: unknown, ...parts: unknown[]) {
      if (!new.target) return `${construct(NativeDate, [now()])}`;
      return construct(NativeDate, parts.length === 0 ? [now()] : parts, new.target);
    },
  }.Date;
  define(Clocked, 'length', 7);
  sharePrototype(Clocked, NativeDate);
  define(Clocked, 'now', now);
  define(Clocked, 'parse', NativeDate.parse);
  define(Clocked, 'UTC', NativeDate.UTC);
  define(globalThis, 'Date', Clocked);
}
