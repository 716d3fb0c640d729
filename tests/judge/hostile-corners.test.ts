import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { Submission, VerdictKind } from '#src/judge/protocol.ts';
import { type Case, SMALL_LIMITS, survive, PatientJudge } from './controls.ts';

// Corners of the languages that the other hostile suites do not go to: built-ins that loop by themselves, traps on
// values that are compared, text that multiplies, and what a harness, a parser or a renderer might trust.
const judge = new PatientJudge();
beforeAll(() => ensurePool('python'), 180_000);
afterAll(() => judge.stop());

const STOPPED: VerdictKind[] = ['time_limit', 'memory_limit'];
const FAILS: VerdictKind[] = ['runtime_error'];
const STOPPED_OR_FAILS: VerdictKind[] = [...STOPPED, ...FAILS];
/** Whatever comes of it, it is a verdict in time and not a pass. */
const NO_PASS: VerdictKind[] = [...STOPPED_OR_FAILS, 'output_limit', 'syntax_error', 'wrong_answer'];
const ANY: VerdictKind[] = [...NO_PASS, 'pass'];
/** For what has to come to its own end on a busy machine. */
const AMPLE = { testMs: 800, totalMs: 1_400 };

const JAVASCRIPT: Case[] = [
  [
    'a resizable buffer by options that are a proxy',
    'const b = new ArrayBuffer(8, new Proxy({}, { get: () => 2 ** 33 })); if (b.resizable) b.resize(2 ** 33); else throw new Error("closed");',
    FAILS,
  ],
  [
    'a resizable buffer by a class of its own',
    'class B extends ArrayBuffer { constructor() { super(8, { maxByteLength: 2 ** 33 }); } } new B().resize(2 ** 32);',
    FAILS,
  ],
  [
    'a resizable buffer by Reflect',
    'Reflect.construct(Object.getPrototypeOf(new Uint8Array(1).buffer).constructor, [8, { maxByteLength: 2 ** 33 }]).resize(2 ** 32);',
    FAILS,
  ],
  ['bytes of a text of 100 MB', 'Uint8Array.fromBase64("A".repeat(1e8));', STOPPED_OR_FAILS],
  [
    'looking through an object of endless length',
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    STOPPED,
  ],
  [
    'turning an object of endless length around',
    'Array.prototype.reverse.call({ length: 2 ** 53 - 1 });',
    STOPPED,
  ],
  [
    'copying within an object of endless length',
    'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);',
    STOPPED,
  ],
  ['joining holes', 'Array(2 ** 32 - 1).join("x");', STOPPED_OR_FAILS],
  ['sorting holes into a copy', 'Array(2e8).toSorted();', STOPPED_OR_FAILS],
  [
    'joining what says that it is long',
    '[].concat({ length: 2 ** 32 - 1, [Symbol.isConcatSpreadable]: true });',
    STOPPED_OR_FAILS,
  ],
  [
    'an iterator helper without end',
    'Iterator.from({ next: () => ({ done: false, value: 1 }) }).toArray();',
    STOPPED,
  ],
  [
    'groups of an endless iterator',
    'Map.groupBy((function* () { for (;;) yield {}; })(), (x) => x);',
    STOPPED,
  ],
  ['a promise of endlessly many', 'Promise.all((function* () { for (;;) yield 1; })());', STOPPED_OR_FAILS],
  ['rejections that nobody looks at', 'for (let i = 0; ; i++) Promise.reject(i);', STOPPED_OR_FAILS],
  ['a function that awaits itself', 'async function f() { await f(); } f();', [...FAILS, ...STOPPED]],
  ['microtasks', 'for (;;) queueMicrotask(() => {});', STOPPED_OR_FAILS],
  [
    'timers that clear and start each other',
    'let t; const go = () => { clearTimeout(t); t = setTimeout(go, 0); setTimeout(go, 0); }; go();',
    STOPPED_OR_FAILS,
  ],
  ['a timer made of text', 'setTimeout("for (;;) {}", 0);', ANY],
  [
    'a generator that does not want to end',
    'const g = (function* () { try { yield; } finally { for (;;) {} } })(); g.next(); g.return();',
    ['time_limit'],
  ],
  ['a pattern with references back', '/^(.*)*\\1+x$/.test("ab".repeat(2000));', [...STOPPED, 'pass']],
  ['a pattern of sets', '/^(?:[\\p{L}--[a-z]]|[a-z]+)+$/v.test("a".repeat(40) + "1");', [...STOPPED, 'pass']],
  ['reading a number of ten million digits', 'BigInt("9".repeat(1e7));', STOPPED_OR_FAILS],
  ['a number of more digits than there are', '2n ** (2n ** 40n);', STOPPED_OR_FAILS],
  ['bits of a negative number', 'BigInt.asUintN(2 ** 40, -1n);', STOPPED_OR_FAILS],
  ['shifting far', '1n << 2n ** 31n;', STOPPED_OR_FAILS],
  ['JSON nested a million times', 'JSON.parse("[".repeat(1e6));', STOPPED_OR_FAILS],
  [
    'a toJSON that gives another one',
    'const make = () => ({ toJSON() { return [make()]; } }); JSON.stringify(make());',
    STOPPED_OR_FAILS,
  ],
  ['brackets nested a million times', 'eval("(".repeat(1e6));', STOPPED_OR_FAILS],
  ['classes nested in a text', 'eval("class A{a=".repeat(2e4));', STOPPED_OR_FAILS],
  ['weak references', 'for (;;) new WeakRef({});', STOPPED_OR_FAILS],
  [
    'scopes that are proxies',
    'const f = new Function("p", "with (p) { return x; }"); f(new Proxy({}, { has: () => true, get() { for (;;) {} } }));',
    ['time_limit'],
  ],
  [
    'an iterator that all lists have',
    'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; }; console.log("a", ["b"]); const answer = 1;',
    NO_PASS,
    'answer',
  ],
  [
    'methods of patterns that loop',
    'RegExp.prototype.exec = RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.split] = () => { for (;;) {} }; console.log("%s", "a\\nb", /x/); const answer = 1;',
    NO_PASS,
    'answer',
  ],
  [
    'getters that all objects have',
    'for (const n of ["value", "error", "kind", "then", "output", "get", "set", "length", "next", "done"]) Object.defineProperty(Object.prototype, n, { get() { for (;;) {} }, configurable: true }); const answer = 1;',
    NO_PASS,
    'answer',
  ],
  [
    'a name of the harness that traps',
    'Object.defineProperty(globalThis, "$harness", { get() { for (;;) {} } }); const answer = 1;',
    NO_PASS,
    'answer',
  ],
  [
    'a stack that is prepared without end',
    'Error.prepareStackTrace = () => { for (;;) {} }; const answer = { get x() { return new Error().stack; } };',
    NO_PASS,
    'answer',
  ],
  [
    'a stack on everything',
    'Error.stackTraceLimit = Infinity; function f(n) { if (n) return f(n - 1); for (;;) new Error().stack; } f(5000);',
    STOPPED_OR_FAILS,
  ],
  [
    'an answer that changes each time it is read',
    'let n = 0; const answer = { [Symbol.toPrimitive]: () => (n++ ? "never" : "x"), get a() { return n++; }, toString: () => "never" };',
    NO_PASS,
    'answer',
  ],
  [
    'an answer that never ends asynchronously',
    'const answer = { [Symbol.asyncIterator]() { return this; }, next: () => new Promise(() => {}) };',
    NO_PASS,
    'answer',
  ],
  [
    'an answer whose then calls itself',
    'const answer = { then(done) { Promise.resolve().then(() => done(answer)); } };',
    NO_PASS,
    'answer',
  ],
  [
    'a revoked proxy',
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); const answer = proxy;',
    NO_PASS,
    'answer',
  ],
  [
    'a module made of text',
    'import("data:text/javascript,export default 1").then((m) => console.log(m));',
    FAILS,
  ],
];

