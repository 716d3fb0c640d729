import { distance } from 'fastest-levenshtein';
import type { Scenario } from '../scenario.ts';
import { type Clause, readText, type Word, wordsOf } from './clauses.ts';
import { DOING, LOOKING, TALKING, THINGS } from './meanings.ts';

export interface Dictionary {
  synonymsOf(word: string): readonly string[];
  isWord(word: string): boolean;
  isEveryday(word: string): boolean;
}
const NO_DICTIONARY: Dictionary = { synonymsOf: () => [], isWord: () => false, isEveryday: () => false };

export interface Term {
  key: string;
  /** Negated meanings begin with `-`. */
  meanings: ReadonlySet<string>;
  strict: ReadonlySet<string>;
}
export interface Spoken extends Term {
  word: Word;
  clause: number;
  index: number;
}
export type Heard = { clauses: Clause[]; spoken: Spoken[] };

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const LONGEST_TERM = 4;
const GAP_MAX = 5;
const SPLIT = set('off back up down out away over offline know informed posted alone again live');
const EMPTY = set(
  'do did does doing done please kindly just now also first then right away immediately quickly quick asap carefully ' +
    'really very maybe perhaps simply pls plz thx thanks u ur lemme gonna wanna gotta ok okay yes yeah hey hi hello well ' +
    'all any some such same there here thing things stuff bit lot someone somebody something everything anything i we you ' +
    'me us it is are be like want need fuck fucking damn shit bloody hell wtf lol let lets command sudo again still ' +
    'already yet back up off on out down over',
);
export const LIGHT = set(
  'do make take have give put get run perform carry start begin try go use want need let help proceed continue handle ' +
    'create write set add plan prepare keep work bring send new more save post open deal select complete finish',
);

class Words {
  readonly meaningsOf = new Map<string, Set<string>>();
  readonly besides = new Map<string, Set<string>>();
  readonly split = new Map<string, string[]>();
  readonly stems = new Map<string, string>();
  readonly kept = new Set<string>();

  constructor(before?: Words) {
    if (!before) return;
    for (const [key, meanings] of before.meaningsOf) this.meaningsOf.set(key, new Set(meanings));
    for (const name of ['besides', 'split', 'stems'] as const)
      for (const [key, value] of before[name]) (this[name] as Map<string, unknown>).set(key, value);
    for (const key of before.kept) this.kept.add(key);
  }

  learn(lines: readonly (readonly string[])[], kind: string): ReadonlySet<string> {
    return new Set(
      lines.map((terms, line) => {
        const id = `#${kind}${line}`;
        for (const term of terms) {
          const words = wordsOf(term.replace('~', ''));
          const key = keyOf(words);
          add(term.startsWith('~') ? this.besides : this.meaningsOf, key, id);
          if (words.length === 1 && (kind === 'thing' || kind === 'own')) this.kept.add(key);
          for (const { raw, stem } of words) this.stems.set(raw, stem);
          const [first, second] = words;
          if (words.length === 2 && SPLIT.has(second!.raw))
            this.split.set(first!.stem, [...(this.split.get(first!.stem) ?? []), second!.stem]);
        }
        return id;
      }),
    );
  }
}

const IT = new Words();
const DOES = IT.learn(DOING, 'do');
export const LOOKS = IT.learn(LOOKING, 'look');
export const TALKS = IT.learn(TALKING, 'talk');
export const ACTIONS: ReadonlySet<string> = new Set([...DOES, ...LOOKS, ...TALKS]);
IT.learn(THINGS, 'thing');
const BEGINS = new Set(
  [...DOING, ...LOOKING, ...TALKING].flat().map((term) => wordsOf(term.replace('~', ''))[0]?.stem),
);

/** The words of a scenario: those of IT, its own, and what a dictionary has for these. */
export class Vocabulary {
  readonly #words = new Words(IT);
  readonly #dictionary: Dictionary;
  readonly #own = new Set<string>();

  constructor({ rules, synonyms }: Pick<Scenario, 'rules' | 'synonyms'>, dictionary = NO_DICTIONARY) {
    this.#dictionary = dictionary;
    this.#words.learn(synonyms, 'own');
    for (const term of synonyms.flat()) this.#learn(term);
    for (const { title, phrases, needs } of rules) {
      for (const term of [...phrases, ...needs.flat()]) this.#widen(this.#learn(term));
      this.#learn(title);
    }
  }

  hear(text: string): Heard {
    const clauses = readText(text, (stem) => BEGINS.has(stem));
    let index = 0;
    const spoken = clauses.flatMap(({ words }, clause) =>
      this.#spoken(
        words.map((word) => this.#corrected(word)),
        true,
      ).map((one) => ({ ...one, clause, index: index++ })),
    );
    return { clauses, spoken };
  }

  termsOf(text: string): Term[] {
    return this.#spoken(wordsOf(text), false);
  }

