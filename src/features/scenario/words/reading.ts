import { stemmer } from 'stemmer';

/**
 * How a clause is meant: something to be done, something to be known, something that is only weighed ("should I …?",
 * "maybe"), or what is said beside the point (a reason, a condition, a time).
 */
export type Mood = 'order' | 'question' | 'doubt' | 'aside';

export interface Word {
  raw: string;
  stem: string;
  negated: boolean;
  /** Comes after "and" behind a negation: whether it is denied as well cannot be told. */
  loose: boolean;
  clause: number;
}

export interface Clause {
  mood: Mood;
  /** The word that made it an aside, such as "if". */
  opener: string | null;
  /** Its words as they were written, for patterns that ask for their order. */
  text: string;
  /** Says how something is, and orders nothing by its words alone. */
  states: boolean;
  /** Asks for permission or for an opinion: what it names is never done without asking. */
  isOpen: boolean;
}

/** Words that say nothing about what is to be done. */
export const EMPTY_WORDS = new Set(
  (
    'a an the to of on in at for and or then so as by from into onto with within please kindly i we you they he she it ' +
    'me us him them my our your their its his this that these those there here is are was were be been being am do does ' +
    'did doing done have has had having will would could should shall can may might must let lets want wants wanted need ' +
    'needs like try trying go going gonna just now immediately quickly quick asap first also right away carefully again ' +
    'some any all very really maybe perhaps simply out up over about what which who how when where why if because ' +
    'command run running execute use using via ahead ' +
    'pls plz thx thanks u ur im ive id ill gotta wanna lemme gimme ok okay yeah yes hey hi hello well alright guys mate dude ' +
    'folks sir damn damned fuck fucking fuckin shit bloody hell crap wtf omg ugh argh lol stupid freaking goddamn dammit ' +
    'ass urgently actually basically honestly literally probably already yet still soon possible possibly ' +
    'since while until once whether though although than too such both only even ever anyhow somehow ' +
    'someone somebody something anyone anybody anything thing things stuff bit little lot much many ' +
    'would think thinks thought guess suppose sure wonder wondering considering sounds seems time times next'
  ).split(' '),
);

const NEGATIONS = new Set(['not', 'never', 'no', 'without', 'avoid', 'cannot', 'refuse', 'refrain', 'nope']);
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
const CLAUSE_ENDS = new Set(['but', 'then', 'instead', 'however', 'otherwise', 'therefore', 'so', 'plus']);
/** What begins a reason, a condition or a time. */
const ASIDES = new Set(
  'because cause since if unless until till when whenever while before after once whether although though'.split(
    ' ',
  ),
);
/** An aside that makes the rest depend on it. */
export const CONDITIONS = new Set(['if', 'unless', 'once', 'until', 'till', 'when', 'whenever']);

/** Words whose stem is that of a word with another meaning. */
const KEPT_WHOLE = new Set([
  'accounting',
  'accountant',
  'accountants',
  'news',
  'organization',
  'university',
  'policy',
  'police',
  'announcement',
  'authority',
  'authorities',
  'announcements',
  'communication',
  'communications',
  'computer',
  'computers',
  'container',
  'containers',
  'configuration',
  'configurations',
  'monitoring',
  'warning',
  'warnings',
  'security',
]);

