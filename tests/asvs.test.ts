import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Requirements of levels 1 and 2 of ASVS 5.0.0 in each chapter, V1 to V17, and those of level 1 among them. */
const IN_CHAPTER = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const LEVEL_1 = 70;
const LEVEL_2 = 183;
const STATUSES = ['met', 'not applicable', 'deviation'];

const rows = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', level = '', short = '', status = '', proof = '', ...rest]) => ({
    id,
    level,
    short,
    status,
    proof,
    rest,
  }));

describe('the ASVS checklist', () => {
  it('has every requirement of levels 1 and 2, each once', () => {
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const byChapter = Map.groupBy(ids, (id) => id.split('.')[0]);
    expect(IN_CHAPTER.map((_, index) => byChapter.get(`V${index + 1}`)?.length ?? 0)).toEqual(IN_CHAPTER);
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(LEVEL_1);
    expect(rows.filter(({ level }) => level === '2')).toHaveLength(LEVEL_2);
  });

  it.each(rows)('$id has a status and says why', ({ id, short, status, proof, rest }) => {
    expect(id).toMatch(/^V\d{1,2}\.\d{1,2}\.\d{1,2}$/);
    expect(STATUSES).toContain(status);
    expect(short).not.toBe('');
    expect(proof).not.toBe('');
    // A bar in a cell would move what follows into another column.
    expect(rest).toEqual(['']);
  });
});

describe.each(['docs/asvs.md', 'docs/security.md'])('%s', (file) => {
  const named = [...read(file).matchAll(/`([^`\s]+)`/g)]
    .map(([, name]) => name!)
    .filter((name) => /^(src|tests|db|deploy|docs|scripts|public|patches)\//.test(name));

  it('names only files that exist', () => {
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it('links only to what is there', () => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([]);
  });
});
