import type { TestMode } from '../../protocol.ts';
import type { Observation } from '../../runner.ts';

// What the host and the isolate agree on. Both import it, so it needs nothing of Node and nothing of an isolate.

/** Bytes kept of what a program prints, and of the value that it gives. */
export const OUTPUT_BYTES = 65_536;

/** A page of memory as snapshots count them. */
export const PAGE_BYTES = 4_096;
/** A page of memory as WebAssembly counts them. */
const WASM_PAGE_BYTES = 65_536;
/** 128 MB: more than this and the program gets a MemoryError. */
export const MAXIMUM_PAGES = 2_048;
export const MEMORY_BYTES = MAXIMUM_PAGES * WASM_PAGE_BYTES;

/** The board is the memory that both see. It begins with 32-bit words, then comes the output itself. */
export const BOARD_HEAD_BYTES = 32;
export const BOARD_WORDS = 5;
/** Which word says what: interrupt, bytes of output, phase, whether the output is full, number of the test. */
export const BOARD = { interrupt: 0, outputEnd: 1, phase: 2, over: 3, test: 4 } as const;
/** What stops a program, in the first byte of the board: the number of the keyboard's signal. */
export const INTERRUPT = 2;

export const PHASES = ['start', 'program', 'call', 'end'] as const;
export type Phase = (typeof PHASES)[number];

/** Where the isolate's script leaves its functions until they are taken, which happens in the same script. */
export const ENTRIES_NAME = '$pythonIsolate';

/** Addresses of the harness's functions, by their names in `harness.py`. */
export type Pointers = Record<string, number>;

/** What restoring needs to know of a snapshot besides its pages. */
export interface SnapshotRest {
  /** So many of the pages, the first ones, differ from a new instance's memory; it has the others already. */
  differing: number;
  /** Bytes of the whole memory. */
  length: number;
  stack: number;
  functions: Pointers;
}

/** An interpreter that has been prepared, before it becomes a snapshot. */
export interface Captured {
  memory: ArrayBuffer;
  stack: number;
  functions: Pointers;
}

/** An error as the harness describes it; all of it text. */
export interface RawError {
  name: string;
  message: string;
  line: string;
  column: string;
}

/** What `run` tells of one test. */
export interface Report {
  phase: Phase;
  over: boolean;
  output: string;
  value?: string;
  returned?: Observation['returned'];
  withoutPrompts?: string;
  error?: RawError;
  crash?: string;
  /** Of a run that is recorded: the steps, as JSON. */
  trace?: string;
}

/** One test for `run`: its input, how that is given, the key of its random numbers, and the seed of `random`. */
export type GivenTest = [given: string, mode: TestMode, key: number[], seed: number];
