import { describe, expect, test } from 'vitest';
import type { Submission } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';
import { verdictOf } from './verdict.ts';

const LIMITS = { testMs: 1_000, totalMs: 4_000, memoryMb: 64, outputBytes: 64 * 1024 };

function value(text: string, output = ''): Observation {
  return { kind: 'value', value: text, output, outputTruncated: false, error: null };
}

function submission(expected: string[], hidden: number[] = []): Submission {
  return {
    language: 'javascript',
    code: '',
    tests: expected.map((expectedOutput, n) => ({
      input: `f(${n})`,
      expectedOutput,
      hidden: hidden.includes(n),
    })),
  };
}

describe('a verdict', () => {
  test('is pass when all tests pass, else the kind of the first that does not', () => {
    const asked = submission(['1', '2', '3']);
    expect(verdictOf(asked, [value('1'), value('2'), value('3')], LIMITS, 5)).toMatchObject({
      kind: 'pass',
      error: null,
      durationMs: 5,
    });
    const error = { name: 'TypeError', message: 'x', line: 2, column: 1, explanation: null };
    const failing: Observation = { ...value(''), kind: 'runtime_error', value: null, error };
    const verdict = verdictOf(asked, [value('1'), failing, value('9')], LIMITS, 5);
    expect(verdict).toMatchObject({ kind: 'runtime_error', error });
    expect(verdict.tests.map(({ kind, passed }) => [kind, passed])).toEqual([
      ['pass', true],
      ['runtime_error', false],
      ['wrong_answer', false],
    ]);
  });

  test('of a killed process says so in plain words for its first test, and that the others were not run', () => {
    const verdict = verdictOf(submission(['1', '2']), 'memory', LIMITS, 5);
    expect(verdict.kind).toBe('memory_limit');
    expect(verdict.error?.message).toBe('The program used more than 64 MB of memory and was stopped.');
    expect(verdict.tests[1]?.error?.message).toBe(
      'Not run, because an earlier test reached the memory limit.',
    );
    expect(verdictOf(submission(['1']), 'time', LIMITS, 5).error?.message).toBe(
      'The program ran longer than 1 second and was stopped.',
    );
  });

  test('of a plain run compares what was printed, where something is expected', () => {
    const plain: Submission = { language: 'javascript', code: '', tests: [] };
    expect(verdictOf(plain, [value('a\n', 'a\n')], LIMITS, 1).kind).toBe('pass');
    const asked = { ...plain, expectedOutput: 'b' };
    expect(verdictOf(asked, [value('a\n', 'a\n')], LIMITS, 1)).toMatchObject({
      kind: 'wrong_answer',
      output: 'a\n',
    });
    expect(verdictOf(asked, [value('b\n', 'b\n')], LIMITS, 1)).toMatchObject({ kind: 'pass', tests: [] });
  });

  test('shows what the first test that is not hidden printed', () => {
    const seen = [value('1', 'secret'), value('2', 'open')];
    expect(verdictOf(submission(['1', '2'], [0]), seen, LIMITS, 1).output).toBe('open');
    expect(verdictOf(submission(['1', '2'], [0, 1]), seen, LIMITS, 1).output).toBe('');
  });

  test('keeps a hidden test’s values out of its error', () => {
    const error = { name: 'Leak42', message: '42', line: 7, column: 3, explanation: null };
    const failing: Observation = { ...value(''), kind: 'runtime_error', value: null, error };
    const verdict = verdictOf(submission(['1'], [0]), [failing], LIMITS, 1);
    // A program may choose the line that it fails at by the value that it was given.
    expect(verdict.error).toEqual({
      name: 'HiddenTest',
      message: 'Your program stopped with an error in a hidden test. What it was given is not shown.',
      line: null,
      column: null,
      explanation: null,
    });
    for (const name of ['Hint', 'TimeLimit', 'NotRun', '42Limit', 'a42Error']) {
      const named: Observation = { ...failing, error: { ...error, name, explanation: '42' } };
      const shown = verdictOf(submission(['1'], [0]), [named], LIMITS, 1).error;
      expect(JSON.stringify(shown)).not.toMatch(/42|"line":7/);
    }
    for (const kind of ['time_limit', 'memory_limit', 'output_limit'] as const) {
      const limited: Observation = { ...failing, kind, error: { ...error, message: 'stopped at line 42' } };
      const shown = verdictOf(submission(['1'], [0]), [limited], LIMITS, 1).error;
      expect(shown).toMatchObject({ line: null, message: expect.stringMatching(/1 second|64 MB|64 KB/) });
    }
  });

  test('keeps the language’s own words about the text of a program', () => {
    const error = { name: 'SyntaxError', message: 'See', line: 1, column: null, explanation: 'why' };
    const unread: Observation = { ...value(''), kind: 'syntax_error', error };
    expect(verdictOf(submission(['1'], [0]), [unread], LIMITS, 1).error).toEqual(error);
    expect(verdictOf(submission(['1'], [0]), 'time', LIMITS, 1).error?.message).toContain('longer than');
  });

  test('sets a hint apart from the error, once, and none beside a pass', () => {
    const hint = { name: 'Hint', message: 'See', line: 1, column: null, explanation: 'why' };
    const seen = [{ ...value('2'), hint }];
    const verdict = verdictOf(submission(['1']), seen, LIMITS, 1);
    expect(verdict).toMatchObject({ kind: 'wrong_answer', error: null, hint });
    expect(verdict.tests[0]!.error).toBeNull();
    // What the text alone shows tells nothing of a hidden test.
    expect(verdictOf(submission(['1'], [0]), seen, LIMITS, 1)).toMatchObject({
      error: null,
      hint,
    });
    expect(verdictOf(submission(['2']), seen, LIMITS, 1).hint).toBeNull();
  });

  test('counts output in bytes', () => {
    const long = '€'.repeat(30_000);
    const verdict = verdictOf(submission(['x']), [value(long, long)], LIMITS, 1);
    expect(verdict).toMatchObject({ kind: 'output_limit', outputTruncated: true });
    expect(Buffer.byteLength(verdict.output)).toBeLessThanOrEqual(64 * 1024);
    expect(verdict.output).toMatch(/^€+$/);
  });

  test('holds only text that a database takes', () => {
    const verdict = verdictOf(submission(['x']), [value('a\u0000b\uD800', 'c\u0000')], LIMITS, 1);
    expect(verdict.tests[0]).toMatchObject({ got: 'a\u2400b\uFFFD', output: 'c\u2400' });
  });

  test('is refused where a runner gave too few observations for no reason', () => {
    expect(() => verdictOf(submission(['1', '2']), [value('1')], LIMITS, 1)).toThrow('1 observations for 2');
  });

  test('tells what each limit means, and of the tests after it that they were not run', () => {
    const limited = (kind: 'time_limit' | 'memory_limit' | 'output_limit') =>
      verdictOf(submission(['1', '2', '3']), [{ ...value(''), kind, value: null }], LIMITS, 1);
    const none = { line: null, column: null };
    expect(limited('memory_limit').error).toEqual({
      ...none,
      name: 'MemoryLimit',
      message: 'The program used more than 64 MB of memory and was stopped.',
      explanation: 'Look for a list or a text that keeps growing.',
    });
    expect(limited('output_limit').error).toEqual({
      ...none,
      name: 'OutputLimit',
      message: 'The program printed more than 64 KB and was stopped.',
      explanation: 'Look for printing inside a loop that runs too often.',
    });
    for (const what of ['time', 'memory', 'output'] as const) {
      const { tests } = limited(`${what}_limit`);
      expect(tests).toHaveLength(3);
      expect(tests[2]).toEqual({
        kind: `${what}_limit`,
        passed: false,
        got: null,
        output: '',
        error: {
          ...none,
          explanation: null,
          name: 'NotRun',
          message: `Not run, because an earlier test reached the ${what} limit.`,
        },
      });
    }
  });

  test('of a process that was ended before it said anything has no value and no output', () => {
    expect(verdictOf(submission([]), 'time', LIMITS, 1)).toMatchObject({
      kind: 'time_limit',
      output: '',
      outputTruncated: false,
      tests: [],
    });
    expect(() => verdictOf(submission(['1']), [], LIMITS, 1)).toThrow('0 observations for 1');
  });

  test('leaves out what was observed beyond the tests', () => {
    expect(verdictOf(submission(['1']), [value('1'), value('9')], LIMITS, 1)).toMatchObject({ kind: 'pass' });
  });

  test('takes as much output as the limit says, to the byte', () => {
    const limits = { ...LIMITS, outputBytes: 6 };
    const kinds = ['€€', '€€a'].map((text) => verdictOf(submission([text]), [value(text, text)], limits, 1));
    expect(kinds.map(({ kind, output, outputTruncated }) => [kind, output, outputTruncated])).toEqual([
      ['pass', '€€', false],
      ['output_limit', '€€', true],
    ]);
    const stopped = { ...value('1', '1'), outputTruncated: true };
    expect(verdictOf(submission(['1']), [stopped], limits, 1)).toMatchObject({
      kind: 'output_limit',
      outputTruncated: true,
    });
  });

  test('shows less of one test’s output beside others than alone', () => {
    const long = 'x'.repeat(9_000);
    const shown = (...expected: string[]) =>
      verdictOf(
        submission(expected),
        expected.map(() => value('1', long)),
        LIMITS,
        1,
      );
    expect(shown('1').tests[0]!.output).toHaveLength(9_000);
    expect(shown('1', '1').tests[0]!.output).toHaveLength(8 * 1024);
    expect(shown('1', '1').output).toHaveLength(9_000);
  });

  test('is a wrong answer where there is nothing to compare, and passes an empty text that is expected', () => {
    const error = { name: 'NoElement', message: 'x', line: null, column: null, explanation: 'why' };
    const missing: Observation = { ...value(''), value: null, error };
    expect(verdictOf(submission(['']), [missing], LIMITS, 1)).toMatchObject({ kind: 'wrong_answer', error });
    expect(verdictOf(submission([''], [0]), [missing], LIMITS, 1).error).toEqual({
      name: 'HiddenTest',
      message: 'A hidden test expects something else.',
      line: null,
      column: null,
      explanation: null,
    });
    expect(verdictOf(submission(['']), [{ ...missing, error: null }], LIMITS, 1)).toMatchObject({
      kind: 'pass',
      tests: [{ got: null }],
    });
  });

  test('counts the questions of a program neither for nor against it', () => {
    const asking = { ...value('Name? Hello'), withoutPrompts: 'Hello' };
    const kinds = ['Name? Hello', 'Hello', 'Name?'].map(
      (expected) => verdictOf(submission([expected]), [asking], LIMITS, 1).kind,
    );
    expect(kinds).toEqual(['pass', 'pass', 'wrong_answer']);
  });

  test('of a strict test goes by the type too, and says where it differs', () => {
    const strict = (got: Observation, expectedOutput: string) => {
      const asked = submission([expectedOutput]);
      return verdictOf({ ...asked, tests: [{ ...asked.tests[0]!, strict: true }] }, [got], LIMITS, 1)
        .tests[0]!;
    };
    const text = { ...value('3'), returned: 'text' as const };
    expect(strict(text, '3')).toMatchObject({
      kind: 'wrong_answer',
      passed: false,
      got: '"3"',
      typeDifference: 'Expected the number 3, got the text "3".',
    });
    expect(strict(text, '"3"')).toEqual({ kind: 'pass', passed: true, got: '"3"', output: '', error: null });
    // What has no type is compared as ever.
    expect(strict(value('3'), '3')).toMatchObject({ kind: 'pass', got: '3' });
  });

  test('shows names and texts of errors up to a length, and names what has no name', () => {
    const failing = (error: { name: string; message: string; explanation: string | null }): Observation => ({
      ...value(''),
      kind: 'runtime_error',
      error: { ...error, line: 1, column: 2 },
    });
    const long = { name: 'n'.repeat(201), message: 'm'.repeat(2_001), explanation: 'e'.repeat(2_001) };
    expect(verdictOf(submission(['1']), [failing(long)], LIMITS, 1).error).toEqual({
      name: 'n'.repeat(200),
      message: 'm'.repeat(2_000),
      explanation: 'e'.repeat(2_000),
      line: 1,
      column: 2,
    });
    const unnamed = { name: '', message: '', explanation: null };
    expect(verdictOf(submission(['1']), [failing(unnamed)], LIMITS, 1).error).toMatchObject({
      name: 'Error',
      explanation: null,
    });
  });

  test('has no hint beside an error that is explained, nor for a limit', () => {
    const hint = { name: 'Hint', message: 'See', line: 1, column: null, explanation: 'why' };
    const error = { ...hint, name: 'TypeError' };
    const seen = (change: Partial<Observation>) =>
      verdictOf(submission(['1']), [{ ...value('2'), hint, ...change }], LIMITS, 1).hint;
    expect(seen({ kind: 'runtime_error', error })).toBeNull();
    expect(seen({ kind: 'runtime_error', error: { ...error, explanation: null } })).toEqual(hint);
    expect(seen({ kind: 'syntax_error', error: { ...error, explanation: null } })).toBeNull();
  });
});
