import { distance } from 'fastest-levenshtein';
import { stemmer } from 'stemmer';
import { phraseKey, type SearchWords, searchForm } from './search-words.ts';

interface Part {
  typed: string[];
  from: number;
  meanings: readonly string[];
  /** The typed words, corrected, by `phraseKey`. */
  key: string;
  /** Candidates for an unknown word. */
  maybe: string[];
}

/** Before the catalogue's words are asked. */
export interface Question {
  parts: Part[];
  onlyNoise: boolean;
}

export interface KnownWord {
  /** Empty for words such as "the". */
  stem: string;
  known: boolean;
  /** Forms in which courses have it. */
  forms: string[];
  /** For unknown words: similar ones and continuations. */
  near: string[];
  longer: string[];
}

export interface Way {
  stems: string[];
  /** 1 for the word itself, less for a meaning. */
  weight: number;
  /** Elsewhere the course is only close. */
  answers: 'anywhere' | 'in the title' | 'nowhere';
  isPhrase?: boolean;
}

export interface Concept {
  typed: string;
  /** Empty where no course teaches it. */
  ways: Way[];
  /** A level or kind of lesson. */
  isAside: boolean;
  isSubject: boolean;
  to: number;
}

export interface Asked {
  concepts: Concept[];
  corrected: string | null;
}

/** More would be a text, not a search. */
const PARTS_MAX = 10;
const TOKENS_MAX = 40;
const WEIGHTS = { meaning: 0.8, related: 0.6, longer: 0.8, split: 0.9, near: 0.7 } as const;
const SPLIT_MIN = 3;
const SPLIT_MAX = 24;
const FORM_MIN = 5;
const MEANT_MAX = 3;

export function readQuestion(search: string, words: SearchWords): Question {
  const tokens = searchForm(search).split(' ').slice(0, TOKENS_MAX).filter(Boolean);
  const maybe = tokens.map((word) =>
    words.spellings.has(word) ? [] : misspelled(word, [...words.spellings]),
  );
  const spelled = tokens.map((word, at) => maybe[at]![0] ?? word);
  const parts: Part[] = [];
  let rest: Part[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { length, meanings, key } = longestMeaning(tokens, spelled, at, words);
    const typed = tokens.slice(at, at + Math.max(1, length));
    const part = { typed, from: at, meanings, key, maybe: length > 0 ? [] : maybe[at]! };
    if (length === 0 && words.noise.has(typed[0]!)) rest.push(part);
    else parts.push(part);
    at += typed.length;
  }
  const onlyNoise = parts.length === 0;
  if (!onlyNoise) rest = [];
  return { parts: [...parts, ...rest].slice(0, PARTS_MAX), onlyNoise };
}

/** Also by corrected words; length 0 for none. */
function longestMeaning(
  tokens: readonly string[],
  spelled: readonly string[],
  at: number,
  words: SearchWords,
): { length: number; meanings: readonly string[]; key: string } {
  for (let length = Math.min(words.longest, tokens.length - at); length > 0; length -= 1) {
    // "it" is no form of a longer word, and "a" no name.
    if (length === 1 && words.noise.has(tokens[at]!)) break;
    const keys = [tokens, length > 1 ? spelled : tokens].map((texts) =>
      phraseKey(texts.slice(at, at + length).join(' ')),
    );
    const key = keys.find((one) => words.meanings.has(one));
    if (key) return { length, meanings: words.meanings.get(key)!, key };
  }
  return { length: 0, meanings: [], key: '' };
}

const wrongLettersIn = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);
/** Short words differ in one letter from many: only swaps count. */
const SHORT = 4;

/** Damerau-Levenshtein distance. */
export function wrongLetters(word: string, other: string): number {
  let least = distance(word, other);
  // A swap can save one letter at most.
  for (let at = 1; at < word.length && (least === 2 || least === 3); at += 1) {
    const swapped = word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1);
    least = Math.min(least, 1 + distance(swapped, other));
  }
  return least;
}

const sorted = (word: string) => [...word].sort().join('');

