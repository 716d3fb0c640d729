import type { Language, LearnerError, TestMode, VerdictKind } from './protocol.ts';

/**
 * What reaches a sandbox: the program and its inputs. Expected values stay with the supervisor, so that no program can
 * read them (decision 50).
 */
export interface Program {
  language: Language;
  code: string;
  fixture: string;
  /** Empty for a plain run whose printed output is all that counts. */
  inputs: { input: string; mode: TestMode }[];
  /** Differs for every submission; seeds what the language would otherwise freeze in a snapshot. */
  seed: number;
}

export interface RunLimits {
  /** Processor time of one test, milliseconds. */
  testMs: number;
  /** Of the whole submission, milliseconds. */
  totalMs: number;
  memoryMb: number;
  outputBytes: number;
}

/** What one input was seen to give. `value` is compared by the supervisor, never inside. */
export interface Observation {
  kind: Exclude<VerdictKind, 'pass' | 'wrong_answer'> | 'value';
  /** The value in its canonical text; for a plain run and for `stdin`, what was printed. */
  value: string | null;
  output: string;
  outputTruncated: boolean;
  error: LearnerError | null;
}

/** One language inside a judge child. Every file in `languages/` gives one. */
export interface Runner {
  languages: Language[];
  /** `web` children run with `--jitless`; `python` children need WebAssembly. */
  lane: 'web' | 'python';
  /** Loads what the language needs (snapshots, caches) and fills its pool of unused sandboxes. */
  start(): Promise<void>;
  /** One observation for each input, in order; one alone for a plain run. A fresh sandbox for each submission. */
  run(program: Program, limits: RunLimits): Promise<Observation[]>;
  /** Makes unused sandboxes for the next submissions; called while the child is idle. */
  refill(): Promise<void>;
}
