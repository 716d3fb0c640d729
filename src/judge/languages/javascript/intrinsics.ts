/**
 * Runs first in a sandbox: keeps what the harness needs from the language before a program can change it, and takes
 * away what no limit of an isolate holds: shared and resizable memory, WebAssembly, and callbacks that outlive a run.
 */

const { apply, construct, defineProperty, deleteProperty } = Reflect;
const { getPrototypeOf, keys } = Object;
const { isArray } = Array;
const { parse, stringify } = JSON;
const NativeDate = Date;
const nativeNow = Date.now;

/** A method as a function of its object, which nothing that a program changes later can reach. */
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

/** The language as it was before the program. */
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
  /** All typed arrays have this constructor in common. */
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
  /** Constructors of boxed values, their names, and what reads the value. */
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
  /** `[object Array]` and the like. */
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
  /** Whether an object has another among its prototypes. */
  hasInPrototypes: (object: object, prototype: unknown): boolean =>
    typeof prototype === 'object' && prototype !== null
      ? isAbove(prototype, object)
      : typeof prototype === 'function' && isAbove(prototype, object),
};

const hexText = free<string>(Number.prototype.toString);

/** Defines a global or a method as the language itself would: writable, configurable, not enumerable. */
export function define(target: object, name: PropertyKey, value: unknown): void {
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Puts a constructor in the place of a native one: what it makes are the native one's instances. */
function sharePrototype(ours: object, native: { prototype: object }): void {
  defineProperty(ours, 'prototype', { value: native.prototype, writable: false });
  define(native.prototype, 'constructor', ours);
}

/** Makes a buffer constructor that takes a length and no options, so that no buffer can grow. */
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

/**
 * Takes the dangerous globals away. Called when a sandbox is about to be used, not when a snapshot of it is made: the
 * engine adds to some of them when it makes a context out of a snapshot, and aborts where they are missing.
 */
export function strip(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'ShadowRealm']) {
    deleteProperty(globalThis, name);
  }
  if (globalThis.ArrayBuffer === kept.ArrayBuffer) fixedBuffers();
}

/** What a frame of a stack says of itself; V8 gives no more to code that is strict. */
interface Frame {
  getScriptNameOrSourceURL(): unknown;
  getLineNumber(): number | null;
  toString(): string;
}

let programFile = '';
let programLines = 0;

/** Stacks show the frames of this program from here on: the first so many lines of a script of that name. */
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

/** Leaves the harness out of stacks, for which the engine asks this function. */
export function installStacks(): void {
  define(Error, 'prepareStackTrace', stackOf);
}

let offsetMs = 0;
/** Where the clock stands but for its timers; null where it goes on by itself. */
let standsAt: number | null = null;
let startedAt = 0;

/** Milliseconds that really pass. */
export function realNow(): number {
  return apply(nativeNow, NativeDate, []) as number;
}

/** The program's milliseconds since 1970. */
function now(): number {
  return (standsAt ?? realNow()) + offsetMs;
}

/**
 * Begins the program's time, which in a sandbox out of a snapshot is not that of the snapshot. With `epochMs` it starts
 * there and stands still except for what timers wait.
 */
export function startClock(epochMs?: number): void {
  standsAt = epochMs === undefined ? null : epochMs - offsetMs;
  startedAt = now();
}

/** Moves the program's clock on by what a timer waits, which takes no real time. */
export function advanceClock(ms: number): void {
  offsetMs += ms;
}

/** Virtual milliseconds that timers have waited. */
export function waitedMs(): number {
  return offsetMs;
}

export const performance = { now: () => now() - startedAt, timeOrigin: 0, mark() {}, measure() {} };

/** The program's `Date`, on the clock that timers move. */
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
