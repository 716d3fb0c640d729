import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepsAim, markMissed } from './bench/aims.ts';
import { eachOf } from './bench/measures.ts';
import { RUNS } from './bench/results.ts';

const root = join(import.meta.dirname, '..');
const results = await readFile(join(root, 'tests/bench/RESULTS.md'), 'utf8');
const page = await readFile(join(root, 'docs/performance.md'), 'utf8');
const tables = results.match(/^\|.*(\n\|.*)+/gm)!;

describe('the results of the bench', () => {
  it('say MISSED behind each aim that is missed, and nowhere else', () => {
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) expect(table).toBe(markMissed(table));
  });

  it('say so for each page of administrators and each run of the publish gate', () => {
    for (const table of tables.filter((one) => / within \d/.test(one.split('\n')[0]!))) {
      for (const row of table.split('\n').slice(2)) expect(row).toMatch(/\| (yes|MISSED) \|$/);
    }
  });

  it('have a verdict on each aim of the judge', () => {
    const judged = tables.filter((one) => one.split('\n')[0]!.endsWith('| |'));
    expect(judged).toHaveLength(1);
    for (const row of judged[0]!.split('\n').slice(2)) {
      const [, , , , aim, verdict] = row.split('|').map((cell) => cell.trim());
      expect(verdict, row).toMatch(aim === '' ? /^$/ : /^(met|MISSED)$/);
    }
  });

  it('name for every page and call whether it comes from the visitors’ cache or is made anew', () => {
    expect(results).not.toMatch(/\b(un)?cached\b/);
    expect(results).toContain('from the visitors’ cache');
    expect(results).toContain('made anew');
  });

  it.each([
    ['383/s, p50 34 ms, p97.5 94 ms, 0 errors', 'p95 ≤ 60 ms', '', false],
    ['383/s, p50 34 ms, p97.5 44 ms, 0 errors', 'p95 ≤ 60 ms, ≥ 900/s', '', false],
    ['1,383/s, p50 34 ms, p97.5 44 ms, 0 errors', 'p95 ≤ 60 ms, ≥ 900/s', '', true],
    ['1383/s, p97.5 44 ms, 3 errors', '≥ 900/s', '', false],
    ['383/s, p97.5 94 ms', '≤ 4 × bare Astro', '0.02 of a query, 4.10 × bare Astro by CPU', false],
    ['383/s, p97.5 94 ms', '≤ 4 × bare Astro', '5.20 of a query, 3.98 × bare Astro by CPU', true],
    ['90 answered, p95 9 ms, 3 refused by 503, 0 errors', 'p95 ≤ 400 ms', '', false],
    ['23243/s', '≥ 0.8', '0.98 of bare', true],
    ['2.21 of the time at 1,000', '≤ 2', '', false],
    ['9.0 / 15.5 ms', 'within 5 ms', '', false],
    ['3.3 s', '≤ 20 s', '', true],
    ['p50 3.8 ms, p95 8.0 ms', 'p50 ≤ 4, p95 ≤ 10 ms', '', true],
  ])('%s keeps %s %s: %s', (value, aim, ratio, kept) => {
    expect(keepsAim(value, aim, ratio)).toBe(kept);
  });
});

describe('the share of an answer', () => {
  it('is not told where there was none', () => {
    expect(eachOf(30, { '2xx': 20, url: '/' })).toBe(1.5);
    expect(() => eachOf(30, { '2xx': 0, url: '/bench/reference' })).toThrow(
      '/bench/reference gave no answer',
    );
  });
});

describe('the page of how fast it is', () => {
  // Behind figures stands "(run: the first cells of their row, separated by commas)".
  it('quotes each figure from the row that it names, and has no others', () => {
    const text = page.replace(/\s+/g, ' ');
    const sections = new Map(
      Object.entries(RUNS).map(([run, title]) => [
        run,
        results.split(`\n## ${title}\n`)[1]?.split('\n## ')[0],
      ]),
    );
    const parts = text.split(/\((\w[\w-]*): ([^)]+)\)/);
    expect(parts.length).toBeGreaterThan(15);
    for (let at = 0; at + 2 < parts.length; at += 3) {
      const [before, run, name] = parts.slice(at, at + 3) as [string, string, string];
      const rows = sections.get(run)?.match(/^\|.*$/gm) ?? [];
      const row = rows.find((one) => one.slice(2).replaceAll(' | ', ', ').startsWith(`${name}, `));
      expect(row, `a row "${name}" of ${run}`).toBeDefined();
      for (const [, figure] of before.matchAll(/`([^`]*\d[^`]*)`/g)) expect(row).toContain(` ${figure}`);
      expect(before.replace(/`[^`]*`/g, '')).not.toMatch(/\d/);
    }
    expect(parts.at(-1)).not.toMatch(/\d/);
  });
});
