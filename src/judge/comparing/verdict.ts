import { matches, tablesOf } from './compare.ts';
import { hintAt } from './hints.ts';
import { compareStrictly, equalInPython, type StrictComparison } from './strict.ts';
import { timeLimitError } from '#src/judge/limit-texts.ts';
import type {
  LearnerError,
  ShownRows,
  Submission,
  TestResult,
  Verdict,
  VerdictKind,
} from '#src/judge/protocol.ts';
import type { Observation, RunLimits } from '#src/judge/runner.ts';
import { kindOfValue } from '../explanations/evidence.ts';

/** Bytes (decision 50). */
const SHOWN_OF_TEST = 8 * 1024;
const MESSAGE_LIMIT = 2_000;
const LIMITS: readonly VerdictKind[] = ['time_limit', 'memory_limit', 'output_limit'];
const HINTED: readonly VerdictKind[] = ['wrong_answer', 'runtime_error'];
const NO_ERROR = { line: null, column: null, explanation: null };

/** Text that PostgreSQL and JSON take, of at most so many bytes. */
function presentable(text: string, limitBytes: number): { text: string; cut: boolean } {
  const clean = text.toWellFormed().replaceAll('\u0000', '\u2400');
  if (clean.length * 3 <= limitBytes || Buffer.byteLength(clean) <= limitBytes)
    return { text: clean, cut: false };
  const bytes = Buffer.from(clean).subarray(0, limitBytes);
  return { text: bytes.toString('utf8').replace(/\uFFFD$/, ''), cut: true };
}

function presentableTables(tables: NonNullable<TestResult['tables']>): NonNullable<TestResult['tables']> {
  const clean = (text: string) => text.toWellFormed().replaceAll('\u0000', '\u2400');
  const rowsOf = ({ columns, rows, more }: ShownRows): ShownRows => ({
    columns: columns.map(({ name, type }) => ({ name: clean(name), type })),
    rows: rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => (cell === null ? null : clean(cell))),
    })),
    more,
  });
  return { wanted: rowsOf(tables.wanted), got: rowsOf(tables.got) };
}

function limitError(kind: VerdictKind, limits: RunLimits): LearnerError | null {
  if (kind === 'time_limit') return timeLimitError(limits, null);
  if (kind === 'memory_limit')
    return {
      ...NO_ERROR,
      name: 'MemoryLimit',
      message: `The program used more than ${limits.memoryMb} MB of memory and was stopped.`,
      explanation: 'Look for a list or a text that keeps growing.',
    };
  if (kind === 'output_limit')
    return {
      ...NO_ERROR,
      name: 'OutputLimit',
      message: `The program printed more than ${Math.floor(limits.outputBytes / 1024)} KB and was stopped.`,
      explanation: 'Look for printing inside a loop that runs too often.',
    };
  return null;
}

function notRun(kind: VerdictKind): Observation {
  const what = { time_limit: 'time', memory_limit: 'memory', output_limit: 'output' }[kind as string];
  const message = `Not run, because an earlier test reached the ${what} limit.`;
  return {
    kind: kind as Observation['kind'],
    value: null,
    output: '',
    outputTruncated: false,
    error: { ...NO_ERROR, name: 'NotRun', message },
  };
}

function ended(kind: 'time_limit' | 'memory_limit'): Observation {
  return { kind, value: null, output: '', outputTruncated: false, error: null };
}

function complete(observations: Observation[], count: number): Observation[] {
  const all = observations.slice(0, count);
  const last = all.at(-1);
  while (all.length < count) {
    if (!last || !LIMITS.includes(last.kind as VerdictKind)) {
      throw new Error(`a runner gave ${observations.length} observations for ${count} inputs`);
    }
    all.push(notRun(last.kind as VerdictKind));
  }
  return all;
}

function presentError(observation: Observation, kind: VerdictKind, limits: RunLimits): LearnerError | null {
  if (kind === 'pass') return null;
  const error = observation.error ?? limitError(kind, limits);
  return error && presentableError(error);
}

function presentableError(error: LearnerError): LearnerError {
  return {
    ...error,
    name: presentable(error.name, 200).text || 'Error',
    message: presentable(error.message, MESSAGE_LIMIT).text,
    explanation: error.explanation && presentable(error.explanation, MESSAGE_LIMIT).text,
  };
}

