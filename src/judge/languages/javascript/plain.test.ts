import { describe, expect, test } from 'vitest';
import { isPlain } from './plain.ts';

const plain = (code: string, ...inputs: string[]) => isPlain(code, inputs);

describe('a plain program', () => {
  test.each([
    ['a function of its parameters', 'function f(a, b = 2) { return a * b; }\nconsole.log(f(1));', 'f(3)'],
    [
      'a map that it makes',
      'function count(text) {\n  const counts = new Map();\n  for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);\n  return [...counts.values()];\n}',
      'count("a b a")',
    ],
    [
      'a list that it fills',
      'function f(n) { const all = []; for (let i = 0; i < n; i++) all.push(i); return all; }',
      'f(3)',
    ],
    ['a copy that it sorts', 'const f = (list) => [...list].sort((a, b) => a - b);', 'f([3, 1, 2]).join()'],
    [
      'a copy in a variable',
      'function f(list) { const copy = list.slice(); copy.reverse(); copy[0] = 1; return copy; }',
      'f([1])',
    ],
    [
      'an object that it fills',
      'function f(a) { const o = {}; o.a = a; o[0] = 1; delete o.b; return Object.keys(o); }',
      'f("x")',
    ],
    [
      'a filled array',
      'function f(n) { const row = new Array(n).fill(0); row[0] += 1; return row; }',
      'f(2)',
    ],
    [
      'variables of the program',
      'let total = 0;\nconst PRICES = [1, 2];\nfunction f(n) { for (let i = 0; i < n; i += 1) total += PRICES[i] + PRICES[PRICES.length - 1]; return total; }',
      'f(1)',
    ],
    [
      'a closure',
      'function make() { let n = 0; return () => { n += 1; return n; }; }\nconst next = make();',
      'next()',
    ],
    [
      'errors',
      'function f(n) { if (n < 0) throw new RangeError(`Bad`); try { return n; } catch (e) { return e.message; } }',
      'f(1)',
    ],
    [
      'methods that change nothing',
      'const f = (t) => t.trim().replace(/a/g, "b").toUpperCase().padEnd(4).at(-1);',
      'f(" a ")',
    ],
    [
      'library functions handed on',
      'const f = (list) => list.map(Number).filter(Boolean).some(Number.isInteger);',
      'f(["1"])',
    ],
    [
      'a switch',
      'function f(n) { switch (n) { case 1: { const a = n; return a; } default: return Math.max(n, 2); } }',
      'f(1)',
    ],
    [
      'destructuring',
      'const f = ({ a, b: [c, ...d] }, ...rest) => { rest.push(a); d.push(c); return [rest, d]; };',
      'f({ a: 1, b: [2] }, 3)',
    ],
    [
      'var in a function',
      'function f(n) { var sum = 0; for (var i = 0; i < n; i++) { sum += i; } return sum; }',
      'f(3)',
    ],
    [
      'recursion',
      'function f(n) { function g(m) { return m < 2 ? 1 : m * g(m - 1); } return g(n); }',
      'f(5)',
    ],
    [
      'an object that counts',
      'function f(words) { const counts = {}; for (const word of words) counts[word] = (counts[word] ?? 0) + 1; return counts; }',
      'f(["a", "b", "a"])',
    ],
    [
      'the same, step by step',
      'function f(words) { const n = {}; for (const w of words) { if (!n[w]) n[w] = 0; n[w]++; n[w] += 2; } delete n["a"]; return n; }',
      'f(["a", "b", "a"])',
    ],
    [
      'members that are compared',
      'function f(order, stock) { const all = []; for (const [name, n] of Object.entries(order)) if (n > (stock[name] ?? 0)) all.push(name); return all; }',
      'f({ a: 2 }, { a: 1 })',
    ],
    [
      'members that are shown or told apart',
      `function f(o, k) { switch (o[k]) { case 1: return \`\${o?.[k]}\`; default: return typeof o[k] === "number" ? -o[k] : Number(1); } }`,
      'f({ a: 1 }, "a")',
    ],
    [
      'members that become numbers or texts',
      'const f = (o, k) => [Number(o[k]), Math.max(0, o[k]), String(o[k] ?? ""), parseInt(o?.[k] || "0")];',
      'f({ a: 1 }, "a")',
    ],
    [
      'a sum by reduce',
      'const f = (list) => list.reduce((sum, n) => sum + n, 0);',
      'f([1, 2]) + [[1], [2]].reduce((a, b) => a.concat(b), []).length',
    ],
    [
      'an object that reduce fills',
      'function f(all) { return all.reduce((sums, { k, n }) => { sums[k] = (sums[k] ?? 0) + n; return sums; }, {}); }',
      'f([{ k: "a", n: 1 }])',
    ],
    [
      'a list that reduce fills or copies',
      'const f = (all) => all.reduce(function (list, n) { if (n < 0) return [...list, n]; list.push(n); return list; }, []);',
      'f([1, -2])',
    ],
    [
      'a map that reduce fills',
      'const f = (all) => all.reduceRight((m, w) => m.set(w, (m.get(w) ?? 0) + 1), new Map());',
      'f(["a"]).size',
    ],
    ['words of the library in texts', 'const f = () => "push, sort and toString";', 'f()'],
    ['functions in an input', 'const f = (g) => g(1);', 'f((x) => x + 1)'],
  ])('%s', (_, code, input) => {
    expect(plain(code, input)).toBe(true);
  });

  test('that reads lines and is asked for nothing', () => {
    expect(plain('const n = Number(prompt());\nif (n > 1) console.log(n);')).toBe(true);
    expect(plain('prompt = () => 7;')).toBe(false);
    expect(plain('prompt.asked = 1;')).toBe(false);
  });
});