const PYTHON: Case[] = [
  ['the package of the bridge', 'import pyodide_js', FAILS],
  ['its core', 'import _pyodide._core_docs as c\nprint(c._instantiate_token)\nimport js', FAILS],
  [
    'the judge, unfrozen',
    'import gc\ngc.unfreeze()\nfor o in gc.get_objects():\n  c = getattr(o, "__code__", None)\n  if c is not None and c.co_filename == "<harness>" and not c.co_freevars:\n    try: o.__code__ = (lambda *a: "never").__code__\n    except Exception: pass\nanswer = 1',
    NO_PASS,
    'answer',
  ],
  [
    'the answers of the judge, replaced',
    'import gc\ngc.unfreeze()\nfor o in gc.get_objects():\n  c = getattr(o, "__code__", None)\n  if c is not None and c.co_filename == "<harness>":\n    for cell in o.__closure__ or ():\n      try: cell.cell_contents = None\n      except Exception: pass\nanswer = 1',
    ANY,
    'answer',
  ],
  [
    'an audit hook that refuses everything',
    'import sys\nsys.addaudithook(lambda *a: 1 / 0)\nanswer = 1',
    NO_PASS,
    'answer',
  ],
  [
    'an audit hook that loops',
    'import sys\ndef hook(*a):\n  while True: pass\nsys.addaudithook(hook)\nopen("x")',
    ['time_limit'],
  ],
  [
    'a codec in the place of UTF-8',
    'import codecs, encodings\nencodings._cache.clear()\nencodings.search_function = None\ncodecs.unregister(encodings.search_function)\nprint("a")\nanswer = "\u00e9"',
    NO_PASS,
    'answer',
  ],
  ['no builtins', 'import builtins\nbuiltins.__dict__.clear()\nanswer = 1', NO_PASS, 'answer'],
  ['no modules', 'import sys\nsys.modules.clear()\nraise ValueError("x")', STOPPED_OR_FAILS],
  [
    'builtins loaded again',
    'import importlib, builtins, sys\nimportlib.reload(builtins)\nimportlib.reload(sys)\nanswer = 1',
    NO_PASS,
    'answer',
  ],
  [
    'a class that says it is text',
    'class T:\n  __class__ = str\n  def __repr__(self): return "never"\nanswer = T()',
    NO_PASS,
    'answer',
  ],
  [
    'a repr that is no plain text',
    'class S(str):\n  def isascii(self): return True\n  def encode(self, *a):\n    while True: pass\nclass A:\n  def __repr__(self): return S("\u00e9")\nanswer = A()',
    NO_PASS,
    'answer',
  ],
  ['a width of a thousand million', '"%1000000000d" % 1', STOPPED_OR_FAILS],
  [
    'a precision of a thousand million',
    'import decimal\ndecimal.getcontext().prec = 10 ** 9\nprint(decimal.Decimal(1) / 3)',
    STOPPED_OR_FAILS,
  ],
  [
    'a decimal of a huge power',
    'import decimal\nc = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)\nprint(c.power(7, 10 ** 9))',
    STOPPED_OR_FAILS,
  ],
  ['a binomial', 'import math\nmath.comb(10 ** 7, 5 * 10 ** 6)', STOPPED],
  [
    'reading a number of ten million digits',
    'import sys\nsys.set_int_max_str_digits(0)\nint("9" * 10 ** 7)',
    STOPPED_OR_FAILS,
  ],
  ['a product of everything', 'import itertools\nlist(itertools.product(range(1000), repeat=9))', STOPPED],
  [
    'a chain of a million iterators',
    'import itertools\nit = iter([])\nfor _ in range(1_000_000): it = itertools.chain(it)\nnext(it)',
    STOPPED_OR_FAILS,
  ],
  [
    'tees of tees',
    'import itertools\na = iter(range(3))\nfor _ in range(300_000): a, b = itertools.tee(a)\nnext(a)',
    ANY,
  ],
  ['classes below classes', 'c = object\nfor _ in range(100_000): c = type("C", (c,), {})', ANY],
  ['attributes of attributes', 'eval("a" + ".a" * 200_000)', STOPPED_OR_FAILS],
  ['functions in functions', 'eval("lambda:" * 100_000 + "1")', STOPPED_OR_FAILS],
  [
    'a normal form of a long text',
    'import unicodedata\nunicodedata.normalize("NFKD", "\\uFDFA" * 10 ** 7)',
    [...STOPPED, ...FAILS],
  ],
  [
    'a structure of two thousand million bytes',
    'import struct\nstruct.pack("2000000000x")',
    STOPPED_OR_FAILS,
  ],
  [
    'a stream of two thousand million bytes',
    'import io\nb = io.BytesIO()\nb.seek(2_000_000_000)\nb.write(b"x")',
    STOPPED_OR_FAILS,
  ],
  [
    'a difference of long texts',
    'import difflib\ndifflib.SequenceMatcher(None, "ab" * 5000, "ba" * 5000, False).ratio()',
    [...STOPPED, 'pass'],
  ],
  ['a nap without end', 'import time\nfor _ in range(10 ** 9): time.sleep(9e8)', ['time_limit']],
  ['a nap that is no number', 'import time\ntime.sleep(float("nan"))', FAILS],
  ['a clock that it writes to', 'import os\nwhile True: os.write(3, b"1e8")', ['time_limit']],
  ['waiting for a signal', 'import signal\nsignal.pause()', ANY],
  ['the debugger', 'breakpoint()', ANY],
  ['a console of its own', 'import code\ncode.interact()', ANY],
  [
    'threads of a pool',
    'from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(print).result()',
    FAILS,
  ],
  ['processes of a pool', 'import multiprocessing\nmultiprocessing.Process(target=print).start()', FAILS],
  [
    'a generator that refuses to end',
    'def g():\n  while True:\n    try: yield\n    except GeneratorExit: pass\nx = g()\nnext(x)\ndel x',
    ['pass'],
  ],
  [
    'an error that causes itself',
    'a, b = ValueError("a"), ValueError("b")\na.__cause__, b.__cause__ = b, a\nraise a',
    FAILS,
  ],
  [
    'a hundred thousand causes',
    'e = None\nfor i in range(100_000):\n  n = ValueError(i)\n  n.__cause__ = e\n  e = n\nraise e',
    STOPPED_OR_FAILS,
  ],
  [
    'groups within groups',
    'e = ValueError("x")\nfor _ in range(20_000): e = ExceptionGroup("g", [e])\nraise e',
    STOPPED_OR_FAILS,
  ],
  [
    'notes of an error',
    'e = ValueError("x")\ne.__notes__ = ["n" * 10_000_000, object(), 5]\nraise e',
    STOPPED_OR_FAILS,
  ],
  ['an exit with a long text', 'import sys\nsys.exit("x" * 10_000_000)', ANY],
  [
    'an exit whose text never ends',
    'class E(SystemExit):\n  def __str__(self):\n    while True: pass\nraise E(E())',
    ['time_limit', 'runtime_error', 'pass'],
  ],
  [
    'a check of instances that loops',
    'class M(type):\n  def __instancecheck__(c, x):\n    while True: pass\nimport builtins\nbuiltins.BaseException = M("B", (), {})\nanswer = 1',
    NO_PASS,
    'answer',
  ],
];

