import { describe, expect, it } from 'vitest';
import { parseScript } from '#src/features/practice/script-parser.ts';
import { MUTATIONS_MAX, mutationsOf } from './mutations.ts';

const shown = async (...parts: Parameters<typeof mutationsOf>) =>
  (await mutationsOf(...parts))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, original, mutated }) => `${line}: ${original} → ${mutated}`);

describe('mutations of JavaScript', () => {
  it('change operators, boundaries, conditions and constants, and leave statements out', async () => {
    expect(
      await shown(
        'javascript',
        'function f(n) {\n  if (n < 10) return n + 1;\n  n -= 2;\n  return n && true;\n}',
      ),
    ).toEqual([
      '2: if (n < 10) return n + 1; → if (n < 10) ;',
      '2: if (n < 10) return n + 1; → if (!(n < 10)) return n + 1;',
      '2: if (n < 10) return n + 1; → if (n <= 10) return n + 1;',
      '2: if (n < 10) return n + 1; → if (n < 10) return n - 1;',
      '2: if (n < 10) return n + 1; → if (n < 11) return n + 1;',
      '2: if (n < 10) return n + 1; → if (n < 10) return n + 2;',
      '3: n -= 2; → (left out)',
      '3: n -= 2; → n += 2;',
      '3: n -= 2; → n -= 3;',
      '4: return n && true; → (left out)',
      '4: return n && true; → return n || true;',
      '4: return n && true; → return n && false;',
    ]);
  });

  it('leave names, imports and directives alone, and find the operator behind parentheses and comments', async () => {
    expect(await shown('javascript', "'use strict';\nconst o = { 'a-b': (1) /* - */ - (x) };\n")).toEqual([
      "2: const o = { 'a-b': (1) /* - */ - (x) }; → const o = { 'a-b': (1) /* - */ + (x) };",
      "2: const o = { 'a-b': (1) /* - */ - (x) }; → const o = { 'a-b': (2) /* - */ - (x) };",
    ]);
    expect(
      await shown(
        'react',
        'import { useState } from "react";\nexport default () => <p className="a" title="b">Hi</p>;',
      ),
    ).toEqual([
      '2: export default () => <p className="a" title="b">Hi</p>; → export default () => undefined;',
      '2: export default () => <p className="a" title="b">Hi</p>; → export default () => <p className="a" title="">Hi</p>;',
      '2: export default () => <p className="a" title="b">Hi</p>; → export default () => <p className="a" title="b">changed</p>;',
    ]);
  });

  it('all parse, are all different, and are no more than their number', async () => {
    const program = Array.from(
      { length: 40 },
      (_, at) => `export const f${at} = (a, b) => (a > ${at} && b ? a * b : [a, 'x', -b]);`,
    ).join('\n');
    const mutations = await mutationsOf('javascript', program);
    expect(mutations).toHaveLength(MUTATIONS_MAX);
    expect(new Set(mutations.map(({ code }) => code)).size).toBe(MUTATIONS_MAX);
    // Spread over the lines, not all of the first.
    expect(new Set(mutations.map(({ line }) => line)).size).toBe(MUTATIONS_MAX);
    for (const { code } of mutations) expect('program' in parseScript(code, false)).toBe(true);
    expect(await mutationsOf('javascript', program)).toEqual(mutations);
  });
});

it('mutations of Python keep indentation, docstrings and stars of arguments', async () => {
  const program = [
    'def f(items, *more, limit=3):',
    '    """Counts."""',
    '    count = 0',
    '    for item in items:',
    "        if item >= limit and item != 'x':",
    '            count += 1',
    '    return not count',
  ].join('\n');
  expect(await shown('python', program)).toEqual([
    '1: def f(items, *more, limit=3): → def f(items, *more, limit=4):',
    '3: count = 0 → count = 1',
    "5: if item >= limit and item != 'x': → if not (item >= limit and item != 'x'):",
    "5: if item >= limit and item != 'x': → if item > limit and item != 'x':",
    "5: if item >= limit and item != 'x': → if item >= limit or item != 'x':",
    "5: if item >= limit and item != 'x': → if item >= limit and item == 'x':",
    "5: if item >= limit and item != 'x': → if item >= limit and item != '':",
    '6: count += 1 → (left out)',
    '6: count += 1 → count -= 1',
    '6: count += 1 → count += 2',
    '7: return not count → (left out)',
    '7: return not count → return  count',
  ]);
});

