import { afterAll, describe, expect, test } from 'vitest';
import type { VerdictKind } from '#src/judge/protocol.ts';
import { byEnd, type Case, survive, PatientJudge } from './controls.ts';

const judge = new PatientJudge();
afterAll(() => judge.stop());

const TIME: VerdictKind[] = ['time_limit'];
const MEMORY: VerdictKind[] = ['memory_limit'];
/** Which limit is reached first depends on the machine. */
const STOPPED: VerdictKind[] = ['time_limit', 'memory_limit'];
const FAILS: VerdictKind[] = ['runtime_error'];
const STOPPED_OR_FAILS: VerdictKind[] = [...STOPPED, ...FAILS];
const OUTPUT: VerdictKind[] = ['output_limit'];

const ENDLESS: Case[] = [
  ['a loop', 'for (;;) {}', TIME],
  ['a loop after output', 'console.log("before"); while (true) {}', TIME],
  ['a loop that catches everything', 'for (;;) { try { for (;;) {} } catch {} finally { continue; } }', TIME],
  // Each link waits for the next, so the chain grows: which limit it meets first depends on the machine.
  ['a chain of promises', 'const again = () => Promise.resolve().then(again); again();', STOPPED],
  ['an async loop', '(async () => { for (;;) await null; })();', TIME],
  [
    'an async generator',
    '(async () => { for await (const x of (async function* () { for (;;) yield 1; })()) {} })();',
    TIME,
  ],
  ['a thenable that resolves to itself', 'const t = { then(done) { done(t); } }; Promise.resolve(t);', TIME],
  ['a regular expression that backtracks', '/^(a+)+$/.test("a".repeat(45) + "b");', TIME],
  ['a lookbehind that backtracks', '/(?<=(x+x+)+y)z/.test("x".repeat(60) + "z");', [...TIME, 'pass']],
  ['a sort comparator', '[3, 2, 1].sort(() => { for (;;) {} });', TIME],
  ['growing BigInts', 'let n = 3n; for (;;) n *= n;', STOPPED_OR_FAILS],
  ['the text of a huge BigInt', 'String(7n ** 3000000n).length;', [...STOPPED_OR_FAILS, 'pass']],
  ['waiting for the clock', 'while (Date.now() >= 0) {}', TIME],
  [
    'a getter of the thrown object',
    'throw { get message() { for (;;) {} }, get stack() { for (;;) {} } };',
    FAILS,
  ],
  [
    'a getter of a thrown error',
    'class E extends Error { get message() { for (;;) {} } } throw new E();',
    TIME,
  ],
  [
    'a getter of a rejection',
    'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;) {} } }); Promise.reject(e);',
    [...TIME, ...FAILS],
  ],
  [
    'a getter of the message of a rejection',
    'const e = new Error("x"); Object.defineProperty(e, "message", { get() { for (;;) {} } }); Promise.reject(e);',
    [...TIME, ...FAILS],
  ],
  [
    'preparing stacks',
    'Error.prepareStackTrace = () => { for (;;) {} }; throw new Error("x");',
    [...TIME, ...FAILS],
  ],
  ['turning an answer to JSON', 'const answer = { toJSON() { for (;;) {} } };', TIME, 'answer'],
  ['the traps of an answer', 'const answer = new Proxy({}, { ownKeys() { for (;;) {} } });', TIME, 'answer'],
  ['showing a value', 'console.log(new Proxy({}, { ownKeys() { for (;;) {} } }));', TIME],
  ['an interval', 'setInterval(() => {}, 10);', TIME],
  ['a chain of timers', 'const again = () => setTimeout(again, 0); again();', TIME],
  [
    'calls that branch at every level',
    'function f() { try { f(); } finally { f(); } } f();',
    [...TIME, ...FAILS],
  ],
];

