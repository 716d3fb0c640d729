/** Plain data, so that it crosses processes and HTTP unchanged. */

export const LANGUAGES = ['javascript', 'python', 'html', 'css', 'react', 'typescript', 'sql'] as const;
export type Language = (typeof LANGUAGES)[number];

/** `stdin`: `input` is fed line by line (decisions 44–49). */
export type TestMode = 'call' | 'stdin';

export interface JudgeTest {
  input: string;
  expectedOutput: string;
  mode?: TestMode;
  /** Runs after the others, and never becomes the verdict's output or error. */
  hidden?: boolean;
  /** Compared with its type, printed text counts for nothing (decision 65). */
  strict?: boolean;
}

/** With no tests, what it prints must equal `expectedOutput` (decision 44). */
export interface Submission {
  language: Language;
  code: string;
  tests: JudgeTest[];
  expectedOutput?: string;
  /** css: the markup to style (decision 48); sql: what makes the tables (decision 134). */
  fixture?: string;
  /** One of an owner's runs at a time, two wait, more are refused. */
  owner?: string;
  /** Without an account: one at a time in a pool, after all others. */
  isVisitor?: true;
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

export const TRACED: readonly Language[] = ['javascript', 'python'];

export interface TraceStep {
  kind: 'line' | 'call' | 'return';
  line: number;
  fn: string;
  depth: number;
  printed: number;
  /** Null for what is out of scope. */
  vars?: Record<string, string | null>;
  value?: string;
}

export interface Trace {
  steps: TraceStep[];
  asked: number;
  isWhole: boolean;
}

export interface LearnerError {
  name: string;
  message: string;
  line: number | null;
  column: number | null;
  explanation: string | null;
}

export interface ShownRows {
  columns: { name: string; type: string }[];
  rows: {
    cells: (string | null)[];
    marks: number[];
    differs: 'missing' | 'extra' | null;
  }[];
  more: number;
}

export interface TestResult {
  /** Tests behind one that reached a limit are not run; they have its kind. */
  kind: VerdictKind;
  passed: boolean;
  got: string | null;
  typeDifference?: string;
  tables?: { wanted: ShownRows; got: ShownRows };
  gave?: string;
  output: string;
  error: LearnerError | null;
}

export interface Verdict {
  kind: VerdictKind;
  /** Of a plain run or the first visible test, at most 64 KB (decision 50). */
  output: string;
  outputTruncated: boolean;
  error: LearnerError | null;
  hint: LearnerError | null;
  tests: TestResult[];
  durationMs: number;
  trace?: Trace;
}

type NoVerdictReason = 'busy' | 'own_runs' | 'failed';

/** No verdict was given and nothing counts as an attempt (decision 50). */
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

export class InvalidSubmission extends Error {
  override name = 'InvalidSubmission';
}
