import { type Doubt, NO } from '../replies.ts';
import type { Rule, Scenario } from '../scenario.ts';
import { type Clause, CONDITIONS, isCommand } from './clauses.ts';
import {
  ACTIONS,
  type Dictionary,
  type Heard,
  LIGHT,
  LOOKS,
  type Spoken,
  TALKS,
  type Term,
  Vocabulary,
} from './vocabulary.ts';

export interface Match {
  ruleId: string;
  specificity: number;
  position: number;
}

export type Understood =
  | { kind: 'clear'; matches: Match[]; rivals: string[]; also: string[]; more: boolean }
  | { kind: 'unsure'; doubt: Doubt; ruleIds: string[] }
  | { kind: 'denied' }
  | { kind: 'help' }
  | { kind: 'status' }
  | { kind: 'question' }
  | { kind: 'vague'; word: string }
  | { kind: 'nothing' };

type Pattern = Term[][][];
interface Looked {
  rule: Rule;
  isLook: boolean;
  answers: boolean;
  patterns: Pattern[];
  needs: Pattern;
  commands: Pattern[];
  unless: Term[][];
  meanings: ReadonlySet<string>;
}
interface Found {
  share: number;
  weight: number;
  spoken: Spoken[];
  isDouble: boolean;
}
const NOTHING_FOUND: Found & { worth: number } = {
  share: 0,
  weight: 0,
  worth: 0,
  spoken: [],
  isDouble: false,
};
type Used = ReadonlyMap<Spoken, string>;
type Best = Found & { isPhrase: boolean };
type Candidate = Match & { clause: number; doubt: Doubt | null; isCommand: boolean; objects: Spoken[] };

const ASKED_SHARE = 0.45;
const SAME_SHARE = 0.02;
const ASKED_MAX = 2;
/** The first fit is taken after so many. */
const TRIES_MAX = 1000;
export const SURE_LEAD = 0.9;
const UNKNOWN_SHARE = 0.5;
const SURE_SHARE = 0.5;
const LOOK_SHARE = 0.67;
const HARM_SHARE = 0.6;

const anyOf = (lines: string) =>
  new RegExp(
    `(?:${lines
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})`,
  );
const HELP = anyOf(`
  \\b(?:hints?|clues?|advice|suggestions?|the solution|no idea|help me)\\b
  \\b(?:i am|we are|i) (?:\\w+ )?(?:stuck|lost|confused)\\b
  \\bdo not know (?:what|how|where)\\b
  \\bwhat (?:now|next|else|to do)\\b
  \\bwhat (?:\\w+ )?(?:should|shall|can|could|do|must|would) (?:i|we|you|one) (?:\\w+ )?(?:do|try)\\b
  \\b(?:where|how) (?:do|does|should|shall|can) (?:i|we|it|this) (?:start|begin|work|go on|win|solve)\\b
  \\b(?:all|possible|available|my|next|right|best) (?:actions?|commands?|options?|choices?|goals?|steps?|moves?)\\b
  ^help$`);
const THEY = '(?:it|that|this|everything|all|things)';
const WELL =
  '(?:work\\w*|help\\w*|fix\\w*|ok|okay|fine|better|good|done|solved|back|over|safe|ready|right|gone|chang\\w*|normal)';
const STATUS = anyOf(`
  ^(?:did|does|is|are|has|have|was) ${THEY} (?:\\w+ ){0,2}${WELL}\\b
  ^what (?:do|did|have) we (?:know|have|found|learn\\w*)
  ^how (?:is|are|does|do) (?:it|things|everything|that)\\b
  ^what (?:is|has)? ?(?:going on|happen\\w*|wrong|up|left|open|missing)\\b
  ^where do we stand\\b
  ^any (?:change|progress|news|better|improvement)
  ^(?:current )?(?:status|situation)\\b
  \\b(?:check|see|show|look at|test|verify)(?: me)?(?: the| if| whether| that)? (?:current )?(?:status|situation|state|it|everything|all)(?: \\w+){0,2}(?: again| now| ${WELL})?$`);
