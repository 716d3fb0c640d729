import { distance } from 'fastest-levenshtein';
import { stemmer } from 'stemmer';
import { IT_DICTIONARY } from './it-dictionary.ts';
import type { Rule, Scenario } from './scenario.ts';

/** Words that say nothing about what is to be done. */
const EMPTY_WORDS = new Set(
  (
    'a an the to of on in at for and or then so as by from into onto with within please kindly i we you they he she it ' +
    'me us him them my our your their its this that these those there here is are was were be been being am do does ' +
    'did doing have has had having will would could should shall can may might must let lets want wants wanted need ' +
    'needs like try trying go going gonna just now immediately quickly quick asap first also right away carefully again ' +
    'some any all very really maybe perhaps simply out up over about what which who how when where why if because ' +
    'command run running execute use using via ahead'
  ).split(' '),
);

const NEGATIONS = new Set(['not', 'never', 'no', 'without', 'avoid', 'cannot', 'dont', 'refuse', 'refrain']);
/** "Don't forget to" and "never skip" mean the opposite of what they deny. */
const REVERSALS = new Set([
  'forget',
  'forgetting',
  'skip',
  'skipping',
  'omit',
  'neglect',
  'hesitate',
  'fail',
  'miss',
]);
/** Where what was negated ends. `or` goes on: "do not move or delete it". */
const CLAUSE_ENDS = new Set(['but', 'and', 'then', 'instead', 'however', 'before', 'after', ';']);
const LONGEST_TERM = 5;

/** Words whose stem is that of a word with another meaning. */
const KEPT_WHOLE = new Set(['accounting', 'accountant', 'accountants', 'news', 'organization']);

/** Words that learners use for more than one thing, by their stem. What is meant shows in the words beside them. */
const FURTHER_MEANINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['updat', ['tell', 'change', 'deploy']],
  ['open', ['create', 'start']],
  ['put', ['create', 'move']],
  ['end', ['stop']],
  ['report', ['check']],
  ['block', ['disable']],
  ['cancel', ['stop']],
  ['clear', ['delete']],
  ['messag', ['tell']],
  ['patch', ['fix']],
]);

/** A clause that begins so, or ends with a question mark, wants to know something: it means to look. */
const QUESTION = /^\s*(what|whats|which|who|whos|whom|when|where|why|how|is there|are there|did)\b|\?\s*$/;

/** One word of meaning: a stem, or the number of a meaning in the dictionary; `-` in front where it is negated. */
type Token = string;

interface Word {
  raw: string;
  stem: string;
  negated: boolean;
}

