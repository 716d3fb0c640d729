import { describe, expect, it } from 'vitest';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { differenceFrom, shapeOf, unlikeness } from './program-shape.server.ts';

const hash = async (language: CodingLanguage, code: string) => (await shapeOf(language, code)).hash;
const tokens = async (language: CodingLanguage, code: string) => (await shapeOf(language, code)).tokens!;

/** Language, a program, the same in other words, and one that is another. */
const PROGRAMS: [CodingLanguage, string, string, string][] = [
  [
    'javascript',
    'function add(a, b) {\n  return a + b;\n}',
    '// Adds.\nconst plus=(x,y)=>x+y',
    'function add(a, b) {\n  return a - b;\n}',
  ],
  [
    'javascript',
    'function f(list) { let sum = 0; for (const n of list) { sum += n; } return sum; }',
    'function total(values) {\n  var t = 10;\n  for (let v of values)\n    t += v\n  return t;\n}',
    'function f(list) { let sum = 0; for (const n of list) { sum += n; } return list; }',
  ],
  ['javascript', 'const f = (s) => s.length', 'const g = (text) => text.length', 'const f = (s) => s.lenght'],
  [
    'typescript',
    'type Item = { price: number };\nfunction f(items: Item[]): number { return items.length; }',
    'interface Thing { price: number }\nconst g = (things: Thing[]) => things.length',
    'type Item = { price: number };\nfunction f(items: Item[]): number { return items.size; }',
  ],
  [
    'python',
    'def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total',
    'def sum_up(x):\n  # counts\n  s = 7\n  for k in range(x):\n    s += k\n  return (s)',
    'def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n        return total',
  ],
  ['python', 'def f(a):\n    print(a)', 'def g(b):\n    print( b )', 'def f(a):\n    return a'],
  [
    'react',
    'export default function App() { const [n, setN] = useState(0); return <p onClick={() => setN(n + 1)}>Hi {n}</p>; }',
    'export default function App() {\n  const [count, setCount] = useState(5);\n  return (\n    <p onClick={() => setCount(count + 1)}>\n      Bye {count}\n    </p>\n  );\n}',
    'export default function App() { const [n, setN] = useState(0); return <p onClick={setN(n + 1)}>Hi {n}</p>; }',
  ],
  [
    'html',
    '<ul><li class="a">One</li></ul>',
    '<!-- a list -->\n<ul>\n  <li class="b">Two</li>\n</ul>',
    '<ul><li id="a">One</li></ul>',
  ],
  [
    'css',
    '.card { color: #123456; padding: 4px }',
    '/* x */ .card{color:#fff;padding:8px;}',
    '#card { color: #123456; padding: 4px }',
  ],
  [
    'sql',
    "SELECT c.name, count(o.id) AS n FROM customers c INNER JOIN orders o ON o.customer_id = c.id WHERE c.city != 'Rome' GROUP BY c.name ORDER BY n ASC LIMIT 3;",
    '-- mine\nselect k.name, COUNT(b.id) n\nfrom "customers" AS k join orders as b on b.customer_id = k.id\nwhere k.city <> \'Oslo\' /* x */ group by k.name order by n limit 5',
    "SELECT c.name, count(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE c.city != 'Rome' GROUP BY c.name ORDER BY n ASC LIMIT 3;",
  ],
  [
    'sql',
    'WITH big AS (SELECT id FROM orders), few AS (SELECT 1) SELECT x.id FROM big x, few, (SELECT 2) y WHERE x.id > 1',
    'with large as (select id from orders), small as (select 7) select q.id from large as q, small, (select 3) as z where q.id > 2;',
    'WITH big AS (SELECT id FROM orders), few AS (SELECT 1) SELECT y.id FROM big x, few, (SELECT 2) y WHERE x.id > 1',
  ],
  ['sql', 'SELECT name FORM customers', 'select name\nform customers;', 'SELECT name FROM customers'],
  ['sql', 'SELECT sum(a) AS total FROM t', 'select SUM(a) total from t', 'SELECT sum(a) AS totl FROM t'],
  ['sql', 'SELECT 1; SELECT 2;', 'select 3 ;; select 4', 'SELECT 1 SELECT 2'],
];

