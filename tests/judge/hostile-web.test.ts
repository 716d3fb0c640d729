import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JudgeTest, VerdictKind } from '#src/judge/protocol.ts';
import { byEnd, type Case, SMALL_LIMITS, survive, PatientJudge } from './controls.ts';

const judge = new PatientJudge();

/** Whatever a program manages to load is seen here. */
const requests: string[] = [];
const listener = createServer((request, response) => {
  requests.push(request.url ?? '');
  response.end('body { display: none }');
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await judge.stop();
  listener.close();
  expect(requests).toEqual([]);
});

const TIME: VerdictKind[] = ['time_limit'];
const STOPPED: VerdictKind[] = ['time_limit', 'memory_limit'];
const STOPPED_OR_FAILS: VerdictKind[] = [...STOPPED, 'runtime_error'];
/** Nothing has to stop it, as long as nobody else notices. */
const ANY: VerdictKind[] = [...STOPPED_OR_FAILS, 'pass', 'wrong_answer', 'output_limit', 'syntax_error'];
const PASS: VerdictKind[] = ['pass'];

/** Room for programs that are to end by themselves or at another limit than that of time. */
const limitsFor = (kinds: VerdictKind[]) => (kinds.includes('time_limit') ? SMALL_LIMITS : {});

describe('html', () => {
  test.each<[what: string, code: string, kinds: VerdictKind[], test?: JudgeTest]>([
    ['fifty thousand levels', '<div>'.repeat(50_000), ANY],
    ['thirty thousand elements', '<i></i>'.repeat(36_000), ANY],
    ['formatting elements that are never closed', '<p><b><i><u><s>'.repeat(3_000), ANY],
    ['markup that has to be rebuilt', '<a><b><p></a>'.repeat(4_000), ANY],
    ['tables in tables', '<table><tr><td>'.repeat(3_000), ANY],
    ['misplaced parts of tables', '<table>'.repeat(200) + '<b>x'.repeat(2_000), ANY],
    [
      'an element with thirty thousand attributes',
      `<p ${Array.from({ length: 30_000 }, (_, i) => `a${i}`).join(' ')}>`,
      ANY,
    ],
    [
      'one attribute of 250 KB',
      `<p title="${'x'.repeat(250_000)}">y</p>`,
      ANY,
      { input: 'p | @title', expectedOutput: 'x' },
    ],
    [
      'a text of 250 KB',
      `<p>${'long '.repeat(50_000)}</p>`,
      ['output_limit'],
      { input: 'p', expectedOutput: 'x' },
    ],
    ['entities without end', '&'.repeat(250_000), ANY],
    ['templates in templates', '<template>'.repeat(5_000), ANY],
    ['a comment that never ends', `<!--${'-'.repeat(250_000)}`, ANY],
    ['NUL and lone surrogates', '<p>\u0000\ud800x</p>', ANY, { input: 'p', expectedOutput: 'x' }],
    [
      'marks of the harness in a text',
      '<p>\uFDD0\uFDD1\uFDD2\uFDD3ok5:value</p>',
      PASS,
      { input: 'p', expectedOutput: 'ok5:value' },
    ],
  ])('%s harms nobody', async (_, code, kinds, check = { input: 'h1 | count', expectedOutput: '0' }) => {
    await survive(judge, { language: 'html', code, tests: [check] }, kinds, limitsFor(kinds));
  });

  test.each<[what: string, selector: string]>([
    ['nested :has', `${':has('.repeat(3)}i${')'.repeat(3)}`],
    ['descendants of everything', `${'* '.repeat(12)}i`],
    ['siblings of everything', `${'* ~ '.repeat(10)}i`],
    ['a list of ten thousand', Array.from({ length: 10_000 }, (_, i) => `.c${i}`).join(',')],
  ])('a heavy selector in a test harms nobody: %s', async (_, selector) => {
    const code = '<div><i class="a"></i><i></i></div>'.repeat(800);
    await survive(
      judge,
      { language: 'html', code, tests: [{ input: `${selector} | count`, expectedOutput: '-' }] },
      ANY,
    );
  });

  test.each<[what: string, markup: (address: string) => string]>([
    ['a script', () => '<script>document.querySelector("h1").textContent = "hacked"</script>'],
    ['an endless script', () => '<script>for (;;) {}</script>'],
    [
      'a module',
      (url) => `<script type="module">import "${url}/module"; document.body.textContent = ""</script>`,
    ],
    ['a script from elsewhere', (url) => `<script src="${url}/script"></script>`],
    [
      'a handler of an image',
      (url) => `<img src="${url}/image" onerror="document.body.textContent = 'hacked'">`,
    ],
    ['a handler of the page', () => '<body onload="document.body.textContent = \'hacked\'">'],
    [
      'a handler of a style sheet',
      () => '<style onload="document.body.textContent = \'hacked\'">p { top: 0 }</style>',
    ],
    ['a frame', (url) => `<iframe src="${url}/frame"></iframe>`],
    [
      'a frame with its own markup',
      (url) =>
        `<iframe srcdoc="<script>parent.document.body.textContent = 1</script><img src='${url}/srcdoc'>"></iframe>`,
    ],
    [
      'a frame with a program as address',
      () => '<iframe src="javascript:parent.document.body.textContent = 1"></iframe>',
    ],
    [
      'a style sheet from elsewhere',
      (url) =>
        `<link rel="stylesheet" href="${url}/sheet"><link rel="preload" href="${url}/preload" as="image">`,
    ],
    [
      'an import of styles',
      (url) =>
        `<style>@import url("${url}/import"); @font-face { font-family: x; src: url(${url}/font) } h1 { font-family: x; background: url(${url}/bg) }</style>`,
    ],
    [
      'a redirection',
      (url) => `<meta http-equiv="refresh" content="0; url=${url}/refresh"><base href="${url}/">`,
    ],
    ['an object and an embed', (url) => `<object data="${url}/object"></object><embed src="${url}/embed">`],
    [
      'media',
      (url) =>
        `<video src="${url}/video" autoplay></video><audio src="${url}/audio"></audio><picture><source srcset="${url}/set"></picture>`,
    ],
    [
      'an element of its own',
      () =>
        '<x-evil></x-evil><script>customElements.define("x-evil", class extends HTMLElement { connectedCallback() { document.body.textContent = "" } })</script>',
    ],
    [
      'SVG that loads and runs',
      (url) =>
        `<svg onload="document.body.textContent = 1"><script>document.body.textContent = 1</script><image href="${url}/svg"/><use href="${url}/use#a"/></svg>`,
    ],
  ])('nothing runs and nothing is loaded: %s', async (_, markup) => {
    const code = `<h1>Hello</h1>${markup(address)}<p class="end">end</p>`;
    await survive(
      judge,
      {
        language: 'html',
        code,
        tests: [
          { input: 'h1', expectedOutput: 'Hello' },
          { input: '.end', expectedOutput: 'end' },
        ],
      },
      PASS,
      limitsFor(PASS),
    );
  });
});