/** Lower case, no accents, contractions spelled out, punctuation reduced to clause ends. */
function normalise(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[’‘`´]/g, "'")
      .replace(/\bcan't\b/g, 'can not')
      .replace(/\bwon't\b/g, 'will not')
      .replace(/n't\b/g, ' not')
      .replace(/\blet (.{1,40}?) know\b/g, 'inform $1')
      .replace(/\b(?:run|do|try|start) (.{1,40}?) (?:again|once more)\b/g, 'retry $1')
      .replace(/\binstead of\b|\brather than\b/g, ' ; not ')
      .replace(/'(s|re|ve|ll|d|m)\b/g, ' ')
      // A full stop or colon inside a word belongs to a version, a path or a host.
      .replace(/[,;!?]|[.:](?=\s|$)/g, ' ; ')
      .split(/[^\p{L}\p{N};]+/u)
      .filter(Boolean)
  );
}

/** The words of a text with their negation. */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let negated = false;
  for (const raw of normalise(text)) {
    if (CLAUSE_ENDS.has(raw)) negated = false;
    if (raw === ';') continue;
    if (NEGATIONS.has(raw)) {
      negated = true;
      continue;
    }
    if (negated && REVERSALS.has(raw)) {
      negated = false;
      continue;
    }
    words.push({ raw, stem: stemOf(raw), negated });
  }
  return words;
}

/** What a rule looks for, made ready once. */
interface Pattern {
  /** Each group is met by any of its terms; a term is a list of tokens that must all occur. */
  groups: Token[][][];
}

export interface Match {
  ruleId: string;
  /** The more, and the rarer, words of the rule were found. */
  specificity: number;
  /** Where in the text its last word stands: what was said completely first counts first. */
  position: number;
}

/** A scenario's language: its dictionary and its rules' patterns. */
export class Understanding {
  readonly #meaningOf = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #patterns: { rule: Rule; patterns: Pattern[]; unless: Token[][] }[];
  readonly #weights = new Map<Token, number>();

  constructor(scenario: Pick<Scenario, 'rules' | 'synonyms'>) {
    this.#learnDictionary([...IT_DICTIONARY, ...scenario.synonyms]);
    for (const { phrases, needs } of scenario.rules) {
      for (const phrase of [...phrases, ...needs.flat()]) this.#learnWords(phrase);
    }
    this.#patterns = scenario.rules.map((rule) => ({
      rule,
      patterns: [
        ...rule.phrases.map((phrase) => ({ groups: this.#tokensOf(phrase).map((token) => [[token]]) })),
        ...(rule.needs.length > 0
          ? [{ groups: rule.needs.map((group) => group.map((term) => this.#tokensOf(term))) }]
          : []),
      ].filter(
        ({ groups }) => groups.length > 0 && groups.every((group) => group.some((term) => term.length > 0)),
      ),
      unless: rule.unless.map((term) => this.#tokensOf(term)).filter((term) => term.length > 0),
    }));
    const used = new Map<Token, Set<string>>();
    for (const { rule, patterns } of this.#patterns) {
      for (const token of patterns.flatMap(({ groups }) => groups.flat(2))) {
        used.set(token, (used.get(token) ?? new Set()).add(rule.id));
      }
    }
    for (const [token, rules] of used) {
      this.#weights.set(token, 1 + Math.log(this.#patterns.length / rules.size));
    }
  }

  /** Rules that a text names, the most specific first; where two are equal, the one named first. */
  matches(text: string): Match[] {
    const said = new Set(this.#tokensOf(text));
    const places = this.#heard(text);
    const matches: Match[] = [];
    for (const { rule, patterns, unless } of this.#patterns) {
      if (unless.some((term) => term.every((token) => said.has(token)))) continue;
      let best: Match | null = null;
      for (const { groups } of patterns) {
        const matched = this.#matchGroups(groups, places);
        if (!matched) continue;
        const specificity = matched.reduce((sum, token) => sum + this.#weight(token), 0);
        const position = Math.max(...matched.map((token) => places.get(token)!));
        if (!best || specificity > best.specificity) best = { ruleId: rule.id, specificity, position };
      }
      if (best) matches.push({ ...best, specificity: Math.round(best.specificity * 1e6) / 1e6 });
    }
    return matches.sort((a, b) => b.specificity - a.specificity || a.position - b.position);
  }

  /** Rules that share words with a text, the nearest first, each with the share of it that was found. */
  nearest(text: string): { ruleId: string; share: number }[] {
    const found = this.#heard(text);
    return this.#patterns
      .map(({ rule, patterns }) => {
        const shares = patterns.map(({ groups }) => {
          let [have, all] = [0, 0];
          for (const group of groups) {
            const weights = group.map((term) => Math.max(...term.map((token) => this.#weight(token))));
            const weight = Math.max(...weights);
            all += weight;
            if (group.some((term) => term.every((token) => found.has(token)))) have += weight;
          }
          return have / all;
        });
        return { ruleId: rule.id, share: Math.max(0, ...shares) };
      })
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
  }

  /** All that a learner's text may mean, each with its place in it. */
  #heard(text: string): Map<Token, number> {
    const further: Token[] = [];
    for (const { stem, negated } of wordsOf(text)) {
      for (const word of FURTHER_MEANINGS.get(stem) ?? [])
        further.push((negated ? '-' : '') + this.#token(word));
    }
    const isQuestion = text
      .toLowerCase()
      .split(/[;!,]|(?<=\?)|\.(?=\s)/)
      .some((clause) => QUESTION.test(clause));
    if (isQuestion) further.push(this.#token('check'));
    const places = new Map<Token, number>();
    for (const [index, token] of [...this.#tokensOf(text), ...further].entries()) {
      if (!places.has(token)) places.set(token, index);
    }
    return places;
  }

  /** One word's meaning, or its stem. */
  #token(word: string): Token {
    const stem = stemOf(word);
    return this.#meaningOf.get(stem) ?? stem;
  }

  #matchGroups(groups: Token[][][], places: Map<Token, number>): Token[] | null {
    const matched = new Set<Token>();
    for (const group of groups) {
      const terms = group.filter((term) => term.length > 0 && term.every((token) => places.has(token)));
      if (terms.length === 0) return null;
      const weightOf = (term: Token[]) => term.reduce((sum, token) => sum + this.#weight(token), 0);
      const [best] = terms.sort((a, b) => weightOf(b) - weightOf(a));
      for (const token of best!) matched.add(token);
    }
    return [...matched];
  }

  #weight(token: Token): number {
    return this.#weights.get(token) ?? 1;
  }

  /** Meanings that share a word are one meaning. */
  #learnDictionary(groups: readonly (readonly string[])[]): void {
    const parent = groups.map((_, index) => index);
    const root = (index: number): number => (parent[index] === index ? index : root(parent[index]!));
    const first = new Map<string, number>();
    for (const [index, terms] of groups.entries()) {
      for (const term of terms) {
        const key = stemsOf(term);
        const other = first.get(key);
        if (other === undefined) first.set(key, index);
        else parent[root(index)] = root(other);
        this.#learnWords(term);
      }
    }
    for (const [key, index] of first) this.#meaningOf.set(key, `#${root(index)}`);
  }

  #learnWords(term: string): void {
    for (const { raw, stem } of wordsOf(term)) this.#known.set(raw, stem);
  }

  /** Tokens of a text or of an author's term, without empty words. */
  #tokensOf(text: string): Token[] {
    const words = wordsOf(text).map((word) => this.#corrected(word));
    const tokens: Token[] = [];
    for (let index = 0; index < words.length; ) {
      const size = this.#longestTerm(words, index);
      const { stem, raw, negated } = words[index]!;
      const sign = negated ? '-' : '';
      if (size > 0) {
        const key = words
          .slice(index, index + size)
          .map((word) => word.stem)
          .join(' ');
        tokens.push(sign + this.#meaningOf.get(key)!);
        index += size;
      } else {
        if (!EMPTY_WORDS.has(raw)) tokens.push(sign + stem);
        index += 1;
      }
    }
    return [...new Set(tokens)];
  }

  /** How many words from `index` on are one term of the dictionary; 0 for none. */
  #longestTerm(words: Word[], index: number): number {
    for (let size = Math.min(LONGEST_TERM, words.length - index); size > 0; size -= 1) {
      const part = words.slice(index, index + size);
      if (size === 1 && EMPTY_WORDS.has(part[0]!.raw)) return 0;
      if (this.#meaningOf.has(part.map((word) => word.stem).join(' '))) return size;
    }
    return 0;
  }

  /** A misspelled word becomes the known word it is nearest to, if there is just one. */
  #corrected(word: Word): Word {
    const { raw } = word;
    const allowed = raw.length < 4 || /\d/.test(raw) ? 0 : raw.length < 7 ? 1 : 2;
    if (allowed === 0 || this.#known.has(raw) || EMPTY_WORDS.has(raw)) return word;
    if ([...this.#known.values()].includes(word.stem)) return word;
    let best = { stem: '', cost: allowed + 1, meanings: new Set<string>() };
    for (const [known, stem] of this.#known) {
      if (known.length < 4 || Math.abs(known.length - raw.length) > allowed) continue;
      const cost = known[0] === raw[0] ? typingDistance(raw, known) : allowed + 1;
      if (cost > allowed || cost > best.cost) continue;
      const meaning = this.#meaningOf.get(stem) ?? stem;
      if (cost < best.cost) best = { stem, cost, meanings: new Set([meaning]) };
      else best.meanings.add(meaning);
    }
    return best.meanings.size === 1 ? { ...word, stem: best.stem } : word;
  }
}

/** Edit distance in which two neighbours swapped cost one, as on a keyboard. */
function typingDistance(a: string, b: string): number {
  const cost = distance(a, b);
  if (cost !== 2 || a.length !== b.length) return cost;
  const first = [...a].findIndex((letter, index) => letter !== b[index]);
  return a[first] === b[first + 1] && a[first + 1] === b[first] && a.slice(first + 2) === b.slice(first + 2)
    ? 1
    : cost;
}

const stemOf = (word: string): string => (KEPT_WHOLE.has(word) ? word : stemmer(word));

function stemsOf(term: string): string {
  return wordsOf(term)
    .map(({ stem }) => stem)
    .join(' ');
}
