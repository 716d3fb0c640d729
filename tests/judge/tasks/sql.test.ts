import { afterAll, expect, test } from 'vitest';
import { PatientJudge } from '../controls.ts';
import { TASKS } from './sql.ts';

const judge = new PatientJudge({ children: { sql: 1 } });
afterAll(() => judge.stop());

test.each(TASKS)('%s: the right answer passes, and the wrong ones are told why not', async (...task) => {
  const [, fixture, right, wrong, ...asked] = task;
  const tests = asked.map((one) => {
    const [input = '', expectedOutput = ''] = one.split(' → ');
    return { input, expectedOutput };
  });
  const program = (code: string) => ({ language: 'sql', code, fixture, tests }) as const;
  const run = (code: string) => judge.judge(program(code));
  const good = await run(right);
  expect([good.kind, good.error?.message]).toEqual(['pass', undefined]);
  for (const [code, said] of wrong) {
    const { kind, error, hint, tests: results } = await run(code);
    expect(kind, code).not.toBe('pass');
    const words = [error?.message, error?.explanation, hint?.message, hint?.explanation];
    const all = [...words, ...results.map((one) => one.error?.message)].filter(Boolean);
    if (!said) continue;
    // What the text does not say is proven by an edit.
    const proven = said.test(all.join(' ')) ? null : await judge.proveHint(program(code));
    expect([...all, proven?.message, proven?.explanation].join(' '), code).toMatch(said);
  }
});

test('there are enough tasks, and none twice', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(TASKS.map(([what]) => what)).size).toBe(TASKS.length);
});