it('mutations of pages change texts, attributes and styles', async () => {
  expect(
    await shown(
      'html',
      '<!doctype html>\n<title>T</title>\n<style>p { margin: 4px; }</style>\n<p id="a">Hi</p>\n<ul><li>One</li></ul>',
    ),
  ).toEqual(
    expect.arrayContaining([
      '4: <p id="a">Hi</p> → <p >Hi</p>',
      '4: <p id="a">Hi</p> → <p id="changed">Hi</p>',
      '4: <p id="a">Hi</p> → <p id="a">changed</p>',
      '3: <style>p { margin: 4px; }</style> → <style>p { margin: 5px; }</style>',
      '5: <ul><li>One</li></ul> → <ul></ul>',
    ]),
  );
  expect(
    await shown('css', '.card {\n  color: #123;\n}\n@media (min-width: 700px) {\n  .card { width: 50%; }\n}'),
  ).toEqual([
    '1: .card { → .changed {',
    '2: color: #123; → (left out)',
    '2: color: #123; → color: #345;',
    '4: @media (min-width: 700px) { → @media (min-width: 701px) {',
    '5: .card { width: 50%; } → .card { ; }',
    '5: .card { width: 50%; } → .changed { width: 50%; }',
    '5: .card { width: 50%; } → .card { width: 51%; }',
  ]);
});

it('mutations of TypeScript are those of JavaScript, at their places among the types', async () => {
  const program = `enum Kind { Small = 1 }
interface Item { price: number }
function total(items: Item[], kind = Kind.Small): number {
  return items.reduce((sum: number, { price }) => sum + price, 0) as number;
}`;
  expect(await shown('typescript', program)).toEqual([
    '4: return items.reduce((sum: number, { price }) => sum + price, 0) as number; → (left out)',
    '4: return items.reduce((sum: number, { price }) => sum + price, 0) as number; → return items.reduce((sum: number, { price }) => undefined, 0) as number;',
    '4: return items.reduce((sum: number, { price }) => sum + price, 0) as number; → return items.reduce((sum: number, { price }) => sum - price, 0) as number;',
    '4: return items.reduce((sum: number, { price }) => sum + price, 0) as number; → return items.reduce((sum: number, { price }) => sum + price, 1) as number;',
  ]);
});