const CSS: Case[] = [
  [
    'a sum nested ten thousand times',
    `h1 { width: ${'calc('.repeat(10_000)}1px${')'.repeat(10_000)}; }`,
    NO_PASS,
  ],
  [
    'variables that multiply',
    `:root { --a0: x x x x; ${Array.from({ length: 40 }, (_, n) => `--a${n + 1}: var(--a${n}) var(--a${n});`).join(' ')} } h1 { color: var(--a40); }`,
    NO_PASS,
  ],
  [
    'variables in a circle',
    'h1 { --a: var(--b); --b: var(--c, var(--a)); --c: var(--a); color: var(--a); }',
    NO_PASS,
  ],
  ['selectors within selectors', `${':is('.repeat(5_000)}h1${')'.repeat(5_000)} { color: blue; }`, NO_PASS],
  ['selectors that multiply', `${'h1, h1 { & , & { '.repeat(24)} color: blue; ${'} }'.repeat(24)}`, NO_PASS],
  ['a long way down', `${'* '.repeat(3_000)} h1 { color: blue; }`, NO_PASS],
  ['what has what has', `${':has('.repeat(500)}*${')'.repeat(500)} { color: blue; }`, NO_PASS],
  [
    'conditions within conditions',
    `${'@media (min-width: 1px) { '.repeat(5_000)} h1 { color: blue; } ${'}'.repeat(5_000)}`,
    NO_PASS,
  ],
  ['a hundred thousand rules', 'h1{color:blue}'.repeat(15_000), NO_PASS],
  [
    'sheets out of sheets',
    `@import url("data:text/css,${encodeURIComponent('h1 { color: red }')}"); @import "//a.invalid/x.css";`,
    NO_PASS,
  ],
  [
    'a script as a picture',
    'h1 { background: url("javascript:for(;;){}"); behavior: url(x.htc); color: expression(alert(1)); -moz-binding: url(x); }',
    NO_PASS,
  ],
  ['the end of its element', '</style><h1 style="color: red">x</h1><style>h1 { color: blue; }', NO_PASS],
  [
    'names of all objects',
    'h1 { __proto__: red; constructor: red; --__proto__: red; --constructor: red; color: var(--constructor); }',
    ANY,
  ],
  [
    'colors mixed without end',
    `h1 { color: ${'color-mix(in srgb, '.repeat(2_000)}red${', blue)'.repeat(2_000)}; }`,
    NO_PASS,
  ],
  ['a text that is never closed', `h1::before { content: "${'\\'.repeat(100_000)}`, NO_PASS],
];

