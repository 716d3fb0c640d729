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

it('what the starter gives away is not changed, and what does not parse neither', async () => {
  expect(await shown('javascript', 'const a = 1;\nconst b = 2;', '  const a = 1;\nconst b = null;')).toEqual([
    '2: const b = 2; → const b = 3;',
  ]);
  expect(await mutationsOf('javascript', 'const =')).toEqual([]);
  expect(await mutationsOf('python', 'def f(:\n  return')).toEqual([]);
  expect(await mutationsOf('css', 'a { color red }')).toEqual([]);
  for (const language of ['javascript', 'python', 'html', 'css', 'react', 'typescript'] as const) {
    expect(await mutationsOf(language, '')).toEqual([]);
  }
});
