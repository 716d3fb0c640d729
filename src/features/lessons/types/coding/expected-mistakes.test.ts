import { describe, expect, it } from 'vitest';
import {
  emptyMistake,
  expectedMistake,
  expectedMistakesInput,
  lacksOf,
  mistakeFaults,
} from './expected-mistakes.ts';

type Run = Parameters<typeof mistakeFaults>[2]['empty'];
const run = (code: string, part: Partial<Run> = {}): Run => ({
  code,
  verdict: 'wrong_answer',
  tests: [{ passed: false, hidden: false, got: '6' }],
  ...part,
});
const said = (mistakes: object[], program: Run) =>
  mistakes.indexOf(expectedMistake(mistakes, program.code, program)!);

describe('an expected mistake', () => {
  it('is known by text in the code, however it is spaced', () => {
    expect(said([{ code: 'if (a=b)' }], run('x;\nif(a = b)\n{ }'))).toBe(0);
    expect(said([{ code: 'a == b' }], run('a = b'))).toBe(-1);
    // No pattern: signs are signs.
    expect(said([{ code: '.*' }], run('a = b'))).toBe(-1);
  });

  it('is known by what a shown test got, an error’s name or the verdict, to the letter', () => {
    expect(said([{ result: ' 6\n' }], run(''))).toBe(0);
    expect(said([{ result: '60' }], run(''))).toBe(-1);
    expect(said([{ result: 'wrong_answer' }], run(''))).toBe(0);
    const error = { name: 'TypeError' };
    expect(said([{ result: 'typeerror' }, { result: 'TypeError' }], run('', { error }))).toBe(1);
    const tests = [{ passed: false, hidden: false, got: null, error }];
    expect(said([{ result: 'TypeError' }], run('', { tests }))).toBe(0);
  });

  it('is known by nothing of a hidden test, nor of one that passed', () => {
    const tests = [
      { passed: false, hidden: true, got: '6', error: { name: 'TypeError' } },
      { passed: true, hidden: false, got: '7' },
    ];
    for (const result of ['6', '7', 'TypeError']) expect(said([{ result }], run('', { tests }))).toBe(-1);
  });

  it('is known by both where both are said; the first that fits speaks, and none of what passed', () => {
    const mistakes = [{ code: 'a', result: '7' }, { code: 'b', result: '6' }, { code: 'a' }, { result: '6' }];
    expect(said(mistakes, run('a'))).toBe(2);
    expect(said(mistakes, run('b'))).toBe(1);
    expect(said(mistakes, run('c'))).toBe(3);
    expect(said([{}], run('a'))).toBe(-1);
    expect(said(mistakes, run('a', { verdict: 'pass', tests: [] }))).toBe(-1);
  });

  it('is known by what the code lacks: of several lines, all', () => {
    const mistakes = [{ lacks: 'a + b\n\nb + a' }];
    expect(said(mistakes, run('sum = 3'))).toBe(0);
    expect(said(mistakes, run('sum = b+a'))).toBe(-1);
    expect(said([{ code: 'sum', lacks: 'a' }], run('sum = a'))).toBe(-1);
  });

  it('with the result pass makes a program wrong that passes all tests, and no other', () => {
    const mistakes = [{ lacks: 'a + b', result: 'pass' }, { result: '6' }];
    const passed = { verdict: 'pass', tests: [{ passed: true, hidden: false, got: '6' }] };
    expect(said(mistakes, run('sum = 6', passed))).toBe(0);
    expect(said(mistakes, run('sum = a + b', passed))).toBe(-1);
    expect(said(mistakes, run('sum = 6'))).toBe(1);
    const [own, empty] = [run('sum = 6', passed), run('')];
    const tried = { programs: [own], starter: null, empty, changes: [] };
    const faults = (solution: string) =>
      mistakeFaults([{ lacks: 'a + b', result: 'pass', program: own.code }], solution, tried);
    expect(faults('sum = a + b')).toEqual([]);
    expect(faults('sum = c')).toEqual(['Expected mistake 1: the reference solution has its code too.']);
  });

  it('is found at the end of the largest program', () => {
    expect(said([{ code: 'end()' }], run(`${' '.repeat(65_530)}end( )`))).toBe(0);
    expect(said([{ code: 'end()' }], run('e'.repeat(65_536)))).toBe(-1);
  });
});

it('is asked for what it lacks from the top of its form', () => {
  expect(Object.keys(lacksOf(emptyMistake()))).toEqual(['code', 'say', 'program']);
});

