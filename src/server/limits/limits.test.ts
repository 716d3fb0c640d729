import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LIMITS, type Limit, SEARCH_SHARE } from './limits.ts';

const root = resolve(import.meta.dirname, '../../..');
const limits: [name: string, limit: Limit][] = Object.entries(LIMITS);

const every = (seconds: number): string => {
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute'];
  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `in ${count} ${unit}s`;
};

it('the table of limits in docs/security.md is made from them; run with -u to write it anew', async () => {
  const file = join(root, 'docs/security.md');
  const table = [
    '| what | limit | counted by | name |',
    '|---|---|---|---|',
    ...limits.map(
      ([name, { what, points, seconds, by }]) =>
        `| ${what} | ${points} ${every(seconds)} | ${by} | \`${name}\` |`,
    ),
    `| search, filter and suggest | ${SEARCH_SHARE.atOnce} at once, ${SEARCH_SHARE.waiting} more wait up to ${SEARCH_SHARE.waitMs / 1000} s | address | |`,
  ].join('\n');
  const head = '| what | limit | counted by | name |';
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(head);
  const after = rest.slice(rest.indexOf('\n\n'));
  await expect(`${before}${table}${after}`).toMatchFileSnapshot(file);
});

it('a limit is named once, and kept somewhere', () => {
  const written = readFileSync(join(root, 'src/server/limits/limits.ts'), 'utf8');
  const names = [...written.matchAll(/^ {2}'?([a-z-]+)'?: \{/gm)].map(([, name]) => name!);
  expect(names).toEqual(limits.map(([name]) => name));
  const sources = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !/limits(\.test)?\.ts$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'));
  const kept = (name: string) =>
    sources.some((source) => new RegExp(`(limit: |onsume\\(\\s*)'${name}'`).test(source));
  expect(names.filter((name) => !kept(name))).toEqual([]);
});