describe('the shape of a program', () => {
  it.each(PROGRAMS)(
    'in %s is the same whatever its names, literals and layout are: %s',
    async (language, one, same, other) => {
      expect(await hash(language, same)).toBe(await hash(language, one));
      expect(await hash(language, other)).not.toBe(await hash(language, one));
    },
  );

  it.each<[CodingLanguage, string, string, string]>([
    [
      'javascript',
      'fucntion double(n) {\n  return n * 2;\n}',
      '// Mine\n\nfucnton twice(x) {\n  return x * 2;\n}',
      'function double(n) {\n  retrun n * 2;\n}',
    ],
    ['python', 'def f(n)\n    return n', '\n\ndef g(m)\n    return m + 1', 'def f(n):\n    return n +'],
    ['css', '.a { color red; }', '.b { }\n.a { color blue; }', '.a { color: red; } }'],
  ])(
    'of one that cannot be read in %s is the kind and the line of its mistake',
    async (language, one, same, other) => {
      const shape = await shapeOf(language, one);
      expect(shape.tokens).toBeNull();
      expect(await hash(language, same)).toBe(shape.hash);
      expect(await hash(language, other)).not.toBe(shape.hash);
    },
  );

  it('in a language that nothing here reads is the same whatever its layout is', async () => {
    const language = 'cobol' as CodingLanguage;
    expect(await hash(language, 'ADD A\n  TO B.\n')).toBe(await hash(language, 'ADD A TO B.'));
    expect(await hash(language, 'ADD A TO C.')).not.toBe(await hash(language, 'ADD A TO B.'));
  });

  it.each<[string, CodingLanguage, string]>([
    ['1 MB', 'javascript', 'f();'.repeat(262_144)],
    ['NUL', 'python', 'print("\0")\0'],
    ['NUL', 'html', '<p>\0</p>'],
    ['NUL', 'css', '.a\0 { color: red }'],
    ['deep nesting', 'javascript', '('.repeat(19_000)],
    ['deep nesting', 'javascript', `${'['.repeat(9_000)}${']'.repeat(9_000)}`],
    ['deep nesting', 'react', '<a>'.repeat(6_000)],
    ['deep nesting', 'python', `${'('.repeat(9_000)}${')'.repeat(9_000)}`],
    ['deep nesting', 'html', '<b>'.repeat(6_000)],
    ['deep nesting', 'css', '.a{'.repeat(6_000)],
    ['deep nesting', 'css', `a{width:${'calc('.repeat(3_000)}`],
    ['half a surrogate pair', 'javascript', 'const a = "\uD800";'],
    ['nothing', 'python', ''],
    ['deep nesting', 'sql', '('.repeat(19_000)],
    ['an open text', 'sql', "SELECT 'a"],
    ['many tables', 'sql', `SELECT 1 FROM ${'with as ( a,'.repeat(1_500)}`],
  ])('is there for %s in %s', async (_what, language, code) => {
    expect((await shapeOf(language, code)).hash).toMatch(/^[\w-]{22}$/);
  });
});

describe('the difference from the nearest accepted program', () => {
  const loop = 'function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }';
  const formula = 'const f = (n) => n * (n - 1) / 2;';

  it('is the same for one mistake in programs that do it in different ways', async () => {
    const accepted = await Promise.all([loop, formula].map((code) => tokens('javascript', code)));
    const difference = async (code: string) => differenceFrom(await tokens('javascript', code), accepted);
    const first = await difference(loop.replace('i < n', 'i <= n'));
    const second = await difference(
      'function g(x) { let t = 0; for (let k = 0; k <= x; k++) { t += k; } return t; }',
    );
    expect(first).toMatch(/<=/);
    expect(second).toBe(first);
    expect(await difference(formula.replace('- 1', '+ 1'))).not.toBe(first);
  });

  it('is the place where only names or literals are others, and nothing where no accepted program is near', async () => {
    const accepted = [await tokens('javascript', loop)];
    const difference = async (code: string) => differenceFrom(await tokens('javascript', code), accepted);
    const wrongStart = await difference(loop.replace('s = 0', 's = 1'));
    expect(wrongStart).toMatch(/^exact \d+$/);
    expect(await difference(loop.replace('s = 0', 's = 7'))).toBe(wrongStart);
    expect(await difference(loop.replace('i = 0', 'i = 1'))).not.toBe(wrongStart);
    expect(await difference(loop.replace('return s', 'return i'))).toMatch(/^exact \d+$/);
    expect(await difference('console.log("hello")')).toBeNull();
    expect(differenceFrom(accepted[0]!, [])).toBeNull();
  });
});

describe('how different two programs are', () => {
  it('is nothing for the same in other words, and grows with what is another way', async () => {
    const loop = await tokens(
      'javascript',
      'function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
    );
    const same = await tokens(
      'javascript',
      'const g = (m) => { let t = 1; for (let k = 2; k < m; k++) t += k; return t; }',
    );
    const near = await tokens(
      'javascript',
      'function f(n) { let s = 0; for (let i = 0; i <= n; i++) s += i; return s; }',
    );
    const formula = await tokens('javascript', 'const f = (n) => (n * (n - 1)) / 2;');
    expect(unlikeness(loop, same)).toBe(0);
    expect(unlikeness(loop, near)).toBeGreaterThan(0);
    expect(unlikeness(loop, formula)).toBeGreaterThan(unlikeness(loop, near));
    expect(unlikeness(loop, formula)).toBe(unlikeness(formula, loop));
    expect(unlikeness([], [])).toBe(0);
    expect(unlikeness([], loop)).toBe(1);
  });
});