/** Past forms that no ending shows, with the verb they belong to. */
const PAST_FORMS = new Map(
  (
    'told:tell wrote:write written:write sent:send took:take taken:take ran:run spoke:speak spoken:speak found:find ' +
    'made:make saw:see seen:see went:go gone:go gave:give given:give began:begin begun:begin built:build brought:bring ' +
    'kept:keep held:hold rang:ring thought:think undid:undo undone:undo withdrew:withdraw withdrawn:withdraw chose:choose ' +
    'chosen:choose heard:hear met:meet paid:pay bought:buy froze:freeze frozen:freeze threw:throw thrown:throw'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
export const isPastForm = (word: string): boolean => PAST_FORMS.has(word);

/** The stem of a word, by which its forms are one. */
export const stemOf = (word: string): string =>
  KEPT_WHOLE.has(word) ? word : stemmer(PAST_FORMS.get(word) ?? word);

const PARTICLE_VERB =
  /\b(tell|turn|switch|shut|roll|bring|take|set|back|clean|free|write|lock|kick|sign|log|call|scale|hand|wake|cut|pull|spin|throw|tidy|power|put|clear|boot|close|pick|build|draw|give|note|fill|sort)(?:n?ing|ting|ling|ed|ned|s)? ((?:(?!and\b|or\b|to\b|it's\b|not\b|then\b|off\b|back\b|up\b|out\b|down\b|on\b|of\b|for\b|from\b|in\b)[\w.'-]+ ){1,4})(off|back|up|down|out|away|offline)\b/g;

/** Turns of phrase that say the same as other words. They are replaced from the first to the last. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:do'nt|donot|dnt|dont|don t|dnot)\b/g, 'do not'],
  [/\b(?:can't|cant|cannot|can t)\b/g, 'can not'],
  [/\b(?:won't|wont)\b/g, 'will not'],
  [/\b(should|would|could|does|did|is|are|was|were|has|have|had|need|must)(?:n't|nt)\b/g, '$1 not'],
  [/n't\b/g, ' not'],
  [/\b(?:nvr|nevr|neva|neevr)\b/g, 'never'],
  // "Why don't we …", "shouldn't we …", "isn't it …" propose what they seem to deny.
  [
    /\bwhy (?:do |can |could |should )?not\b|\bwhy (?:do|can|could|should) (?:we|i|you|they) not\b/g,
    'perhaps',
  ],
  [/\b(?:should|could|can|would|will|shall) not (we|i|you)\b/g, 'perhaps $1'],
  [
    /(^|[;,.!?] *)(is|are|was|were|does|did|has|have|had) not (it|we|they|you|he|she|the|there|that|this|any\w+|some\w+)\b/g,
    '$1$2 $3',
  ],
  // What is said to somebody is no order: "Hi Ines, could you …", "tell support: bookings fail".
  [
    /^ ?(?:hi|hey|dear|hello|hallo) (?!there|all|guys|everyone|everybody|again|folks|can|could|please|i\b|what|how)(\w+)[ ,!:;]+/,
    'ask $1 ; saying ',
  ],
  [
    /\b(tell|call|phone|ask|inform|message|write|email|text|post|say|announce|notify|warn|mail)\b([^;.!?:,]{1,60}): /g,
    '$1$2 ; saying ',
  ],
  // Ways to say no.
  [
    /\b(tell|ask|order)(?:ing)? (.{1,40}?) to (?:just |please )?(?:shut up|shut it|be quiet|keep quiet|be silent|go away|go to hell|get lost|piss off|fuck off|f off|leave (?:me|us) alone|mind \w+ (?:own )?business|back off|stop it|stop bothering|drop it|forget it)\b/g,
    ' not $1 $2 ',
  ],
  [
    /\bleave (.{1,60}?) (?:alone|as (?:it|they) (?:is|are)|untouched|unchanged|be|in place|where (?:it|they) (?:is|are))(?= *(?:$|[;,.!?]))/g,
    ' not $1 ',
  ],
  [
    /\b(?:keep (?:your |our |my )?(?:hands|fingers) off|(?:hands|fingers) off|stay away from|keep away from|steer clear of|keep off)\b/g,
    ' not ',
  ],
  [/\b(?:hold(?:ing)? off (?:on|with)|refrain(?:ing)? from|abstain(?:ing)? from)\b/g, ' not '],
  [/\b(?:no|not any) (?:need|reason|point|sense) (?:to|for|in)\b/g, ' not '],
  [/\btoo (?:early|soon|risky|dangerous|late|hasty) (?:to|for)\b/g, ' not '],
  [
    /\b(?:a )?(?:really |very )?(?:bad|terrible|awful|horrible|stupid|dumb|wrong|crazy) (?:idea|move|time|moment|thing) to\b/g,
    ' not ',
  ],
  [
    /\b(?:rather not|better not|refuse to|decline to|shut up about|give up on|forget about|no more)\b/g,
    ' not ',
  ],
  [/\b(?:be|keep|stay) (?:quiet|silent|calm) about\b/g, ' not '],
  [
    /\b(?:stop|quit) (?:talking|asking|complaining|worrying|nagging|whining|arguing|crying|bothering|pestering|fussing|dreaming|going on|pushing|pressing|insisting|harping|rambling|begging|pressuring)(?: (?:me|us|him|her|them))?(?: (?:about|for|with|over|of))?\b/g,
    ' not ',
  ],
  [/\b(?:under|in) no (?:circumstances|circumstance|case|way)\b/g, ' not '],
  [/\b(?:i am|i'm|im|we are|we're) (?:strictly |totally )?against\b/g, ' not '],
  [
    /\b(?:nobody|no one|noone|no-one) (?:else )?(?:should|must|may|can|is to|shall|is allowed to|gets to)\b/g,
    ' not ',
  ],
  [/\b(?:make sure|ensure|see to it)(?: that)? (?:nobody|no one|noone|nothing)\b/g, ' not '],
  [/\bnothing (?:should|must|may|is to|can|shall|gets?)(?: be)?\b/g, ' not '],
  [/\binstead of\b|\brather than\b|\bas opposed to\b/g, ' insteadof '],
  [/\bfar from\b/g, ' not '],
  [
    /\b(?:make|free|gain|get|create)(?: up)? (?:some |more |a bit of |a little )?(?:more )?(?:disk )?(?:room|space)\b(?= on)/g,
    'free up',
  ],
  [
    /\b(?:make|free|gain)(?: up)? (?:some |more |a bit of |a little )?(?:more )?(?:disk )?(?:room|space)\b/g,
    'free disk space',
  ],
  // Ways to ask and to say.
  [/\b(?:tell|give|remind) me\b/g, 'show me'],
  [/\blet (?!me\b|us\b|'s\b)(.{1,40}?) know\b/g, 'inform $1'],
  [
    /\b((?:the |our |my )?[\w-]+(?: (?!should|must|has|have|need|ought)[\w-]+)?) (?:should|must|has to|have to|needs? to|ought to) (?:know|hear|find out|be (?:told|informed|warned|notified|alerted))\b/g,
    'inform $1',
  ],
  [/\b(?:run|do|try|start) (.{1,40}?) (?:again|once more|one more time|a second time|anew)\b/g, 'retry $1'],
  [/\bput (.{1,40}?) back\b(?= (?:in|into|on|to)\b| *$)/g, 'put back $1'],
  [/\bget (.{1,40}?) on the (?:line|phone|call|case)\b/g, 'call $1'],
  [
    /\b(?:get|bring|pull) (.{1,40}?) (?:involved|on board|in the loop|up to speed|up to date)\b/g,
    'inform $1',
  ],
  [/\b(?:loop in|bring in|pull in|involve|notify)\b/g, 'inform'],
  [PARTICLE_VERB, '$1 $3 $2'],
  [/\b(swi?t?ch|turn|shut|log|sign) of (?=the|this|that|it|all|every|her|his|our)/g, '$1 off '],
  [/\btry (?:out )?(?=(?:the|a|it|this|that|our|my|them) )/g, 'test '],
  [/\bin (?:case|the event)\b/g, ' ; if '],
  [/\bas soon as\b|\bas long as\b/g, ' ; once '],
  [/\bso that\b|\bin order to\b/g, ' ; because '],
  [/\bdue to\b|\bowing to\b/g, ' ; because '],
  [/'(s|re|ve|ll|d|m)\b/g, ' '],
];

/** Lower case, no accents, contractions and idioms spelled out, punctuation reduced to clause ends. */
function normalise(text: string): string[] {
  let plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    // Markup says nothing.
    .replace(/<\/?[a-z][^<>]*>/g, ' ')
    .replace(/\s[-–—]+\s|[\n\r]+|[–—]/g, ' ; ')
    .replace(/[ \t]+/g, ' ');
  for (const [idiom, meaning] of IDIOMS) plain = plain.replace(idiom, meaning);
  return (
    plain
      .replace(/\?/g, ' ? ')
      // A full stop or colon inside a word belongs to a version, a path or a host.
      .replace(/[,;!]|[.:](?=\s|$)/g, ' ; ')
      .split(/[^\p{L}\p{N};?]+/u)
      .filter(Boolean)
      .flatMap((part) => part.split(/(?=[;?])|(?<=[;?])/))
  );
}

/** The words of an author's term or of a learner's text, with their negation. */
export function wordsOf(text: string): Word[] {
  return readText(text, () => false).words;
}

/** What stands before a word that is no order: "to check", "the check", "you check". */
const BEFORE_VERB = new Set(
  'to the a an this that these those my our your his her its their no any and or is are was were be been being i we you they he she it can will should would could may might must not of for with in on from about by'.split(
    ' ',
  ),
);

/** What a sentence after "and" begins with. */
const SUBJECTS = new Set('the i we you they he she it that this there our my'.split(' '));

/** Whether "that" begins what was said or thought, and does not point at something. */
const SAID_THAT = new Set(
  'we i it they he she there you our the nothing nobody everything everyone all'.split(' '),
);

/**
 * A learner's text as clauses, each with the mood it is said in.
 *
 * @param isVerb whether a word can be an action: "and" begins a new clause only before one
 */
export function readText(
  text: string,
  isVerb: (raw: string) => boolean,
): { words: Word[]; clauses: Clause[] } {
  const raws = normalise(text);
  const words: Word[] = [];
  const parts: { raws: string[]; opener: string | null; asks: boolean }[] = [
    { raws: [], opener: null, asks: false },
  ];
  let negated = false;
  let loose = false;
  let insteadOf = false;
  let speech = false;
  const begin = (why: string | null) => {
    const opener = why ?? (speech ? 'saying' : null);
    if (parts.at(-1)!.raws.length === 0) parts.at(-1)!.opener = opener;
    else parts.push({ raws: [], opener, asks: false });
  };
  for (const [index, raw] of raws.entries()) {
    const next = raws[index + 1];
    if (raw === 'saying') {
      speech = true;
      begin('saying');
      continue;
    }
    if (raw === 'insteadof') {
      begin(null);
      [negated, insteadOf] = [true, true];
      continue;
    }
    if (raw === ';' || raw === '?') {
      insteadOf = false;
      parts.at(-1)!.asks ||= raw === '?';
      if (raw === '?' && parts.at(-1)!.raws.length === 0 && parts.length > 1) parts.at(-2)!.asks = true;
      begin(null);
      [negated, loose] = [false, false];
      continue;
    }
    if (raw === 'and') {
      loose = negated || loose;
      negated = false;
      if (next !== undefined && (isVerb(next) || SUBJECTS.has(next))) begin(null);
      continue;
    }
    const isAside =
      (ASIDES.has(raw) && !(raw === 'when' && parts.at(-1)!.raws.length === 0)) ||
      (raw === 'that' && next !== undefined && SAID_THAT.has(next) && parts.at(-1)!.raws.length > 0);
    if (isAside || CLAUSE_ENDS.has(raw)) {
      // "Make sure that nobody …" goes on with what it makes sure of.
      if (raw !== 'that') [negated, loose] = [false, false];
      begin(isAside ? raw : null);
    }
    // "Instead of restarting it look at the logs", "before you roll back check the disk": the order begins at its verb.
    const last = parts.at(-1)!;
    const previous = last.raws.at(-1);
    if (
      (last.opener !== null || insteadOf) &&
      last.raws.length > 2 &&
      previous !== undefined &&
      !BEFORE_VERB.has(previous) &&
      !/(?:ing|ed|s)$/.test(raw) &&
      isVerb(raw) &&
      /^(?:before|after|once|since|while|instead)$/.test(last.opener ?? 'instead')
    ) {
      [negated, loose, insteadOf] = [false, false, false];
      begin(null);
    }
    const part = parts.at(-1)!;
    part.raws.push(raw);
    if (raw === 'without' && negated) {
      // "Never migrate without a rehearsal" wants one.
      [negated, loose] = [false, true];
      continue;
    }
    if (NEGATIONS.has(raw)) {
      negated = true;
      continue;
    }
    if (REVERSALS.has(raw) && negated) {
      negated = false;
      continue;
    }
    words.push({ raw, stem: stemOf(raw), negated, loose, clause: parts.length - 1 });
  }
  const clauses = parts.map(({ raws: own, opener, asks }) => clauseOf(own.join(' '), opener, asks));
  for (const word of words) {
    if (DENIED.test(clauses[word.clause]!.text) && clauses[word.clause]!.mood !== 'question')
      word.negated = true;
  }
  return { words, clauses };
}

/** "Rolling back is out of the question": the negation comes after what it denies. */
const DENIED =
  /^(?:\S+ ){1,8}?(?:is|are|would be|will be|seems?|sounds?|looks?)(?: \S+)?? (?:out of the question|off the table|(?:a |such a |an )?(?:really |very )?(?:bad|terrible|awful|horrible|stupid|dumb|crazy) (?:idea|move|plan)|forbidden|not an option|no option|not (?:needed|necessary|allowed|wanted|a good idea|wise|helpful|what (?:we|i) (?:want|need))|too (?:risky|dangerous|early)|unnecessary|pointless|useless|nonsense|madness)\b/;

const POLITE =
  /^(?:(?:hey|hi|hello|ok|okay|please|pls|plz|so|well|right|alright|now|then|and|but|just|first|next|finally|also|guys|team|everyone|dear|sorry|excuse me|oh|uh|um|hmm|yes|yeah) )*(?:(?:could|can|would|will) (?:you|u|someone|somebody|anyone|anybody|one of you)\b|would you mind\b|(?:i|we) (?:would|d) like\b|i want\b|(?:let|lets)\b)/;

/** Weighs something, or asks whether it may, should or could be done. */
const OPEN =
  /^(?:(?:and|but|so|ok|okay|hey|hi|well|then|now|perhaps|maybe|hmm|um) )*(?:should|shall|may|can|could|would|might|do|must|am) (?:i|we|one)\b|(?:should|would|will|could|can) (?:it|they|the|that|this|he|she)\b|\b(?:what if|what happens|what will happen|what would (?:happen|you|be)|how about|what about|is it (?:ok|okay|safe|possible|wise|worth|right|time|better|a good idea|too)|would it|could it|do you think|do you recommend|would you (?:say|recommend|suggest)|wonder(?:ing)?|thinking (?:about|of)|think about|considering|consider|unsure|not sure|supposed to|tempted to|in theory|hypothetically|how (?:do|can|could|would|should|might|will|to)\b|would have|could have|should have|wish|perhaps|maybe|possibly|might|worth|makes? sense|good idea|allowed to|whether to|or not|risk(?:s|y)? of)\b/;

/** Wants to know something. */
const ASKING =
  /^(?:(?:and|but|so|ok|okay|hey|hi|well|then|now|please|um|hmm) )*(?:what|whats|which|who|whos|whose|whom|when|where|wheres|why|how|hows|is|are|was|were|did|does|do we|do they|has|have (?:we|they|the|you|any)|any(?:one|body|thing)?)\b/;

/** "The disk is full." */
const STATES =
  /^(?:i|we) (?:already )?(?:know|think|believe|guess|suspect|assume|bet|understand|found out|figured out)\b|^(?:an?|the|this|that|these|those|some) (?!.*\b(?:must|should|needs?|has to|have to|please|to be|want|would like)\b)\S+ \S+ \S+|^(?!(?:please|pls|i want|we need|let|make|see|be)\b)(?:\S+ ){1,4}?(?:is|are|was|were|seems?|has been|have been|isnt|keeps?)\b(?! (?:to be|to|supposed)\b)/;

function clauseOf(text: string, opener: string | null, asks: boolean): Clause {
  const polite = POLITE.test(text);
  const isOpen = OPEN.test(polite ? text.replace(POLITE, '') : text);
  const asking = !polite && (ASKING.test(text) || asks);
  const mood: Mood =
    opener !== null && (!asks || opener === 'saying')
      ? 'aside'
      : isOpen
        ? 'doubt'
        : asking
          ? 'question'
          : 'order';
  return { mood, opener, text, isOpen, states: mood === 'order' && STATES.test(text) };
}
