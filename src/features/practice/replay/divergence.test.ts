import { describe, expect, test } from 'vitest';
import { divergence, TOO_DIFFERENT } from './divergence.ts';
import type { Recorded } from './telling.ts';

type TraceStep = Recorded['steps'][number];

const step = (kind: TraceStep['kind'], fn: string, more: Partial<TraceStep> = {}): TraceStep => ({
  kind,
  line: 1,
  fn,
  depth: 1,
  printed: 0,
  ...more,
});
const run = (steps: TraceStep[], output = '', isWhole = true): Recorded => ({
  steps,
  asked: 0,
  output,
  isWhole,
  error: null,
});
const call = (fn: string, n: string) => step('call', fn, { vars: { n } });
const gave = (fn: string, value: string) => step('return', fn, { value });
const sets = (fn: string, vars: Record<string, string | null>) => step('line', fn, { vars });

describe('where a program parts from the author’s', () => {
  test('the first line printed that differs, at the step that prints it', () => {
    const steps = [step('line', ''), step('line', '', { printed: 2 }), step('line', '', { printed: 4 })];
    expect(divergence(run(steps, '1\n3\n'), run([], '1\n4\n'))).toMatchObject({
      step: 1,
      says: "Here your program printed 3; the author's prints 4.",
    });
    expect(divergence(run(steps, '1\n3\n'), run([], '1\n')).says).toMatch(/nothing more\.$/);
    const short = divergence(run(steps, '1\n'), run([], '1\n9\n'));
    expect(short).toMatchObject({ step: 2, says: expect.stringMatching(/line more: 9\.$/) });
  });

  test('blanks at the ends of lines and of all are none, as the verdict does not count them', () => {
    const steps = [step('line', ''), step('line', '', { printed: 4 }), step('line', '', { printed: 6 })];
    expect(divergence(run(steps, '1 \r\n3\n'), run([], '1\n4\n'))).toMatchObject({
      step: 1,
      says: "Here your program printed 3; the author's prints 4.",
    });
    expect(divergence(run(steps, '1 \r\n3\n\n'), run([], '1\n3')).step).toBeNull();
    expect(divergence(run(steps, '1\n3'), run([], '1\n3\n\n')).step).toBeNull();
  });

  test('what a function of the same name returns for the same arguments, whatever the order', () => {
    const learners = run([call('f', '2'), gave('f', '5'), call('f', '1'), gave('f', '1')]);
    const authors = run([call('f', '1'), gave('f', '1'), call('f', '2'), gave('f', '4')]);
    expect(divergence(learners, authors)).toMatchObject({
      step: 1,
      says: "Here f returned 5; the author's returns 4 for the same arguments.",
    });
    expect(divergence(run([call('f', '3'), gave('f', '5')]), authors).says).toBe(TOO_DIFFERENT);
  });

  test('what a variable of the same name in a function of the same name becomes, in order', () => {
    const learners = run([sets('f', { total: '0' }), sets('f', { total: '2' }), sets('f', { total: null })]);
    const authors = run([sets('f', { total: '0' }), sets('f', { total: '1' })]);
    expect(divergence(learners, authors)).toMatchObject({
      step: 1,
      says: "Here total has become 2; in the author's program it becomes 1.",
    });
    expect(divergence(learners, run([sets('g', { total: '1' })])).says).toBe(TOO_DIFFERENT);
  });

  test('of one step what had become of a variable before what is printed of it', () => {
    const steps = [sets('f', { sum: '3' })];
    expect(divergence(run(steps, '3\n'), run([sets('f', { sum: '5' })], '5\n')).says).toMatch(
      /sum has become/,
    );
  });

  test('the earliest of all, and nothing where all that can be compared is the same', () => {
    const learners = run([call('f', '1'), sets('f', { a: '1' }), gave('f', '3')]);
    expect(divergence(learners, run([call('f', '1'), sets('f', { a: '2' }), gave('f', '4')])).step).toBe(1);
    const same = divergence(learners, learners);
    expect(same.step).toBeNull();
    expect(same.says).not.toBe(TOO_DIFFERENT);
  });

  test('a record that was cut off says nothing of what would have followed', () => {
    const one = [step('line', '')];
    expect(divergence(run(one, '1\n', false), run(one, '1\n2\n')).step).toBeNull();
    expect(divergence(run(one, '1\n2\n'), run(one, '1\n', false)).step).toBeNull();
  });

  test('tells no more of a value than 80 characters', () => {
    const { says } = divergence(run([step('line', '')], '1\n'), run([], `${'x'.repeat(500)}\n`));
    expect(says.length).toBeLessThan(140);
  });
});

describe('programs whose texts are much the same', () => {
  const at = (line: number, vars: Record<string, string | null> = {}) => step('line', 'f', { line, vars });
  const enter = step('call', 'f', { vars: { n: '3' } });
  const text = (third: string, more = '') =>
    `def f(n):\n    a = 1\n    ${third}\n${more}        a = 2\n    return a\n`;
  const authors = run([enter, at(2), at(3, { a: '1' }), at(4), at(5, { a: '2' }), gave('f', '2')]);

  test('are followed line by line to where one goes another way, which the line before has led to', () => {
    const learners = run([enter, at(2), at(3, { a: '1' }), at(5), gave('f', '1')]);
    const programs = { learners: text('if n > 3:'), authors: text('if n >= 3:') };
    expect(divergence(learners, authors, programs)).toMatchObject({
      step: 2,
      says: "After this line your program goes on at line 5; the author's goes another way.",
    });
    expect(divergence(learners, authors).step).toBe(4);
    const failed = run([enter, at(2), at(3, { a: '1' }), step('return', 'f')]);
    expect(divergence(failed, authors, programs)).toMatchObject({
      step: 2,
      says: expect.stringMatching(/leaves f with an error/),
    });
    const ended = run([enter, at(2), at(3, { a: '1' })]);
    expect(divergence(ended, authors, programs)).toMatchObject({
      step: 2,
      says: expect.stringMatching(/your program ends/),
    });
    expect(divergence({ ...ended, isWhole: false }, authors, programs).step).toBeNull();
  });

  test('also where one has a line more, and by the arguments of a call', () => {
    const longer = text('if n >= 3:', '        # more\n        b = 7\n');
    const learners = run([
      enter,
      at(2),
      at(3, { a: '1' }),
      at(5),
      at(6, { b: '7' }),
      at(7, { a: '2' }),
      gave('f', '2'),
    ]);
    const same = divergence(learners, authors, { learners: longer, authors: text('if n >= 3:') });
    expect(same.step).toBeNull();
    const inner = (n: string) => run([enter, at(2), call('f', n), at(2)]);
    const programs = { learners: text('f(n)'), authors: text('f(n - 1)') };
    expect(divergence(inner('3'), inner('2'), programs)).toMatchObject({
      step: 2,
      says: "Here f is called with n = 3; the author's program calls it with 2.",
    });
  });

  test('are not where they share less than half of their lines', () => {
    const learners = run([enter, at(2), at(3, { a: '1' }), at(5)]);
    const programs = { learners: 'def f(n):\n  one\n  two\n  three\n  four', authors: text('if n > 3:') };
    expect(divergence(learners, authors, programs).step).toBeNull();
  });
});