const HTML: Case[] = [
  ['elements of form, each left open', `${'<b><i><a><p>'.repeat(4_000)}x`, NO_PASS],
  ['tables within tables', `${'<table><tr><td>'.repeat(3_000)}x`, NO_PASS],
  ['text where none can be', `<table>${'x<tr>'.repeat(20_000)}</table>`, NO_PASS],
  ['templates within templates', '<template>'.repeat(10_000), NO_PASS],
  ['drawings within pages within drawings', '<svg><foreignObject>'.repeat(5_000), NO_PASS],
  [
    'fifty thousand attributes',
    `<p ${Array.from({ length: 20_000 }, (_, n) => `a${n}=x`).join(' ')}>x</p>`,
    NO_PASS,
  ],
  ['characters by their names', '&NotEqualTilde;&#x1F600;&amp;&bad;&#0;&#xFFFFFFFF;'.repeat(4_000), NO_PASS],
  [
    'another address for everything',
    '<base href="http://a.invalid/"><meta http-equiv=refresh content="0;url=http://a.invalid"><object data=x></object><embed src=x><link rel=stylesheet href=x>',
    NO_PASS,
  ],
  ['a page in a page', '<iframe srcdoc="<script>for(;;){}</script>"></iframe><h1>no</h1>', NO_PASS],
  [
    'scripts of every kind',
    '<script>for (;;) {}</script><img src=x onerror="for(;;){}"><body onload="for(;;){}"><svg onload="for(;;){}"><script type=module>for(;;){}</script>',
    NO_PASS,
  ],
  ['text to the end', '<plaintext><h1>never</h1>', NO_PASS],
  [
    'styles that never match in time',
    `<style>${':nth-child(2n+1) '.repeat(400)} { color: red }</style>${'<div>'.repeat(400)}`,
    NO_PASS,
  ],
];

