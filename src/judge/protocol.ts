/** The judge's contract with whoever asks it: plain data, so that it crosses processes and HTTP unchanged. */

export const LANGUAGES = ['javascript', 'python', 'html', 'css', 'react', 'typescript', 'sql'] as const;
export type Language = (typeof LANGUAGES)[number];

/** `call`: `input` is an expression or query in the language's own form; `stdin`: `input` is fed line by line (decisions 44–49). */
export type TestMode = 'call' | 'stdin';

export interface JudgeTest {
  input: string;
  expectedOutput: string;
  /** Default `call`; `stdin` exists for javascript, typescript and python only. */
  mode?: TestMode;
  /** What a hidden test printed or failed with never becomes the verdict's own output or error. It runs after the others. */
  hidden?: boolean;
  /** What `call` returns is compared with its type, and what it prints counts for nothing (decision 65): javascript, typescript and python. */
  strict?: boolean;
}

/** A program to judge. With no tests, what it prints must equal `expectedOutput` (decision 44). */
export interface Submission {
  language: Language;
  code: string;
  tests: JudgeTest[];
  expectedOutput?: string;
  /** css: the markup that the learner's styles are applied to (decision 48); sql: what makes the tables (decision 134). */
  fixture?: string;
  /** Whose submission it is, for fairness: one runs, two wait, more are refused. */
  owner?: string;
  /** Somebody without an account sent it: one of these runs at a time in a pool, after all others that can start. */
  isVisitor?: true;
  /** The run is recorded step by step: of a program in one of `TRACED` with at most one test. */
  traced?: true;
}

export type VerdictKind =
  | 'pass'
  | 'wrong_answer'
  | 'runtime_error'
  | 'syntax_error'
  | 'time_limit'
  | 'memory_limit'
  | 'output_limit';

/** Languages whose runs can be recorded. */
export const TRACED: readonly Language[] = ['javascript', 'python'];

/** One step of a recorded run: a line that is about to run, a function that is entered, or one that is left. */
export interface TraceStep {
  kind: 'line' | 'call' | 'return';
  line: number;
  /** The function; empty outside of all. */
  fn: string;
  /** Calls that are open. */
  depth: number;
  /** Characters printed before. */
  printed: number;
  /** Variables of the open call that have changed, in short; null for what is out of scope again. */
  vars?: Record<string, string | null>;
  /** What is returned; absent where an error leaves the function. */
  value?: string;
}

export interface Trace {
  steps: TraceStep[];
  /** Steps before the test's own call. */
  asked: number;
  /** Whether the record had room for all steps. */
  isWhole: boolean;
}

/** What went wrong in the learner's program, at the learner's own lines. */
export interface LearnerError {
  /** As the language names it: `TypeError`, `IndentationError`. */
  name: string;
  message: string;
  /** From 1, in the learner's text; null where the language tells none. */
  line: number | null;
  column: number | null;
  /** The mistake in plain words, where it is a common one. */
  explanation: string | null;
}

/** Rows of a result as they are shown. */
export interface ShownRows {
  columns: { name: string; type: string }[];
  rows: {
    cells: (string | null)[];
    /** Places of cells that are another value than in the row beside it. */
    marks: number[];
    /** It is asked for and did not come, or came and is not asked for. */
    differs: 'missing' | 'extra' | null;
  }[];
  /** Rows that are not shown. */
  more: number;
}

export interface TestResult {
  /** Tests after one that reached a limit are not run; they carry that limit's kind and an error that says so. */
  kind: VerdictKind;
  passed: boolean;
  /** What the program gave for this input; null where it gave nothing. */
  got: string | null;
  /** Of a strict test: in a sentence, how the type of what was given is not the expected one. */
  typeDifference?: string;
  /** Of a test of SQL that failed by its rows: those that are asked for beside those that came. */
  tables?: { wanted: ShownRows; got: ShownRows };
  /** Of a hidden test that failed by its answer: the kind of value that came. */
  gave?: string;
  /** What it printed meanwhile. */
  output: string;
  error: LearnerError | null;
}

export interface Verdict {
  /** `pass` when every test passed, else the kind of the first one run that did not. */
  kind: VerdictKind;
  /** What the program printed in a plain run or in its first test that is not hidden, at most 64 KB (decision 50). */
  output: string;
  outputTruncated: boolean;
  error: LearnerError | null;
  /** A mistake beside the point, in the program's text, that may be why it fails; never the error itself. */
  hint: LearnerError | null;
  /** One for each test, in their order; empty for a run without tests. */
  tests: TestResult[];
  durationMs: number;
  /** Of a run that was recorded; the steps so far where it did not come to its end. */
  trace?: Trace;
}

/** `busy`: too much waits, or the machine has no time; `own_runs`: the owner's earlier runs are under way; `failed`: the judge broke. */
export type NoVerdictReason = 'busy' | 'own_runs' | 'failed';

/** The judge itself failed or is full: no verdict was given and nothing counts as an attempt (decision 50). */
export class JudgeUnavailable extends Error {
  readonly reason: NoVerdictReason;
  readonly retryAfterSeconds: number;

  constructor(reason: NoVerdictReason, message: string, retryAfterSeconds = 2) {
    super(message);
    this.name = 'JudgeUnavailable';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The submission is not one that the judge takes; the message names the field. The caller should have checked it. */
export class InvalidSubmission extends Error {
  override name = 'InvalidSubmission';
}
