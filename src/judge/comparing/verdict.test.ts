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
});
