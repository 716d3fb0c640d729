import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { JudgeTest, Verdict } from '#src/judge/protocol.ts';
import { expectLinesOfEndlessPrograms, PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { web: 1 } });
afterAll(() => judge.stop());

function run(code: string, tests: JudgeTest[] = [], expectedOutput?: string): Promise<Verdict> {
  return judge.judge({
    language: 'javascript',
    code,
    tests,
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
  });
}

/** What an expression is seen to give after a program. */
async function given(code: string, input: string): Promise<string | null> {
  const { tests } = await run(code, [{ input, expectedOutput: '' }]);
  return tests[0]!.got;
}

test('a strict test compares the type, and nothing printed stands in for a value', async () => {
  const code = `const right = () => 3, text = () => '3', later = async () => [1, '2'];
function prints() { console.log(3); }
function fails() { throw new Error('no'); }`;
  const inputs = ['right()', 'text()', 'prints()', 'later()', 'fails()'];
  const expected = ['3', '3', '3', '[1, "2"]', '3'];
  const strict = await run(
    code,
    inputs.map((input, at) => ({ input, expectedOutput: expected[at]!, strict: true })),
  );
  expect(strict.tests.map(({ kind, got, typeDifference }) => [kind, got, typeDifference])).toEqual([
    ['pass', '3', undefined],
    ['wrong_answer', '"3"', 'Expected the number 3, got the text "3".'],
    [
      'wrong_answer',
      'undefined',
      'Expected the number 3, but nothing was returned (undefined). What is printed is not returned.',
    ],
    ['pass', '[1,"2"]', undefined],
    ['runtime_error', null, undefined],
  ]);
  const loose = await run(
    code,
    inputs.slice(0, 3).map((input) => ({ input, expectedOutput: '3' })),
  );
  expect(loose.kind).toBe('pass');
  // What is read by line is answered by printing, whatever the test says.
  const lines = { input: '', expectedOutput: '"3"', mode: 'stdin', strict: true } as const;
  expect((await run(`console.log('"3"')`, [lines])).kind).toBe('pass');
});

describe('an input in call mode', () => {
  test.each([
    ['a function', 'function double(n) { return n * 2; }', 'double(21)', '42'],
    ['a const', 'const rate = 0.5;', 'rate', '0.5'],
    ['a let that has changed', 'let n = 1; n = 2;', 'n', '2'],
    ['a class', 'class Cat { name = "Tom"; }', 'new Cat().name', 'Tom'],
    ['a const in a strict program', '"use strict"; const x = 3;', 'x + 1', '4'],
    ['an object literal', '', '{ a: 1 }', '{"a":1}'],
    ['a program that ends in a comment', 'const x = 1; // the end', 'x', '1'],
    ['a program without a last semicolon', 'const f = () => 7', 'f()', '7'],
    [
      'statements',
      'class Stack { i = []; push(x) { this.i.push(x); } }',
      'const s = new Stack(); s.push(4); s.i',
      '[4]',
    ],
  ])('sees %s', async (_, code, input, value) => {
    expect(await given(code, input)).toBe(value);
  });

  test('gets a fresh program each time', async () => {
    const tests = [1, 2].map(() => ({ input: 'count()', expectedOutput: '1' }));
    expect((await run('let n = 0; const count = () => ++n;', tests)).kind).toBe('pass');
  });

  test.each([
    [
      'a promise',
      'const wait = (v) => new Promise((done) => setTimeout(() => done(v), 5000));',
      'wait(7)',
      '7',
    ],
    ['an async function', 'const f = async () => [1, 2];', 'f()', '[1,2]'],
    ['an awaited expression', 'const f = async () => 20;', 'await f() + (await f()) + 2', '42'],
    ['a thenable', '', '({ then(done) { done("then") } })', 'then'],
  ])('awaits %s, without waiting for the clock', async (_, code, input, value) => {
    expect(await given(code, input)).toBe(value);
  });

  test('shows a promise that never settles as what it is', async () => {
    expect(await given('', 'new Promise(() => {})')).toBe('Promise { <pending> }');
  });

  test.each([
    ['strings as they are', '"a\\nb"', 'a\nb'],
    ['other values as JSON', '({ b: [1, "x", null, true], a: undefined })', '{"b":[1,"x",null,true]}'],
    ['instances as JSON', 'new (class P { x = 1; #y = 2; })()', '{"x":1}'],
    ['dates as JSON', '[new Date(0)]', '["1970-01-01T00:00:00.000Z"]'],
    ['null', 'null', 'null'],
    ['undefined, when nothing was printed', 'undefined', 'undefined'],
    ['BigInt', '2n ** 70n', '1180591620717411303424n'],
    ['NaN', '0 / 0', 'NaN'],
    ['infinity within an array', '[1, 1 / 0]', '[ 1, Infinity ]'],
    ['-0', '-0', '-0'],
    ['a Map', 'new Map([["a", { b: 1 }]])', "Map(1) { 'a' => { b: 1 } }"],
    ['a Set', 'new Set([1, "1"])', "Set(2) { 1, '1' }"],
    [
      'a cycle',
      '(() => { const a = { n: 1 }; a.self = a; return a; })()',
      '<ref *1> { n: 1, self: [Circular *1] }',
    ],
    ['the same object twice', '(() => { const a = { n: 1 }; return [a, a]; })()', '[{"n":1},{"n":1}]'],
    ['a function', 'function f() {}', '[Function: f]'],
    ['a symbol', 'Symbol("s")', 'Symbol(s)'],
    ['a pattern', '/a+/g', '/a+/g'],
    ['a typed array', 'new Uint8Array([1, 2])', 'Uint8Array(2) [ 1, 2 ]'],
    ['holes as null', '[1, , 3]', '[1,null,3]'],
  ])('gives %s', async (_, input, value) => {
    expect(await given('', input)).toBe(value);
  });

  test('falls back to what the expression printed, not what the program printed', async () => {
    const code = 'console.log("starting"); function greet(name) { console.log("Hello, " + name + "!"); }';
    expect(await given(code, 'greet("Ada")')).toBe('Hello, Ada!\n');
  });

  test('counts what its timers print', async () => {
    const code = 'function later() { setTimeout(() => console.log("late"), 900); console.log("early"); }';
    expect(await given(code, 'later()')).toBe('early\nlate\n');
  });
});