const GREEDY: Case[] = [
  ['an array', 'const a = []; for (;;) a.push([a.length]);', STOPPED],
  ['a Map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });', STOPPED_OR_FAILS],
  ['a Set', 'const s = new Set(); for (let i = 0; ; i++) s.add("k" + i);', STOPPED_OR_FAILS],
  ['an array filled to a thousand million', 'Array(1e9).fill(0);', STOPPED_OR_FAILS],
  ['an array filled to the largest length', 'new Array(2 ** 32 - 1).fill(1);', STOPPED_OR_FAILS],
  ['sixty million elements', 'Array.from({ length: 60e6 }, (_, i) => i);', STOPPED_OR_FAILS],
  [
    'a million long property names',
    'const o = {}; for (let i = 0; i < 1e6; i++) o["n".repeat(200) + i] = i;',
    STOPPED,
  ],
  ['a text that doubles', 'let s = "ab"; for (;;) s += s;', STOPPED_OR_FAILS],
  [
    'texts of 512 MB',
    'const k = []; for (;;) k.push("x".repeat(2 ** 29 - 24) + k.length);',
    STOPPED_OR_FAILS,
  ],
  [
    'texts made flat',
    'const k = []; for (;;) { const s = "x".repeat(5e7) + k.length; s.charCodeAt(3); k.push([...s].length, s); }',
    STOPPED_OR_FAILS,
  ],
  [
    'replacing every letter by many',
    '"a".repeat(1e6).replace(/a/g, "b".repeat(1e4)).length;',
    STOPPED_OR_FAILS,
  ],
  [
    'JSON that multiplies',
    'let a = ["x".repeat(1000)]; for (let i = 0; i < 40; i++) a = [a, a]; JSON.stringify(a);',
    STOPPED_OR_FAILS,
  ],
  ['buffers', 'const k = []; for (;;) k.push(new ArrayBuffer(1e7));', STOPPED_OR_FAILS],
  [
    'filled buffers',
    'const k = []; for (;;) k.push(new Float64Array(1e6).fill(k.length));',
    STOPPED_OR_FAILS,
  ],
  ['one buffer of 4 GB', 'new Uint8Array(2 ** 32).fill(1);', STOPPED_OR_FAILS],
  [
    'formatters outside of the heap',
    'const k = []; for (;;) k.push(new Intl.DateTimeFormat("de", { dateStyle: "full" }), new Intl.NumberFormat("ar"));',
    STOPPED,
  ],
  [
    'segmenters',
    'const k = []; for (;;) k.push([...new Intl.Segmenter("th", { granularity: "word" }).segment("ก".repeat(2000))]);',
    STOPPED,
  ],
  ['a normal form of a long text', '"\\uFDFA".repeat(2e7).normalize("NFKD").length;', STOPPED_OR_FAILS],
  ['timers', 'for (;;) setTimeout(() => {}, 0);', STOPPED_OR_FAILS],
  ['promises that never settle', 'const k = []; for (;;) k.push(new Promise(() => {}));', STOPPED],
  ['spreading an endless generator', '[...(function* () { for (;;) yield {}; })()];', STOPPED_OR_FAILS],
  [
    'a pattern of ten million alternatives',
    'new RegExp("(?:ab|ba|c)".repeat(5e6)).test("c".repeat(1e5));',
    STOPPED_OR_FAILS,
  ],
  ['a program of two million terms', 'eval("1" + "+1".repeat(2e6));', [...STOPPED_OR_FAILS, 'pass']],
  [
    'a chain of proxies',
    'let p = {}; for (let i = 0; i < 3e5; i++) p = new Proxy(p, {}); p.x;',
    STOPPED_OR_FAILS,
  ],
  [
    'a chain of bound functions',
    'let f = () => 1; for (let i = 0; i < 3e5; i++) f = f.bind(); f();',
    [...STOPPED_OR_FAILS, 'pass'],
  ],
  ['recursion', 'function f(n) { return f(n + 1) + 1; } f(0);', FAILS],
  ['flattening an array that holds itself', 'const a = []; a.push(a); a.flat(Infinity);', STOPPED_OR_FAILS],
  [
    'an answer nested a hundred thousand times',
    'let answer = []; for (let i = 0; i < 1e5; i++) answer = [answer];',
    [...STOPPED_OR_FAILS, 'output_limit', 'wrong_answer'],
    'answer',
  ],
];

