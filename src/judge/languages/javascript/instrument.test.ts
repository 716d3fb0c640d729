import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { instrument } from './instrument.ts';

/** What a program leaves in `out`, or the error that ended it, with its calls in the text or without. */
function outcome(source: string, isRecorded: boolean): string {
  const told = isRecorded ? instrument(source) : null;
  const recorder = {
    line: (_line: number, _fn: string, readers: unknown[]) => {
      for (const read of readers) {
        try {
          if (typeof read === 'function') (read as () => unknown)();
        } catch {
          // Not there yet.
        }
      }
    },
    call: () => {},
    end: () => {},
    value: (_line: number, value?: unknown) => value,
    give: (_line: number, read: () => unknown) => read(),
  };
  const out: unknown[] = [];
  try {
    new Script(told?.code ?? source).runInNewContext({ out, ...(told ? { [told.recorder]: recorder } : {}) });
  } catch (error) {
    out.push(`${(error as Error).name}: ${(error as Error).message}`);
  }
  return JSON.stringify(out);
}

test.each([
  [
    'bodies without a statement',
    'function f() {}\nconst g = () => {}; class A { constructor(){} m(){"use strict"} set x(v){} }\nout.push(f(), g(), new A().m())',
  ],
  [
    'a bare return at the end of a branch',
    'function f(a) { if (a) return\n else return 2\n}\nfunction g(a) { for (;;) return\n}\nfunction h() { if (1) return }\nfunction k() { while (true) { return } }\nout.push(f(1), f(0), g(), h(), k())',
  ],
  [
    'a bare return before a bracket',
    'function f() { return\n(1)\n}\nfunction g() { return /* 1 */\n[1] }\nout.push(f(), g())',
  ],
  [
    'comments and line ends where calls are put in',
    'function f(a) /* } */ { // {\n return ( // x\n a /* y */ ) // z\n}\nconst g = (a) => /* ( */ ({ a }) // )\nconst h = a => (a, 1) /* , */\nout.push(f(1), g(2), h(3))',
  ],
  [
    'statements without semicolons',
    'let a = 1\nlet b = a\n++b\nout.push(a, b)\ndo a++; while (a < 3) out.push(a)\nvar c = a\n;[1].forEach((x) => out.push(x))\nif (a) b = 1; else b = 2\nout.push(b)\n',
  ],
  [
    'labels, switch and dangling else',
    'outer: for (const a of [1, 2]) for (const b of [1, 2]) { if (b === 2) continue outer; else if (a) out.push(a, b) }\nblock: { out.push(1); break block; }\none: if (1) break one; else out.push(9)\nswitch (2) { case 1: out.push(1); case 2: let q = 2; out.push(q); case 3: out.push(3); break; default: { out.push(4) } }\nif (1) if (0) out.push(1); else out.push(2)',
  ],
  [
    'classes that extend others',
    'class A { constructor(a) { this.a = a } static { out.push(this.name) } static s = (() => 1)(); #p = () => 7; get p() { return this.#p() } }\nclass B extends A { constructor(a = super(3)) { return } }\nclass C extends A { constructor() { super(4); return { a: 5 } } }\nclass D extends A { constructor() { const f = () => super(6); f() } }\nout.push(new B().a, new C().a, new D().a, new D().p)',
  ],
  [
    'parameters that call, destructure and pause',
    'const f = ({ a = out.push("a"), ...rest } = {}, [b, , c = a] = [1, 2], d = () => b) => [a, rest, b, c, d()]\nout.push(f())\nfunction* g(a = 1) { const x = yield a; return x ? yield* [x, x] : 0 }\nout.push([...g()])\nout.push((function () { return arguments.length })(1, 2), (() => { return typeof arguments })())',
  ],
  [
    'directives',
    '"use strict"\nout.push((function () { return this === undefined })())\nfunction f() { "use strict"; return this }\nfunction g() { "a"\n"use strict"\nreturn this }\nout.push(f() === undefined, g() === undefined)',
  ],
  [
    'functions in bodies',
    'function f() { return typeof g; function g() {} }\nfunction h(k) { return k(); function k() { return 1 } }\nout.push(f(), h())\nif (1) function z() { return 3 }\nout.push(z())',
  ],
  [
    'texts that look like code',
    `#!/usr/bin/env node\nconst t = \`a\${((x) => { return x })(\`b\${1}\`)}c\`; const r = /[/}]{2}/.test("}}"); out.push(t, r, {}?.a?.[0]?.(), 1 /2/ 1)\n<!-- return\nout.push(2)\n--> x\n`,
  ],
  [
    'loops',
    'const fs = []; for (let i = 0, n = 2; i < n; i++) fs.push(() => i); out.push(fs.map((f) => f()))\nfor (var k in { a: 1 }) out.push(k); for (const [a, b] of [[1, 2]]) out.push(a + b)\nlet w = 3; while (w--, w > 0) out.push(w); do { if (w++ > 1) break } while (w < 9)\nfor (var i = ("a" in {}) ? 1 : 2; i < 3; i++); out.push(i)',
  ],
  [
    'names before their time',
    'try { x; let x = 1 } catch (error) { out.push(error.name) }\nfunction f(a = b, b) { return a }\ntry { f() } catch (error) { out.push(error.name) }\nswitch (1) { case 0: let y; case 1: try { y } catch (error) { out.push(error.name) } }',
  ],
  ['names like the recorder', 'let $trace = 1; let $trace_ = 2; out.push($trace + $trace_)'],
  [
    'words that are names',
    `var let_ = 1, async = 2, of = 3, get = 4; out.push(async + of + get); var o = { get: 1, async: 2, async get() { return 1 }, get get2() { return 2 }, *gen() {}, [\`k\${1}\`]() { return 3 } }; out.push(o.get2, o.k1())\nvar await = 1; var yield = 2; out.push(await + yield)`,
  ],
])('a recorded program does the same: %s', (_, source) => {
  expect(outcome(source, true)).toBe(outcome(source, false));
  const { code } = instrument(source)!;
  expect(code.split('\n').length).toBe(source.split('\n').length);
});

test('gives up a program that would grow beyond all measure, or is nested too deep to be followed', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `a${index.toString(36)}`);
  expect(instrument(`let ${names.join()};${'a1;'.repeat(3_000)}`)).toBeNull();
  for (const depth of [500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000]) {
    for (const [unit, close] of [
      ['f(', ')'],
      ['+', ''],
      ['[', ']'],
      ['()=>', ''],
      ['!', ''],
      ['{', '}'],
    ] as const) {
      const end = unit === '{' ? '' : '1';
      const source = unit.repeat(depth) + end + close.repeat(depth);
      if (source.length <= 20_000) expect(() => instrument(source)).not.toThrow();
    }
    expect(() => instrument(`a${'.b()'.repeat(depth)}`)).not.toThrow();
  }
});