/** A program words its error by what it was given, so only the kind of a hidden test's error is shown. */
function withoutValues(
  error: LearnerError | null,
  kind: VerdictKind,
  limits: RunLimits,
): LearnerError | null {
  if (!error || kind === 'syntax_error') return error;
  return (
    limitError(kind, limits) ?? {
      ...NO_ERROR,
      name: 'HiddenTest',
      message:
        kind === 'wrong_answer'
          ? 'A hidden test expects something else.'
          : 'Your program stopped with an error in a hidden test. What it was given is not shown.',
    }
  );
}

const HAVE_VALUES: ReadonlySet<Submission['language']> = new Set(['javascript', 'python', 'typescript']);

export function verdictOf(
  submission: Submission,
  seen: Observation[] | 'time' | 'memory',
  limits: RunLimits,
  durationMs: number,
  isHinted = true,
): Verdict {
  const { language, tests } = submission;
  const given = typeof seen === 'string' ? [ended(`${seen}_limit`)] : seen;
  const observations = complete(given, Math.max(1, tests.length));
  const compared = observations.map((observation, index): StrictComparison | null => {
    const test = tests[index];
    return test?.strict ? compareStrictly(language, observation, test.expectedOutput) : null;
  });
  const kindOf = (observation: Observation, index: number): VerdictKind => {
    if (observation.kind !== 'value') return observation.kind;
    // Nothing was found to compare; the error says what is missing.
    if (observation.value === null && observation.error) return 'wrong_answer';
    const value = observation.value ?? '';
    if (Buffer.byteLength(value) > limits.outputBytes || observation.outputTruncated) return 'output_limit';
    const test = tests[index];
    const expected = test ? test.expectedOutput : submission.expectedOutput;
    if (expected === undefined) return 'pass';
    const strictly = compared[index];
    if (strictly) return strictly.isSame ? 'pass' : 'wrong_answer';
    // A program may word its own questions: they count neither for it nor against it.
    const accepted = [value, observation.withoutPrompts ?? value];
    const isSame =
      accepted.some((text) => matches(language, text, expected, test ?? null)) ||
      (language === 'python' && observation.returned === 'value' && equalInPython(value, expected));
    return isSame ? 'pass' : 'wrong_answer';
  };
  const kinds = observations.map(kindOf);
  const shownBytes = tests.length > 1 ? Math.min(SHOWN_OF_TEST, limits.outputBytes) : limits.outputBytes;
  const results = tests.map((_, index): TestResult => {
    const observation = observations[index]!;
    const kind = kinds[index]!;
    const got = compared[index]?.got ?? observation.value;
    const typeDifference = kind === 'wrong_answer' ? compared[index]?.typeDifference : undefined;
    const tables =
      kind === 'wrong_answer' && !tests[index]!.hidden ? tablesOf(language, got, tests[index]!) : null;
    return {
      kind,
      passed: kind === 'pass',
      got: got === null ? null : presentable(got, shownBytes).text,
      ...(typeDifference ? { typeDifference: presentable(typeDifference, MESSAGE_LIMIT).text } : {}),
      ...(tables ? { tables: presentableTables(tables) } : {}),
      ...(tests[index]?.hidden && HAVE_VALUES.has(language) && kind === 'wrong_answer' && !observation.error
        ? { gave: kindOfValue(got) }
        : {}),
      output: presentable(observation.output, shownBytes).text,
      error: presentError(observation, kind, limits),
    };
  });
  const firstFailed = kinds.findIndex((kind) => kind !== 'pass');
  const open = tests.length === 0 ? 0 : tests.findIndex((test) => !test.hidden);
  const output = presentable(observations[open]?.output ?? '', limits.outputBytes);
  const error =
    firstFailed < 0 ? null : presentError(observations[firstFailed]!, kinds[firstFailed]!, limits);
  const isHidden = tests[firstFailed]?.hidden ?? false;
  const mayHint = isHinted && firstFailed >= 0 && !error?.explanation && HINTED.includes(kinds[firstFailed]!);
  const hint = mayHint ? hintAt(submission, isHidden ? null : firstFailed, observations[firstFailed]!) : null;
  return {
    kind: firstFailed < 0 ? 'pass' : kinds[firstFailed]!,
    output: output.text,
    outputTruncated: output.cut || (observations[open]?.outputTruncated ?? false),
    error: isHidden ? withoutValues(error, kinds[firstFailed]!, limits) : error,
    hint: hint && presentableError(hint),
    tests: results,
    durationMs,
    ...(submission.traced && observations[0]?.trace ? { trace: observations[0].trace } : {}),
  };
}
