import nlp from 'compromise/three';
import { LRUCache } from 'lru-cache';
import { stemmer } from 'stemmer';

/**
 * Only an `order` may be carried out; `weighed` is a wish or a doubt, `past` is told as done, `told` says
 * what to tell.
 */
type Mood = 'order' | 'question' | 'weighed' | 'past' | 'told' | 'aside';

export interface Word {
  raw: string;
  stem: string;
  part: 'verb' | 'noun' | 'adverb' | 'empty' | 'other';
  negated: boolean;
}

export interface Clause {
  mood: Mood;
  words: Word[];
  text: string;
  opener: string | null;
  sentence: number;
  /** Behind "and" after a negation: perhaps denied as well. */
  loose: boolean;
}

interface Term {
  raw: string;
  stem: string;
  tags: ReadonlySet<string>;
  mark: string;
  sentence: number;
}

interface Part {
  terms: Term[];
  opener: string | null;
  negated: boolean;
  loose: boolean;
  asks: boolean;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const OPENERS = set(
  'because since if unless until till when whenever while before after once whether although though',
);
const EMBEDS = set('who whom whose which what why how where');
export const CONDITIONS = set('if unless once until till when whenever');
const ENDS = set('but then however otherwise therefore plus so');
const NEGATIONS = set('not never no without avoid refuse refrain nope nobody');
const REVERSALS = set('forget skip omit neglect hesitate fail miss');
const SUBJECTS = set('i we you they he she it that this there the our my');
const KEPT_WHOLE = set(
  'accounting accountant accountants news organization university policy police announcement announcements authority ' +
    'authorities communication communications computer computers container containers configuration configurations ' +
    'monitoring setting settings warning warnings security',
);
const RESPELLED: readonly (readonly [RegExp, string])[] = [
  [/[’‘`´]/g, "'"],
  [/\b(?:do'nt|donot|dnt|dont|don t|dnot|don't)\b/g, 'do not'],
  [/\band (?:let|have) (?:him|her|them) (?:tell|show|explain)\b/g, ' what '],
  [/\b(?:tell|give|remind) me\b/g, 'show me'],
  [/\bno one\b|\bnothing (?=should|must|may|can|is to)/g, 'nobody '],
  [/\bwould you (?:mind|be so kind)(?: and| as to| to)?\b/g, 'could you'],
  [/\blet'?s\b/g, 'lets'],
  [/\b(turn|switch|log|shut) of (?=the|this|that|it|all)/g, '$1 off '],
  [/\b(?:should|could|can|would|why (?:do|can|should)) not (we|i|you)\b|\bwhy not\b/g, 'perhaps $1'],
  [/\b(?:instead of|rather than|as opposed to)\b/g, ' ; without '],
  [/\b(?:so (?:that|(?=\w+ (?:knows?|can|cannot)\b))|in order to|due to|owing to)\b/g, ' because '],
  [/\b(?:in case|in the event)\b/g, ' if '],
  [/^should (?=(?:the|he|she|it|they|nobody|somebody)\b(?!.*\?))/g, 'if '],
  [/\s(?:\+|&+)\s/g, ' and '],
  [/\band (?:meanwhile|also|then|afterwards?|after that|at the same time|immediately|finally)\b/g, 'and'],
  [/\bas (?:soon|long) as\b/g, ' once '],
  [/\b(?:after (?:that|this)|afterwards)\b/g, ' ; then '],
  [/\s[-–—]+\s|[\n\r]+|[–—]/g, ' ; '],
];
const DENIED =
  /\b(?:(?:am|are|is) against|out of the question|off the table|(?:bad|terrible|awful|stupid|wrong|crazy) (?:idea|move|plan)|forbidden|not an option|too (?:risky|dangerous|early|soon)|unnecessary|pointless|no use|to (?:shut|stop|be (?:quiet|silent))|leave .* (?:alone|in peace|open|untouched|running|be|as (?:it|they) (?:is|are))|rather not|better not)\b/;

const FILLER =
  '(?:(?:hey|hi|hello|ok|okay|please|pls|plz|so|well|right|now|then|and|but|just|first|next|finally|also|yes|yeah|um|hmm|perhaps) )*';
const POLITE = new RegExp(
  `^${FILLER}(?:(?:could|can|would|will) (?:you|u|someone|somebody|anyone|anybody)\\b|(?:i|we) (?:would|d) (?:like|love)\\b|(?:i|we) want\\b|lets?\\b)`,
);
const WEIGHED = new RegExp(
  `^${FILLER}(?:should|shall|may|can|could|would|might|do|must|am) (?:i|we|one)\\b|` +
    '\\b(?:i|we|you|one|they|someone) (?:\\w+ )?(?:could|might|may)\\b|' +
    '\\b(?:what (?:if|happens|about|would)|how about|(?:is|would|could|should) it|do you (?:think|recommend)|would you (?:say|recommend|suggest)|wonder\\w*|thinking|consider\\w*|unsure|not sure|supposed|tempted|in theory|(?:would|could|should) have|would be|wish|hope|perhaps|maybe|possibly|worth|good idea|allowed to|risk of|how (?:do|can|could|would|should|might|to))\\b',
);
const ASKING = new RegExp(
  `^${FILLER}(?:what|whats|which|who|whos|whose|whom|when|where|wheres|why|how|hows|is|are|was|were|did|does|do (?:we|they|you)|has|have (?:we|they|the|you|any)|any(?:one|body|thing)?)\\b`,
);

const parsed = new LRUCache<string, Word[]>({ max: 20_000 });

/** The words of an author's term. */
export function wordsOf(text: string): readonly Word[] {
  const known = parsed.get(text) ?? readWords(text);
  parsed.set(text, known);
  return known;
}

function readWords(text: string): Word[] {
  let negated = false;
  return termsOf(text).flatMap((term) => {
    negated ||= NEGATIONS.has(term.raw);
    return NEGATIONS.has(term.raw) ? [] : [wordOf(term, negated)];
  });
}

/** A command line has no grammar of a sentence. */
export const isCommand = (text: string): boolean =>
  !/(?:, | and )(?:find|look|check|see|tell|then)\b/i.test(text) &&
  /^\s*(?:[$#>] ?)?(?:kubectl|helm|git|wc|head|diff|awk|sed|systemctl|psql|docker|sudo|tail|cat|grep|ssh|curl|ls|df|du|top|select|alter|npm|terraform|ansible|logrotate|rm|[a-z]+-[a-z]+(?= -))\b/i.test(
    text,
  );

/** A learner's text as clauses, each with the mood it is said in. */
export function readText(text: string, isAction: (stem: string) => boolean): Clause[] {
  const terms = termsOf(text);
  if (isCommand(text) && terms.length > 0)
    return [
      {
        mood: 'order',
        words: terms.map((term) => wordOf(term, false)),
        text: text.toLowerCase(),
        opener: null,
        sentence: 0,
        loose: false,
      },
    ];
  const empty = (): Part => ({ terms: [], opener: null, negated: false, loose: false, asks: false });
  let part = empty();
  let isTold = false;
  const parts = [part];
  const begin = (opener: string | null, more: Partial<Part> = {}) => {
    if (part.terms.length > 0) {
      part = empty();
      parts.push(part);
    }
    Object.assign(part, { opener }, more);
  };
  const open = (opener: string, term: Term) => {
    begin(opener);
    part.terms.push(term);
  };
  const isVerb = ({ tags, stem }: Term) => tags.has('Verb') || isAction(stem);
  for (const [index, term] of terms.entries()) {
    const { raw, tags, mark } = term;
    const next = terms[index + 1];
    const previous = part.terms.at(-1);
    const hasVerb = part.terms.some(isVerb);
    const denies = part.negated || part.terms.some((one) => NEGATIONS.has(one.raw));
    const isNew =
      next &&
      (isAction(next.stem) ||
        SUBJECTS.has(next.raw) ||
        (next.tags.has('Verb') && !terms[index + 2]?.tags.has('Noun')));
    if (raw === 'and' && isNew) begin(null, { loose: denies });
    else if (raw === 'without')
      begin(
        part.terms.length > 0 && denies ? null : part.opener,
        denies ? { loose: true } : { negated: true },
      );
    else if (ENDS.has(raw)) begin(null);
    // "See if", "ask her when": what is to be known, no condition.
    else if (OPENERS.has(raw) && hasVerb && /^(?:if|whether|when)$/.test(raw) && part.terms.length < 4)
      open('whether', term);
    else if (OPENERS.has(raw)) open(raw, term);
    else if (EMBEDS.has(raw) && hasVerb) open(raw, term);
    else if (raw === 'that' && hasVerb && next && SUBJECTS.has(next.raw)) begin(raw);
    else {
      // "Before you roll back check the disk", "instead of restarting it look at …": the order begins at its verb.
      const isAside =
        (part.opener !== null && !EMBEDS.has(part.opener) && !/^(?:that|:)$/.test(part.opener)) ||
        part.negated;
      const isOrder =
        tags.has('Infinitive') ||
        (isAction(term.stem) && next && (SUBJECTS.has(next.raw) || /^(?:at|back|off)$/.test(next.raw)));
      if (
        isAside &&
        hasVerb &&
        ((previous?.tags.has('Noun') && isOrder) || (raw === 'could' && next?.raw === 'you'))
      )
        begin(null);
      part.terms.push(term);
    }
    if (mark) {
      const isPolite = parts.some((one) => POLITE.test(one.terms.map(({ raw: word }) => word).join(' ')));
      part.asks ||= mark === '?' && !isPolite;
      const opener: string | null =
        mark === ':' && part.terms.some(isVerb) ? 'that' : mark === ',' && isTold ? ':' : null;
      isTold = opener !== null;
      begin(opener);
    }
  }
  return parts
    .filter((one) => one.terms.length > 0)
    .map((one, index) => clauseOf(one, isAction, index === 0));
}

function clauseOf(part: Part, isAction: (stem: string) => boolean, isFirst: boolean): Clause {
  const { terms, opener, loose } = part;
  const text = terms.map(({ raw }) => raw).join(' ');
  let negated = part.negated || DENIED.test(text);
  const words: Word[] = [];
  for (const term of terms) {
    const { raw } = term;
    if (NEGATIONS.has(raw)) negated = true;
    else if (negated && REVERSALS.has(raw)) negated = false;
    else words.push(wordOf(term, negated));
  }
  // "All but her own": what is done would be more than what was said.
  const isLoose = loose || /\b(?:except|apart from|other than|but not)\b/.test(text);
  return {
    mood: moodOf(part, text, isAction, isFirst),
    words,
    text,
    opener,
    sentence: terms[0]!.sentence,
    loose: isLoose,
  };
}

function moodOf(
  { terms, opener, asks }: Part,
  text: string,
  isAction: (stem: string) => boolean,
  isFirst: boolean,
): Mood {
  if (opener !== null) return 'aside';
  const isPolite = POLITE.test(text);
  if (WEIGHED.test(isPolite ? text.replace(POLITE, '') : text)) return 'weighed';
  const isInverted = /^(?:can|could|will|would|should|may)$/.test(terms[0]!.raw) && terms[1]?.raw !== 'be';
  if (!isPolite && (asks || isInverted || ASKING.test(text))) return 'question';
  if (isPolite) return 'order';
  if (isAction(terms[0]!.stem) && !/^(?:i|we|they)$/.test(terms[1]?.raw ?? '')) {
    // A participle: "…, looking into it", "restarting is what I fear".
    if (terms[0]!.raw.endsWith('ing') && (!isFirst || terms.some(({ tags }) => tags.has('Copula'))))
      return 'told';
    return terms[0]!.tags.has('PastTense') ? 'past' : 'order';
  }
  const first = terms.find(({ tags }) => tags.has('Verb') && !tags.has('Gerund'));
  const at = first ? terms.indexOf(first) : -1;
  const subject = terms
    .slice(0, Math.max(0, at))
    .filter(({ tags }) => tags.has('Noun') || tags.has('Pronoun'));
  if (!first) return 'order';
  const isOwn = subject.length === 0 || subject.every(({ raw }) => /^(?:i|we|you)$/.test(raw));
  const main = terms.findIndex(
    ({ tags }, index) => index >= at && tags.has('Verb') && !tags.has('Auxiliary'),
  );
  const wants = terms
    .slice(0, main + 1)
    .some(({ raw }) => /^(?:must|should|needs?|to|ought|will|ll|gonna)$/.test(raw));
  // "We reset it yesterday": some verbs look the same in the past.
  const isPast =
    terms[main]?.tags.has('PastTense') ||
    (subject.length > 0 && /\b(?:already|yesterday|ago|last (?:night|week))\b/.test(text));
  if (isPast && !wants && isOwn) return 'past';
  return isOwn || wants ? 'order' : 'told';
}

const EMPTY = [
  'TextValue',
  'Determiner',
  'Preposition',
  'Conjunction',
  'Pronoun',
  'Auxiliary',
  'Modal',
  'Copula',
  'QuestionWord',
];
const wordOf = ({ raw, stem, tags }: Term, negated: boolean): Word => ({
  raw,
  stem,
  part: partOf(tags),
  negated,
});
const partOf = (tags: ReadonlySet<string>): Word['part'] =>
  EMPTY.some((tag) => tags.has(tag))
    ? 'empty'
    : tags.has('Verb')
      ? 'verb'
      : tags.has('Noun')
        ? 'noun'
        : tags.has('Adverb')
          ? 'adverb'
          : 'other';

function termsOf(text: string): Term[] {
  let plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  for (const [from, to] of RESPELLED) plain = plain.replace(from, to);
  const doc = nlp(plain).compute('root');
  return (
    doc.docs as unknown as {
      normal: string;
      implicit?: string;
      root?: string;
      post: string;
      tags: Set<string>;
    }[][]
  ).flatMap((terms, sentence) =>
    terms.flatMap((term) => {
      const raw = term.implicit ?? term.normal;
      // Paths, hosts and options are several words; a version is one.
      const split = raw.split(/[^\p{L}\p{N}.'%]+|\.(?=\D|$)/u).filter(Boolean);
      // "No-go" denies nothing.
      const pieces = split.length > 1 ? split.filter((piece) => piece !== 'no') : split;
      const mark = /[?]/.test(term.post)
        ? '?'
        : /[:,]/.test(term.post)
          ? term.post.trim()[0]!
          : /[;.!]/.test(term.post)
            ? ';'
            : '';
      return pieces.map((piece, index) => ({
        raw: piece,
        stem: stemOf(pieces.length === 1 && (term.root?.length ?? 0) > 2 ? term.root! : piece, piece),
        tags: term.tags,
        mark: index === pieces.length - 1 ? mark : '',
        sentence,
      }));
    }),
  );
}

function stemOf(root: string, raw: string): string {
  const stem = stemmer(root.split(' ')[0]!);
  // "Ines" is not "in".
  return KEPT_WHOLE.has(raw) || (stem.length < 3 && raw.length > 3) ? raw : stem;
}