const CHATTY: Case[] = [
  ['100 MB at once', 'console.log("x".repeat(1e8));', [...OUTPUT, ...MEMORY]],
  ['a million lines', 'for (let i = 0; i < 1e6; i++) console.log("line", i);', OUTPUT],
  [
    'on and on, catching every refusal',
    'for (;;) { try { console.log("x".repeat(1000)); } catch {} }',
    OUTPUT,
  ],
  ['from timers', 'setInterval(() => console.log("x".repeat(5000)), 1);', OUTPUT],
  ['a huge answer', 'const answer = "x".repeat(3e6);', OUTPUT, 'answer'],
  ['an answer of 400 MB', 'const answer = "x".repeat(4e8);', [...OUTPUT, ...STOPPED_OR_FAILS], 'answer'],
  [
    'an answer of a million numbers',
    'const answer = Array.from({ length: 1e6 }, (_, i) => i);',
    [...OUTPUT, ...STOPPED],
    'answer',
  ],
  ['an error with a message of 100 MB', 'throw new Error("x".repeat(1e8));', [...FAILS, ...MEMORY]],
  [
    'a rejection with a message of 100 MB',
    'Promise.reject(new Error("x".repeat(1e8)));',
    [...FAILS, ...STOPPED],
  ],
  ['a rejection with a text of 400 MB', 'Promise.reject("x".repeat(4e8));', [...FAILS, ...STOPPED]],
  [
    'an error whose name is 100 MB',
    'const e = new Error("x"); e.name = "y".repeat(1e8); throw e;',
    [...FAILS, ...MEMORY],
  ],
  [
    'a table of a hundred thousand rows',
    'console.table(Array.from({ length: 1e5 }, (_, i) => ({ i })));',
    [...OUTPUT, ...TIME],
  ],
];

const ESCAPES: Case[] = [
  ['process', 'process.exit(1);', FAILS],
  ['require', 'require("node:fs").readFileSync("/etc/passwd");', FAILS],
  ['import()', 'import("node:fs").then((fs) => console.log(fs));', FAILS],
  [
    'import() that is awaited',
    '(async () => { console.log(await import("node:child_process")); })();',
    FAILS,
  ],
  ['the constructor of functions', 'this.constructor.constructor("return process")().exit();', FAILS],
  ['the constructor of the console', 'console.log.constructor("return process")().exit();', FAILS],
  ['the constructor of a timer', 'setTimeout.constructor.constructor("return require")()("fs");', FAILS],
  [
    'the constructor of async functions',
    '(async () => {}).constructor("return process")().then((p) => p.exit());',
    FAILS,
  ],
  ['WebAssembly', 'new WebAssembly.Memory({ initial: 65536 });', FAILS],
  ['shared memory', 'new SharedArrayBuffer(1e9);', FAILS],
  ['waiting on memory', 'Atomics.wait(new Int32Array(8), 0, 0);', FAILS],
  [
    'a resizable buffer',
    'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 33 }); b.resize(2 ** 32);',
    FAILS,
  ],
  [
    'a resizable buffer by way of a prototype',
    'const B = Object.getPrototypeOf(new ArrayBuffer(1)).constructor; new B(8, { maxByteLength: 2 ** 33 }).resize(2 ** 32);',
    FAILS,
  ],
  ['transferring a buffer', 'new ArrayBuffer(8).transfer(2 ** 33);', FAILS],
  ['callbacks after the end', 'new FinalizationRegistry(() => { for (;;) {} }).register({}, 1);', FAILS],
  [
    'the frames of a stack',
    'Error.prepareStackTrace = (_, frames) => frames; for (const frame of new Error().stack) { const f = frame.getFunction() ?? frame.getThis(); if (f && f !== globalThis) f.process.exit(); } throw new Error("nothing to find");',
    FAILS,
  ],
];