/** The first letter must match unless the rest nearly does. */
function misspelled(word: string, candidates: readonly string[]): string[] {
  const most = wrongLettersIn(word);
  if (most === 0) return [];
  const near = candidates
    .filter((other) => Math.abs(other.length - word.length) <= most && other.length > 3)
    .map((other) => ({ other, wrong: wrongLetters(word, other) }))
    .filter(({ other, wrong }) => wrong <= most && (other[0] === word[0] || word.length >= 8))
    .filter(({ other }) => word.length > SHORT || sorted(other) === sorted(word));
  const least = Math.min(...near.map(({ wrong }) => wrong));
  return [...new Set(near.filter(({ wrong }) => wrong === least).map(({ other }) => other))].slice(
    0,
    MEANT_MAX,
  );
}

/** As "automatically" and "automation". */
const isFormOf = (stem: string, other: string) =>
  misspelled(stem, [other]).length > 0 || (other.length >= FORM_MIN && stem.startsWith(other));

const pairOf = (part: Part, next: Part | undefined): string | null =>
  next && part.typed.length === 1 && next.typed.length === 1 && next.from === part.from + 1
    ? part.typed[0]! + next.typed[0]!
    : null;

const splitsOf = (word: string): [string, string][] =>
  Array.from(
    { length: word.length > SPLIT_MAX ? 0 : Math.max(0, word.length - 2 * SPLIT_MIN + 1) },
    (_, index) => [word.slice(0, SPLIT_MIN + index), word.slice(SPLIT_MIN + index)],
  );

export function wordsToLookUp(
  { parts }: Question,
  words: SearchWords,
): { typed: string[]; others: string[] } {
  const typed = new Set(parts.filter((part) => part.typed.length === 1).map((part) => part.typed[0]!));
  const others = new Set<string>();
  const add = (phrase: string) => {
    for (const word of phrase.split(' ')) others.add(word);
  };
  for (const [index, part] of parts.entries()) {
    for (const text of [...part.typed, ...part.meanings, ...part.maybe]) add(text);
    for (const text of part.maybe)
      for (const target of words.meanings.get(phraseKey(text)) ?? []) add(target);
    const pair = pairOf(part, parts[index + 1]);
    if (pair) {
      add(pair);
      for (const target of words.meanings.get(phraseKey(pair)) ?? []) add(target);
    }
    if (part.typed.length === 1)
      for (const halves of splitsOf(part.typed[0]!)) for (const half of halves) add(half);
  }
  return { typed: [...typed], others: [...others].filter((word) => !typed.has(word)) };
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=[sxz]|[cs]h)es$|s$/, '');

/**
 * True for singular and plural, and for subjects: "accounting" has the stem of "account", which is another subject.
 */
function answersOf(word: string, { forms }: KnownWord, words: SearchWords): Way['answers'] {
  const isSame = forms.some((form) => singular(form) === singular(word));
  return isSame || words.subjects.has(phraseKey(word)) ? 'anywhere' : 'in the title';
}

