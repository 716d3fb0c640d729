/** Bytes of a program at most, as UTF-8. */
export const CODE_MAX_BYTES = 65_536;

/** Spec 9. */
export const ATTEMPTS_SHOWN = 5;

export const SUBMISSIONS_KEPT = 50;

export const VERDICTS = [
  'pass',
  'wrong_answer',
  'runtime_error',
  'syntax_error',
  'time_limit',
  'memory_limit',
  'output_limit',
] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export const EMPTY_CODE = { title: 'Empty Code', description: 'Please write some code before running it.' };
export const EXECUTION_ERROR = {
  title: 'Execution Error',
  description: 'There was an error running your code. Please check your syntax.',
};

const VERDICT_TEXTS: Record<VerdictKind, { short: string; title: string; text: string }> = {
  pass: { short: 'Passed', title: 'Correct!', text: 'Your program does what was asked.' },
  wrong_answer: {
    short: 'Not quite right',
    title: 'Not quite right',
    text: 'Your program ran, and gave something else than was asked.',
  },
  runtime_error: {
    short: 'Stopped with an error',
    title: 'Your program stopped with an error',
    text: 'It began to run and could not go on.',
  },
  syntax_error: {
    short: 'Could not be read',
    title: 'Your code could not be read',
    text: 'Something is written in a way that the language does not understand, so nothing was run.',
  },
  time_limit: {
    short: 'Took too long',
    title: 'Your program took too long',
    text: 'It was stopped at the time limit: a loop or a call has no end, or it does too much work for its time.',
  },
  memory_limit: {
    short: 'Used too much memory',
    title: 'Your program used too much memory',
    text: 'It was stopped at the memory limit. Look for a list or a text that grows without end.',
  },
  output_limit: {
    short: 'Printed too much',
    title: 'Your program printed too much',
    text: 'It was stopped after 64 KB of output. Look for a loop that prints without end.',
  },
};

/** What cannot be read is more than that in languages whose programs are checked, or read statement by statement. */
const UNREAD: [name: RegExp, title: string, text: string][] = [
  [/^TypeScript error/, 'The types do not fit', 'The compiler refuses the program, so nothing was run.'],
  [/^syntax_error$/, 'A statement could not be read', 'PostgreSQL does not understand it and stopped there.'],
];

export function verdictText(
  kind: VerdictKind,
  error?: { name: string } | null,
): { short: string; title: string; text: string } {
  const known = VERDICT_TEXTS[kind];
  const unread = kind === 'syntax_error' && error && UNREAD.find(([name]) => name.test(error.name));
  return unread ? { ...known, title: unread[1], text: unread[2] } : known;
}

export function wasCompared(kind: VerdictKind): boolean {
  return kind === 'pass' || kind === 'wrong_answer';
}

/** Seconds as minutes:seconds (spec 9). */
export function timerText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

export interface Difference {
  before: string;
  differs: string;
  after: string;
}

/** What both texts begin and end with, and what differs between. */
export function difference(expected: string, got: string): { expected: Difference; got: Difference } {
  const [a, b] = [[...expected], [...got]];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const parts = (text: string[]): Difference => ({
    before: text.slice(0, start).join(''),
    differs: text.slice(start, text.length - end).join(''),
    after: text.slice(text.length - end).join(''),
  });
  return { expected: parts(a), got: parts(b) };
}

/** The element that a react lesson's preview shows: that of its first visible test, else none in particular. */
export function previewElement(tests: readonly { input?: string | undefined }[]): string | null {
  for (const { input } of tests) {
    const element = (input ?? '').split(';', 1).join('').trim();
    if (element.startsWith('<')) return element;
  }
  return null;
}