describe('css', () => {
  const doubling = Array.from({ length: 40 }, (_, i) => `--v${i + 1}: var(--v${i}) var(--v${i});`).join(' ');

  test.each<Case>([
    [
      'custom properties that double forty times',
      `:root { --v0: x; ${doubling} } h1 { content: var(--v40) }`,
      ANY,
      'h1 | content',
    ],
    ['a doubled custom property as it is', `:root { --v0: x; ${doubling} }`, ANY, ':root | --v40'],
    ['fallbacks in fallbacks', `h1 { color: ${'var(--a, '.repeat(5_000)}red${')'.repeat(5_000)} }`, ANY],
    [
      'brackets in calc',
      `h1 { width: calc(${'('.repeat(8_000)}1px${')'.repeat(8_000)}) }`,
      ANY,
      'h1 | width',
    ],
    ['a sum of forty thousand', `h1 { width: calc(1px${' + 1px'.repeat(40_000)}) }`, ANY, 'h1 | width'],
    ['rules in rules', `${'a { '.repeat(5_000)}top: 0${' }'.repeat(5_000)}`, ANY],
    ['& that multiplies', `${'&, &, & { '.repeat(30)}color: red${' }'.repeat(30)}`, ANY],
    [':is that multiplies', `${':is(h1, h1, '.repeat(400)}h1${')'.repeat(400)} { color: red }`, ANY],
    [
      ':has of everything',
      '*:has(* *:has(* ~ *)) { color: red } *:not(:has(*:not(:has(*)))) { top: 0 }',
      ANY,
    ],
    ['fourteen thousand rules', 'h1 { color: red }\n'.repeat(14_000), ANY],
    ['long selectors', `${'* > '.repeat(4_000)}h1 { color: red }`, ANY],
    ['media in media', `${'@media all { '.repeat(4_000)}h1 { top: 0 }${'}'.repeat(4_000)}`, ANY],
    [
      'layers',
      Array.from({ length: 6_000 }, (_, i) => `@layer l${i} { h1 { top: ${i}px } }`).join('\n'),
      ANY,
    ],
    ['mixed colors', `h1 { color: ${'color-mix(in srgb, red, '.repeat(300)}blue${')'.repeat(300)} }`, ANY],
    ['an open text', `h1 { content: "${'x'.repeat(250_000)}`, ANY],
    ['escapes', `h1 { content: "${'\\41 '.repeat(60_000)}" }`, ANY, 'h1 | content'],
    [
      'a grid of a million',
      'h1 { grid-template-columns: repeat(1000000, [a] 1px [b]) }',
      ANY,
      'h1 | grid-template-columns',
    ],
    [
      'attribute selectors',
      `${Array.from({ length: 5_000 }, (_, i) => `[data-${i}*="x"]`).join(',')} { top: 0 }`,
      ANY,
    ],
  ])('%s harms nobody', async (_, code, kinds, input = 'h1 | color') => {
    const fixture = '<main><h1>Hello</h1><p>x</p></main>'.repeat(20);
    await survive(
      judge,
      { language: 'css', code, fixture, tests: [{ input, expectedOutput: 'red' }] },
      kinds,
      limitsFor(kinds),
    );
  });

  test('nothing is loaded', async () => {
    const code = `@import "${address}/a"; @import url(${address}/b) screen; @font-face { font-family: x; src: url(${address}/c) }
h1 { color: red; background: url(${address}/d); cursor: url(${address}/e), auto; font-family: x; content: url(${address}/f) }`;
    await survive(
      judge,
      {
        language: 'css',
        code,
        fixture: '<h1>x</h1>',
        tests: [{ input: 'h1 | color', expectedOutput: 'red' }],
      },
      PASS,
      limitsFor(PASS),
    );
  });
});

