import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { countable, FIGURE_NAMES, figuresSchema } from '#src/shared/content/figures.ts';

const root = new URL('../../..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const figures = figuresSchema.parse(parse(read('src/content/figures.yaml')));
const inFolder = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

/** What the pages of the firm and of the store are written in; articles and case studies tell figures of others. */
const COPY = [
  ...readdirSync(join(root, 'src/content'))
    .filter((file) => /\.(yaml|md)$/.test(file) && !/^(figures|search-words)\.yaml$|^README/.test(file))
    .map((file) => join('src/content', file)),
  ...inFolder('src/layouts', /\.astro$/),
  ...inFolder('src/features/company', /\.astro$/),
  ...inFolder('src/features/catalogue', /\.astro$/),
  ...['index', 'about', 'services', 'clients', 'contact', 'marketplace'].map(
    (name) => `src/pages/${name}.astro`,
  ),
  ...inFolder('src/pages/courses', /\.astro$/),
];

/** A text without what is no copy: comments, styles, scripts, and the attributes of elements. */
const words = (source: string, path: string) =>
  path.endsWith('.astro')
    ? source
        .replace(/^---[\s\S]*?^---/m, '')
        .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
        .replace(/\b(class|style|sizes|d|viewBox)(:list)?=("[^"]*"|\{[^}]*\})/g, '')
    : source.replace(/^\s*#.*$/gm, '');

/** "500+", "98%", "24/7", and numbers of what the firm counts. */
const CLAIM =
  /\d[\d,]*\+|\d\s?%|\d percent|\b24\/7\b|\b\d[\d,]{2,}\s+(happy |satisfied )?(students|learners|instructors|courses|clients|candidates|projects|experts|people)\b/gi;

describe('the figures of the firm', () => {
  it('are written in figures.yaml alone', () => {
    const elsewhere = COPY.flatMap((path) =>
      [...words(read(path), path).matchAll(CLAIM)].map(([found]) => `${path}: ${found}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('are found by that test where somebody writes one', () => {
    for (const claim of [
      '500+ projects',
      'We keep 98% of them',
      'support 24/7',
      '1,200 courses',
      '95 percent',
    ])
      expect(claim.match(CLAIM), claim).not.toBe(null);
    for (const fine of ['Established in 2022', '9:00 AM to 6:00 PM', 'six industries', '500 Example Avenue'])
      expect(fine.match(CLAIM), fine).toBe(null);
    expect(words('<p class="w-[95%]">{x}</p><style>a { width: 5% }</style>', 'a.astro')).not.toMatch(CLAIM);
  });

  it('are each shown by one page', () => {
    const shown = [
      ...parse(read('src/content/home.yaml')).stats,
      ...parse(read('src/content/services.yaml')).claims,
      ...parse(read('src/content/marketplace.yaml')).stats,
    ];
    expect(shown.toSorted()).toEqual([...FIGURE_NAMES].toSorted());
  });

  it('say what they count where two of them could contradict each other', () => {
    const rivals = Object.values(figures).filter(({ label }) =>
      /projects|satisfaction|happy clients/i.test(label),
    );
    expect(rivals).toHaveLength(5);
    for (const { label, note } of rivals) expect(note, label).toBeTruthy();
    expect(new Set(rivals.map(({ note }) => note)).size).toBe(rivals.length);
  });

  it('count up where they are a whole number', () => {
    expect(countable('99%')).toEqual({ value: 99, suffix: '%' });
    expect(countable('250+')).toEqual({ value: 250, suffix: '+' });
    expect([countable('24/7'), countable('10,000+'), countable('1.5')]).toEqual([null, null, null]);
    for (const name of parse(read('src/content/home.yaml')).stats as (keyof typeof figures)[])
      expect(countable(figures[name].figure), name).not.toBe(null);
  });
});