describe('an input in stdin mode', () => {
  const tests: JudgeTest[] = [{ input: 'Ada\r\n36\n', mode: 'stdin', expectedOutput: 'Ada is 36\nnull' }];
  test.each(['prompt', 'readline'])('is read line by line with %s', async (read) => {
    const code = `const name = ${read}("Name?"); const age = Number(${read}());
      console.log(name + " is " + age); console.log(${read}());`;
    expect((await run(code, tests)).kind).toBe('pass');
  });

  test('may hold empty lines', async () => {
    const code = 'let line; let n = 0; while ((line = prompt()) !== null) n++; console.log(n);';
    const verdict = await run(code, [{ input: 'a\n\nb', mode: 'stdin', expectedOutput: '3' }]);
    expect(verdict.kind).toBe('pass');
  });
});

describe('a plain run', () => {
  test('is compared by what it printed', async () => {
    expect((await run('console.log("Hello, World!")', [], 'Hello, World!')).kind).toBe('pass');
    expect((await run('console.log("Hello World")', [], 'Hello, World!')).kind).toBe('wrong_answer');
  });

  test('runs its timers and promises in their order', async () => {
    const code = `
      setTimeout(() => console.log("timeout 20"), 20);
      setTimeout(() => { console.log("timeout 10"); Promise.resolve().then(() => console.log("its promise")); }, 10);
      setTimeout(() => console.log("also 10"), 10);
      queueMicrotask(() => console.log("microtask"));
      Promise.resolve().then(() => console.log("promise"));
      const interval = setInterval(() => { console.log("tick"); clearInterval(interval); }, 15);
      console.log("first");`;
    const lines = [
      'first',
      'microtask',
      'promise',
      'timeout 10',
      'its promise',
      'also 10',
      'tick',
      'timeout 20',
    ];
    expect((await run(code)).output).toBe(`${lines.join('\n')}\n`);
  });

  test('sees time pass that its timers wait for', async () => {
    const code = `const from = Date.now(); const p = performance.now();
      setTimeout(() => console.log(Date.now() - from >= 30000 && performance.now() - p >= 30000), 30000);`;
    expect((await run(code)).output).toBe('true\n');
  });

  test('has different random numbers and the present time', async () => {
    const outputs = await Promise.all([1, 2, 3].map(() => run('console.log(Math.random(), Date.now())')));
    expect(new Set(outputs.map(({ output }) => output.split(' ')[0])).size).toBe(3);
    expect(Math.abs(Number(outputs[0]?.output.split(' ')[1]) - Date.now())).toBeLessThan(60_000);
  });
});