describe('not a plain program', () => {
  test.each([
    ['a name that nobody declared', 'function f() { count = 1; return count; }', 'f()'],
    ['another function’s variable', 'function a() { let n = 1; return n; } function f() { n = 2; }', 'f()'],
    ['the global object', 'function f() { globalThis.n = 1; }', 'f()'],
    ['this outside a class', 'function f() { this.n = 1; }', 'f()'],
    ['this of an object’s method', 'const o = { f() { this.n = 1; } };', 'o.f()'],
    [
      'this in a function inside a method',
      'class A { f() { return (function () { this.n = 1; })(); } }',
      'new A().f()',
    ],
    ['a prototype', 'String.prototype.shout = function () { return 1; };', '"a".shout()'],
    ['a prototype by its object', 'function f() { const p = [].__proto__; p.x = 1; }', 'f()'],
    ['a name in escapes', 'function f() { const p = []["\\x5f_proto__"]; p.x = 1; }', 'f()'],
    ['a constructor', 'function f() { const c = [].constructor; return c; }', 'f()'],
    ['a constructor that is called', 'const f = () => f.constructor("return 1")();', 'f()'],
    ['a constructor by its text', 'const f = () => [] ["constructor"];', 'f()'],
    ['a member of the library', 'function f() { Math.max = () => 7; return 1; }', 'f()'],
    ['a member of a library function', 'function f() { Number.calls = 1; return 1; }', 'f()'],
    ['a property of a function', 'function f(n) { f.last = n; return n; }', 'f(1)'],
    ['console.count', 'function f() { console.count(); }', 'f()'],
    ['console.group', 'function f() { console.group("a"); }', 'f()'],
    ['a replaced console', 'console.log = () => {};', '1'],
    ['the library as a value', 'function f() { const m = Math; m.x = 1; }', 'f()'],
    ['a library function as a value', 'function f() { const n = Number; n.x = 1; }', 'f()'],
    ['a library function in a list', 'function f() { for (const n of [Number]) n.x = 1; }', 'f()'],
    ['Object.assign', 'function f(o) { return Object.assign(o, { a: 1 }); }', 'f({})'],
    ['Object.defineProperty', 'function f(o) { Object.defineProperty(o, "a", {}); }', 'f({})'],
    ['a parameter that is changed', 'function f(list) { list.push(1); return list; }', 'f([])'],
    ['an element that is changed', 'function f(list) { for (const one of list) one.n = 1; }', 'f([{}])'],
    ['an inner object', 'function f() { const grid = [[0]]; grid[0][0] = 1; return grid; }', 'f()'],
    [
      'a variable that gets another object',
      'function f(list) { let own = []; own = list; own.push(1); }',
      'f([])',
    ],
    [
      'a var that gets another object',
      'function f(list) { { var own = []; own.push(1); } { var own = list; } }',
      'f([])',
    ],
    ['a changing method of a choice', 'function f(list, how) { list[how](1); }', 'f([], "push")'],
    ['a changing method lent out', 'function f(list) { [].push.call(list, 1); }', 'f([])'],
    ['a changing method as a value', 'function f(list) { const add = list.push; }', 'f([])'],
    ['a changing method taken apart', 'function f(list) { const { push } = list; }', 'f([])'],
    ['a method lent out', 'class A { f() { this.n = 1; } }\nconst f = () => new A().f.call(Number);', 'f()'],
    ['a loop over somebody’s members', 'function f(o) { for (o.n of [1]) {} }', 'f({})'],
    ['assignment by pattern', 'function f(o) { [o.n] = [1]; }', 'f({})'],
    ['a global variable', 'var n = 0;\nfunction f() { n += 1; return n; }', 'f()'],
    ['a global variable in a block', 'for (var i = 0; i < 2; i++) {}', 'i'],
    ['a function in a block', 'if (true) { function f() {} }', '1'],
    ['a name of the library', 'function Map() { return Math; }', '1'],
    ['a name of the library for a parameter', 'const f = (Object) => Object.keys;', '1'],
    ['a getter', 'const o = { get a() { return 1; } };', 'o.a'],
    ['a method with a name of the library', 'const o = { slice() { return 1; } };', 'o.slice()'],
    ['a tagged template', 'const f = () => String.raw`a`;', 'f()'],
    ['a generator', 'function* f() { yield 1; }', '[...f()]'],
    ['an async function', 'async function f() { return 1; }', 'f()'],
    ['a promise', 'const f = () => Promise.resolve(1);', 'f()'],
    ['a timer', 'function f() { setTimeout(() => {}, 1); }', 'f()'],
    ['the clock', 'const f = () => Date.now();', 'f()'],
    ['a symbol', 'const f = () => Symbol.for("a");', 'f()'],
    ['arguments', 'function f() { arguments[0] = 1; }', 'f(2)'],
    ['eval', 'const f = () => eval("1");', 'f()'],
    ['a static block', 'class A { static { Math.x = 1; } }', '1'],
    ['a class', 'class A { n = 0; }', 'new A().n'],
    ['a member by a computed name', 'const f = (o, k) => o[k];', 'f({ a: 1 }, "a")'],
    [
      'a computed name in pieces',
      'function f() { const F = f["constr" + "uctor"]; return F("return 1")(); }',
      'f()',
    ],
    [
      'a computed name of a pattern',
      'function f() { const { ["constr" + "uctor"]: F } = f; return F("1"); }',
      'f()',
    ],
    [
      'a computed name by a variable that was a number',
      'function f(o) { let k = 0; k = "constr" + "uctor"; return o[k]; }',
      'f({})',
    ],
    ['the same, later', 'function f(o) { let k = 0; const g = () => o[k]; k = "a"; return g(); }', 'f({})'],
    [
      'a member of any name that is kept',
      'const f = (o, k) => { const v = o[k] ?? 0; return v; };',
      'f({}, "a")',
    ],
    ['one that is handed on', 'const f = (o, k, g) => g(o[k]);', 'f({}, "a", String)'],
    ['one that is handed to a list', 'const f = (o, k) => Array.of(o[k]);', 'f({}, "a")'],
    [
      'one that is handed to a library function by its name',
      'const f = (o, k, n) => n.Number(o[k]);',
      'f({}, "a", {})',
    ],
    ['spread ones', 'const f = (o, k) => Math.max(...o[k]);', 'f({}, "a")'],
    ['one in a list', 'const f = (o, k) => [o[k]].length;', 'f({}, "a")'],
    ['one that is thrown', 'function f(o, k) { throw o[k]; }', 'f({}, "a")'],
    ['one that is called', 'const f = (o, k) => o[k]("1") + 1;', 'f({}, "a")'],
    ['one that is made with new', 'const f = (o, k) => new o[k]() + 1;', 'f({}, "a")'],
    ['a member of one', 'const f = (o, k) => o[k][k] + 1;', 'f({}, "a")'],
    ['a named member of one', 'const f = (o, k) => o[k].size + 1;', 'f({}, "a")'],
    ['a choice of one', 'const f = (o, k) => (o[k] || f).size + 1;', 'f({}, "a")'],
    ['one after a comma', 'const f = (o, k) => (0, o[k]) + 1;', 'f({}, "a")'],
    ['one that is assigned on the way', 'let v = 0; const f = (o, k) => (v = o[k]) + 1;', 'f({}, "a")'],
    ['one of the library', 'const f = (k) => Math[k] + 1;', 'f("PI")'],
    ['one that is looked into', 'const f = (o, k) => "a" in o[k];', 'f({}, "a")'],
    ['one in a template’s tag', 'const f = (o, k) => o[k]`a` + 1;', 'f({}, "a")'],
    ['a spread one', `const f = (o, k) => \`\${[...o[k]]}\`;`, 'f({}, "a")'],
    ['a member of any name of somebody’s', 'function f(o, k) { o[k] = 1; }', 'f({}, "a")'],
    ['a counted member of somebody’s', 'function f(o, k) { o[k]++; }', 'f({}, "a")'],
    ['a removed member of somebody’s', 'function f(o, k) { delete o[k]; }', 'f({}, "a")'],
    ['a member of any name that gets an object', 'function f(k, v) { const o = {}; o[k] = v; }', 'f("a", 1)'],
    ['one that gets a list', 'function f(k) { const o = {}; o[k] = []; o[k].push(1); }', 'f("a")'],
    ['one that gets an object by a choice', 'function f(k, v) { const o = {}; o[k] = v || 1; }', 'f("a", 1)'],
    ['one that gets an object if it has none', 'function f(k, v) { const o = {}; o[k] ??= v; }', 'f("a", 1)'],
    ['one that gets a pattern', 'function f(k) { const o = {}; o[k] = /a/; }', 'f("a")'],
    [
      'what reduce was not given',
      'const f = (all) => all.reduce((o, k) => { o.n = k; return o; });',
      'f([{}, 1])',
    ],
    [
      'what reduce was given by somebody',
      'const f = (all, own) => all.reduce((o, k) => { o.n = k; return o; }, own);',
      'f([1], {})',
    ],
    [
      'what the function of reduce gives of somebody’s',
      'const f = (all) => all.reduce((o, k) => { o.n = 1; return k; }, {});',
      'f([{}, {}])',
    ],
    [
      'the same, given first',
      'const f = (all) => all.reduce((o, k) => { if (k) return k; o.n = 1; return o; }, {});',
      'f([])',
    ],
    ['the same, without a block', 'const f = (all) => all.reduce((o, k) => o.push(1) && k, []);', 'f([])'],
    [
      'the same, by a name of the block',
      'const f = (all) => all.reduce((o, k) => { o.n = 1; { const o = k; return o; } }, {});',
      'f([{}, {}])',
    ],
    [
      'a var of the name',
      'const f = (all) => all.reduce((o, k) => { o.n = 1; return o; var o = k; }, {});',
      'f([{}, {}])',
    ],
    [
      'a second parameter of the name',
      'const f = (all) => all.reduce(function (o, o) { o.n = 1; return o; }, {});',
      'f([{}, {}])',
    ],
    [
      'the second parameter',
      'const f = (all) => all.reduce((o, k) => { k.n = 1; return o; }, {});',
      'f([{}])',
    ],
    [
      'a function that calls itself',
      'const f = (all) => all.reduce(function g(o, k) { o.n = 1; return k ? g(k) : o; }, {});',
      'f([{}])',
    ],
    [
      'a function of a name',
      'function g(o, k) { o.n = 1; return o; }\nconst f = (all) => all.reduce(g, {});',
      'f([{}])',
    ],
    [
      'a function inside the one of reduce',
      'const f = (all) => all.reduce((o, k) => { const g = (p) => { p.n = 1; return o; }; return g(k); }, {});',
      'f([{}])',
    ],
    [
      'spread parameters of reduce',
      'const f = (all, p) => all.reduce((o, k) => { o.n = 1; return o; }, ...[{}], p);',
      'f([])',
    ],
    [
      'a loop that begins with a number',
      'function f(keys) { for (var i = 0 in keys) { const c = f[i]; return c("1")(); } }',
      'f({ ["const" + "ructor"]: 1 })',
    ],
    [
      'a loop that begins with a number and writes',
      'function f() { const o = {}, k = {}; k["m" + "ap"] = 1; for (var i = 0 in k) o[i] = (x) => x; const n = o.map(Math.max); n.n = 1; }',
      'f()',
    ],
    [
      'a var of a name of its block',
      'function f(o, p) { { let b = 0; { let b = p; var a = b; } return o[a]; } }',
      'f({}, "a")',
    ],
    [
      'a var of a name of its loop',
      'function f(o, p) { { let b = 0; { let b = p; for (var a = b;;) return o[a]; } } }',
      'f({}, "a")',
    ],
    [
      'a var of what was caught',
      'function f(o, p) { { let b = 0; try { throw p } catch (b) { var a = b } return o[a]; } }',
      'f({}, "a")',
    ],
    [
      'a var of a name of its switch',
      'const b = 0;\nfunction f(o, p) { switch (1) { case 1: let b = p; var a = b } return o[a]; }',
      'f({}, "a")',
    ],
    [
      'a var that hides a number',
      'const b = 0;\nfunction f(o, p) { var b = p; let a = b; return o[a]; }',
      'f({}, "a")',
    ],
    [
      'a var that has two values',
      'function f(o, p) { var a = 0; for (let n = 0; n < 2; n++) { var b = a; if (n) return o[b]; var a = p; } }',
      'f({}, "a")',
    ],
    [
      'a var that a loop gives another value',
      'function f(o, p) { var a = 0; for (let n = 0; n < 2; n++) { var b = a; if (n) return o[b]; for (var a of [p]) {} } }',
      'f({}, "a")',
    ],
    [
      'a division that the parser takes for a pattern',
      'let n = "", g = 1, of = 1;\nfunction f() { const r = g\nof\n/(n = globalThis.mark, globalThis.mark = 1)/g\nreturn n; }',
      'f()',
    ],
    [
      'a division after a function that is a choice',
      'let n = "", g = 1;\nfunction f() { const r = !g ? 1 : function () {}\n/(n = globalThis.mark, globalThis.mark = 1)/g\nreturn n; }',
      'f()',
    ],
    ['named groups', 'const f = (t) => t.replace(/(?<a>b)/, "c");', 'f("b")'],
    ['a pattern of Unicode', 'const f = (t) => /\\p{L}/u.test(t);', 'f("a")'],
    ['patterns inside each other', `let b; ${'['.repeat(300)}${'b,'.repeat(500)}${']=0'.repeat(300)}`, 'b'],
    ['a variable that is deleted', 'function g() {}\nfunction f() { delete g; g = 1; return g; }', 'f()'],
    ['random numbers', 'const f = () => Math.floor(Math.random() * 6);', 'f()'],
    ['a function called eval', 'function eval(text) { return text; }', '1'],
    ['many blocks', `function f() { ${'{'.repeat(150)}${'}'.repeat(150)} return 1; }`, 'f()'],
    ['many functions', `const f = ${'(a) => '.repeat(150)}1;`, 'f(1)'],
    [
      'many calls on one object',
      `function f() { const o = new Set()${'.add(1)'.repeat(30)}; o.add(2); return o; }`,
      'f()',
    ],
    ['octal escapes', 'const f = () => "\\143onstructor";', 'f()'],
    ['a line that goes on', 'const f = () => "constr\\\nuctor";', 'f()'],
    ['a caller', 'function f() { return f.caller("1"); }', 'f()'],
    ['an object to call on', 'const f = () => [1].map("".at.bind);', 'f()'],
    [
      'new of its own',
      'function G(F) { return F; }\nfunction f() { const n = new G(Math.max); n.n = 1; }',
      'f()',
    ],
    [
      'a method under a name of the library',
      'function f() { const o = {}; o.map = (x) => x; const n = o.map(Math.max); n.n = 1; }',
      'f()',
    ],
    ['the same by a text', 'const o = { "map": (x) => x };', 'o.map(1)'],
    ['the same by a computed name', 'const o = { ["map"]: (x) => x };', 'o.map(1)'],
    ['the same by a reviver', 'const o = JSON.parse("1", () => Math.max);', 'o'],
    ['the same by a list of entries', 'const o = Object.fromEntries([["map", (x) => x]]);', 'o.map(1)'],
    ['parse as a value', 'const f = (g) => g("1", () => Math.max);', 'f(JSON.parse)'],
    ['from as a value', 'function G() { return "".at; }\nconst f = () => [[1]].map(Array.from, G);', 'f()'],
    ['a trace', 'const f = () => Error.captureStackTrace(Math.max);', 'f()'],
    [
      'a trace of a library function that was handed on',
      'const f = (E) => E.captureStackTrace(Math.max);',
      'f(Error)',
    ],
    ['freezing', 'const f = () => Object.freeze(Math.max);', 'f()'],
    ['a default that is a function', 'function f(g = () => { leak = 1; }) { let leak; g(); }', 'f()'],
    ['a default with a name of the body', 'function f(a = Reflect) { let Reflect; return a; }', 'f()'],
    ['var of a parameter', 'function f(own) { own.n = 1; var own = []; }', 'f("".at)'],
    ['a label', 'a: for (;;) { break a; }', '1'],
    ['an input that changes a variable', 'let n = 0;', '(n = 1)'],
    ['an input that changes a list', 'const list = [];', 'list.push(1)'],
    ['an input that changes the library', 'const n = 1;', '(Math.x = 1, n)'],
    ['an input that is no expression', 'const n = 1;', 'n; n'],
    ['an input with a name that the program has not', 'const n = 1;', 'm'],
    ['an input of the library alone', 'const n = 1;', 'Reflect.ownKeys(Math)'],
    ['a program that is none', 'const n = ;', 'n'],
    ['a deep program', `const n = ${'('.repeat(3_000)}1${')'.repeat(3_000)};`, 'n'],
    ['a long program', `const n = 1;${' '.repeat(8_000)}`, 'n'],
  ])('%s', (_, code, input) => {
    expect(plain(code, input)).toBe(false);
  });

  test('one of whose inputs is not', () => {
    expect(plain('const f = (a) => a;', 'f(1)', 'f(2)')).toBe(true);
    expect(plain('const f = (a) => a;', 'f(1)', 'f(Date.now())')).toBe(false);
  });
});