it('mutations of SQL change joins, conditions, orders, aggregates and rules', async () => {
  expect(
    await shown(
      'sql',
      `SELECT DISTINCT name, sum(total) AS n -- AND
FROM customers c LEFT OUTER JOIN orders o ON o.customer_id = c.id
JOIN vips ON true
WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3)
HAVING count(DISTINCT x) >= 1
ORDER BY n DESC, name
LIMIT 5`,
    ),
  ).toEqual([
    '1: SELECT DISTINCT name, sum(total) AS n -- AND → SELECT name, sum(total) AS n -- AND',
    '1: SELECT DISTINCT name, sum(total) AS n -- AND → SELECT DISTINCT name, max(total) AS n -- AND',
    '2: FROM customers c LEFT OUTER JOIN orders o ON o.customer_id = c.id → FROM customers c JOIN orders o ON o.customer_id = c.id',
    '2: FROM customers c LEFT OUTER JOIN orders o ON o.customer_id = c.id → FROM customers c LEFT OUTER JOIN orders o ON o.customer_id <> c.id',
    '3: JOIN vips ON true → JOIN vips ON false',
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → (left out)",
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → WHERE (city = 'Rome' OR n BETWEEN 2 AND 3)",
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → WHERE (city <> 'Rome' AND n BETWEEN 2 AND 3)",
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → WHERE (city <> '' OR n BETWEEN 2 AND 3)",
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → WHERE (city <> 'Rome' OR n BETWEEN 3 AND 3)",
    "4: WHERE (city <> 'Rome' OR n BETWEEN 2 AND 3) → WHERE (city <> 'Rome' OR n BETWEEN 2 AND 4)",
    '5: HAVING count(DISTINCT x) >= 1 → (left out)',
    '5: HAVING count(DISTINCT x) >= 1 → HAVING count(x) >= 1',
    '5: HAVING count(DISTINCT x) >= 1 → HAVING count(DISTINCT x) > 1',
    '5: HAVING count(DISTINCT x) >= 1 → HAVING count(DISTINCT x) >= 2',
    '6: ORDER BY n DESC, name → (left out)',
    '6: ORDER BY n DESC, name → ORDER BY n ASC, name',
    '7: LIMIT 5 → LIMIT 6',
  ]);
  const statements = async (code: string) =>
    (await mutationsOf('sql', code)).map((one) => one.code).toSorted();
  expect(
    await statements('SELECT count(*), a * 2 FROM t WHERE a IS NULL UNION SELECT b, 1 FROM u ORDER BY a'),
  ).toEqual(
    [
      'SELECT count(*), a + 2 FROM t WHERE a IS NULL UNION SELECT b, 1 FROM u ORDER BY a',
      'SELECT count(*), a * 3 FROM t WHERE a IS NULL UNION SELECT b, 1 FROM u ORDER BY a',
      'SELECT count(*), a * 2 FROM t  UNION SELECT b, 1 FROM u ORDER BY a',
      'SELECT count(*), a * 2 FROM t WHERE a IS NOT NULL UNION SELECT b, 1 FROM u ORDER BY a',
      'SELECT count(*), a * 2 FROM t WHERE a IS NULL UNION ALL SELECT b, 1 FROM u ORDER BY a',
      'SELECT count(*), a * 2 FROM t WHERE a IS NULL UNION SELECT b, 2 FROM u ORDER BY a',
      'SELECT count(*), a * 2 FROM t WHERE a IS NULL UNION SELECT b, 1 FROM u ',
      'SELECT count(*), a * 2 FROM t WHERE a IS NULL UNION SELECT b, 1 FROM u ORDER BY a DESC',
    ].toSorted(),
  );
  expect(
    await statements('CREATE TABLE t (a numeric(8, 2) NOT NULL CHECK (a > b), CHECK (b), UNIQUE (a))'),
  ).toEqual(
    [
      'CREATE TABLE t (a numeric(8, 2)  CHECK (a > b), CHECK (b), UNIQUE (a))',
      'CREATE TABLE t (a numeric(8, 2) NOT NULL , CHECK (b), UNIQUE (a))',
      'CREATE TABLE t (a numeric(8, 2) NOT NULL CHECK (a >= b), CHECK (b), UNIQUE (a))',
    ].toSorted(),
  );
  expect(
    await statements(
      "UPDATE t SET a = (SELECT 1 FROM u), d = date '2026-01-31' WHERE EXISTS (SELECT 1); DELETE FROM t;",
    ),
  ).toEqual(
    [
      ' DELETE FROM t;',
      "UPDATE t SET a = (SELECT 1 FROM u), d = date '2026-01-31' WHERE EXISTS (SELECT 1); ",
      "UPDATE t SET a = (SELECT 1 FROM u), d = date '2026-01-31' ; DELETE FROM t;",
      "UPDATE t SET a = (SELECT 2 FROM u), d = date '2026-01-31' WHERE EXISTS (SELECT 1); DELETE FROM t;",
      "UPDATE t SET a = (SELECT 1 FROM u), d = date '2027-01-31' WHERE EXISTS (SELECT 1); DELETE FROM t;",
    ].toSorted(),
  );
});

it('what the starter gives away is not changed, and what does not parse neither', async () => {
  expect(await shown('javascript', 'const a = 1;\nconst b = 2;', '  const a = 1;\nconst b = null;')).toEqual([
    '2: const b = 2; → const b = 3;',
  ]);
  expect(await mutationsOf('javascript', 'const =')).toEqual([]);
  expect(await mutationsOf('python', 'def f(:\n  return')).toEqual([]);
  expect(await mutationsOf('css', 'a { color red }')).toEqual([]);
  expect(await mutationsOf('sql', "SELECT 'a")).toEqual([]);
  expect(await mutationsOf('sql', 'SELECT (1')).toEqual([]);
  for (const language of ['javascript', 'python', 'html', 'css', 'react', 'typescript', 'sql'] as const) {
    expect(await mutationsOf(language, '')).toEqual([]);
  }
});