describe('what is wrong with expected mistakes', () => {
  const solution = 'n * 2';
  const known = (part: object) => ({ say: 'x', program: 'n + 2', ...part });
  const faults = (mistakes: Parameters<typeof mistakeFaults>[0], part: object = {}) =>
    mistakeFaults(mistakes, solution, {
      programs: mistakes.map(({ program }) => run(program)),
      starter: run('n'),
      empty: run('', { verdict: 'runtime_error', tests: [], error: { name: 'ReferenceError' } }),
      changes: [run('n * 3'), run('n / 2')],
      ...part,
    });

  it('is nothing where each speaks for its program, and for no other', () => {
    expect(faults([])).toEqual([]);
    expect(faults([known({ code: 'n + 2' }), known({ code: '-', program: 'n - 2' })])).toEqual([]);
    // The unchanged starter may be the mistake.
    expect(faults([known({ code: 'n', result: '6', program: ' n ' })])).toEqual([]);
  });

  it('is a program that passes, or that another speaks for, or none', () => {
    expect(faults([known({ code: 'n+2' })], { programs: [run('n + 2', { verdict: 'pass' })] })).toEqual([
      'Expected mistake 1: its program passes, so it makes no mistake.',
    ]);
    expect(faults([known({ code: '+' }), known({ code: 'n + 2' })])).toEqual([
      'Expected mistake 2: expected mistake 1 speaks for its program, as it comes first.',
    ]);
    expect(faults([known({ code: '-', result: '6' })])).toEqual([
      'Expected mistake 1: it does not speak for its own program, whose code or result is another. The result is any of: “6”, “wrong_answer”.',
    ]);
  });

  it('is one that fits what it is not about', () => {
    const empty = run('', { verdict: 'wrong_answer' });
    expect(faults([known({ code: 'n' })])).toEqual([
      'Expected mistake 1: the reference solution has its code too.',
    ]);
    expect(faults([known({ result: '6' })], { empty })).toEqual([
      'Expected mistake 1: it speaks for an empty program too.',
    ]);
    expect(faults([known({ result: '6' })])).toEqual([
      'Expected mistake 1: it speaks for the unchanged starter code too.',
    ]);
    const every = { starter: null, changes: [run('n * 3'), run('n / 2'), run('2')] };
    expect(faults([known({ result: '6' })], every)).toEqual([
      'Expected mistake 1: it speaks for all 3 other wrong programs that were tried, whatever they do wrong.',
    ]);
    // Two say too little, and one that it does not fit is enough.
    expect(faults([known({ result: '6' })], { starter: null })).toEqual([]);
    const changes = [...every.changes, run('n % 2', { tests: [] })];
    expect(faults([known({ result: '6' })], { starter: null, changes })).toEqual([]);
  });
});

describe('expected mistakes as they are sent', () => {
  const whole = { say: ' Look. ', code: 'a', result: '', program: ' b\n' };
  const problems = (value: unknown) =>
    expectedMistakesInput
      .safeParse(value)
      .error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('lose what says nothing, and nothing else', () => {
    expect(expectedMistakesInput.parse(undefined)).toEqual([]);
    expect(expectedMistakesInput.parse([whole])).toEqual([{ say: 'Look.', code: 'a', program: ' b\n' }]);
    expect(expectedMistakesInput.parse(Array(12).fill(whole))).toHaveLength(12);
  });

  it.each([
    [[whole, {}], '1.say', 'Expected mistake 2: say what the learner reads'],
    [[{ ...whole, say: ' ' }], '0.say', 'Expected mistake 1: say what the learner reads'],
    [
      [{ ...whole, code: ' ' }],
      '0.code',
      'Expected mistake 1: say what it is known by, text in the code or the result',
    ],
    [[{ ...whole, program: '' }], '0.program', 'Expected mistake 1: write a program that makes it'],
    [[{ ...whole, say: 'x'.repeat(401) }], '0.say', 'What the learner reads must be at most 400 characters'],
    [[{ ...whole, code: 'x'.repeat(501) }], '0.code', 'The text in the code must be at most 500 characters'],
    [[{ ...whole, result: 'x'.repeat(501) }], '0.result', 'The result must be at most 500 characters'],
    [[{ ...whole, result: 7 }], '0.result', 'The result must be text'],
    [
      [{ ...whole, program: 'x'.repeat(65_537) }],
      '0.program',
      'The program must be at most 65536 characters',
    ],
    [Array(13).fill(whole), '', 'A lesson has at most 12 expected mistakes'],
    [{}, '', 'Expected mistakes must be a list'],
    [['x'], '0', 'An expected mistake must have say, program, and code or result'],
  ])('%#: are refused with a word about their field', (value, path, message) => {
    expect(problems(value)).toContainEqual([path, message]);
  });
});
