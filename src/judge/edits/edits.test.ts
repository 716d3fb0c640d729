import { describe, expect, test } from 'vitest';
import type { Language, Submission } from '../protocol.ts';
import { editsOf, sayingOf } from './edits.ts';

const editsIn = (language: Language, code: string, more: Partial<Submission> = {}) => [
  ...editsOf({ language, code, tests: [], ...more }, null),
];

const CASES: [Language, kind: string, wrong: string, right: string, Partial<Submission>?][] = [
  ['javascript', 'comparison', 'if (a < b) go();', 'if (a <= b) go();'],
  ['javascript', 'comparison', 'if (a == b) go();', 'if (a === b) go();'],
  ['javascript', 'comparison', 'if (a = b) go();', 'if (a === b) go();'],
  ['javascript', 'logic', 'x = a && b;', 'x = a || b;'],
  ['javascript', 'logic', 'x = 1 < a <= 5;', 'x = 1 < a && a <= 5;'],
  ['javascript', 'not', 'if (a) go();', 'if (!(a)) go();'],
  ['javascript', 'not', 'x = !a;', 'x = a;'],
  ['javascript', 'loop', 'for (const x in list) go(x);', 'for (const x of list) go(x);'],
  ['javascript', 'number', 'let i = 1;', 'let i = 0;'],
  ['javascript', 'number', 'x = list[list.length];', 'x = list[list.length - 1];'],
  ['javascript', 'wait', 'async function f() { return g(); }', 'async function f() { return (await g()); }'],
  ['javascript', 'return', 'function f(a) { a * 2; }', 'function f(a) { return a * 2; }'],
  ['javascript', 'return', 'function f(a) { console.log(a); }', 'function f(a) { return a }'],
  [
    'javascript',
    'place',
    'for (const x of l) { s += x; return s; }',
    'for (const x of l) { s += x;  }\nreturn s;',
  ],
  ['javascript', 'place', 'for (const x of l) {}\ns += x;', 'for (const x of l) {s += x;\n}'],
  ['javascript', 'calculation', 'x = a - b;', 'x = b - a;'],
  ['javascript', 'calculation', 'l.sort();', 'l.sort((a, b) => a - b);'],
  ['javascript', 'update', 'a = 1; a = b;', 'a = 1; a += b;'],
  ['javascript', 'constant', 'const a = 1;', 'let a = 1;'],
  ['javascript', 'constant', 'for (;;) { let a = 0; a++; }', 'let a = 0;\nfor (;;) {  a++; }'],
  ['javascript', 'call', 'x = Math.min(1, 2);', 'x = Math.max(1, 2);'],
  ['javascript', 'call', 'x = text.trim;', 'x = text.trim();'],
  ['javascript', 'truth', 'x = true;', 'x = false;'],
  ['javascript', 'spread', 'x = { n: 1, ...a };', 'x = { ...a, n: 1 };'],
  ['javascript', 'name', 'let total = 0; totl += 1;', 'let total = 0; total += 1;'],
  ['javascript', 'name', 'x = text.lenght;', 'x = text.length;'],
  ['javascript', 'name', 'let a = 1; let b = 2; go(a);', 'let a = 1; let b = 2; go(b);'],
  [
    'typescript',
    'comparison',
    'const f = (a: number): boolean => a < 3;',
    'const f = (a: number): boolean => a <= 3;',
  ],
  ['react', 'attribute', 'x = <p class="a" />;', 'x = <p className="a" />;'],
  ['react', 'attribute', 'x = <b onclick={f} />;', 'x = <b onClick={f} />;'],
  ['python', 'comparison', 'x = a > b', 'x = a >= b'],
  ['python', 'comparison', 'x = a is b', 'x = a == b'],
  ['python', 'logic', 'x = a and b', 'x = a or b'],
  ['python', 'not', 'if a == b:\n    go()', 'if not (a == b):\n    go()'],
  ['python', 'not', 'x = a in b', 'x = a not in b'],
  ['python', 'number', 'for i in range(n):\n    go(i)', 'for i in range(n + 1):\n    go(i)'],
  ['python', 'return', 'def f(a):\n    print(a)', 'def f(a):\n    return a'],
  ['python', 'place', 'for i in l:\n    s += i\n    go(s)', 'for i in l:\n    s += i\ngo(s)'],
  ['python', 'place', 'for i in l:\n    s += i\ngo(s)', 'for i in l:\n    s += i\n    go(s)'],
  ['python', 'calculation', 'x = a / b', 'x = a // b'],
  ['python', 'update', 'for i in l:\n    s = i', 'for i in l:\n    s += i'],
  [
    'python',
    'update',
    'for i in l:\n  try:\n    s = i\n  except:\n    pass',
    'for i in l:\n  try:\n    s += i\n  except:\n    pass',
  ],
  ['python', 'constant', 'for i in l:\n    s = 0\n    s += i', 's = 0\nfor i in l:\n    s += i'],
  ['python', 'constant', 'a = {}\nfor i in l:\n    go(a)', 'for i in l:\n    a = {}\n    go(a)'],
  ['python', 'call', 'x = sum(l)', 'x = len(l)'],
  ['python', 'truth', 'x = True', 'x = False'],
  ['python', 'order', 'x = sorted(l)', 'x = sorted(l, reverse=True)'],
  ['python', 'name', 'total = 0\ngo(totl)', 'total = 0\ngo(total)'],
  ['sql', 'nothing', 'SELECT a FROM t WHERE b = NULL', 'SELECT a FROM t WHERE b IS NULL'],
  ['sql', 'nothing', "SELECT a FROM t WHERE b = ''", 'SELECT a FROM t WHERE b IS NULL'],
  ['sql', 'nothing', 'SELECT a FROM t WHERE b IS NULL', 'SELECT a FROM t WHERE b IS NOT NULL'],
  ['sql', 'logic', 'SELECT a FROM t WHERE b AND c', 'SELECT a FROM t WHERE b OR c'],
  ['sql', 'join', 'SELECT a FROM t JOIN u ON b = c', 'SELECT a FROM t LEFT JOIN u ON b = c'],
  ['sql', 'join', 'SELECT a FROM t INNER JOIN u ON b = c', 'SELECT a FROM t LEFT JOIN u ON b = c'],
  ['sql', 'aggregate', 'SELECT count(a) FROM t', 'SELECT sum(a) FROM t'],
  ['sql', 'order', 'SELECT a FROM t ORDER BY a LIMIT 3', 'SELECT a FROM t ORDER BY a DESC LIMIT 3'],
  ['sql', 'order', 'SELECT a FROM t ORDER BY a ASC', 'SELECT a FROM t ORDER BY a DESC'],
  ['sql', 'rows', 'SELECT a FROM t', 'SELECT DISTINCT a FROM t'],
  ['sql', 'rows', 'SELECT count(a) FROM t', 'SELECT count(DISTINCT a) FROM t'],
  ['sql', 'not', 'SELECT a FROM t WHERE b IN (1, 2)', 'SELECT a FROM t WHERE b NOT IN (1, 2)'],
  ['sql', 'pattern', "SELECT a FROM t WHERE b LIKE 'x%'", "SELECT a FROM t WHERE b LIKE '%x'"],
  ['sql', 'name', 'SELECT nmae FROM t', 'SELECT name FROM t', { fixture: 'CREATE TABLE t (name text)' }],
  [
    'sql',
    'text',
    "SELECT a FROM t WHERE b = 'paris'",
    "SELECT a FROM t WHERE b = 'Paris'",
    { fixture: "('Paris')" },
  ],
  ['html', 'attribute', '<p id="a">A</p>', '<p class="a">A</p>'],
  ['html', 'attribute', '<img scr="a">', '<img src="a">'],
  ['html', 'element', '<haeder>A</haeder>', '<header>A</header>'],
  ['css', 'selector', '.a { color: red }', '#a { color: red }'],
  ['css', 'unit', 'p { margin: 2em }', 'p { margin: 2px }'],
  ['css', 'unit', 'p { margin: 2 }', 'p { margin: 2px }'],
  ['css', 'property', 'p { margin: 2px }', 'p { padding: 2px }'],
  ['css', 'name', '.crad { color: red }', '.card { color: red }', { fixture: '<p class="card">' }],
  ['css', 'weight', 'p { color: red }', 'p { color: red !important }'],
];

