import { distance } from 'fastest-levenshtein';
import type { Rule, Scenario } from '../scenario.ts';
import { COMMON_WORDS, EVERYDAY_WORDS } from './everyday-words.ts';
import { DOING, FURTHER_MEANINGS, IT_DICTIONARY, LIGHT_WORDS, LOOKING, TALKING } from './it-dictionary.ts';
import {
  type Clause,
  CONDITIONS,
  EMPTY_WORDS,
  isPastForm,
  readText,
  stemOf,
  type Word,
  wordsOf,
} from './reading.ts';

const LONGEST_TERM = 5;

/** One word of meaning: a stem, or the number of a meaning in the dictionary; `-` in front where it is negated. */
type Token = string;

/** What a rule looks for, made ready once. */
interface Pattern {
  /** Each group is met by any of its terms; a term is a list of tokens that must all occur. */
  groups: Token[][][];
}

interface Looked {
  rule: Rule;
  patterns: Pattern[];
  unless: Token[][];
  /** Every token of its patterns and of its title. */
  tokens: Set<Token>;
}

export interface Match {
  ruleId: string;
  /** The more, and the rarer, words of the rule were found. */
  specificity: number;
  /** Where in the text its last word stands: what was said completely first counts first. */
  position: number;
}

/** Why an action that was named is not simply done. */
export type Doubt =
  /** It is only weighed: "should I …?", "maybe", "if it fails …". */
  | 'weighed'
  /** It is told as if it had been done. */
  | 'past'
  /** Words beside it say that something else is wanted, or not all of its words are there. */
  | 'unclear';

export type Understood =
  /** The rules that the text orders, the most specific first. */
  | { kind: 'clear'; matches: Match[] }
  /** What it may mean, the likeliest first. */
  | { kind: 'unsure'; doubt: Doubt; ruleIds: string[] }
  /** It says only what shall not be done. */
  | { kind: 'denied' }
  /** It asks what to do. */
  | { kind: 'help' }
  /** It asks how things stand. */
  | { kind: 'status' }
  /** It wants to know something that no rule tells. */
  | { kind: 'question' }
  /** An action that many rules begin with, and nothing to do it to. */
  | { kind: 'vague'; word: string }
  | { kind: 'nothing' };

/** A match with what it was found in. */
type Found = Match & { tokens: Token[]; looked: Looked; isPhrase: boolean };

/** A text as the scenario's language hears it. */
interface Heard {
  words: Word[];
  clauses: Clause[];
  /** All it may mean, each with its place. */
  places: Map<Token, Place>;
  /** As `places`, without what verbs mean besides. */
  said: Set<Token>;
  /** Clauses with a word of everyday life, which are no work. */
  everyday: Set<number>;
}
interface Place {
  index: number;
  clause: number;
  /** The word it was heard in; null where it follows from a question. */
  word: Word | null;
}

/** Share of a rule's words that must be found before it is asked about. */
const ASKED_SHARE = 0.4;
/** Rules this near to each other are asked about together. */
const SAME_SHARE = 0.02;
const ASKED_MAX = 2;
/** Words of a rule in a mere statement that make it one to be carried out. */
const SURE_STATEMENT = 3;

const HELP =
  /\b(?:what (?:else )?(?:should|shall|can|could|do|must|would) (?:i|we|you|one)\b(?: \w+)?(?: do| try)\b|what (?:now|next|then|else)\b|what to do|what (?:is|are) (?:the |my |our )?(?:next|best|right|first) (?:step|move|thing|action)|what (?:are|is) (?:my|our|the) (?:options?|choices?|possible \w+|available \w+|commands?|actions?|solution|answers?|goals?)|where (?:do|should|shall|can) (?:i|we) (?:start|begin|go)|how (?:do|does|should|can) (?:i|we|this|it|one) (?:start|begin|proceed|continue|go on|work|play|win|solve|finish)|which (?:commands?|actions?|options?)|(?:i am|im|i m|we are|i) ?(?:am )?(?:totally |completely |a bit |so )?(?:stuck|lost|confused|clueless|overwhelmed)|no (?:idea|clue)|(?:do not|dunno|not) (?:know|sure) (?:what|how|where)|(?:any|some|got|give|show|need)(?: me| us| you)?(?: any| some| a)? (?:ideas?|suggestions?|hints?|tips?|clues?|advice|help|guidance)|list (?:of )?(?:all )?(?:the |my |possible |available )*(?:actions?|options?|commands?)|(?:show|all|possible|available) (?:the )?(?:actions?|options?|commands?|solution|answer)|help(?: me)?$|^help\b|^(?:an? )?hints?\b|what (?:is|s) the (?:most|first|next) (?:urgent|important)?|what (?:have|did|do) (?:i|we) (?:forgotten|forget|missed|miss)\b|^did (?:i|we) (?:miss|forget)\b|i do not (?:know|understand|get it)|(?:just )?(?:do|solve) (?:it|this|everything) for me)/;