/** Each is to give 42 and does not; whatever it does to its surroundings, it must not pass. */
const CHEATS: [what: string, code: string][] = [
  ['prints the answer first', 'console.log("42"); const answer = () => 0;'],
  ['replaces JSON.stringify', 'JSON.stringify = () => "42"; const answer = () => [0];'],
  [
    'replaces text methods',
    'for (const m of ["slice", "indexOf", "repeat", "split"]) String.prototype[m] = () => "42"; const answer = () => "0";',
  ],
  ['sets toJSON for all', 'Object.prototype.toJSON = () => 42; const answer = () => 0;'],
  [
    'replaces call, apply and bind',
    'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 42; Reflect.apply = () => 42; const answer = () => 0;',
  ],
  [
    'replaces promises',
    'Promise.prototype.then = (done) => done(42); globalThis.Promise = class { then(f) { f(42); } }; const answer = async () => 0;',
  ],
  [
    'catches array elements',
    'for (let i = 0; i < 20; i++) Object.defineProperty(Array.prototype, i, { set() {}, get() { return 42; }, configurable: true }); const answer = () => 0;',
  ],
  [
    'replaces number methods',
    'Number.prototype.toString = () => "42"; Number.isFinite = () => false; const answer = () => 0;',
  ],
  ['gives what looks like a report', 'const answer = () => \'{"kind":"value","value":"42","output":"42"}\';'],
  [
    'looks for the harness',
    'const found = Object.getOwnPropertyNames(globalThis).filter((n) => n.includes("$") || n.includes("harness")); const answer = () => found.length === 0 ? 0 : 42;',
  ],
  [
    'asks who calls, and who calls that one',
    `function answer() {
      for (let f = answer.caller; f; f = f.caller) if (/harness|printed|settled/.test(f)) return 42;
      return 0;
    }`,
  ],
  [
    'gives an object that is anything',
    'const answer = () => ({ toString: () => "42", valueOf: () => 42, [Symbol.toPrimitive]: () => 42, length: 2 });',
  ],
  [
    'gives a proxy that is anything',
    'const answer = () => new Proxy(function () {}, { get: () => 42, apply: () => 42, ownKeys: () => [] });',
  ],
  ['throws the answer', 'const answer = () => { throw 42; };'],
  ['rejects with the answer', 'const answer = () => Promise.reject(42);'],
  ['prints, then gives another value', 'const answer = () => { console.log(42); return 0; };'],
  ['ends in an open comment', 'const answer = () => 42; /*'],
  ['ends in an open template', 'const answer = () => 42; `'],
  ['closes what it did not open', 'const answer = () => 0; }); ({ answer: 42 }'],
];

describe.each([
  ['never ends', ENDLESS],
  ['takes all memory', GREEDY],
  ['prints or gives too much', CHATTY],
])('a program that %s', (_, cases) => {
  const run = async ([, code, kinds, input]: Case) => {
    const tests = input ? [{ input, expectedOutput: 'never' }] : [];
    const verdict = await survive(judge, { language: 'javascript', code, tests }, kinds);
    expect(JSON.stringify(verdict).length).toBeLessThan(300_000);
  };
  const { stopped, harmless } = byEnd(cases);
  test.each(stopped)('by %s is stopped', (...entry) => run(entry));
  test.each(harmless)('by %s harms nobody, though it may come to its end', (...entry) => run(entry));
});

describe('a program that looks for a way out', () => {
  test.each(ESCAPES)('%s', async (_, code, kinds) => {
    const verdict = await survive(judge, { language: 'javascript', code, tests: [] }, kinds);
    expect(verdict.error?.message).toBeTruthy();
  });

  test('finds only what the language has', async () => {
    const code = `
      const known = ['process', 'require', 'module', 'Buffer', 'fetch', 'global', 'WebAssembly', 'SharedArrayBuffer',
        'Atomics', 'FinalizationRegistry', 'Deno', 'Bun', 'navigator', 'window', 'document', '$harness'];
      console.log(known.filter((name) => name in globalThis).join());`;
    const verdict = await survive(judge, { language: 'javascript', code, tests: [] }, ['pass']);
    expect(verdict.output).toBe('\n');
  });
});

describe('a program that wants to pass without the answer', () => {
  test.each(CHEATS)('%s', async (_, code) => {
    const tests = [{ input: 'answer()', expectedOutput: '42', hidden: true }];
    const kinds: VerdictKind[] = ['wrong_answer', 'runtime_error', 'syntax_error'];
    await survive(judge, { language: 'javascript', code, tests }, kinds);
  });

  test('hides nothing of its bombs behind correct answers', async () => {
    const code = 'let n = 0; const answer = () => { for (;;) {} };';
    const tests = [
      { input: '42', expectedOutput: '42' },
      { input: 'answer()', expectedOutput: '42' },
      { input: '42', expectedOutput: '42' },
    ];
    const verdict = await survive(judge, { language: 'javascript', code, tests }, ['time_limit']);
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(['pass', 'time_limit', 'time_limit']);
    expect(verdict.tests[2]?.error?.name).toBe('NotRun');
  });
});

test('all of it was judged by processes that live or were replaced, and none was given up', async () => {
  const { counters, ok } = await judge.health();
  expect(ok).toBe(true);
  expect(counters?.unavailable).toBe(0);
});
