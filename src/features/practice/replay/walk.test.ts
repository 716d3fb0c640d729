import { expect, test } from 'vitest';
import type { RanReplay } from './schema.ts';
import { momentOf, momentsOf } from './walk.ts';

const run: RanReplay = {
  steps: [
    { kind: 'line', line: 5, fn: '', depth: 0, printed: 0, vars: {} },
    { kind: 'call', line: 1, fn: 'double', depth: 1, printed: 0, vars: { n: '2' } },
    { kind: 'line', line: 2, fn: 'double', depth: 1, printed: 0, vars: {} },
    { kind: 'line', line: 3, fn: 'double', depth: 1, printed: 0, vars: { twice: '4' } },
    { kind: 'return', line: 3, fn: 'double', depth: 1, printed: 0, value: '4' },
    { kind: 'line', line: 6, fn: '', depth: 0, printed: 0, vars: { a: '4' } },
    { kind: 'call', line: 1, fn: 'double', depth: 1, printed: 2, vars: { n: '3' } },
    { kind: 'line', line: 2, fn: 'double', depth: 1, printed: 2, vars: { n: '9', twice: null } },
    { kind: 'return', line: 2, fn: 'double', depth: 1, printed: 2 },
  ],
  asked: 0,
  isWhole: true,
  output: '4\nx\n',
  error: null,
  parts: null,
};

test('shows the variables of each open call, and what has changed with a step alone', () => {
  expect(momentOf(run, 1)).toEqual({
    line: 1,
    ran: 5,
    calls: [{ fn: 'double', line: 1, variables: [{ name: 'n', value: '2', was: null }] }],
    output: '',
    says: 'double is called.',
  });
  const [inner] = momentOf(run, 3).calls;
  expect(inner!.variables).toEqual([
    { name: 'n', value: '2' },
    { name: 'twice', value: '4', was: null },
  ]);
  expect(momentOf(run, 4)).toMatchObject({ ran: 3, says: 'double returns 4.' });
});

test('a call that has ended is gone, and the next one of its function begins with nothing', () => {
  expect(momentOf(run, 5).calls).toEqual([
    { fn: '', line: 6, variables: [{ name: 'a', value: '4', was: null }] },
  ]);
  expect(momentOf(run, 6).calls.map(({ variables }) => variables)).toEqual([
    [{ name: 'n', value: '3', was: null }],
    [{ name: 'a', value: '4' }],
  ]);
  expect(momentOf(run, 7).calls[0]!.variables).toEqual([{ name: 'n', value: '9', was: '3' }]);
  expect(momentOf(run, 8).says).toBe('double is left by an error.');
});

test('shows as much of the output as had been printed', () => {
  expect([5, 6, 9].map((at) => momentOf(run, at).output)).toEqual(['', '4\n', '4\nx\n']);
});

test('the last moment is the end of the run, and says how it came', () => {
  const error = { name: 'TypeError', message: 'no', line: 2, column: 1, explanation: null };
  expect(momentsOf(run)).toBe(10);
  expect(momentOf(run, 9)).toMatchObject({ line: null, ran: 2, says: 'The program has ended.' });
  expect(momentOf(run, 9).calls).toEqual([{ fn: '', line: 6, variables: [{ name: 'a', value: '4' }] }]);
  expect(momentOf({ ...run, error }, 9).says).toBe('The program was ended by TypeError: no');
  expect(momentOf({ ...run, isWhole: false, error }, 9).says).toMatch(/first 9 steps/);
  expect(momentsOf({ steps: [] })).toBe(0);
});
