import { expect, it } from 'vitest';
import { hintAt, prepareHints } from './hints.ts';

type Submission = Parameters<typeof hintAt>[0];

const hintOf = (language: 'javascript' | 'python', code: string, part: Partial<Submission> = {}) =>
  hintAt({ language, code, tests: [], expectedOutput: '365\n', ...part } as Submission, null, {
    value: null,
    output: '',
    error: null,
  } as Parameters<typeof hintAt>[2]);

it('tells a program that prints nothing how it prints', async () => {
  await Promise.all([prepareHints('javascript'), prepareHints('python')]);
  expect(hintOf('javascript', '365')).toMatchObject({
    message: 'Your program printed nothing.',
    explanation: expect.stringContaining('console.log('),
  });
  expect(hintOf('python', '365')?.explanation).toContain('print(');
  // A test that asks for a value may print as little as it likes.
  const tests = [{ input: 'f()', expectedOutput: '365', hidden: false }] as Submission['tests'];
  expect(hintOf('javascript', 'f', { tests })).toBeNull();
});