const STATUS =
  /^(?:(?:and|but|so|ok|okay|hey|well|then|now) )*(?:what (?:do|did|have) we (?:know|have|found|find|got|learn|learned)\b|(?:did|does|do|has|have) .{1,40} (?:work|works|worked|help|helped|succeed|succeeded)\b|(?:did|does|do|is|are|was|has|have) (?:it|that|this|everything|all|we|they|things) (?:\w+ ){0,3}?(?:work|working|works|worked|fixed|ok|okay|fine|better|good|done|solved|normal|improved?|help|helped|over|safe|ready|complete|correct|right|finished|changed|resolved|gone|there)\b|how (?:is |are |s )?(?:it|things|everything|we|the situation|this)\b|how (?:do|does) (?:it|things|that|everything) (?:look|stand)|what(?: is| s)? (?:going on|the (?:status|situation|state|problem|matter|issue)|happening|happened|wrong|up|missing|left|open|still (?:open|missing))|where do we stand|any (?:change|changes|improvement|progress|news|better)|(?:current )?(?:status|situation|state)(?: report| update)?$|(?:show|check|see|look at) (?:me )?(?:the )?(?:current )?(?:status|situation|state)(?: again)?$)/;

/** "Check whether it is better": how things stand, too. */
const RECHECK =
  /^(?:please )?(?:check|look|test|verify|see)(?: it| this| that)?(?: again| once more| now)*$|^(?:and )?(?:now|what now|after that)$|^(?:\w+ ){0,3}?(?:check|see|verify|test|sure) (?:if|whether|that) (?:it|this|that|things|everything|all)(?: \w+){0,2} (?:work|works|worked|working|better|fixed|ok|fine|helped|improved|good|gone|running|up|done)\b/;

/** Asks for what is known so far, whatever else it names. */
const SUMMARY = /^(?:so |and |ok )?what (?:do|did|have) we (?:know|have|found|find|got|learn|learned)\b/;
/** Asks what would follow from something. */
const SUPPOSED = /^(?:and |but )?what (?:happens|will happen|would happen|if)\b/;

/** "What is a pool?" asks about a word. */
const DEFINITION =
  /^(?:what|who) (?:is|are)? ?(?:an? |the )?\w+(?: \w+)?$|^what (?:do|does) .{1,40} (?:do|mean|stand for)$|\bwhat .{1,40} (?:means|stands for)$/;

/** A question that compares with before. */
const STILL = /\b(?:still|now|again|already|yet|any ?more|better|worse|going (?:up|down)|left)\b/;

const REFUSED =
  /^(?:no|nope|no way|never|not yet|not now|nah|no thanks|forget (?:it|that)|scratch that|never mind|nevermind|cancel that|just kidding)$/;

/** Verbs that say that another action is not to happen. */
const STOPPERS = new Set([
  'stop',
  'cancel',
  'abort',
  'halt',
  'pause',
  'postpone',
  'delay',
  'prevent',
  'forbid',
  'scrap',
  'veto',
  'interrupt',
  'ceas',
]);
/** "Tell him to wait" promises nothing. */
const HELD_BACK = /\b(?:stop|wait|patient|later|not|no|never|nothing)\b/;
const COMMAND = /\b(?:kubectl|helm|git|systemctl|psql|docker|sudo)\b/;
/** What says only how something is. */
const QUALITIES = new Set('new old same fresh big small full last first other real wrong right'.split(' '));
/** What begins an action of two words, such as "roll back". */
const PARTICLE_VERBS = new Set(
  'roll turn switch shut sign bring take put go set kick throw get give make let'.split(' '),
);
/** What stands before a noun: "the release" is no action. */
const BEFORE_NOUNS = new Set(
  'the a an this that these those my our your his her its their no any every each all last previous new old first second of for with in on from about some another more'.split(
    ' ',
  ),
);
/** Past forms that are like the present. */
const SAME_FORMS = new Set('set put read cut shut reset left'.split(' '));
/** "Get it signed off", "it must be rolled back": past forms that order. */
const CAUSES = new Set(
  'get have has want wants need needs must should to be let make see ensure would like'.split(' '),
);
const SUBJECTS = new Set('i we they he she it have has had was were been already'.split(' '));