/** A component whose body is a piece of a program. */
const app = (body: string, rest = '<p>done</p>') =>
  `export default function App() { ${body}; return ${rest}; }`;

describe('react: programs without end and without measure', () => {
  const { stopped, harmless } = byEnd([
    ['a loop while rendering', app('for (;;) {}'), TIME],
    ['a loop while loading', `for (;;) {}\n${app('')}`, TIME],
    [
      'a loop in a handler',
      app('', '<button onClick={() => { for (;;) {} }}>x</button>'),
      TIME,
      '<App />; click button',
    ],
    [
      'a loop in an effect',
      `import { useEffect } from 'react'; ${app('useEffect(() => { for (;;) {} })')}`,
      TIME,
    ],
    [
      'a component in itself',
      'export default function App() { return <div><App /></div>; }',
      STOPPED_OR_FAILS,
    ],
    [
      'a component twice in itself',
      'export default function App() { return <div><App /><App /></div>; }',
      STOPPED_OR_FAILS,
    ],
    [
      'renders that cause each other',
      `import { useEffect, useState } from 'react'; ${app('const [n, set] = useState(0); useEffect(() => set(n + 1))')}`,
      STOPPED_OR_FAILS,
    ],
    ['a chain of promises', app('const again = () => Promise.resolve().then(again); again()'), STOPPED],
    ['timers that start each other', app('const again = () => setTimeout(again, 0); again()'), ANY],
    [
      'timers of a long wait',
      app('const again = () => setTimeout(again, 1); again()'),
      TIME,
      '<App />; wait 100000s',
    ],
    ['a million timers', app('for (let i = 0; i < 1e6; i++) setTimeout(() => {}, i)'), ANY],
    [
      'a million elements',
      app('', '<ul>{Array.from({ length: 1e6 }, (_, i) => <li key={i}>{i}</li>)}</ul>'),
      STOPPED_OR_FAILS,
    ],
    [
      'an array without end',
      app('const a = []; for (;;) a.push(new Array(1000).fill(a.length))'),
      STOPPED_OR_FAILS,
    ],
    [
      'a Map without end',
      app('const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'),
      STOPPED_OR_FAILS,
    ],
    ['sixty million elements', app('Array.from({ length: 6e7 }, (_, i) => ({ i }))'), STOPPED_OR_FAILS],
    ['a thousand million zeros', app('Array(1e9).fill(0)'), STOPPED_OR_FAILS],
    ['a text that doubles', app('let s = "ab"; for (;;) s += s'), STOPPED_OR_FAILS],
    [
      'a text of the page that doubles',
      app('document.title = "x".repeat(1e6); for (;;) document.title += document.title'),
      STOPPED_OR_FAILS,
    ],
    ['a BigInt without end', app('let n = 3n; for (;;) n *= n'), STOPPED_OR_FAILS],
    ['a regular expression that backtracks', app('/^(a+)+$/.test("a".repeat(45) + "b")'), STOPPED],
    ['buffers', app('const k = []; for (;;) k.push(new ArrayBuffer(1e7))'), STOPPED_OR_FAILS],
    [
      'a growing buffer',
      app(
        'const b = new ArrayBuffer(8, { maxByteLength: 2e9 }); if (b.resizable) b.resize(2e9); new Uint8Array(b).fill(1)',
      ),
      PASS,
    ],
    ['formatters', app('const k = []; for (;;) k.push(new Intl.DateTimeFormat("de"))'), STOPPED_OR_FAILS],
    [
      'innerHTML without end',
      app('for (;;) document.body.innerHTML += "<p>x</p><p>y</p>"'),
      STOPPED_OR_FAILS,
    ],
    [
      'listeners that dispatch to each other',
      app('addEventListener("x", () => dispatchEvent(new Event("x"))); dispatchEvent(new Event("x"))'),
      ANY,
    ],
    [
      'an observer that changes what it observes',
      app(
        'new MutationObserver(() => document.body.append("x")).observe(document.body, { childList: true }); document.body.append("y")',
      ),
      ANY,
    ],
    ['printing without end', app('for (;;) console.log("x".repeat(999))'), ['output_limit']],
    [
      'printing that is caught',
      app('for (;;) { try { console.log("x".repeat(9999)) } catch {} }'),
      ['output_limit', 'time_limit'],
    ],
    [
      'printing a value without end',
      app('const a = []; for (let i = 0; i < 1e6; i++) a[i] = { a: [i] }; console.log(a, a, a)'),
      ANY,
    ],
    ['a text of a megabyte', app('', '<p>{"x".repeat(1e6)}</p>'), ['output_limit']],
    [
      'JSX nested ten thousand times',
      `export default function App() { return ${'<i>'.repeat(10_000)}${'</i>'.repeat(10_000)}; }`,
      ANY,
    ],
    ['brackets nested twenty thousand times', `${'('.repeat(20_000)}1${')'.repeat(20_000)}; ${app('')}`, ANY],
    [
      'collecting after a registry',
      app('new FinalizationRegistry(() => { for (;;) {} }).register({}, 1)'),
      ['runtime_error'],
    ],
    [
      'shared memory to wait on',
      app('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
      ['runtime_error'],
    ],
    ['WebAssembly', app('new WebAssembly.Memory({ initial: 60000 })'), ['runtime_error']],
  ]);
  const run = ([, code, kinds, input = '<App />']: Case) =>
    survive(
      judge,
      { language: 'react', code, tests: [{ input, expectedOutput: 'done' }] },
      kinds,
      limitsFor(kinds),
    );

  test.each(stopped)('%s is stopped', async (...entry) => void (await run(entry)));
  test.each(harmless)(
    '%s harms nobody, though it may come to its end',
    async (...entry) => void (await run(entry)),
  );
});

describe('react: reaching out', () => {
  // Each gives the text "safe" only where the way out is closed.
  test.each<[what: string, expression: string]>([
    ['process', 'typeof process'],
    ['require of the host', 'typeof globalThis.require'],
    ['Buffer', 'typeof Buffer'],
    ['the isolate', 'typeof ivm + typeof __sandbox'],
    ['the constructor chain of a function', '(() => {}).constructor("return typeof process")()'],
    [
      'the constructor chain of an element',
      'document.body.constructor.constructor("return typeof process")()',
    ],
    ['the constructor chain of the window', 'window.constructor.constructor("return typeof process")()'],
    [
      'the constructor chain of an error',
      '(() => { try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
    ],
    ['the constructor chain of React', 'require("react").useState.constructor("return typeof process")()'],
    ['the constructor chain of the module function', 'require.constructor("return typeof process")()'],
    [
      'the caller of the module function',
      '(() => { try { return String(arguments.callee.caller) } catch { return "undefined" } })()',
    ],
    [
      'a stack with call sites',
      '(() => { const old = Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites; const sites = new Error().stack; Error.prepareStackTrace = old; return typeof sites.at(-1).getThis?.()?.process; })()',
    ],
    ['the parent window', 'typeof window.parent.process'],
    ['the default view', 'typeof document.defaultView.process'],
    [
      'a frame',
      '(() => { const f = document.createElement("iframe"); document.body.append(f); return typeof f.contentWindow?.process })()',
    ],
    [
      'XMLHttpRequest and WebSocket',
      'typeof XMLHttpRequest === "undefined" && typeof WebSocket === "undefined" ? "undefined" : "open"',
    ],
    [
      'workers',
      'typeof Worker === "undefined" && typeof SharedWorker === "undefined" ? "undefined" : "open"',
    ],
    [
      'a worker thread through jsdom',
      'typeof Object.getOwnPropertySymbols(document.body).map((s) => document.body[s])[0]?.constructor.constructor("return this.process")()',
    ],
  ])('%s', async (_, expression) => {
    const code = `export default function App() { const seen = ${expression}; return <p>{/^(undefined|null)+$/.test(seen) ? 'safe' : 'open: ' + seen}</p>; }`;
    await survive(
      judge,
      { language: 'react', code, tests: [{ input: '<App />', expectedOutput: 'safe' }] },
      PASS,
      limitsFor(PASS),
    );
  });

  test.each<[what: string, body: string]>([
    ['fetch', 'fetch("URL/fetch").catch(() => {})'],
    ['a dynamic import', 'import("URL/import").catch(() => {})'],
    [
      'a dynamic import in evaluated code',
      'new Function("u", "return import(u)")("URL/import2").catch(() => {})',
    ],
    ['an import of a built-in', 'import("node:fs").catch(() => {})'],
    [
      'an image',
      'new Image().src = "URL/image"; document.body.insertAdjacentHTML("beforeend", "<img src=URL/image2>")',
    ],
    [
      'a script element',
      'const s = document.createElement("script"); s.src = "URL/script"; s.text = "for (;;) {}"; document.head.append(s)',
    ],
    [
      'a style sheet',
      'document.head.insertAdjacentHTML("beforeend", "<link rel=stylesheet href=URL/sheet><style>@import \'URL/import3\';</style>")',
    ],
    ['a frame', 'document.body.insertAdjacentHTML("beforeend", "<iframe src=URL/frame></iframe>")'],
    [
      'a form',
      'const f = document.createElement("form"); f.action = "URL/form"; document.body.append(f); f.submit()',
    ],
    ['a beacon', 'navigator.sendBeacon?.("URL/beacon")'],
    ['an event source', 'typeof EventSource === "function" && new EventSource("URL/events")'],
    ['going elsewhere', 'location.href = "URL/location"; open("URL/open")'],
    ['writing a page', 'document.write("<script src=URL/write></script>")'],
  ])('%s reaches nobody', async (_, body) => {
    const code = app(body.replaceAll('URL', address));
    await survive(
      judge,
      { language: 'react', code, tests: [{ input: '<App />', expectedOutput: 'done' }] },
      ANY,
    );
    expect(requests).toEqual([]);
  });
});

describe('react: cheating the harness', () => {
  // The right answer is 42, and no program here gives it by itself.
  test.each<[what: string, code: string]>([
    ['printing what might be expected', app('console.log("42")', '<p>41</p>')],
    ['an object that is a text when asked', app('', '<p>{{ toString: () => "42" }}</p>')],
    [
      'a text of a getter',
      `Object.defineProperty(Node.prototype, 'textContent', { get: () => '42' }); Object.defineProperty(CharacterData.prototype, 'data', { get: () => '42' }); ${app('', '<p>41</p>')}`,
    ],
    [
      'other children',
      `Object.defineProperty(Node.prototype, 'firstChild', { get: () => ({ nodeType: 3, data: '42' }) }); ${app('', '<p>41</p>')}`,
    ],
    [
      'another query',
      `Element.prototype.querySelectorAll = () => [{ textContent: '42' }]; Document.prototype.querySelectorAll = Element.prototype.querySelectorAll; ${app('', '<p>41</p>')}`,
    ],
    [
      'methods of texts',
      `for (const name of Object.getOwnPropertyNames(String.prototype)) { if (name !== 'constructor') try { Object.defineProperty(String.prototype, name, { value: () => '42' }) } catch {} } ${app('', '<p>41</p>')}`,
    ],
    [
      'methods of lists',
      `const { push } = Array.prototype; Array.prototype.push = function (...v) { return push.apply(this, v.map((x) => x === '41' ? '42' : x)); }; Array.prototype.join = () => '42'; ${app('', '<p>41</p>')}`,
    ],
    [
      'JSON',
      `JSON.stringify = () => '"42"'; JSON.parse = () => ({ steps: [], query: { selector: null, read: { what: 'text' } } }); Object.prototype.toJSON = () => '42'; ${app('', '<p>41</p>')}`,
    ],
    [
      'functions called through others',
      `Function.prototype.call = () => '42'; Function.prototype.apply = () => '42'; Function.prototype.bind = () => () => '42'; Reflect.apply = () => '42'; ${app('', '<p>41</p>')}`,
    ],
    [
      'properties of every object',
      `Object.defineProperty(Object.prototype, 'value', { get: () => '42', set() {} }); Object.defineProperty(Object.prototype, 'found', { get: () => 'value' }); ${app('', '<p>41</p>')}`,
    ],
    [
      'setters of list items',
      `Object.defineProperty(Array.prototype, '0', { set() {}, get: () => '42' }); ${app('', '<p>41</p>')}`,
    ],
    ['promises', `Promise.prototype.then = function () { return this; }; ${app('', '<p>41</p>')}`],
    [
      'the packed result',
      `const text = String; globalThis.String = () => '4:over4:none0:0:0:0:0:5:value2:42'; ${app('', '<p>41</p>')}`,
    ],
    ['an end before its time', `export default 42; return { exported: () => '42' };`],
    ['a way out of its function', `}); ({ exported: () => '42' }); (function () {`],
    [
      'the harness by its name',
      `globalThis.__sandbox = { collectResult: () => '42' }; ${app('', '<p>41</p>')}`,
    ],
    [
      'React itself',
      `const real = React.createElement; React.createElement = () => real('p', null, '4', '1'); require('react').act = () => {}; ${app('', '<p>41</p>')}`,
    ],
    ["the test's own function", `arguments[3] = () => null; ${app('', '<p>41</p>')}`],
    [
      'reading the tests',
      app(
        '',
        '<p>{Object.getOwnPropertyNames(globalThis).map((name) => { try { return JSON.stringify(globalThis[name]) } catch { return "" } }).find((text) => /expected/i.test(text ?? "")) ?? "none"}</p>',
      ),
    ],
    ['a thrown object with a text', app('throw { name: "42", message: "42", toString: () => "42" }')],
  ])('%s', async (_, code) => {
    const verdict = await survive(
      judge,
      { language: 'react', code, tests: [{ input: '<App />; p', expectedOutput: '42' }] },
      ['wrong_answer', 'runtime_error', 'syntax_error', 'time_limit'],
    );
    expect(verdict.tests[0]!.passed).toBe(false);
  });

  test('a way out of its function behind a comment of old scripts runs nothing', async () => {
    const code = 'let x, y;\nx <!--y; (function () {\n}); for (;;); (function () {\nx <!--y })';
    const tests = [{ input: '<App />', expectedOutput: '42' }];
    const verdict = await survive(judge, { language: 'react', code, tests }, ['syntax_error']);
    expect(verdict.error?.line).toBe(3);
  });

  test.each<[what: string, thrown: string]>([
    ['getters that never return', '{ get message() { for (;;) {} } }'],
    [
      'a proxy that traps everything',
      'new Proxy({}, { get() { for (;;) {} }, getPrototypeOf() { for (;;) {} } })',
    ],
    [
      'an error whose stack never returns',
      'Object.defineProperty(new Error("x"), "stack", { get() { for (;;) {} } })',
    ],
    ['a symbol', 'Symbol("x")'],
    ['undefined', 'undefined'],
    ['a text of ten megabytes', '"x".repeat(1e7)'],
    ['an error with a message of ten megabytes', 'new Error("x".repeat(1e7))'],
  ])('throwing %s', async (_, thrown) => {
    const kinds: VerdictKind[] = ['runtime_error', 'time_limit', 'memory_limit'];
    const check = [{ input: '<App />', expectedOutput: 'x' }];
    await survive(judge, { language: 'react', code: `throw ${thrown};\n${app('')}`, tests: check }, kinds);
    await survive(judge, { language: 'react', code: app(`throw ${thrown}`), tests: check }, kinds);
  });
});