describe('the console prints what Node prints', () => {
  const values = [
    '"text"',
    "'it\\'s'",
    '42',
    '-0',
    'NaN',
    '12n',
    'true',
    'null',
    'undefined',
    'Symbol("s")',
    '[]',
    '{}',
    '[1, 2, 3]',
    '["a", "b"]',
    '[[1, [2, [3, [4]]]]]',
    '{ a: { b: { c: { d: 1 } } } }',
    '{ a: 1, "b-c": "x", [Symbol("k")]: 2 }',
    '[undefined, null, , 5]',
    'new Map([[1, { a: 2 }]])',
    'new Set(["a", [1]])',
    'new Date(0)',
    '/x+/gi',
    'function f() {}',
    '() => 1',
    'class A {}',
    'class B extends Array {}',
    'new (class Point { x = 1; y = 2; })()',
    'Array.from({ length: 120 }, (_, i) => i)',
    'Array.from({ length: 12 }, (_, i) => "item number " + i)',
    '"long ".repeat(60)',
    '["long ".repeat(30), "b"]',
    '{ name: "A fairly long name", description: "A description that is long", tags: ["one", "two"], nested: { deep: true } }',
    'Object.create(null)',
    'new Uint8Array(3)',
    '[1.5, -2, 1e21]',
    'new Promise(() => {})',
    'new WeakMap()',
    '{ get a() { return 1; }, set a(v) {} }',
    '[function g() {}, class C {}]',
    'new Error("x").message',
    '{ f() {}, g: () => 1 }',
    'Object.assign(() => {}, { a: 1 })',
    'new Number(3)',
    'new String("s")',
    '[new (class Q { a = new (class R {})(); })()]',
    '["a\\nb"]',
    '{ s: "it\'s" }',
  ];

  test('for values of every kind', async () => {
    const code = `console.log("begin"); ${values.map((value) => `console.log((${value}));`).join('\n')}`;
    const expected = values.map((value) => {
      // biome-ignore lint/security/noGlobalEval: the list above, seen by Node's own inspector.
      const made = globalThis.eval(`(${value})`) as unknown;
      return typeof made === 'string' ? made : inspect(made);
    });
    const { output } = await run(code);
    expect(output.trimEnd().split('\n')).toEqual(['begin', ...expected.join('\n').split('\n')]);
  });

  test('for formats', async () => {
    const code =
      'console.log("%s is %d years and %i, %f, %j %O %% %c!", "Ada", 36.5, 36.9, "1.5", { a: 1 }, [1], "css", "rest");';
    expect((await run(code)).output).toBe(`Ada is 36.5 years and 36, 1.5, {"a":1} [ 1 ] % ! rest\n`);
  });

  test('for groups, counts, assertions and tables', async () => {
    const code = `
      console.group("Outer"); console.log("in\\nside"); console.group(); console.warn("deep"); console.groupEnd(); console.groupEnd();
      console.count(); console.count(); console.count("x"); console.countReset(); console.count();
      console.assert(true, "never"); console.assert(false, "shown %d", 5); console.assert(false);
      console.table([{ a: 1, b: "x" }, { a: 2, c: true }]);
      console.table(["p", "q"]); console.table(5); console.dir({ a: 1 }); console.log();`;
    expect((await run(code)).output).toBe(`Outer
  in
  side
    deep
default: 1
default: 2
x: 1
default: 1
Assertion failed: shown 5
Assertion failed
┌─────────┬───┬─────┬──────┐
│ (index) │ a │ b   │ c    │
├─────────┼───┼─────┼──────┤
│ 0       │ 1 │ 'x' │      │
│ 1       │ 2 │     │ true │
└─────────┴───┴─────┴──────┘
┌─────────┬────────┐
│ (index) │ Values │
├─────────┼────────┤
│ 0       │ 'p'    │
│ 1       │ 'q'    │
└─────────┴────────┘
5
{ a: 1 }

`);
  });
});

