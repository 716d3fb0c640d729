import type { TestMode } from '../../protocol.ts';
import type { Observation } from '../../runner.ts';

// Host and isolate import it, so it needs nothing of Node or of an isolate.

export const OUTPUT_BYTES = 65_536;

export const PAGE_BYTES = 4_096;
const WASM_PAGE_BYTES = 65_536;
/** 128 MB: beyond, the program gets a MemoryError. */
export const MAXIMUM_PAGES = 2_048;
export const MEMORY_BYTES = MAXIMUM_PAGES * WASM_PAGE_BYTES;

/** Memory that both see: 32-bit words, then the output. */
export const BOARD_HEAD_BYTES = 32;
export const BOARD_WORDS = 5;
export const BOARD = { interrupt: 0, outputEnd: 1, phase: 2, over: 3, test: 4 } as const;
/** The number of the keyboard's signal. */
export const INTERRUPT = 2;

export const PHASES = ['start', 'program', 'call', 'end'] as const;
export type Phase = (typeof PHASES)[number];

export const ENTRIES_NAME = '$pythonIsolate';

export type Pointers = Record<string, number>;

export interface SnapshotRest {
  differing: number;
  length: number;
  stack: number;
  functions: Pointers;
}

export interface Captured {
  memory: ArrayBuffer;
  stack: number;
  functions: Pointers;
}

export interface RawError {
  name: string;
  message: string;
  line: string;
  column: string;
}

export interface Report {
  phase: Phase;
  over: boolean;
  output: string;
  value?: string;
  returned?: Observation['returned'];
  withoutPrompts?: string;
  error?: RawError;
  crash?: string;
  trace?: string;
}

export type GivenTest = [given: string, mode: TestMode, key: number[], seed: number];