export function understand(
  { parts, onlyNoise }: Question,
  words: SearchWords,
  known: ReadonlyMap<string, KnownWord>,
): Asked {
  const way = (
    phrase: string,
    weight: number,
    answers: Way['answers'] = 'anywhere',
    isPhrase = false,
  ): Way[] => {
    const found = phrase.split(' ').map((word) => known.get(word));
    if (found.some((word) => word?.stem && !word.known)) return [];
    const stems = found.flatMap((word) => word?.stem || []);
    return stems.length > 0 ? [{ stems, weight, answers, isPhrase }] : [];
  };
  const concept = (typed: string, ways: Way[], to: number): Concept => ({
    typed,
    ways,
    isAside: ways.length > 0 && typed.split(' ').every((word) => words.aside.has(stemmer(word))),
    isSubject: words.subjects.has(phraseKey(typed)) || words.meanings.has(phraseKey(typed)),
    to,
  });
  const meant = (key: string) =>
    (words.meanings.get(key) ?? []).flatMap((target) =>
      // "xls" equals "excel", and "spreadsheet" is only near.
      words.related.has(key) && !words.related.has(phraseKey(target))
        ? way(target, WEIGHTS.related, 'nowhere')
        : way(target, WEIGHTS.meaning),
    );

  const concepts: Concept[] = [];
  const shown: string[] = [];
  let isCorrected = false;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    const typed = part.typed.join(' ');
    const pair = pairOf(part, parts[index + 1]);
    if (pair && (known.get(pair)?.known || words.meanings.has(phraseKey(pair)))) {
      const apart = way(`${typed} ${parts[index + 1]!.typed[0]!}`, 1);
      concepts.push(concept(pair, [...way(pair, 1), ...apart, ...meant(phraseKey(pair))], part.from + 2));
      shown.push(typed, parts[index + 1]!.typed[0]!);
      index += 1;
      continue;
    }
    const entry = known.get(typed);
    const to = part.from + part.typed.length;
    // A word such as "which" cannot be searched.
    if (entry && !entry.stem && part.meanings.length === 0) continue;
    const isRelated = words.related.has(part.key);
    const own = isRelated
      ? 'in the title'
      : entry && part.key === ''
        ? answersOf(typed, entry, words)
        : 'anywhere';
    const ways = [...way(typed, 1, own, isRelated), ...meant(part.key)];
    if (ways.length > 0 || part.typed.length > 1 || !entry) {
      const isAside =
        part.meanings.length > 0 && part.meanings.every((target) => words.aside.has(stemmer(target)));
      const one = concept(typed, ways, to);
      concepts.push({
        ...one,
        isAside: one.isAside || isAside,
        isSubject: one.isSubject || part.meanings.length > 0,
      });
      shown.push(typed);
      continue;
    }
    const unknown = ofUnknown(typed, part, entry, words, known, way, meant);
    if (unknown === 'noise') {
      if (!onlyNoise) continue;
      concepts.push(concept(typed, [], to));
      continue;
    }
    isCorrected ||= unknown.meant !== null;
    shown.push(unknown.meant ?? typed);
    concepts.push(concept(unknown.meant ?? typed, unknown.ways, to));
  }
  return { concepts, corrected: isCorrected ? shown.join(' ') : null };
}

/** A beginning, two words in one, or a typo. */
function ofUnknown(
  typed: string,
  part: Part,
  { stem, near, longer }: KnownWord,
  words: SearchWords,
  known: ReadonlyMap<string, KnownWord>,
  way: (phrase: string, weight: number, answers?: Way['answers'], isPhrase?: boolean) => Way[],
  meant: (key: string) => Way[],
): { ways: Way[]; meant: string | null } | 'noise' {
  const split = splitsOf(typed).flatMap((halves) => way(halves.join(' '), WEIGHTS.split, 'nowhere', true));
  if (split.length > 0) return { ways: split, meant: null };
  const spelled = misspelled(typed, [...near, ...part.maybe]);
  const [first] = spelled;
  if (first && wrongLetters(typed, first) === 1) return corrected(spelled, 'anywhere');
  // A mistyped form: "preparation" for "prepare".
  const forms = near.filter((word) => isFormOf(stem, known.get(word)!.stem));
  if (stem.length >= FORM_MIN && forms.length > 0) return corrected(forms.slice(0, MEANT_MAX), 'nowhere');
  if (longer.length > 0)
    return { ways: longer.flatMap((word) => way(word, WEIGHTS.longer, 'nowhere')), meant: null };
  return first ? corrected(spelled, 'nowhere') : { ways: [], meant: null };

  // Such a word answers only as a subject.
  function corrected(
    candidates: string[],
    answers: Way['answers'],
  ): { ways: Way[]; meant: string | null } | 'noise' {
    if (candidates.some((word) => words.noise.has(word))) return 'noise';
    const ways = candidates.flatMap((word) => [
      ...way(word, WEIGHTS.near, words.subjects.has(phraseKey(word)) ? 'anywhere' : answers),
      ...meant(phraseKey(word)),
    ]);
    return { ways, meant: ways.length > 0 ? candidates[0]! : null };
  }
}
