import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const [, table = ''] = readFileSync(join(root, 'docs/requirements.md'), 'utf8').split(
  '## Rows and their tests',
);
const rows = table
  .split('## Spec 1.')[0]!
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, spec, row, held = '']) => ({
    spec,
    row,
    files: [...held.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
  }));

describe('the rows of the requirements', () => {
  it('are there for each part that asks for something', () => {
    expect([...new Set(rows.map(({ spec }) => spec))]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it.each(rows)('$spec, $row: is held by tests that are there', ({ files }) => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !/\.(test|spec)\.ts$/.test(file) || !existsSync(join(root, file)))).toEqual(
      [],
    );
  });
});
