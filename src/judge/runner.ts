import type { Language, LearnerError, TestMode, Trace, VerdictKind } from './protocol.ts';

/**
 * `web` children run with `--jitless`, so they have neither a JIT nor WebAssembly; `python` and `sql` children need
 * both, and `typescript` children the JIT, for the checker.
 */
export type Pool = 'web' | 'python' | 'typescript' | 'sql';

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
  /** The one run is recorded step by step. */
  traced?: true;
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
  /**
   * What a `call` in a language with types gave back: a text, which `value` is as it stands; nothing, where `value` is
   * what was printed instead; or any other value.
   */
  returned?: 'text' | 'nothing' | 'value';
  /** `value` without what the program asked with (`input("Name? ")`): a program may word its questions freely. */
  withoutPrompts?: string;
  output: string;
  outputTruncated: boolean;
  error: LearnerError | null;
  /** A mistake in the program's text alone, in case the answer turns out to be wrong. */
  hint?: LearnerError;
  /** Of a run that was recorded. */
  trace?: Trace;
}

/** Files that `buildArtifacts` made at build time, for the same sources, engine and flags. */
export interface Artifacts {
  /** Null where the build did not make it: the runner then works without, slower. */
  read(name: string): Uint8Array | null;
}

/** One language inside a judge child. Every file in `languages/` exports one under the name `runner`. */
export interface Runner {
  languages: Language[];
  pool: Pool;
  /**
   * Makes snapshots and code caches, by file name. Runs at build time in a process of its own with the pool's engine
   * flags and no restrictions (it may read files, bundle, and start programs). A child later may only read.
   * `folder` holds the pool's bundled files and gets the artifacts. Names that end in `.js` are scripts for any engine;
   * all others are taken to be bound to engine and flags, and are left out when an engine does not take them.
   * Resources are found from `process.cwd()`, which is the project's folder here and in a child: children run as one
   * bundled file, so `import.meta` does not lead to the source.
   */
  buildArtifacts?(folder: string): Promise<Record<string, Uint8Array>>;
  /** Loads what the language needs (snapshots, caches) and fills its pool of unused sandboxes. */
  start(artifacts: Artifacts): Promise<void>;
  /**
   * One observation for each input, in order; one alone for a plain run. A fresh sandbox for each submission. It may
   * give fewer when a limit ended the run: the supervisor then fills in the rest as not run.
   * Rejects only when the judge itself failed; whatever the program does is an observation.
   */
  run(program: Program, limits: RunLimits): Promise<Observation[]>;
  /** Makes unused sandboxes for the next submissions; called while the child is idle. */
  refill(): Promise<void>;
}
