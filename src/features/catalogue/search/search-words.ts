import { stemmer } from 'stemmer';
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** The file's words and the administrators'. */
export interface SearchWords {
  /** Words without meaning for a search. */
  noise: ReadonlySet<string>;
  aside: ReadonlySet<string>;
  /** By `phraseKey`. */
  subjects: ReadonlySet<string>;
  /** By `phraseKey`, transitive. */
  meanings: ReadonlyMap<string, readonly string[]>;
  /** Keys of untaught subjects, whose meanings are only near. */
  related: ReadonlySet<string>;
  longest: number;
  /** Candidates for typos. */
  spellings: ReadonlySet<string>;
}

export class SearchWordsError extends Error {
  override name = 'SearchWordsError';
}

// As PostgreSQL's `unaccent` writes them.
const WHOLE_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'q',
  ŀ: 'l',
  ŉ: ' n',
};

/** Small letters, no accents, single spaces; C++ stays apart from C. Equals the database's function of that name. */
export function searchForm(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŋŧĸŀŉ]/g, (letter) => WHOLE_LETTERS[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('c++', ' cplusplus ')
    .replaceAll('c#', ' csharp ')
    .replaceAll('.net', ' dotnet ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The same for "Hooks" and "hook". */
export function phraseKey(words: string): string {
  return words.split(' ').map(stemmer).join(' ');
}

type Entry = { typed: string; targets: string[]; line: number; isRelated: boolean };

/**
 * @param file for messages
 * @throws {SearchWordsError} for the first mistake: unreadable, double, dangling or circular
 */
export function parseSearchWords(text: string, file: string): SearchWords {
  const lines = new LineCounter();
  // Our message for duplicate keys is better.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const fail = (line: number, message: string): never => {
    throw new SearchWordsError(`${file}:${line}: ${message}`);
  };
  const lineOf = (node: unknown) => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  const [broken] = document.errors;
  if (broken) fail(lines.linePos(broken.pos[0]).line, broken.message.split('\n')[0]!);
  const root = document.contents;
  if (!isMap(root)) return fail(1, 'must have noise, aside, subjects, synonyms and related');
  const part = (name: string) => root.get(name, true) ?? fail(1, `"${name}" is missing`);

  const phrase = (node: unknown): string => {
    const form = isScalar(node) ? searchForm(String(node.value ?? '')) : '';
    return form || fail(lineOf(node), 'a word or a few words are expected here');
  };
  const block = (name: string): string[] => {
    const node = part(name);
    const words = isScalar(node) && typeof node.value === 'string' ? searchForm(node.value) : '';
    return words ? words.split(' ') : fail(lineOf(node), `"${name}" must be words with spaces between them`);
  };

  const subjects = new Map<string, number>();
  const listed = part('subjects');
  if (!isSeq(listed)) return fail(lineOf(listed), '"subjects" must be a list');
  for (const node of listed.items) {
    const form = phrase(node);
    const key = phraseKey(form);
    if (subjects.has(key))
      fail(lineOf(node), `"${form}" stands among the subjects on line ${subjects.get(key)} already`);
    subjects.set(key, lineOf(node));
  }

  const entries = new Map<string, Entry>();
  for (const name of ['synonyms', 'related']) {
    const given = part(name);
    if (!isMap(given)) return fail(lineOf(given), `"${name}" must be lines such as "js: javascript"`);
    for (const pair of given.items.filter(isPair)) {
      const typed = phrase(pair.key);
      const line = lineOf(pair.key);
      const before = entries.get(phraseKey(typed));
      if (before) fail(line, `"${typed}" stands on line ${before.line} already`);
      const nodes = isSeq(pair.value) ? pair.value.items : [pair.value];
      const targets = nodes.map(phrase);
      if (new Set(targets.map(phraseKey)).size < targets.length)
        fail(line, `"${typed}" has the same meaning twice`);
      entries.set(phraseKey(typed), { typed, targets, line, isRelated: name === 'related' });
    }
  }
  for (const { typed, targets, line } of entries.values()) {
    const unknown = targets.find(
      (target) => !subjects.has(phraseKey(target)) && !entries.has(phraseKey(target)),
    );
    if (unknown) fail(line, `"${typed}" leads to "${unknown}", which is neither a subject nor a synonym`);
  }
  const meanings = new Map<string, string[]>();
  const related = new Set<string>();
  for (const [key, { typed, line }] of entries) {
    const found = meaningsOf(key, typed, (one) => entries.get(one)?.targets);
    if (found.circle) fail(line, `a circle: ${found.circle.join(' → ')}`);
    meanings.set(key, found.targets);
    // What leads to something untaught is untaught.
    if ([key, ...found.targets.map(phraseKey)].some((one) => entries.get(one)?.isRelated)) related.add(key);
  }
  const noise = block('noise');
  const aside = block('aside');
  return {
    noise: new Set(noise),
    aside: new Set(aside.map(stemmer)),
    subjects: new Set(subjects.keys()),
    meanings,
    related,
    longest: longestOf(meanings),
    spellings: new Set([
      ...noise,
      ...aside,
      ...[...entries.values()].flatMap(({ typed }) => typed.split(' ')),
    ]),
  };
}

const longestOf = (meanings: ReadonlyMap<string, unknown>) =>
  Math.max(1, ...[...meanings.keys()].map((key) => key.split(' ').length));

/** Transitive; `circle` where it leads back. */
function meaningsOf(
  start: string,
  name: string,
  targetsOf: (key: string) => readonly string[] | undefined,
): { targets: string[]; circle: string[] | null } {
  const targets = new Map<string, string>();
  const follow = (key: string, path: string[]): string[] | null => {
    for (const target of targetsOf(key) ?? []) {
      const next = phraseKey(target);
      if (next === start) return [...path, target];
      if (targets.has(next)) continue;
      targets.set(next, target);
      const circle = follow(next, [...path, target]);
      if (circle) return circle;
    }
    return null;
  };
  const circle = follow(start, [name]);
  return { targets: [...targets.values()], circle };
}

export function withAdditions(
  words: SearchWords,
  additions: readonly { typed: string; means: string }[],
): SearchWords {
  if (additions.length === 0) return words;
  const meanings = new Map(words.meanings);
  const subjects = new Set(words.subjects);
  const related = new Set(words.related);
  for (const { typed, means } of additions) {
    const key = phraseKey(searchForm(typed));
    const target = searchForm(means);
    const further = words.meanings.get(phraseKey(target)) ?? [];
    meanings.set(key, [...new Set([...(meanings.get(key) ?? []), target, ...further])]);
    subjects.add(phraseKey(target));
    related.delete(key);
  }
  return { ...words, meanings, subjects, related, longest: longestOf(meanings) };
}