  isUnknown({ key }: Term): boolean {
    const { meaningsOf, besides } = this.#words;
    return !this.#own.has(key) && !meaningsOf.has(key) && !besides.has(key);
  }

  isForeign({ key, word }: Spoken): boolean {
    return !this.#own.has(key) && !this.#words.meaningsOf.has(key) && this.#dictionary.isEveryday(word.raw);
  }

  #spoken(words: readonly Word[], isLearner: boolean): (Term & { word: Word })[] {
    const { meaningsOf, besides, split } = this.#words;
    const spoken: (Term & { word: Word })[] = [];
    const used = new Set<number>();
    for (const [index, word] of words.entries()) {
      if (used.has(index)) continue;
      let key = word.stem;
      for (
        let size = Math.min(LONGEST_TERM, words.length - index);
        size > 1 && key === word.stem;
        size -= 1
      ) {
        const term = keyOf(words.slice(index, index + size));
        if (!meaningsOf.has(term) && !besides.has(term)) continue;
        key = term;
        for (let at = index + 1; at < index + size; at += 1) used.add(at);
      }
      if (key === word.stem) {
        for (const last of split.get(key) ?? []) {
          const at = words.findIndex(
            ({ stem }, place) =>
              place > index && place <= index + GAP_MAX + 1 && !used.has(place) && stem === last,
          );
          if (at === -1) continue;
          key = `${word.stem} ${last}`;
          used.add(at);
          break;
        }
      }
      if (key === word.stem && this.#isEmpty(word)) continue;
      const own = [...(meaningsOf.get(key) ?? [key])];
      const signed = (meanings: string[]) =>
        new Set(word.negated ? meanings.map((one) => `-${one}`) : meanings);
      // `=` is the very word, which single phrases such as `df -h` ask for.
      const meanings = isLearner ? signed([...own, ...(besides.get(key) ?? []), `=${key}`]) : signed(own);
      spoken.push({ key, word, strict: signed(own), meanings });
    }
    return spoken;
  }

  #isEmpty({ raw, stem, part }: Word): boolean {
    if (this.#words.kept.has(stem)) return false;
    if (part === 'adverb' && !EMPTY.has(raw))
      return !this.#words.meaningsOf.has(stem) && !this.#own.has(stem);
    return part === 'empty' || EMPTY.has(raw) || raw.length < 2;
  }

  #learn(term: string): readonly Word[] {
    const words = wordsOf(term);
    // "Who else" has no word but common ones: they count.
    if (words.length > 1 && words.every((word) => this.#isEmpty(word)))
      for (const { raw, stem } of words) if (!EMPTY.has(raw) && raw.length > 3) this.#words.kept.add(stem);
    for (const { raw, stem } of words) {
      this.#own.add(stem);
      this.#words.stems.set(raw, stem);
    }
    return words;
  }

  #widen([word, ...more]: readonly Word[]): void {
    if (!word || more.length > 0) return;
    this.#words.kept.add(word.stem);
    if (this.#words.meaningsOf.has(word.stem)) return;
    for (const synonym of this.#dictionary.synonymsOf(word.raw)) {
      // What only begins an action says nothing: "have" is no "own".
      if (synonym === word.raw || LIGHT.has(synonym) || EMPTY.has(synonym)) continue;
      const key = keyOf(wordsOf(synonym));
      if (!this.#words.meaningsOf.has(key)) add(this.#words.meaningsOf, key, key);
      add(this.#words.meaningsOf, key, word.stem);
    }
  }

  #corrected(word: Word): Word {
    const { raw } = word;
    const allowed = raw.length < 4 || /[\d.]/.test(raw) ? 0 : raw.length < 7 ? 1 : 2;
    const isKnown =
      this.#own.has(word.stem) || this.#words.meaningsOf.has(word.stem) || this.#words.stems.has(raw);
    if (allowed === 0 || isKnown || this.#isEmpty(word) || this.#dictionary.isWord(raw)) return word;
    let best = { stem: '', cost: allowed + 1, isOne: false };
    for (const [known, stem] of this.#words.stems) {
      // Only two letters swapped change the first one.
      if (
        known.length < 4 ||
        Math.abs(known.length - raw.length) > 1 ||
        (known[0] !== raw[0] && known[1] !== raw[0])
      )
        continue;
      const cost = typingDistance(raw, known);
      if (cost > (known[0] === raw[0] ? allowed : 1)) continue;
      if (cost < best.cost) best = { stem, cost, isOne: true };
      else if (cost === best.cost && stem !== best.stem) best.isOne = false;
    }
    return best.isOne ? { ...word, stem: best.stem } : word;
  }
}

function add(map: Map<string, Set<string>>, key: string, meaning: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(meaning));
}
function keyOf(words: readonly Word[]): string {
  return words.map(({ stem }) => stem).join(' ');
}

function typingDistance(a: string, b: string): number {
  const cost = distance(a, b);
  if (cost !== 2 || a.length !== b.length) return cost;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  return isSwapped ? 1 : cost;
}
