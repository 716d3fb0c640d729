import { describe, expect, it } from 'vitest';
import { emptyTest } from '#src/features/authoring/lesson-editor/exercise.ts';
import { askedTests, findingOf, findingsOf } from './findings.ts';

const result = { got: null, error: null, passed: false, verdict: 'wrong_answer' } as const;
const error = (name: string, message: string, line: number | null = null) => ({
  ...{ name, message, line, column: null, explanation: null },
});
const found = (input: string, got: string, expectedOutput = '') =>
  findingOf({ ...emptyTest(), input, expectedOutput }, { ...result, got }).text;

describe('what a test finds in the reference', () => {
  it.each([
    ['li | count', '3', 'Finds 3 elements'],
    ['li | count', '1', 'Finds 1 element'],
    ['<App />; count', '7', 'Finds 7 elements'],
    ['p.total', 'Total 4', 'Text: “Total 4”'],
    ['nav > a | @href', '/', 'href: “/”'],
    ['ul | html', '<li>a</li>', 'Markup: “<li>a</li>”'],
    ['@media (max-width: 600px) .card | color', 'red', 'color: “red”'],
    [':root | --gap', '8px', '--gap: “8px”'],
    ['<App />; click button | p', 'Total 1', 'Text: “Total 1”'],
    ['<App />; click button; p | color', 'red', 'color: “red”'],
    ['<App /> | p', 'a\n b', 'Text: “a / b”'],
    ['<App /> | li | count', '2', 'Finds 2 elements'],
    ['p', ' ', 'Finds an empty text'],
  ])('%s gives %j', (input, got, text) => {
    expect(found(input, got)).toBe(text);
  });

  it('is called as its language calls it', () => {
    const test = { ...emptyTest(), input: 'SELECT 1 AS count', expectedOutput: 'count\n1' };
    const run = { tests: [{ ...result, got: 'count\n1' }] } as unknown as Parameters<typeof findingsOf>[1];
    expect(findingsOf([test], run, 'Finds').get(0)!.text).toBe('Finds: “count / 1”');
  });

  it('is short', () => {
    expect(found('p', 'x'.repeat(5000)).length).toBeLessThan(140);
  });

  it('says in plain words what is missing or wrong', () => {
    const of = (given: object) =>
      findingOf({ ...emptyTest(), input: 'h2', expectedOutput: 'x' }, { ...result, ...given });
    expect(of({ error: error('NoMatch', 'No element matches h2.') })).toEqual({
      text: 'Not found. No element matches h2.',
      isExpected: false,
    });
    expect(of({ error: error('TestError', 'The test cannot be read: a selector is missing.') }).text).toBe(
      'The test cannot be read: a selector is missing.',
    );
    expect(of({ verdict: 'runtime_error', error: error('TypeError', 'x is null') }).text).toBe(
      'The reference solution stops: x is null',
    );
    expect(of({ verdict: 'syntax_error', error: error('SyntaxError', 'Unexpected token', 3) }).text).toBe(
      'The reference solution cannot be read in line 3: Unexpected token',
    );
  });

  it('tells whether it is what the test expects, once it expects something', () => {
    const test = { ...emptyTest(), input: 'h1' };
    const given = { ...result, got: 'A', passed: true };
    expect(findingOf(test, given).isExpected).toBeNull();
    expect(findingOf({ ...test, expectedOutput: 'A' }, given).isExpected).toBe(true);
    expect(findingOf({ ...test, expectsEmpty: true }, { ...given, passed: false }).isExpected).toBe(false);
  });
});

describe('the tests that are asked', () => {
  const tests = [
    { ...emptyTest(), input: ' ' },
    { ...emptyTest(), input: 'h1', hidden: true, description: 'the title' },
    { ...emptyTest(), input: 'p', expectsEmpty: true },
  ];

  it('are those that look at something, open, and each keeps its place', () => {
    expect(askedTests(tests).map(({ index, test }) => [index, test.hidden, test.expectedOutput])).toEqual([
      [1, false, '?'],
      [2, false, ''],
    ]);
    const run = {
      tests: [
        { ...result, got: 'A' },
        { ...result, got: '' },
      ],
    };
    expect([...findingsOf(tests, run as never)].map(([index, { text }]) => [index, text])).toEqual([
      [1, 'Text: “A”'],
      [2, 'Finds an empty text'],
    ]);
  });
});