describe('an error', () => {
  test.each([
    ['at the top', 'const a = 1;\n\nmissing();', 'ReferenceError', 3, 1],
    ['in a function', 'function f() {\n  return null.x;\n}\nf();', 'TypeError', 2, 15],
    [
      'that is thrown',
      'class MyError extends Error { name = "MyError"; }\nthrow new MyError("no");',
      'MyError',
      2,
      7,
    ],
    ['in a timer', 'setTimeout(() => {\n  undefined.x;\n}, 10);', 'TypeError', 2, 13],
    ['in a promise', 'Promise.resolve().then(() => {\n  null.x;\n});', 'TypeError', 2, 8],
    ['without end', 'function f() {\n  f();\n}\nf();', 'RangeError', 2, 3],
  ])('%s has its own line', async (_, code, name, line, column) => {
    const { kind, error } = await run(code);
    expect({ kind, name: error?.name, line: error?.line }).toEqual({ kind: 'runtime_error', name, line });
    if (name !== 'RangeError') expect(error?.column).toBe(column);
    if (name !== 'MyError') expect(error?.explanation).toBeTruthy();
  });

  test.each([
    ['const a = ;', 1, 11],
    ['let a = 1;\nlet a = 2;', 2, 5],
    ['function f() {\n  return 1;\n\n', 2, 12],
    ['if (true {\n}', 1, 10],
    ['console.log("a)', 1, 13],
  ])('in the syntax of %j has its own line', async (code, line, column) => {
    const verdict = await run(code, [{ input: '1', expectedOutput: '1' }]);
    expect(verdict.kind).toBe('syntax_error');
    expect(verdict.error).toMatchObject({ name: 'SyntaxError', line, column });
    expect(verdict.error?.explanation).toBeTruthy();
    expect(verdict.tests[0]?.kind).toBe('syntax_error');
  });

  test('that is no error is shown as it is', async () => {
    expect((await run('throw { code: 7 };')).error).toMatchObject({
      name: 'Uncaught',
      message: '{ code: 7 }',
    });
  });

  test('keeps what was printed before it', async () => {
    expect((await run('console.log("before"); nope();')).output).toBe('before\n');
  });

  test('of time names the line', async () => {
    const endless: [what: string, code: string, line: number, input?: string][] = [
      ['a loop', 'let n = 0;\n\nfor (;;) {\n  n += 1;\n}', 3],
      ['a loop of the test', 'function f() {\n  while (true) {}\n}', 2, 'f()'],
      ['a pattern that backtracks', 'const p = /^(a+)+$/;\np.test("a".repeat(45) + "b");', 2],
      ['a comparator', '[3, 2, 1].sort(() => {\n  for (;;) {}\n});', 2],
      ['an async loop', '(async () => {\n  for (;;) {\n    await null;\n  }\n})();', 3],
      ['a debugger statement before a loop', 'debugger;\n\nfor (;;) {}', 3],
    ];
    const programs = endless.map(([what, code, line, input]) => {
      const tests = input === undefined ? [] : [{ input, expectedOutput: '' }];
      return { what, line, submission: { language: 'javascript' as const, code, tests } };
    });
    await expectLinesOfEndlessPrograms(judge, programs, { testMs: 400, totalMs: 1_500 });
  });

  test('of time keeps what was printed, and the tests before it', async () => {
    const code = 'console.log("before");\nfunction f(n) {\n  while (n > 0) {}\n  return n;\n}';
    const tests = [0, 1].map((n) => ({ input: `f(${n})`, expectedOutput: '0' }));
    const limits = { testMs: 400, totalMs: 1_500 };
    const verdict = await judge.judge({ language: 'javascript', code, tests }, limits);
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(['pass', 'time_limit']);
    expect(verdict.tests[1]).toMatchObject({ output: 'before\n' });
  });

  test('at the input alone names what is missing', async () => {
    const { error } = await run('', [{ input: 'add(1, 2)', expectedOutput: '3' }]);
    expect(error).toMatchObject({ message: 'add is not defined', line: null });
  });

  test('of a hidden test says nothing of its values, nor a line chosen by them', async () => {
    const code = 'function f(x) {\n  console.log(x);\n  throw new Error("secret " + x);\n}';
    const verdict = await run(code, [{ input: 'f(42)', expectedOutput: '1', hidden: true }]);
    expect(verdict.error).toMatchObject({ name: 'HiddenTest', line: null, column: null });
    expect(verdict.output).toBe('');
    const { tests: _, ...shown } = verdict;
    expect(JSON.stringify(shown)).not.toContain('42');
  });

  test('that a printed stack shows holds no line of the harness', async () => {
    const { output } = await run('function f() {\n  console.log(new Error("x"));\n}\nf();');
    expect(output).toBe('Error: x\n    at f (program.js:2:15)\n    at eval (program.js:4:1)\n');
  });

  test.each([
    ['of a call', 'const f = () => new Error("x").stack;'],
    ['after a wait', 'async function f() { await 1; return new Error("x").stack; }'],
    ['by way of the language', 'const f = () => [1].map(function g() { return new Error("x").stack; })[0];'],
  ])('that a stack %s holds no line of the harness', async (_, code) => {
    const stack = (await given(code, 'f()'))!;
    expect(stack).toMatch(/^Error: x\n {4}at [fg] \(program\.js:1:/);
    expect(stack).not.toMatch(/sandbox|input\.js|anonymous/);
  });
});

test('structuredClone copies what learners copy', async () => {
  const code = `const a = { d: new Date(0), m: new Map([[1, { x: [1, 2] }]]), s: new Set([1]) }; a.self = a;
    const b = structuredClone(a); b.m.get(1).x.push(3);
    let refused = false; try { structuredClone({ f() {} }); } catch { refused = true; }`;
  expect(
    await given(code, '[a.m.get(1).x, b.m.get(1).x, b.self === b, b !== a, b.d.getTime(), refused]'),
  ).toBe('[[1,2],[1,2,3],true,true,0,true]');
});
