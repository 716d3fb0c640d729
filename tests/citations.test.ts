import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What may be cited: word, place, and how an entry begins there. */
const PLACES = [
  { word: 'decision', file: 'docs/decisions.md', entry: /^### (\d+)\. /gm },
  { word: 'fault', file: 'docs/faults.md', entry: /^\| ([A-Z]\d+) \|/gm },
  { word: 'spec', file: 'docs/requirements.md', entry: /^## Spec (\d+)\. /gm },
];
const ENTRIES = new Map(
  PLACES.map(({ word, file, entry }) => [word, [...read(file).matchAll(entry)].map((match) => match[1]!)]),
);

/** Every entry that a text cites, as in "decisions 44–46", "faults P1, P12" and "(spec 2 and 9)". */
function citationsOf(text: string): string[] {
  // A citation may be broken at the end of a comment's line.
  const plain = text.replace(/\n[ \t]*(?:\*|\/\/|#)?[ \t]*/g, ' ');
  const found = plain.matchAll(
    /\b(decision|fault|spec|architecture)s? ((?:[A-Z]\d+|\d+)\b(?:(?:, and |, | and | or |–)(?:[A-Z]\d+|\d+)\b)*)/gi,
  );
  return [...found].flatMap(([, word, list]) =>
    list!.split(/, and |, | and | or /).flatMap((part) => {
      const [first, last] = part.split('–');
      if (!last || /^[A-Z]/.test(first!)) return part.split('–').map((id) => `${word!.toLowerCase()} ${id}`);
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => {
        return `${word!.toLowerCase()} ${Number(first) + index}`;
      });
    }),
  );
}

/** A row of the faults may be named beside a decision: "decision 34, S6". */
function resolves(citation: string): boolean {
  const [word, id] = citation.split(' ') as [string, string];
  const place = word === 'decision' && /^[A-Z]/.test(id) ? 'fault' : word;
  return ENTRIES.get(place)?.includes(id) ?? false;
}

describe('citations', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /^(?:(?:src|db|tests|scripts|docs|deploy|patches)\/|[^/]+$)/.test(file))
    .filter((file) => /\.(ts|tsx|astro|css|js|mjs|py|sql|md|jsonc|ya?ml|conf)$/.test(file))
    .filter((file) => file !== 'tests/citations.test.ts' && existsSync(join(root, file)));

  it.each(PLACES)('$file numbers no entry twice', ({ word }) => {
    const ids = ENTRIES.get(word)!;
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lead to an entry in docs/', () => {
    const dead = files.flatMap((file) =>
      citationsOf(read(file))
        .filter((citation) => !resolves(citation))
        .map((citation) => `${file}: ${citation}`),
    );
    expect(dead).toEqual([]);
  });

  it('are found in lists, ranges and broken lines, and a number that is not there is seen', () => {
    const text = `(decisions 44–46, 900)\n * as fault\n * P1, spec 3 and 99; architecture 7`;
    expect(citationsOf(text).filter((citation) => !resolves(citation))).toEqual([
      'decision 900',
      'spec 99',
      'architecture 7',
    ]);
    expect(citationsOf(text)).toContain('decision 45');
    expect(citationsOf(text)).toContain('fault P1');
  });

  it.each(['docs/faults.md', 'docs/adding.md', 'docs/decisions.md'])('%s names files that exist', (file) => {
    const named = [...read(file).matchAll(/`((?:src|tests|db|docs|scripts|patches)\/[\w./[\]-]+)`/g)];
    // NAME stands for what somebody adds.
    const paths = named.map((match) => match[1]!).filter((path) => !path.includes('NAME'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