/** A scenario's language: its dictionary and its rules' patterns. */
export class Understanding {
  readonly #meaningOf = new Map<string, string>();
  readonly #known = new Map<string, string>();
  /** The known words by their first letter: a misspelled word mostly keeps it. */
  readonly #knownBy = new Map<string, [string, string][]>();
  readonly #knownStems = new Set<string>();
  /** Words of the scenario itself. */
  readonly #own = new Set<string>();
  readonly #rules: Looked[];
  readonly #weights = new Map<Token, number>();
  readonly #titles = new Map<string, string[]>();
  readonly #actions: Set<Token>;
  readonly #looks: Set<Token>;
  readonly #talks: Set<Token>;

  constructor(scenario: Pick<Scenario, 'rules' | 'synonyms'>) {
    this.#learnDictionary([...IT_DICTIONARY, ...scenario.synonyms]);
    for (const { title, phrases, needs } of scenario.rules) {
      for (const phrase of [...phrases, ...needs.flat()]) this.#learnWords(phrase, true);
      this.#learnWords(title, true);
    }
    for (const term of scenario.synonyms.flat()) this.#learnWords(term, true);
    this.#actions = this.#tokensOfAll([...DOING, ...LOOKING, ...TALKING]);
    this.#looks = this.#tokensOfAll(LOOKING);
    this.#talks = this.#tokensOfAll(TALKING);
    this.#rules = scenario.rules.map((rule) => {
      const patterns = [
        ...rule.phrases.map((phrase) => ({ groups: this.#tokensOf(phrase).map((token) => [[token]]) })),
        ...(rule.needs.length > 0
          ? [{ groups: rule.needs.map((group) => group.map((term) => this.#tokensOf(term))) }]
          : []),
      ].filter(
        ({ groups }) => groups.length > 0 && groups.every((group) => group.some((term) => term.length > 0)),
      );
      return {
        rule,
        patterns,
        unless: rule.unless.map((term) => this.#tokensOf(term)).filter((term) => term.length > 0),
        tokens: new Set([...patterns.flatMap(({ groups }) => groups.flat(2)), ...this.#tokensOf(rule.title)]),
      };
    });
    for (const { id, title } of scenario.rules) {
      const key = plain(title);
      this.#titles.set(key, [...(this.#titles.get(key) ?? []), id]);
    }
    const used = new Map<Token, Set<string>>();
    for (const { rule, patterns } of this.#rules) {
      for (const token of patterns.flatMap(({ groups }) => groups.flat(2))) {
        used.set(token, (used.get(token) ?? new Set()).add(rule.id));
      }
    }
    for (const [token, rules] of used) {
      this.#weights.set(token, 1 + Math.log(this.#rules.length / rules.size));
    }
  }

  /** What a learner's text asks for, and how surely. */
  understand(text: string): Understood {
    const titled = this.#titles.get(plain(text));
    if (titled)
      return { kind: 'clear', matches: titled.map((ruleId) => ({ ruleId, specificity: 1, position: 0 })) };
    const heard = this.#hear(text);
    const last = heard.clauses.findLast(({ text: own }) => own !== '')?.text ?? '';
    if (REFUSED.test(last)) return { kind: 'denied' };
    const found = this.#matched(heard);
    const isHelp =
      heard.everyday.size === 0 && HELP.test(heard.clauses.map(({ text: own }) => own).join(' ; '));
    const doubts = found.map((match) => ({ ...match, doubt: this.#doubtOf(match, heard) }));
    if (doubts[0]?.doubt === 'stopped') return { kind: 'denied' };
    const meant = doubts.filter(({ doubt }) => doubt !== 'none' && doubt !== 'stopped');
    const whole = heard.clauses
      .map(({ text: own }) => own)
      .join(' ')
      .trim();
    const isStatus = heard.clauses.some(({ text: own }) => STATUS.test(own)) || RECHECK.test(whole);
    if (SUMMARY.test(whole)) return { kind: 'status' };
    // What is said beside the point gives way to what is ordered.
    const told = meant[0]?.doubt === 'aside' || meant[0]?.doubt === 'past';
    const best =
      (told ? meant.find(({ doubt }) => doubt === null) : undefined) ??
      meant.find(({ doubt }) => doubt !== 'aside') ??
      meant[0];
    if (best && !((isHelp || isStatus) && best.doubt)) {
      if (best.doubt === null) {
        const matches = meant.filter(({ doubt }) => doubt === null);
        return {
          kind: 'clear',
          matches: matches.map(({ ruleId, specificity, position }) => ({ ruleId, specificity, position })),
        };
      }
      const near = meant.filter(
        ({ doubt, specificity }) => doubt === best.doubt && best.specificity - specificity < SAME_SHARE,
      );
      return {
        kind: 'unsure',
        doubt: best.doubt === 'aside' ? 'weighed' : (best.doubt as Doubt),
        ruleIds: near.slice(0, ASKED_MAX).map(({ ruleId }) => ruleId),
      };
    }
    if (isHelp) return { kind: 'help' };
    if (isStatus && heard.everyday.size === 0) return { kind: 'status' };
    if (SUPPOSED.test(whole)) return { kind: 'question' };
    const partial = this.#partial(heard, new Set(doubts.map(({ ruleId }) => ruleId)));
    if (partial.length > 0) {
      const [first] = partial;
      const near = partial.filter(({ share }) => first!.share - share < SAME_SHARE);
      return {
        kind: 'unsure',
        doubt: 'unclear',
        ruleIds: near.slice(0, ASKED_MAX).map(({ ruleId }) => ruleId),
      };
    }
    if ([...heard.said].some((token) => token.startsWith('-') && this.#weights.has(token.slice(1)))) {
      return { kind: 'denied' };
    }
    const vague = this.#vague(heard);
    if (vague) return { kind: 'vague', word: vague };
    const asks = heard.clauses.some(
      ({ mood }, clause) => (mood === 'question' || mood === 'doubt') && !heard.everyday.has(clause),
    );
    const isOwn = [...heard.said].some((token) => this.#weights.has(token) && !this.#actions.has(token));
    if (!asks || !isOwn) return { kind: 'nothing' };
    return STILL.test(whole) ? { kind: 'status' } : { kind: 'question' };
  }

  /** Rules whose words all occur in a text, in whatever sense, the most specific first; then the one named first. */
  matches(text: string): Match[] {
    return this.#matched(this.#hear(text)).map(({ ruleId, specificity, position }) => ({
      ruleId,
      specificity,
      position,
    }));
  }

  #matched(heard: Heard): Found[] {
    const { places, said } = heard;
    const matches: Found[] = [];
    for (const looked of this.#rules) {
      const { rule, patterns, unless } = looked;
      if (unless.some((term) => term.every((token) => said.has(token)))) continue;
      let best: Found | null = null;
      for (const [index, { groups }] of patterns.entries()) {
        const tokens = this.#matchGroups(groups, places, said);
        if (!tokens) continue;
        const specificity = tokens.reduce((sum, token) => sum + this.#weight(token), 0);
        const position = Math.max(...tokens.map((token) => places.get(token)!.index));
        if (!best || specificity > best.specificity)
          best = {
            ruleId: rule.id,
            specificity,
            position,
            tokens,
            looked,
            isPhrase: index < rule.phrases.length,
          };
      }
      if (best) matches.push({ ...best, specificity: Math.round(best.specificity * 1e6) / 1e6 });
    }
    return matches.sort((a, b) => b.specificity - a.specificity || a.position - b.position);
  }

  /** Rules that share words with a text, the nearest first, each with the share of it that was found. */
  nearest(text: string): { ruleId: string; share: number }[] {
    const { places } = this.#hear(text);
    return this.#rules
      .map(({ rule, patterns }) => ({
        ruleId: rule.id,
        share: Math.max(0, ...patterns.map(({ groups }) => this.#shareOf(groups, places).share)),
      }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
  }

  /** Which of several names a question or a look is about, or null. */
  aboutOneOf(text: string, names: readonly string[]): number | null {
    const heard = this.#hear(text);
    const asks = heard.clauses.some(
      ({ mood, text: own }, clause) =>
        this.#isLookedAt(clause, heard) || (mood === 'doubt' && /^how\b/.test(own)),
    );
    if (!asks || heard.everyday.size > 0) return null;
    let best: { index: number; size: number } | null = null;
    for (const [index, name] of names.entries()) {
      const tokens = this.#tokensOf(name);
      if (tokens.length === 0 || !tokens.every((token) => heard.said.has(token))) continue;
      if (!best || tokens.length > best.size) best = { index, size: tokens.length };
    }
    return best?.index ?? null;
  }

  #shareOf(groups: Token[][][], places: ReadonlyMap<Token, Place>): { share: number; tokens: Token[] } {
    let [have, all] = [0, 0];
    const tokens: Token[] = [];
    for (const group of groups) {
      const weights = group.map((term) => Math.max(...term.map((token) => this.#weight(token))));
      const met = group.filter((term) => term.length > 0 && term.every((token) => places.has(token)));
      const weight = Math.max(...weights);
      all += weight;
      if (met.length === 0) continue;
      have += weight;
      tokens.push(...met.flat());
    }
    return { share: have / all, tokens };
  }

  /**
   * Why a rule whose words all occur is not simply done: null where it may be, `none` where it is not meant at all. The
   * clause that holds its action decides.
   */
  #doubtOf(
    match: { tokens: Token[]; looked: Looked; isPhrase: boolean },
    heard: Heard,
  ): Doubt | 'none' | 'stopped' | 'aside' | null {
    const { tokens, looked } = match;
    const at = tokens.map((token) => ({ token, place: heard.places.get(token)! }));
    if (at.some(({ place }) => place.word?.loose)) return 'unclear';
    const actions = at.filter(({ token, place }) => this.#actions.has(token) && place.word);
    const main = (actions.length > 0 ? actions : at).toSorted((a, b) => a.place.index - b.place.index);
    const isAside = ({ place }: { place: Place }) => heard.clauses[place.clause]!.mood === 'aside';
    const chosen = main.find((one) => !isAside(one)) ?? at.find((one) => !isAside(one)) ?? main[0]!;
    const clauseIndex = chosen.place.clause;
    if (at.every(({ place }) => heard.everyday.has(place.clause))) return 'none';
    if (heard.everyday.has(clauseIndex)) return 'none';
    const clause = heard.clauses[clauseIndex]!;
    // To open a link is no look at it.
    const isLookRule = !isHarm(looked.rule) && [...looked.tokens].some((token) => this.#looks.has(token));
    const isLook =
      isLookRule && (clause.mood === 'question' || tokens.some((token) => this.#looks.has(token)));
    const isNamed = match.isPhrase && !tokens.some((token) => this.#actions.has(token));
    if (isAside(chosen)) {
      // "Check whether the restart helped" restarts nothing.
      const isChecked = [...heard.places].some(
        ([token, { clause: other, word }]) => word && other === clauseIndex - 1 && this.#looks.has(token),
      );
      const before = this.#headOf(clauseIndex - 1, heard);
      if (isChecked && (!before || this.#looks.has(before.token))) return isLookRule ? null : 'none';
      return 'aside';
    }
    if (clause.isOpen) return isNamed && clause.text.startsWith('how') ? null : 'weighed';
    if (clause.mood === 'question' && !isLook && !isNamed) return 'weighed';
    // A question is one clause; an order beside it has its own words.
    if (clause.mood === 'question' && at.some(({ place }) => place.clause !== clauseIndex)) return 'unclear';
    if (isHarm(looked.rule) && this.#talks.has(chosen.token) && HELD_BACK.test(clause.text)) return 'unclear';
    // What a question only might mean is asked about.
    if (
      clause.mood === 'question' &&
      tokens.some((token) => heard.places.get(token)!.word && !heard.said.has(token))
    )
      return 'unclear';
    const isAsked = at.some(({ place }) => place.word === null);
    if (isAsked && (DEFINITION.test(clause.text) || at.some(({ place }) => place.clause !== clauseIndex)))
      return 'unclear';
    // Harm is done by an action's own words only.
    if (isHarm(looked.rule) && actions.some(({ token }) => !heard.said.has(token))) return 'unclear';
    if (clause.states && at.length < SURE_STATEMENT) return 'unclear';
    if (isHarm(looked.rule) && at.some(isAside)) return 'unclear';
    const head = this.#headOf(clauseIndex, heard);
    if (head && !this.#explains(looked, head, tokens)) {
      if (this.#looks.has(head.token) && !isLook && !isNamed)
        return /^(?:make|ensur|see|verif|confirm)/.test(head.word.stem) ? 'unclear' : 'none';
      if (STOPPERS.has(head.word.stem)) return 'stopped';
      return 'unclear';
    }
    if (actions.length === at.length && !COMMAND.test(clause.text)) {
      if (this.#hasOtherThing(looked, clauseIndex, heard)) return 'unclear';
    }
    if (main.some(({ place }) => place.word && this.#isPast(place.word, heard))) return 'past';
    if (this.#isForeign(clauseIndex, heard)) return 'unclear';
    if (this.#hasOtherAction(looked, tokens, clauseIndex, heard)) return 'unclear';
    const depends = heard.clauses.some(
      ({ opener }, index) =>
        opener !== null &&
        CONDITIONS.has(opener) &&
        !at.some(({ place }) => place.clause === index) &&
        heard.clauses[index]!.text.split(' ').length > 2,
    );
    return depends && !isLook && !tokens.some((token) => this.#talks.has(token)) ? 'weighed' : null;
  }

  /** Whether a clause names another action besides: "look who has activated the log". */
  #hasOtherAction(looked: Looked, tokens: Token[], clause: number, { words, places, said }: Heard): boolean {
    const own = words.filter((word) => word.clause === clause);
    return [...said].some((token) => {
      const { word } = places.get(token)!;
      if (!word || word.clause !== clause || !this.#actions.has(token)) return false;
      if (this.#looks.has(token) || this.#talks.has(token) || LIGHT_WORDS.has(word.raw)) return false;
      const before = own[own.indexOf(word) - 1]?.raw;
      return (
        /(?:ed|ing)$/.test(word.raw) &&
        !BEFORE_NOUNS.has(before ?? '') &&
        !this.#explains(looked, { token, word }, tokens)
      );
    });
  }

  /** Whether a clause begins with an action that nobody here knows: "anonymise the copy". */
  #isForeign(clause: number, { words }: Heard): boolean {
    const first = words.find(({ clause: own, raw }) => own === clause && !EMPTY_WORDS.has(raw));
    return (
      first !== undefined &&
      /(?:ise|ize|ify|ate)$/.test(first.raw) &&
      !this.#known.has(first.raw) &&
      !this.#knownStems.has(first.stem)
    );
  }

  /** Whether a clause names a thing that other rules know and this one does not: "roll back the database". */
  #hasOtherThing({ tokens }: Looked, clause: number, { places, said }: Heard): boolean {
    return [...said].some(
      (token) =>
        places.get(token)!.clause === clause &&
        this.#weights.has(token) &&
        !this.#actions.has(token) &&
        !QUALITIES.has(token) &&
        !tokens.has(token),
    );
  }

  /** Whether what a clause begins with belongs to the rule. */
  #explains({ tokens }: Looked, head: { token: Token; word: Word }, matched: Token[]): boolean {
    if (tokens.has(head.token) || matched.includes(head.token)) return true;
    return (FURTHER_MEANINGS.get(head.word.stem) ?? []).some((word) => tokens.has(this.#token(word)));
  }

  /** The action that a clause begins with. Words that only begin another one are passed over. */
  #headOf(clause: number, { words, places, said }: Heard): { token: Token; word: Word } | null {
    const own = words.filter((word) => word.clause === clause);
    for (const [index, word] of own.entries()) {
      if (EMPTY_WORDS.has(word.raw)) continue;
      const found = [...places].find(([token, place]) => place.word === word && said.has(token));
      const token = found?.[0].replace(/^-/, '');
      if (!token || !this.#actions.has(token) || word.negated) continue;
      if (LIGHT_WORDS.has(word.raw) || /(?:ment|tion|sion)s?$/.test(word.raw)) continue;
      if (index > 0 && BEFORE_NOUNS.has(own[index - 1]!.raw)) continue;
      return { token, word };
    }
    return null;
  }

  #isPast(word: Word, { words }: Heard): boolean {
    const own = words.filter(({ clause }) => clause === word.clause);
    const index = own.indexOf(word);
    const isForm =
      isPastForm(word.raw) || SAME_FORMS.has(word.raw) || (/ed$/.test(word.raw) && word.raw.length > 4);
    if (!isForm) return false;
    const isSame = SAME_FORMS.has(word.raw);
    const before = own.slice(0, index).map(({ raw }) => raw);
    const nearest = before.findLast((raw) => !/^(?:just|also|now|then|finally|quickly|all|so)$/.test(raw));
    if (nearest === undefined) return !isSame || own.some(({ raw }) => raw === 'already');
    if (isSame) {
      return own.some(({ raw }) => raw === 'already') || /^(?:have|has|had)$/.test(nearest);
    }
    if (/^(?:be|being|get|to)$/.test(nearest)) return false;
    // "Sessions killed."
    const isLast = index === own.length - 1 && !before.some((raw) => CAUSES.has(raw));
    if (isLast && !EMPTY_WORDS.has(nearest)) return true;
    return SUBJECTS.has(nearest);
  }

  /** Rules of which enough was found to ask about them, the likeliest first. */
  #partial(heard: Heard, known: ReadonlySet<string>): { ruleId: string; share: number }[] {
    const { places, said } = heard;
    const found: { ruleId: string; share: number }[] = [];
    for (const looked of this.#rules) {
      if (known.has(looked.rule.id)) continue;
      if (looked.unless.some((term) => term.every((token) => said.has(token)))) continue;
      let share = 0;
      for (const { groups } of looked.patterns) {
        const part = this.#shareOf(groups, places);
        const things = part.tokens.filter(
          (token) =>
            !this.#actions.has(token) &&
            !QUALITIES.has(token) &&
            !heard.everyday.has(places.get(token)!.clause) &&
            heard.clauses[places.get(token)!.clause]!.mood !== 'aside',
        );
        if (things.length === 0 || part.share <= share) continue;
        if (things.every((token) => places.get(token)!.word?.loose)) continue;
        const clause = places.get(things[0]!)!.clause;
        const head = this.#headOf(clause, heard);
        if (head && !this.#explains(looked, head, part.tokens)) continue;
        if (isHarm(looked.rule) && !part.tokens.some((token) => this.#actions.has(token))) continue;
        if (this.#isLookedAt(clause, heard) && ![...looked.tokens].some((token) => this.#looks.has(token)))
          continue;
        share = part.share;
      }
      if (share >= ASKED_SHARE) found.push({ ruleId: looked.rule.id, share });
    }
    return found.sort((a, b) => b.share - a.share);
  }

  /** Whether a clause begins with a look at something. */
  #isLookedAt(clause: number, { words, clauses }: Heard): boolean {
    const first = words.find(({ clause: own, raw }) => own === clause && !EMPTY_WORDS.has(raw));
    if (clauses[clause]!.mood === 'question') return true;
    return first !== undefined && first.raw !== 'get' && this.#looks.has(this.#token(first.raw));
  }

  /** A single known action without anything to do it to. */
  #vague({ words, clauses, places, everyday }: Heard): string | null {
    if (clauses.some(({ mood }) => mood !== 'order')) return null;
    const meant = words.filter(({ raw }) => !EMPTY_WORDS.has(raw));
    if (meant.length === 0 || meant.length > 2 || everyday.size > 0) return null;
    const [word] = meant;
    const token = [...places].find(([, place]) => place.word === word)?.[0];
    if (!token || !this.#actions.has(token) || meant.length > 1) return null;
    if (this.#looks.has(token) || this.#talks.has(token)) return null;
    if (!this.#known.has(word!.raw) && !this.#knownStems.has(stemOf(word!.raw))) return null;
    return word!.raw;
  }

  /** All that a learner's text may mean, each with its place in it. */
  #hear(text: string): Heard {
    const { words, clauses } = readText(text, (raw) => this.#isAction(raw));
    const corrected = words.map((word) => this.#corrected(word));
    const places = new Map<Token, Place>();
    const put = (token: Token, place: Place) => {
      if (!places.has(token)) places.set(token, place);
    };
    const spoken = this.#spoken(corrected);
    for (const [index, { token, word }] of spoken.entries()) put(token, { index, clause: word.clause, word });
    const said = new Set(places.keys());
    const size = spoken.length;
    for (const [index, { word, key }] of spoken.entries()) {
      for (const further of FURTHER_MEANINGS.get(key) ?? [])
        put((word.negated ? '-' : '') + this.#token(further), {
          index: size + index,
          clause: word.clause,
          word,
        });
    }
    for (const [clause, { mood, text: own }] of clauses.entries()) {
      if (mood !== 'question' && !(mood === 'doubt' && /^how\b/.test(own))) continue;
      put(this.#token('check'), { index: size + corrected.length, clause, word: null });
    }
    const everyday = new Set(
      corrected
        .filter(({ raw, stem }) => EVERYDAY_WORDS.has(raw) && !this.#own.has(stem))
        .map(({ clause }) => clause),
    );
    return { words: corrected, clauses, places, said, everyday };
  }

  #isAction(raw: string): boolean {
    if (PARTICLE_VERBS.has(raw)) return true;
    const token = this.#meaningOf.get(stemOf(raw));
    return token !== undefined && this.#actions.has(token);
  }

  /** One word's meaning, or its stem. */
  #token(word: string): Token {
    const stem = stemOf(word);
    return this.#meaningOf.get(stem) ?? stem;
  }

  #tokensOfAll(groups: readonly (readonly string[])[]): Set<Token> {
    return new Set(groups.flat().flatMap((term) => this.#meaningOf.get(stemsOf(term)) ?? []));
  }

  #matchGroups(
    groups: Token[][][],
    places: ReadonlyMap<Token, Place>,
    said: ReadonlySet<Token>,
  ): Token[] | null {
    const matched = new Set<Token>();
    for (const group of groups) {
      const terms = group.filter((term) => term.length > 0 && term.every((token) => places.has(token)));
      if (terms.length === 0) return null;
      const weightOf = (term: Token[]) => term.reduce((sum, token) => sum + this.#weight(token), 0);
      // What was said counts before what it may mean besides.
      const isSaid = (term: Token[]) => Number(term.every((token) => said.has(token)));
      const [best] = terms.sort((a, b) => isSaid(b) - isSaid(a) || weightOf(b) - weightOf(a));
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
        this.#learnWords(term, false);
      }
    }
    for (const [key, index] of first) this.#meaningOf.set(key, `#${root(index)}`);
  }

  #learnWords(term: string, isOwn: boolean): void {
    for (const { raw, stem } of wordsOf(term)) {
      if (isOwn) this.#own.add(stem);
      if (this.#known.has(raw)) continue;
      this.#known.set(raw, stem);
      this.#knownStems.add(stem);
      const list = this.#knownBy.get(raw[0]!);
      if (list) list.push([raw, stem]);
      else this.#knownBy.set(raw[0]!, [[raw, stem]]);
    }
  }

  /** Tokens of an author's term, without empty words. */
  #tokensOf(text: string): Token[] {
    return [...new Set(this.#spoken(wordsOf(text)).map(({ token }) => token))];
  }

  /** The meanings of words in their order; several words may have one. */
  #spoken(words: Word[]): { token: Token; word: Word; key: string }[] {
    const spoken: { token: Token; word: Word; key: string }[] = [];
    for (let index = 0; index < words.length; ) {
      const size = this.#longestTerm(words, index);
      const word = words[index]!;
      const sign = word.negated ? '-' : '';
      if (size > 0) {
        const key = words
          .slice(index, index + size)
          .map(({ stem }) => stem)
          .join(' ');
        spoken.push({ token: sign + this.#meaningOf.get(key)!, word, key });
        index += size;
      } else {
        if (!EMPTY_WORDS.has(word.raw)) spoken.push({ token: sign + word.stem, word, key: word.stem });
        index += 1;
      }
    }
    return spoken;
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
    if (
      this.#knownStems.has(word.stem) ||
      COMMON_WORDS.has(raw) ||
      COMMON_WORDS.has(raw.replace(/s$/, '')) ||
      EVERYDAY_WORDS.has(raw)
    )
      return word;
    let best = { stem: '', cost: allowed + 1, meanings: new Set<string>() };
    for (const letter of new Set([raw[0]!, raw[1]!])) {
      for (const [known, stem] of this.#knownBy.get(letter) ?? []) {
        if (known.length < 4 || Math.abs(known.length - raw.length) > 1) continue;
        // Only two letters swapped change the first one.
        if (known[0] !== raw[0] && known[1] !== raw[0]) continue;
        const cost = typingDistance(raw, known);
        if (cost > (known[0] === raw[0] ? allowed : 1) || cost > best.cost) continue;
        const meaning = this.#meaningOf.get(stem) ?? stem;
        if (cost < best.cost) best = { stem, cost, meanings: new Set([meaning]) };
        else best.meanings.add(meaning);
      }
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

function stemsOf(term: string): string {
  return wordsOf(term)
    .map(({ stem }) => stem)
    .join(' ');
}

const isHarm = ({ penalty, ends }: Rule) => penalty > 0 || ends;

/** A text without case and marks, to see whether it is a title. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
