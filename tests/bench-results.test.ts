import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepsAim, markMissed } from './bench/aims.ts';

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

describe('the page of how fast it is', () => {
  it('quotes figures of the results, and has no others', () => {
    const quoted = [...page.matchAll(/`([^`]*\d[^`]*)`/g)].map(([, text]) => text!.replace(/\s+/g, ' '));
    expect(quoted.length).toBeGreaterThan(5);
    for (const text of quoted) expect(results).toContain(text);
    expect(page.replace(/`[^`]*`/g, '')).not.toMatch(/\d/);
  });
});
