import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';

export type Weight = 400 | 600;

type FontFile = { name: string; data: Buffer; has: (codePoint: number) => boolean };

/** In order: the site's own family, then one with more alphabets. */
const FAMILIES = [
  { name: 'instrument-sans', subsets: ['latin', 'latin-ext'] },
  {
    name: 'noto-sans',
    subsets: [
      'latin-ext',
      'cyrillic',
      'cyrillic-ext',
      'greek',
      'greek-ext',
      'vietnamese',
      'devanagari',
      'latin',
    ],
  },
] as const;

const require = createRequire(import.meta.url);
const loaded = new Map<string, FontFile>();

function load(name: string, weight: Weight): FontFile {
  const key = `${name}-${weight}`;
  let font = loaded.get(key);
  if (!font) {
    const [family] = /^(instrument-sans|noto-sans)/.exec(name)!;
    // woff: glyphs cannot be taken from woff2 one by one.
    const data = readFileSync(require.resolve(`@fontsource/${family}/files/${name}-${weight}-normal.woff`));
    const parsed = create(data);
    if (!('hasGlyphForCodePoint' in parsed)) throw new Error(`${name} is no single font.`);
    font = { name: key, data, has: (codePoint) => parsed.hasGlyphForCodePoint(codePoint) };
    loaded.set(key, font);
  }
  return font;
}

function fontFor(codePoint: number, weight: Weight): FontFile | null {
  for (const { name, subsets } of FAMILIES) {
    for (const subset of subsets) {
      const font = load(`${name}-${subset}`, weight);
      if (font.has(codePoint)) return font;
    }
  }
  return null;
}

export type Run = { text: string; font: FontFile };

/** Marks stay with their letter. @returns also whether a character is missing, which reads `?` */
export function runsOf(text: string, weight: Weight): { runs: Run[]; isComplete: boolean } {
  const runs: Run[] = [];
  let isComplete = true;
  const add = (piece: string, font: FontFile) => {
    const last = runs.at(-1);
    if (last?.font === font) last.text += piece;
    else runs.push({ text: piece, font });
  };
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(
    text.normalize('NFC'),
  )) {
    const codePoints = [...segment].map((character) => character.codePointAt(0)!);
    const candidates = codePoints.map((codePoint) => fontFor(codePoint, weight));
    const font = candidates.find((one) => one !== null && codePoints.every(one.has));
    if (font) add(segment, font);
    else {
      isComplete = false;
      add('?', load('instrument-sans-latin', weight));
    }
  }
  return { runs, isComplete };
}