/** A component whose body is a piece of a program. */
const app = (body: string, rest = '<p>x</p>') =>
  `import * as R from 'react';\nexport default function App() { ${body}; return ${rest}; }`;

const REACT: Case[] = [
  [
    'an effect of layout that renders again',
    app('const [n, set] = R.useState(0); R.useLayoutEffect(() => set(n + 1))'),
    NO_PASS,
  ],
  ['a state that is set while rendering', app('const [n, set] = R.useState(0); set(n + 1)'), NO_PASS],
  [
    'a reference that renders again',
    app('const [n, set] = R.useState(0)', '<p ref={() => set(n + 1)}>{n}</p>'),
    NO_PASS,
  ],
  ['a store that is never the same', app('R.useSyncExternalStore(() => () => {}, () => ({}))'), NO_PASS],
  ['a promise that never settles', app('R.use(new Promise(() => {}))'), NO_PASS],
  ['a thrown promise', app('throw new Promise(() => {})'), NO_PASS],
  ['a thrown thenable that calls back at once', app('throw { then(done) { done(); } }'), NO_PASS],
  [
    'a boundary that shows what fails',
    `import { Component } from 'react'; const Bad = () => { throw new Error('x'); };\nexport default class App extends Component { static getDerivedStateFromError() { return {}; } render() { return <Bad />; } }`,
    NO_PASS,
  ],
  [
    'a boundary that tries again',
    `import { Component } from 'react'; const Bad = () => { throw new Error('x'); };\nexport default class App extends Component { state = { n: 0 }; componentDidCatch() { this.setState(({ n }) => ({ n: n + 1 })); } render() { return <Bad key={this.state.n} />; } }`,
    NO_PASS,
  ],
  [
    'a portal to elsewhere',
    `import { createPortal } from 'react-dom';\nexport default function App() { return createPortal(<p id="elsewhere">other</p>, document.head); }`,
    NO_PASS,
  ],
  [
    'markup with scripts',
    app(
      '',
      '<p dangerouslySetInnerHTML={{ __html: "<img src=x onerror=\\"for(;;){}\\"><script>for(;;){}</script><svg onload=\\"for(;;){}\\">" }} />',
    ),
    NO_PASS,
  ],
  [
    'timers by the million',
    app('R.useEffect(() => { for (let i = 0; i < 3e6; i++) setInterval(() => {}, 0); })'),
    NO_PASS,
  ],
  [
    'the inside of React',
    `import * as R from 'react';\nfor (const name of Object.keys(R)) if (name.startsWith('__')) for (const key of Object.keys(R[name])) { try { R[name][key] = () => { for (;;) {} }; } catch {} }\nexport default function App() { return <p>x</p>; }`,
    NO_PASS,
  ],
  [
    'an act of its own',
    `const react = require('react');\nreact.act = () => ({ then() {} });\nexport default function App() { return <p>x</p>; }`,
    NO_PASS,
  ],
  [
    'an element made by hand',
    app(
      '',
      '({ $$typeof: Symbol.for("react.transitional.element"), type: "p", key: null, props: new Proxy({}, { get() { for (;;) {} }, ownKeys() { for (;;) {} } }), _store: {} })',
    ),
    NO_PASS,
  ],
  [
    'a component that is a proxy',
    'export default new Proxy(function App() {}, { get() { for (;;) {} }, apply() { for (;;) {} } });',
    NO_PASS,
  ],
  ['a page without its body', app('document.body.remove(); document.documentElement.remove()'), NO_PASS],
  ['a page that is written anew', app('document.open(); document.write("<p>other</p>")'), NO_PASS],
  [
    'another root in the same place',
    `import { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')).render(<p>never</p>);\nexport default function App() { return <p>x</p>; }`,
    NO_PASS,
  ],
  [
    'an element of its own that comes back',
    app(
      'if (!customElements.get("a-b")) customElements.define("a-b", class extends HTMLElement { connectedCallback() { this.remove(); document.body.append(this); } }); document.body.append(document.createElement("a-b"))',
    ),
    NO_PASS,
  ],
  [
    'a frozen page',
    app(
      'for (const o of [document, document.body, Node.prototype, Element.prototype, Object.prototype, Array.prototype]) { try { Object.freeze(o); } catch {} }',
    ),
    NO_PASS,
  ],
  [
    'a hundred thousand keys',
    app('', '<ul>{Array.from({ length: 1e5 }, (_, i) => <li key={i % 7}>{i}</li>)}</ul>'),
    NO_PASS,
  ],
  [
    'styles without end',
    app(
      '',
      '<p style={new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => "k" + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: "1" }) })}>x</p>',
    ),
    NO_PASS,
  ],
];