const STOPS = new Set(['stop', 'cancel', 'abort', 'halt', 'paus', 'postpon', 'delai', 'prevent', 'forbid']);
const PRONOUNS = /\b(?:it|them|that|this|these|those)\b/;

/** A scenario's language: its vocabulary and its rules' patterns. */
export class Understanding {
  readonly #vocabulary: Vocabulary;
  readonly #rules: Looked[];
  readonly #weights = new Map<string, number>();
  readonly #check: Spoken;
  readonly #titles = new Map<string, string[]>();

  constructor(scenario: Pick<Scenario, 'rules' | 'synonyms'>, dictionary?: Dictionary) {
    this.#vocabulary = new Vocabulary(scenario, dictionary);
    [this.#check] = this.#vocabulary.hear('check').spoken as [Spoken];
    this.#rules = scenario.rules.map((rule) => this.#looked(rule));
    for (const { id, title } of scenario.rules)
      this.#titles.set(plain(title), [...(this.#titles.get(plain(title)) ?? []), id]);
    const used = new Map<string, Set<string>>();
    for (const { rule, patterns } of this.#rules)
      for (const meaning of patterns.flat(3).flatMap(({ meanings }) => [...meanings]))
        used.set(meaning, (used.get(meaning) ?? new Set()).add(rule.id));
    for (const [meaning, rules] of used)
      this.#weights.set(meaning, 1 + Math.log(this.#rules.length / rules.size));
  }

  understand(text: string): Understood {
    const titled = this.#titles.get(plain(text));
    if (titled) {
      const matches = titled.map((ruleId) => ({ ruleId, specificity: 1, position: 0 }));
      return { kind: 'clear', matches, rivals: [], also: [], more: false };
    }
    const heard = this.#vocabulary.hear(text);
    const { clauses, spoken } = heard;
    const last = clauses.at(-1);
    if (!last) return { kind: 'nothing' };
    if (NO.test(last.text) && clauses.every(({ mood }) => mood !== 'weighed')) return { kind: 'denied' };
    const candidates = clauses.flatMap((_, clause) => this.#candidates(clause, heard, isCommand(text)));
    const clear = clearOf(candidates, clauses, (at, ruleId) =>
      spoken.every(
        (one) => one.clause !== at || means(this.#rules.find(({ rule }) => rule.id === ruleId)!, one),
      ),
    );
    if (clear) return clear;
    if (HELP.test(clauses.map((clause) => clause.text).join(' ; '))) return { kind: 'help' };
    if (candidates.length === 0 && clauses.some((clause) => STATUS.test(clause.text)))
      return { kind: 'status' };
    // What comes first in a clause says whether it is denied: "use no passwords" orders something.
    const isDenied = (before: number) =>
      clauses.slice(0, before).some(({ mood }, at) => {
        const first = spoken.find((one) => one.clause === at);
        const own = spoken.filter((one) => one.clause === at);
        return mood !== 'aside' && first?.word.negated === true && own.some((one) => this.#isOwn(one));
      });
    const isAll = !candidates.some(({ clause }) => clauses[clause]!.loose) && !clauses.slice(1).some(isOrder);
    if (isAll && isDenied(1)) return { kind: 'denied' };
    const isAside = ({ clause }: Candidate) => Number(clauses[clause]!.mood === 'aside');
    const [likely] = candidates.toSorted((a, b) => isAside(a) - isAside(b) || bySpecificity(a, b));
    if (likely) {
      const near = candidates.filter(
        ({ doubt, specificity }) => doubt === likely.doubt && likely.specificity - specificity < SAME_SHARE,
      );
      return { kind: 'unsure', doubt: likely.doubt!, ruleIds: idsOf(near) };
    }
    const partial = this.#partial(heard);
    if (partial.length > 0)
      return {
        kind: 'unsure',
        doubt: 'unclear',
        ruleIds: idsOf(partial.filter(({ share }) => partial[0]!.share - share < SAME_SHARE)),
      };
    // "Cancel the restart" names the action that it stops.
    const isStopped =
      last.mood === 'order' &&
      spoken.some(({ word }) => STOPS.has(word.stem)) &&
      spoken.some((one) => one.word.part === 'noun' && isOf(one, ACTIONS));
    if (isStopped || isDenied(clauses.length)) return { kind: 'denied' };
    const [only, ...more] = spoken;
    if (
      only &&
      more.length === 0 &&
      last.mood === 'order' &&
      isOf(only, ACTIONS) &&
      !isOf(only, LOOKS) &&
      !isOf(only, TALKS)
    )
      return { kind: 'vague', word: only.word.raw };
    const asks = clauses.some(
      ({ mood }, at) =>
        (mood === 'question' || mood === 'weighed') &&
        this.#unknownOf(spoken.filter(({ clause }) => clause === at)) < UNKNOWN_SHARE,
    );
    return asks && spoken.some((one) => this.#isOwn(one) && !isOf(one, ACTIONS))
      ? { kind: 'question' }
      : { kind: 'nothing' };
  }

  matches(text: string): Match[] {
    const { spoken } = this.#vocabulary.hear(text);
    return this.#rules
      .flatMap((looked) => {
        const found = isExcluded(looked, spoken) ? null : this.#best(looked, spoken);
        return found ? [matchOf(looked, found)] : [];
      })
      .sort(bySpecificity);
  }

  nearest(text: string): { ruleId: string; share: number }[] {
    const { spoken } = this.#vocabulary.hear(text);
    return this.#rules
      .map(({ rule, patterns }) => ({
        ruleId: rule.id,
        share: Math.max(0, ...patterns.map((pattern) => this.#found(pattern, spoken).share)),
      }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
  }

  aboutOneOf(text: string, names: readonly string[]): number | null {
    const { clauses, spoken } = this.#vocabulary.hear(text);
    const asks = clauses.some(({ mood }, at) => mood === 'question' || isOf(headOf(at, spoken), LOOKS));
    if (!asks || spoken.some((one) => this.#vocabulary.isForeign(one))) return null;
    let best = { index: -1, size: 0 };
    for (const [index, name] of names.entries()) {
      const terms = this.#vocabulary.termsOf(name);
      if (terms.length > best.size && terms.every((term) => spoken.some((one) => shared(one, term))))
        best = { index, size: terms.length };
    }
    return best.size > 0 ? best.index : null;
  }

  #looked(rule: Rule): Looked {
    const termsOf = (text: string) => this.#vocabulary.termsOf(text);
    const phrases = rule.phrases.map((phrase): Pattern => {
      const terms = termsOf(phrase);
      if (terms.length !== 1 || !/\s/.test(phrase)) return terms.map((term) => [[term]]);
      // `df -h` means this word and not all that mean the same.
      const [{ key, strict }] = terms as [Term];
      const sign = [...strict].some((meaning) => meaning.startsWith('-')) ? '-' : '';
      return [[[{ key, strict, meanings: new Set([`${sign}=${key}`]) }]]];
    });
    const needs = rule.needs.map((group) => group.map(termsOf).filter((terms) => terms.length > 0));
    const patterns = [...phrases, needs].filter(
      (groups) => groups.length > 0 && groups.every((group) => group.length > 0),
    );
    const meanings = new Set(
      [...patterns.flat(3), ...termsOf(rule.title)].flatMap((term) => [...term.meanings]),
    );
    const isLook = !isHarm(rule) && shares(meanings, LOOKS);
    return {
      rule,
      isLook,
      // "Set the tests aside" answers no question about them.
      answers: isLook && isOf(termsOf(rule.title).find((one) => isOf(one, ACTIONS)) ?? null, LOOKS),
      patterns,
      needs,
      commands: rule.phrases.flatMap((phrase, index) =>
        isCommand(phrase) || phrase.includes('_') ? [phrases[index]!] : [],
      ),
      unless: rule.unless.map(termsOf).filter((terms) => terms.length > 0),
      meanings,
    };
  }

  #candidates(index: number, { clauses, spoken }: Heard, isTyped: boolean): Candidate[] {
    const clause = clauses[index]!;
    const own = spoken.filter((one) => one.clause === index);
    const head = headOf(index, spoken, isTyped);
    // What is asked or found out in words of its own belongs to the clause before, and so does a name without
    // a verb.
    const scope = [...own];
    for (
      let next = index + 1;
      next < clauses.length &&
      belongs(clauses[next]!) &&
      (!isOf(head, TALKS) || clauses[next]!.opener === null);
      next += 1
    )
      scope.push(...spoken.filter((one) => one.clause === next));
    if (PRONOUNS.test(clause.text))
      scope.push(...spoken.filter((one) => one.clause === index - 1 && !isOf(one, ACTIONS)));
    // "If not, we stop", a sentence of its own, holds no order before it back.
    const near = spoken.filter((one) => scope.includes(one) || clauses[one.clause]!.mood !== 'order');
    // What an alarm waits for is no condition of its own.
    const depends =
      !/\b(?:alarm|alert)/.test(clause.text) &&
      clauses.some(
        ({ opener, words, sentence }, at) =>
          at !== index &&
          opener !== null &&
          CONDITIONS.has(opener) &&
          words.length > 2 &&
          (sentence === clause.sentence || (at > index && clauses[at - 1]!.sentence === sentence)),
      );
    return (
      this.#rules
        .flatMap((looked): Candidate[] => {
          if (isExcluded(looked, near)) return [];
          const asked =
            clause.mood === 'question' && looked.isLook ? [{ ...this.#check, key: '', clause: index }] : [];
          const best = this.#best(looked, [...scope, ...asked], index);
          if (!best) return [];
          const isHeld = head !== null && means(looked, head);
          if (!isHeld && !best.spoken.some((one) => one.clause === index && one.key !== '')) return [];
          const doubt = this.#doubtOf(best, looked, { clause, index, own, scope, head, isTyped });
          if (doubt === 'none') return [];
          const isFree =
            doubt !== null || !depends || looked.isLook || [...looked.meanings].some((one) => TALKS.has(one));
          return [
            {
              ...matchOf(looked, best),
              clause: index,
              objects: best.spoken.filter((one) => !isOf(one, ACTIONS)),
              doubt: isFree ? doubt : 'weighed',
              isCommand:
                isTyped && looked.commands.some((pattern) => this.#found(pattern, scope).share > 0.999),
            },
          ];
        })
        // A command that an author wrote down is meant before words of it.
        .filter((one, _, all) => !isTyped || one.isCommand || !all.some((other) => other.isCommand))
        .sort(bySpecificity)
    );
  }

  #doubtOf(
    { spoken: matched, isDouble, isPhrase }: Best,
    looked: Looked,
    said: {
      clause: Clause;
      index: number;
      own: Spoken[];
      scope: Spoken[];
      head: Spoken | null;
      isTyped: boolean;
    },
  ): Doubt | 'none' | null {
    const { clause, index, own, scope, head, isTyped } = said;
    const { mood, opener, loose } = clause;
    if (mood === 'aside') return opener !== null && CONDITIONS.has(opener) ? 'weighed' : 'none';
    if (loose) return 'unclear';
    if (own.some((one) => this.#vocabulary.isForeign(one))) return 'none';
    const isExplained = head === null || means(looked, head) || matched.includes(head);
    const isQuestion = mood === 'question';
    const isSaid = (one: Spoken) => matched.includes(one) || means(looked, one);
    const about = (looked.isLook && !isOf(head, TALKS) ? scope : own).filter(
      (one) => isQuestion || isSaid(one) || !/^\d/.test(one.key),
    );
    const share = about.filter(isSaid).length / about.length;
    if (isTyped) {
      if (!isPhrase && !isExplained) return 'none';
      return share < (isHarm(looked.rule) ? HARM_SHARE : SURE_SHARE) ? 'unclear' : null;
    }
    if (mood === 'order' && own.some((one) => this.#isOdd(one, clause))) return 'unclear';
    const [first] = own;
    const isVerb = first?.word.part === 'verb' && !LIGHT.has(first.word.raw) && !matched.includes(first);
    const isOtherVerb = isVerb && !means(looked, first);
    // A rule of one word is that word, said as what is to be done: "the difference" compares nothing.
    if (isPhrase && matched.length === 1 && own.length > 1 && matched[0] !== head)
      return isQuestion ? 'none' : 'unclear';
    if (mood === 'weighed') return isExplained ? 'weighed' : 'none';
    if (mood === 'past') return 'past';
    if (mood === 'told') return 'unclear';
    // "Who has heard Petra?" asks about what people do.
    const isOfPeople =
      isOf(head, LOOKS) && /\b(?:who|we|you|i|they|(?:any|some)(?:one|body))\b/.test(clause.text);
    if (isQuestion)
      return !isExplained
        ? 'none'
        : !looked.answers || isOfPeople
          ? 'weighed'
          : share < LOOK_SHARE
            ? 'unclear'
            : null;
    if (!isExplained) return STOPS.has(head.word.stem) || isHarm(looked.rule) ? 'none' : 'unclear';
    if (
      isOtherVerb ||
      share <
        (!matched.some((one) => isOf(one, LOOKS))
          ? SURE_SHARE
          : matched.every((one) => one.clause === index)
            ? HARM_SHARE
            : LOOK_SHARE)
    )
      return 'unclear';
    const isLoose = (one: Spoken) => !isPhrase && !shares(one.strict, looked.meanings);
    if (isHarm(looked.rule) && ((!isPhrase && share < HARM_SHARE) || matched.some(isLoose))) return 'unclear';
    if (isDouble && own.some((one) => !matched.includes(one) && !LIGHT.has(one.word.raw))) return 'unclear';
    return null;
  }

  #partial({ clauses, spoken }: Heard): { ruleId: string; share: number }[] {
    const shareOf = (looked: Looked, pattern: Pattern): number => {
      const { share, spoken: found } = this.#found(pattern, spoken);
      const thing = found.find((one) => !isOf(one, ACTIONS) && shares(one.strict, looked.meanings));
      if (!thing || (isHarm(looked.rule) && !found.some((one) => isOf(one, ACTIONS)))) return 0;
      const at = thing.clause;
      const clause = clauses[at]!.mood === 'aside' && at > 0 ? at - 1 : at;
      const near = spoken.filter((one) => one.clause === at || one.clause === clause);
      if (this.#unknownOf(near) >= UNKNOWN_SHARE || near.some((one) => this.#vocabulary.isForeign(one)))
        return 0;
      if (near[0]?.word.part === 'verb' && this.#isUnknown(near[0])) return 0;
      const head = headOf(clause, spoken);
      const isTold = isOf(head, TALKS) && [...looked.meanings].some((one) => TALKS.has(one));
      return head && !isTold && !means(looked, head) ? 0 : share;
    };
    return this.#rules
      .filter((looked) => !isExcluded(looked, spoken))
      .map((looked) => ({
        ruleId: looked.rule.id,
        share: Math.max(0, ...looked.patterns.map((pattern) => shareOf(looked, pattern))),
      }))
      .filter(({ share }) => share >= ASKED_SHARE)
      .sort((a, b) => b.share - a.share);
  }

  #best({ patterns, needs }: Looked, spoken: Spoken[], clause = 0): Best | null {
    let best: (Best & { own: number }) | null = null;
    for (const pattern of patterns) {
      const found = this.#found(pattern, spoken, clause);
      if (found.share < 0.999) continue;
      const own = Number(found.spoken.some((one) => one.clause === clause));
      if (!best || own > best.own || (own === best.own && found.weight > best.weight))
        best = { ...found, own, isPhrase: pattern !== needs };
    }
    return best;
  }

  #found(pattern: Pattern, spoken: Spoken[], clause = 0): Found {
    const free: Used = new Map();
    // What each group, and what all from it on, can be worth at most.
    const most = pattern.map((group) =>
      Math.max(
        0,
        ...group.map((terms) => {
          const at = placeOf(terms, spoken, free, clause);
          return at ? this.#worth(terms, at, clause) : 0;
        }),
      ),
    );
    const mostFrom = most.map((_, from) => most.slice(from).reduce((sum, one) => sum + one, 0));
    let tries = TRIES_MAX;
    const from = (group: number, used: Used): Found & { worth: number } => {
      tries -= 1;
      let best = NOTHING_FOUND;
      if (group === pattern.length) return best;
      for (const terms of pattern[group]!) {
        if (best.worth > 0 && (best.worth >= mostFrom[group]! || tries < 0)) break;
        const at = placeOf(terms, spoken, used, clause);
        if (!at) continue;
        const isDouble = at.every(([one]) => used.has(one));
        const rest = from(group + 1, new Map([...used, ...at]));
        const worth = rest.worth + this.#worth(terms, at, clause, isDouble);
        if (worth <= best.worth) continue;
        best = {
          share: rest.share + 1 / pattern.length,
          weight: rest.weight + (isDouble ? 0 : this.#weightOf(terms)),
          worth,
          spoken: [...new Set([...at.map(([one]) => one), ...rest.spoken])],
          isDouble: isDouble || rest.isDouble,
        };
      }
      if (best.worth > 0 && (best.worth > (mostFrom[group + 1] ?? 0) || tries < 0)) return best;
      const without = from(group + 1, used);
      return without.worth >= best.worth ? without : best;
    };
    return from(0, free);
  }

  #worth(terms: Term[], at: readonly [Spoken, string][], clause: number, isDouble = false): number {
    const own = Number(at.some(([one]) => one.clause === clause));
    return own + (isDouble ? 50 : 100 + this.#weightOf(terms));
  }

  #weightOf(terms: Term[]): number {
    return terms.reduce((sum, term) => sum + this.#weight(term), 0);
  }

  #weight({ meanings }: Term): number {
    return Math.max(1, ...[...meanings].map((meaning) => this.#weights.get(meaning) ?? 1));
  }

  #isOwn({ meanings }: Term): boolean {
    return [...meanings].some((meaning) => this.#weights.has(meaning.replace(/^-/, '')));
  }

  #isUnknown(one: Spoken): boolean {
    return this.#vocabulary.isUnknown(one) && !this.#isOwn(one);
  }

  #unknownOf(spoken: Spoken[]): number {
    return (
      spoken.filter((one) => this.#isUnknown(one) && !/^\d/.test(one.key)).length / Math.max(1, spoken.length)
    );
  }

  /** A noun that nothing explains, where it says how: "with Dilek's login". */
  #isOdd(one: Spoken, { words }: Clause): boolean {
    if (one.word.part !== 'noun' || !this.#isUnknown(one)) return false;
    const at = words.indexOf(one.word);
    const before = words.slice(Math.max(0, at - 3), at).map(({ raw }) => raw);
    return /\b(?:with|using|by|on an?)\b/.test(before.join(' '));
  }
}

/** Null where an order before it was not understood. */
function clearOf(
  candidates: Candidate[],
  clauses: Clause[],
  isSame: (clause: number, ruleId: string) => boolean,
): Extract<Understood, { kind: 'clear' }> | null {
  const [best] = candidates.filter(({ doubt }) => doubt === null);
  if (!best) return null;
  const isLost = clauses.some(
    (clause, at) => at < best.clause && isOrder(clause) && !candidates.some((one) => one.clause === at),
  );
  if (isLost) {
    for (const one of candidates) one.doubt ??= 'unclear';
    return null;
  }
  const here = candidates.filter(({ clause }) => clause === best.clause);
  const sure = here.filter(({ doubt }) => doubt === null);
  // "Finance, the office and Mr Okafor": each is one more.
  const besides = sure.filter(
    ({ objects }) =>
      objects.length > 0 &&
      !objects.some((one) => best.objects.includes(one)) &&
      (/\band\b/.test(clauses[best.clause]!.text) || objects.some(({ clause }) => clause > best.clause)),
  );
  const matches = sure.filter((one) => !besides.includes(one));
  const later = candidates.filter(
    ({ clause, ruleId, doubt }) =>
      clause !== best.clause &&
      (doubt === null ||
        (doubt === 'unclear' && !candidates.some((one) => one.clause === clause && one.doubt === null))) &&
      !matches.some((one) => one.ruleId === ruleId),
  );
  return {
    kind: 'clear',
    matches,
    rivals: here
      .filter(({ doubt, specificity }) => doubt === 'unclear' && specificity > best.specificity)
      .map(({ ruleId }) => ruleId),
    more: clauses.some(
      (clause, at) =>
        at > best.clause &&
        isOrder(clause) &&
        !/^(?:\w+ )?(?:(?:i|we) (?:am|are|want|need|know|have|just|only)|they|he|she|that|one|it \w+)\b/.test(
          clause.text,
        ) &&
        !isSame(at, best.ruleId) &&
        !candidates.some((one) => one.clause === at),
    ),
    also: idsOf([...besides, ...later]),
  };
}

function headOf(clause: number, spoken: Spoken[], isTyped = false): Spoken | null {
  const own = spoken.filter((one) => one.clause === clause);
  const isBegun = (one: Spoken | undefined) =>
    one === undefined || (LIGHT.has(one.word.raw) && one.word.part === 'verb');
  const found = own.find(
    (one, index) =>
      isOf(one, ACTIONS) &&
      (isTyped || (!LIGHT.has(one.word.raw) && (one.word.part === 'verb' || isBegun(own[index - 1])))),
  );
  return found ?? null;
}

/** Null where one is missing. */
function placeOf(terms: Term[], spoken: Spoken[], used: Used, clause: number): [Spoken, string][] | null {
  const at: [Spoken, string][] = [];
  for (const term of terms) {
    const fitting = spoken.flatMap((one): [Spoken, string][] => {
      const meaning = shared(one, term);
      const isFree = !used.has(one) || (terms.length === 1 && used.get(one) === meaning);
      return meaning && isFree && !at.some(([taken]) => taken === one) ? [[one, meaning]] : [];
    });
    const fresh = fitting.filter(([one]) => !used.has(one));
    const found = fresh.find(([one]) => one.clause === clause) ?? fresh[0] ?? fitting[0];
    if (!found) return null;
    at.push(found);
  }
  return at;
}

function matchOf({ rule }: Looked, { weight, spoken }: Best): Match {
  return {
    ruleId: rule.id,
    specificity: Math.round(weight * 1e6) / 1e6,
    position: Math.max(...spoken.map(({ index }) => index)),
  };
}

const shared = (one: Term, term: Term) => [...term.meanings].find((meaning) => one.meanings.has(meaning));
const shares = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...some].some((one) => others.has(one));
const means = ({ meanings }: Looked, one: Term) => [...one.meanings].some((meaning) => meanings.has(meaning));
const isOf = (one: Term | null, kind: ReadonlySet<string>) =>
  one !== null && [...one.strict].some((meaning) => kind.has(meaning.replace(/^-/, '')));
const isExcluded = ({ unless }: Looked, spoken: Spoken[]) =>
  unless.some((terms) =>
    terms.every((term) => spoken.some(({ key, strict }) => shared({ key, strict, meanings: strict }, term))),
  );
const isHarm = ({ penalty, ends }: Rule) => penalty > 0 || ends;
const bySpecificity = (a: Match, b: Match) => b.specificity - a.specificity || a.position - b.position;
const idsOf = (found: readonly { ruleId: string }[]) =>
  [...new Set(found.map(({ ruleId }) => ruleId))].slice(0, ASKED_MAX);
const isOrder = ({ mood, words }: Clause) =>
  mood === 'order' && words.some(({ part, negated }) => part === 'verb' && !negated);
const belongs = ({ opener, mood, words, loose }: Clause) =>
  (opener !== null && opener !== ':' && !CONDITIONS.has(opener)) ||
  ((mood === 'order' || opener === ':') &&
    !loose &&
    words.every(({ part, negated }) => part !== 'verb' && !negated));

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
