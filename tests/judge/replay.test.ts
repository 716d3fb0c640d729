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

  test('gives functions the text that the learner wrote', async () => {
    const code = `class A { m(a = () => 1) { if (a) return; else return a } }
const f = (a) => { for (const b of a) if (/a/.test(b)) return /b/; return () => a }
const g = () => ['is ' + f, f.toString(), String(A), \`\${g}\`, Math.max.toString(), f([])()]`;
    const [recorded, usual] = [await run(code, 'g()'), await run(code, 'g()', { traced: undefined })];
    expect(recorded.tests).toEqual(usual.tests);
    expect(recorded.trace!.steps.length).toBeGreaterThan(0);
  });

  test('leaves a program alone that would mean something else or nothing with calls in it', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `a${index.toString(36)}`);
    const programs = [
      `function f() { var g = 1; function g() {} return typeof g }`,
      `'use strict'; function f() { return k(); function k() { return 1 } function k() { return 2 } }`,
      `let ${names.join()};${'a1;'.repeat(2_500)}const f = () => 1;`,
      `const f = () => ${'['.repeat(1_500)}${']'.repeat(1_500)}.length;`,
    ];
    for (const code of programs) {
      const [recorded, usual] = [await run(code, 'f()'), await run(code, 'f()', { traced: undefined })];
      expect(recorded.tests).toEqual(usual.tests);
      expect(recorded.trace).toBeUndefined();
    }
  });

  test('shows proxies without their traps, and long lists and numbers without taking the time of the run', async () => {
    const traps = `const o = { a: 1 };
const log = (_, key) => { console.log(String(key)); return o[key]; };
const own = [new Proxy(o, { get: log, ownKeys: () => log(0, 'a') }), Proxy.revocable(o, { get: log }).proxy];
const f = () => { const [a, b] = own; return a.a + b.a + typeof Proxy + Proxy.name; };`;
    const watched = await run(traps, 'f()');
    expect([watched.tests[0]!.got, watched.output]).toEqual(['2functionProxy', 'a\na\n']);
    expect(told(watched.trace!)).toContain('line 4 a=a Proxy b=a Proxy');
    const long = `function f() {
  const memo = new Array(1e6), full = new Array(1e5).fill(7), big = 2n ** 1_000_000n;
  let turns = 0;
  for (let i = 0; i < 500; i++) turns += 1;
  return turns;
}`;
    for (const code of [long, long.replace('2n ** 1_000_000n', '0')]) {
      const { tests, trace } = await run(code, 'f()');
      expect(tests[0]).toMatchObject({ kind: 'wrong_answer', got: '500' });
      expect(trace!.steps.length).toBeGreaterThan(3);
    }
  });

  test('counts what is printed in the units of its text, and names no column, which is not the learner’s', async () => {
    const code = 'console.log("😀");\r\nlet a = 1;\r\nlet b = a.c.d;\r\n';
    const { trace, tests } = await run(code, 'a');
    expect(trace!.steps.map(({ line, printed }) => [line, printed])).toEqual([
      [1, 0],
      [2, 3],
      [3, 3],
    ]);
    expect(tests[0]!.error).toMatchObject({ line: 3, column: null });
    const inPython = await run('print("😀")\r\na = 1\r\n', 'a', { language: 'python' });
    expect(inPython.trace!.steps.map(({ line, printed }) => [line, printed])).toEqual([
      [1, 0],
      [2, 3],
    ]);
  });

  test('tells a variable again where it has changed alone, also between the lines of a generator', async () => {
    const trace = await traceOf(
      'function* gen() {\n  yield 1;\n  yield 2;\n}\nfunction f() {\n  let t = 0;\n  for (const x of gen())\n    t += x;\n  return t;\n}',
      'f()',
    );
    const changed = trace.steps.filter(({ vars }) => vars && 't' in vars).map(({ vars }) => vars!.t);
    expect(changed).toEqual(['0', '1', '3']);
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
      'const p = { get [Symbol.toStringTag]() { for (;;); } };\nlet a = 1;\na = 2;',
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

const python = (code: string, input: string, more: Partial<Submission> = {}) =>
  run(code, input, { language: 'python', ...more });

async function pythonTrace(code: string, input: string): Promise<Trace> {
  const { trace } = await python(code, input);
  return trace!;
}

const TOTAL = `def total(items):
    result = 0
    for one in items:
        result += one
    print(result, end='é')
    return result
`;

describe('a recorded run in Python', () => {
  test('tells each line with its variables, the calls, what they return and what was printed', async () => {
    const { trace, tests, output } = await python(TOTAL, 'total([1, 2])');
    expect(told(trace!)).toEqual([
      'line 1',
      'call 1 items=[1, 2]',
      'line 2',
      'line 3 result=0',
      'line 4 one=1',
      'line 3 result=1',
      'line 4 one=2',
      'line 3 result=3',
      'line 5',
      'line 6',
      'return 6 -> 3',
    ]);
    expect(trace!.isWhole).toBe(true);
    expect(trace!.steps.slice(-3).map(({ printed }) => printed)).toEqual([0, 2, 2]);
    expect([tests[0]!.got, output]).toEqual(['3', '3é']);
  });

  test('says the same of a program as a run that is not recorded', async () => {
    const programs = [
      `import sys\nseen = []\ndef note(*args):\n    seen.append(args[1])\n    return note\ndef f(a):\n    sys.settrace(note)\n    g()\n    sys.settrace(None)\n    return seen\ndef g():\n    return 1\n`,
      `class A:\n    count = 0\n    def __init__(self, n): self.n = n\n    def __del__(self): A.count += 1\n    def __repr__(self):\n        print('shown')\n        return f'A({self.n})'\ndef f(a):\n    x = A(a)\n    x = A(1)\n    del x\n    return [A(3), A.count]\ndef g():\n    return A.count\n`,
      `def deep(n):\n    return 0 if n == 0 else 1 + deep(n - 1)\ndef f(a):\n    try:\n        return deep(5000)\n    except RecursionError as error:\n        return type(error).__name__\ndef g():\n    return deep(980)\n`,
      `import asyncio\nasync def wait(n):\n    await asyncio.sleep(n)\n    return n\ndef f(a):\n    return asyncio.run(wait(2))\ng = lambda: [*(i for i in range(3)), *{j: j for j in 'ab'}]\n`,
    ];
    for (const code of programs) {
      for (const input of ['f("ab")', 'g()']) {
        const [recorded, usual] = [
          await python(code, input),
          await python(code, input, { traced: undefined }),
        ];
        const seen = ({ tests: [only], output }: Verdict) => [input, only!.kind, only!.got, output];
        expect(seen(recorded)).toEqual(seen(usual));
        expect(recorded.trace!.steps.length).toBeGreaterThan(0);
      }
    }
  });

  test('follows a function that calls itself', async () => {
    const trace = await pythonTrace('f = lambda n: 1 if n < 2 else n * f(n - 1)', 'f(3)');
    const steps = trace.steps.filter(({ kind }) => kind !== 'line');
    expect(steps.map(({ kind, vars, value }) => [kind, vars?.n ?? value])).toEqual([
      ['call', '3'],
      ['call', '2'],
      ['call', '1'],
      ['return', '1'],
      ['return', '2'],
      ['return', '6'],
    ]);
    expect(steps.map(({ depth }) => depth)).toEqual([1, 2, 3, 3, 2, 1]);
    expect(new Set(steps.map(({ fn }) => fn))).toEqual(new Set(['(anonymous)']));
  });

  test('tells lines of generators and comprehensions, and an object by its own attributes', async () => {
    const code = `class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = [b]
def gen(n):
    for i in range(n):
        yield i
def f():
    pair = Pair(1, 2)
    return [x for x in gen(2)]
`;
    const trace = await pythonTrace(code, 'f()');
    const steps = trace.steps.filter(({ line, fn }) => fn !== 'Pair' && (line > 5 || fn === '__init__'));
    expect(told({ ...trace, steps })).toEqual([
      'line 8',
      'call 8',
      'line 9',
      'call 2 self=Pair() a=1 b=2',
      'line 3',
      'line 4 self=Pair(a=1)',
      'return 4 -> None',
      'line 10 pair=Pair(a=1, b=[2])',
      'line 6 n=2',
      'line 7 i=0',
      'line 10 x=0',
      'line 6',
      'line 7 i=1',
      'line 10 x=1',
      'line 6',
      'return 10 -> [0, 1]',
    ]);
  });

  test('gives the steps up to an error, which leaves functions without a value, and goes on behind one that is caught', async () => {
    const { trace, tests } = await python('def f(a):\n    return a.b.c\n', 'f({})');
    expect(told(trace!)).toEqual(['line 1', 'call 1 a={}', 'line 2', 'return 2']);
    expect(tests[0]!.error).toMatchObject({ name: 'AttributeError', line: 2 });
    const caught =
      'def g():\n    raise ValueError(1)\ndef f():\n    try:\n        g()\n    except ValueError as e:\n        return 2\n';
    const steps = told(await pythonTrace(caught, 'f()')).slice(-5);
    expect(steps).toEqual(['line 2', 'return 2', 'line 6', 'line 7 e=ValueError(1)', 'return 7 -> 2']);
  });

  test('counts what is printed where a program reads its input, with what it asks', async () => {
    const code = 'name = input("Who? ")\nprint(name)\nx = 1\n';
    const { trace, output } = await python(code, '', {
      tests: [{ input: 'Ada', expectedOutput: 'Ada', mode: 'stdin' }],
    });
    expect(told(trace!)).toEqual(['line 1', "line 2 name='Ada'", 'line 3']);
    expect([trace!.steps.map(({ printed }) => printed), output]).toEqual([[0, 5, 9], 'Who? Ada\n']);
  });

  test('gives the first steps of a program that reaches a limit, and no more than 2,000 or 48 KB', async () => {
    const endless = await python('n = 0\nwhile True:\n    n += 1\n', 'n');
    expect(endless.tests[0]!.kind).toBe('time_limit');
    const full = await python('a = []\nwhile True:\n    a.append("x" * 10 ** 6)\n', 'a');
    expect(full.tests[0]!.kind).toBe('memory_limit');
    expect(full.trace!.steps.length).toBeGreaterThan(50);
    const flood = await python('while True:\n    print("x" * 1000)\n', '1');
    expect(flood.tests[0]!.kind).toBe('output_limit');
    const short = await pythonTrace('def f():\n  for i in range(9000):\n    pass\n', 'f()');
    const wide = await pythonTrace('def f():\n  for i in range(900):\n    s = str(i) + "é" * 200\n', 'f()');
    const deep = await pythonTrace('def f(n):\n  return f(n + 1)\n', 'f(0)');
    for (const trace of [endless.trace!, short, wide, deep]) {
      expect(trace.isWhole).toBe(false);
      expect(trace.steps.length).toBeGreaterThan(100);
    }
    for (const trace of [endless.trace!, full.trace!, flood.trace!, short, wide, deep]) {
      expect(trace.steps.length).toBeLessThanOrEqual(2_000);
      expect(Buffer.byteLength(JSON.stringify(trace.steps))).toBeLessThanOrEqual(48 * 1024 + 2);
      const values = trace.steps.flatMap(({ vars = {} }) => Object.values(vars));
      for (const value of values) expect(value?.length ?? 0).toBeLessThanOrEqual(80);
    }
  });

  test('runs none of the code of values that it shows, and shows huge and endless ones in short', async () => {
    const hostile = `import datetime
class Odd(type):
    @property
    def __name__(cls):
        print('name')
    def __instancecheck__(cls, other):
        print('instance')
class Bad(metaclass=Odd):
    __class__ = property(lambda self: print('class'))
    __dict__ = property(lambda self: print('dict'))
    def __repr__(self):
        while True:
            pass
    def __eq__(self, other):
        print('eq')
    def __hash__(self):
        print('hash')
    def __getattribute__(self, name):
        print('get')
class Items(list):
    def __iter__(self):
        raise ValueError
    def __len__(self):
        print('len')
class Text(str):
    def __getitem__(self, at):
        print('item')
    def __str__(self):
        print('str')
class Names(dict):
    def items(self):
        print('items')
class Zone(datetime.tzinfo):
    def __repr__(self):
        print('zone')
def f():
    when = datetime.datetime(2020, 1, 1, tzinfo=Zone()), datetime.time(1, tzinfo=datetime.timezone.utc)
    values = [Bad(), Items([1]), Text('a'), Names(a=1)]
    huge = [1 << 10 ** 6, 'x' * 10 ** 6]
    many = range(10 ** 6), set(range(10 ** 5))
    own = []
    own.append(own)
    error = ValueError(values[0])
    return len(values)
`;
    const { trace, tests, output } = await python(hostile, 'f()');
    expect([tests[0]!.got, output]).toEqual(['4', '']);
    const vars = Object.assign({}, ...trace!.steps.filter(({ fn }) => fn === 'f').map((one) => one.vars));
    expect(vars).toMatchObject({
      values: "[<Bad>, Items([1]), 'a', Names({'a': 1})]",
      own: '[[[…]]]',
      when: '(<datetime>, datetime.time(1, 0, tzinfo=datetime.timezone.utc))',
      error: 'ValueError(<Bad>)',
    });
    expect(vars.huge).toMatch(/^\[an int of 1000001 bits, 'x+…$/);
    expect(trace!.isWhole).toBe(true);
  });

  test('gives a program that looks for the recorder nothing but its own run, and no record that breaks the bounds', async () => {
    const programs = [
      `import sys\ndef f():\n    sys.settrace(None)\n    return 1\n`,
      `import sys\ndef f():\n    t = sys.gettrace()\n    for cell in t.__closure__:\n        if isinstance(cell.cell_contents, dict):\n            cell.cell_contents.update(steps=-10 ** 9, bytes=-10 ** 9)\n    for i in range(5000):\n        pass\n    return 1\n`,
      `import os\ndef f():\n    for i in range(9000):\n        os.write(5, b'{"kind": "x"}' * 9)\n    return 1\n`,
      `import os\ndef f():\n    os.write(5, b'{"kind":"line","line":1,"fn":"","depth":9007199254740991}')\n    return 1\n`,
      `import os\ndef f():\n    os.close(5)\n    return 1\n`,
      `import sys\ndef f():\n    frame = sys._getframe()\n    names = []\n    while frame:\n        names.append(frame.f_code.co_filename)\n        frame = frame.f_back\n    return 1 if all('harness' not in n for n in names) else 0\n`,
      `def f():\n    try:\n        while True:\n            pass\n    except BaseException:\n        return 1\n`,
    ];
    for (const code of programs) {
      const { tests, trace } = await python(code, 'f()');
      expect(['1', null]).toContain(tests[0]!.got);
      expect(trace?.steps.length ?? 0).toBeLessThanOrEqual(2_000);
      for (const { depth } of trace?.steps ?? []) expect(depth).toBeLessThanOrEqual(2_000);
    }
    const gone = await pythonTrace(programs[0]!, 'f()');
    expect([told(gone).at(-1), gone.isWhole]).toEqual(['line 3', false]);
  });
});