describe('a wrong program is one edit away from the right one', () => {
  test.each(CASES)('%s, %s: %s', (language, kind, wrong, right, more) => {
    expect(editsIn(language, wrong, more)).toContainEqual(expect.objectContaining({ kind, code: right }));
  });
});

test('what does not parse any more is not tried', () => {
  const code = 'for (const k of l) x = {}\ngo(x);';
  expect(editsIn('javascript', code).map((edit) => edit.code)).not.toContain(
    'for (const k of l) x = {go(x);\n}',
  );
});

test('edits at the line of an error come first', () => {
  const code = 'const a = 1 < 2;\nconst b = 1 < 2;';
  const [first] = editsOf({ language: 'javascript', code, tests: [] }, 2);
  expect(first?.line).toBe(2);
});

test('a hint names the line and the kind, and nothing of the edit', () => {
  const [edit] = editsIn('css', 'p {\n  margin: 2em\n}');
  expect(sayingOf({ ...edit!, kind: 'unit', line: 2 })).toEqual({
    name: 'Hint',
    message: 'Look at the unit in line 2.',
    line: 2,
    column: null,
    explanation: 'In what is this length measured?',
  });
});

test.each([
  ['javascript', 'a||b<1;'],
  ['javascript', 'for(var i=0;;){'],
  ['python', 'if a:\n b = c\n'],
  ['html', '<p class="a">'],
  ['css', '.a{b:1px}'],
  ['sql', 'SELECT a FROM b;'],
] as const)('a %s program full of “%s” has its first edit soon', (language, part) => {
  const [first] = editsOf({ language, code: part.repeat(Math.floor(3_000 / part.length)), tests: [] }, null);
  expect(first).toBeDefined();
  expect(editsIn(language, part.repeat(3_000))).toEqual([]);
});

test('a hidden test gives no word to spell like', () => {
  const tests = [{ input: 'total()', expectedOutput: '1', hidden: true }];
  expect(editsIn('javascript', 'totl();', { tests }).map(({ code }) => code)).not.toContain('total();');
  expect(
    editsIn('javascript', 'totl();', { tests: [{ ...tests[0]!, hidden: false }] }).map(({ code }) => code),
  ).toContain('total();');
});