async function run(
  submission: Submission,
  kinds: VerdictKind[],
  limits: { testMs: number; totalMs: number },
): Promise<void> {
  const verdict = await survive(judge, submission, kinds, limits);
  expect(JSON.stringify(verdict).length).toBeLessThan(400_000);
}

describe.each([
  ['javascript', JAVASCRIPT, SMALL_LIMITS],
  ['python', PYTHON, AMPLE],
] as const)('%s in its corners', (language, cases, limits) => {
  test.each(cases)('%s', async (_, code, kinds, input) => {
    const tests = input === undefined ? [] : [{ input, expectedOutput: 'never' }];
    await run({ language, code, tests }, kinds, limits);
  });
});

describe('css in its corners', () => {
  test.each(CSS)('%s', async (_, code, kinds) => {
    const fixture = '<main><section><h1>x</h1></section></main>';
    const tests = [{ input: 'h1 | color', expectedOutput: 'red' }];
    await run({ language: 'css', code, fixture, tests }, kinds, AMPLE);
  });
});

describe('html in its corners', () => {
  test.each(HTML)('%s', async (_, code, kinds) => {
    await run({ language: 'html', code, tests: [{ input: 'h1', expectedOutput: 'never' }] }, kinds, AMPLE);
  });
});

describe('react in its corners', () => {
  test.each(REACT)('%s', async (_, code, kinds) => {
    await run(
      { language: 'react', code, tests: [{ input: '<App />; p', expectedOutput: 'never' }] },
      kinds,
      AMPLE,
    );
  });
});

test('every program was judged', async () => {
  const { counters, ok } = await judge.health();
  expect(ok).toBe(true);
  expect(counters?.unavailable).toBe(0);
});
