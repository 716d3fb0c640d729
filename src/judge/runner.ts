import type { Language, LearnerError, TestMode, Trace, VerdictKind } from './protocol.ts';

/**
 * `web` has neither JIT nor WebAssembly (`--jitless`); `python` and `sql` need both, `typescript` the JIT.
 */
export type Pool = 'web' | 'python' | 'typescript' | 'sql';

/** Expected values stay with the supervisor, so that no program can read them (decision 50). */
export interface Program {
  language: Language;
  code: string;
  fixture: string;
  inputs: { input: string; mode: TestMode }[];
  traced?: true;
  /** The search for a hint whose program it is. */
  search?: number;
}

export interface RunLimits {
  /** Milliseconds. */
  testMs: number;
  /** Milliseconds. */
  totalMs: number;
  memoryMb: number;
  outputBytes: number;
}

/** `value` is compared by the supervisor, never inside. */
export interface Observation {
  kind: Exclude<VerdictKind, 'pass' | 'wrong_answer'> | 'value';
  value: string | null;
  returned?: 'text' | 'nothing' | 'value';
  withoutPrompts?: string;
  output: string;
  outputTruncated: boolean;
  error: LearnerError | null;
  hint?: LearnerError;
  trace?: Trace;
}

export interface Artifacts {
  /** Null where it was not built: slower. */
  read(name: string): Uint8Array | null;
}

export interface Runner {
  languages: Language[];
  pool: Pool;
  /** At build time, in a process with the pool's engine flags and no restrictions. */
  buildArtifacts?(folder: string): Promise<Record<string, Uint8Array>>;
  start(artifacts: Artifacts): Promise<void>;
  /** One observation for each input, fewer where a limit ended the run. */
  run(program: Program, limits: RunLimits): Promise<Observation[]>;
  refill(): Promise<void>;
}
