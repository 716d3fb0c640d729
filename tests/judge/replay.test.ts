import { afterAll, describe, expect, test } from 'vitest';
import type { Submission, Trace, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { web: 1 } });
afterAll(() => judge.stop());

function run(code: string, input: string, more: Partial<Submission> = {}): Promise<Verdict> {
  return judge.judge({
    language: 'javascript',
    code,
    tests: [{ input, expectedOutput: 'nothing like it' }],
    traced: true,
    ...more,
  });
}

async function traceOf(code: string, input: string): Promise<Trace> {
  const { trace } = await run(code, input);
  return trace!;
}

/** The steps in short. */
const told = ({ steps }: Trace) =>
  steps.map(
    ({ kind, line, vars = {}, value }) =>
      `${kind} ${line}${Object.entries(vars)
        .map(([name, text]) => ` ${name}=${text}`)
        .join('')}${value === undefined ? '' : ` -> ${value}`}`,
  );

const SUM = `function sum(list) {
  let total = 0;
  for (const one of list) total += one;
  console.log(total);
  return total;
}`;

describe('a recorded run in JavaScript', () => {
  test('tells each line with its variables, the calls, what they return and what was printed', async () => {
    const { trace, tests, output } = await run(SUM, 'sum([1, 2])');
    expect(told(trace!)).toEqual([
      'call 1 list=[ 1, 2 ]',
      'line 2',
      'line 3 total=0',
      'line 3 one=1',
      'line 3 total=1 one=2',
      'line 4 total=3 one=null',
      'line 5',
      'return 5 -> 3',
    ]);
    expect(trace!.isWhole).toBe(true);
    expect(trace!.steps.map(({ printed }) => printed)).toEqual([0, 0, 0, 0, 0, 0, 2, 2]);
    expect([tests[0]!.got, output]).toEqual(['3', '3\n']);
  });

  test('says the same of a program as a run that is not recorded', async () => {
    const programs = [
      `"use strict"\nconst f = (a, b = a) => ({ a, b })\nlet x = 1\nif (x) x++\nelse x--\nvar g = function () { return x, 5 }`,
      `class A { #n = 1; get n() { return this.#n } static m(...r) { switch (r.length) { case 1: let q = 2; return q; default: return } } }\nconst f = x => [new A().n, A.m(1), A.m(), x]\nconst g = () => 1`,
      `const f = async (a) => { for (let i = 0; i < 2; i++) await null; return (a, i => i)(a) };\nconst g = () => [...(function* () { yield 1; return 2 })()];`,
      `let n = 0\ndo n++; while (n < 3)\nouter: for (;;) { while (true) { if (n > 5) break outer; n++; } }\nfunction f(a) { try { if (a) throw a; return 1 } catch ({ length }) { return length } finally { n++ } }\nfunction g() { return (\n n\n ) }`,
    ];
    for (const code of programs) {
      for (const input of ['f("ab")', 'g()']) {
        const [recorded, usual] = [await run(code, input), await run(code, input, { traced: undefined })];
        expect([input, recorded.tests[0]!.kind, recorded.tests[0]!.got]).toEqual([
          input,
          usual.tests[0]!.kind,
          usual.tests[0]!.got,
        ]);
        expect(recorded.trace!.steps.length).toBeGreaterThan(0);
      }
    }
  });

  test('follows a function that calls itself', async () => {
    const trace = await traceOf('const f = (n) => n < 2 ? 1 : n * f(n - 1);', 'f(3)');
    expect(told(trace).slice(1)).toEqual([
      'call 1 n=3',
      'call 1 n=2',
      'call 1 n=1',
      'return 1 -> 1',
      'return 1 -> 2',
      'return 1 -> 6',
    ]);
    expect(trace.steps.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 3, 2, 1]);
  });

  test('gives the steps up to an error, which leaves functions without a value', async () => {
    const { trace, tests } = await run('function f(a) {\n  return a.b.c;\n}', 'f({})');
    expect(told(trace!)).toEqual(['call 1 a={}', 'line 2', 'return 1']);
    expect(tests[0]!.error).toMatchObject({ name: 'TypeError', line: 2 });
  });

  test('gives the first steps of a program that never ends, and no more than 2,000 or 64 KB', async () => {
    const endless = await run('let n = 0;\nwhile (true) n++;', 'n');
    expect(endless.tests[0]!.kind).toBe('time_limit');
    expect(endless.trace!.isWhole).toBe(false);
    expect(endless.trace!.steps.length).toBeGreaterThan(100);
    const short = await traceOf(
      'function f() {\n  for (;;) {\n    f;\n    if (c++ > 9000) return;\n  }\n}\nlet c = 0;',
      'f()',
    );
    expect([short.steps.length, short.isWhole]).toEqual([expect.any(Number), false]);
    const wide = await traceOf(
      'const f = () => { let s = "é"; for (let i = 0; i < 900; i++) s = i + "é".repeat(200); };',
      'f()',
    );
    for (const trace of [endless.trace!, short, wide]) {
      expect(trace.steps.length).toBeLessThanOrEqual(2_000);
      expect(Buffer.byteLength(JSON.stringify(trace.steps))).toBeLessThanOrEqual(48 * 1024 + 2);
    }
  });

  test('shows values that loop or throw when they are looked at, within the limits of the run', async () => {
    const hostile = `const bad = { get a() { throw new Error('no'); }, toString() { throw 1; } };
const worse = new Proxy({}, { ownKeys() { throw new Error('no'); }, get() { throw 2; } });
const f = () => { const own = [bad]; return own.length; };`;
    const { trace, tests } = await run(hostile, 'f()');
    expect(tests[0]!.got).toBe('1');
    expect(told(trace!).at(-1)).toMatch(/^return 3 -> 1/);
    const looping = await run(
      'const p = new Proxy({}, { ownKeys() { for (;;); } });\nlet a = 1;\na = 2;',
      'a',
    );
    expect(looping.tests[0]!.kind).toBe('time_limit');
    expect(looping.trace!.steps.length).toBeGreaterThan(0);
  });

  test('is of a program with one test alone', async () => {
    const tests = [{ input: '1', expectedOutput: '1' }];
    await expect(run('1', '1', { tests: [...tests, ...tests] })).rejects.toThrow('traced');
    await expect(run('1', '1', { language: 'html' })).rejects.toThrow('traced');
  });
});
