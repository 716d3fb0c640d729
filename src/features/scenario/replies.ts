import type { Scenario } from './scenario.ts';

export type Doubt = 'weighed' | 'past' | 'unclear';

// What somebody in the situation says where nothing was done. No list of actions is among it: finding them is the task.
const LOST = ['I do not follow.', 'What do you mean by that?'];
const KNOWN = 'What is known is in the situation and its resources.';
const HELP = ['That is yours to decide.', 'You have seen as much as I have.', 'It is your call.'];

const FIRST = {
  past: 'That has not been done so far.',
  weighed: `Nothing has been done. ${KNOWN}`,
  unclear: '',
  also: '',
};

const YES =
  /^\W*(?:yes|yeah|yep|yup|ya|y|sure|ok|okay|correct|right|exactly|indeed|of course|definitely|absolutely|please do|do (?:it|that)|go ahead|go for it|that'?s (?:it|right|what i mean\w*)|i (?:did|do)|confirm(?:ed)?|affirmative|precisely)(?:\W+(?:please|do (?:it|that|so)|that|exactly|sir|thanks|thank you|i (?:did|do)|it is|right|go ahead|of course|now|sure))*\W*$/i;
export const NO =
  /^\W*(?:no|nope|nah|not that|neither|none(?: of (?:them|these|those|it))?|no way|wrong|never(?: mind)?|not (?:yet|now)|(?:forget|scratch|cancel) (?:it|that))(?:\W+(?:thanks|thank you|not that|i did ?n[o']t|i do ?n[o']t|that'?s not what i mean\w*|neither|please))*\W*$/i;

/** "Yes" takes the first; -1 where the text chooses none. */
export function whichOf(text: string): number {
  if (YES.test(text) || /^\W*(?:the )?(?:first|former|1st|1)(?: one)?\W*$/i.test(text)) return 0;
  return /^\W*(?:the )?(?:second|latter|last|2nd|2|other)(?: one)?\W*$/i.test(text) ? 1 : -1;
}

export class Replies {
  readonly #name: string | null;
  readonly #lost: readonly string[];

  constructor(voice: Scenario['voice']) {
    this.#name = voice?.name ?? null;
    this.#lost = voice && voice.lost.length > 0 ? voice.lost : LOST;
  }

  lost(text: string, nudge: string): string {
    return this.say(oneOf(this.#lost, text), nudge);
  }

  help(text: string, nudge: string): string {
    return this.say(oneOf(HELP, text), nudge);
  }

  leftAlone(nudge: string): string {
    return this.say('All right, that is left alone.', nudge);
  }

  question(nudge: string): string {
    return this.say(KNOWN, nudge);
  }

  vague(word: string): string {
    return this.say(`“${word}”: what exactly?`);
  }

  facts(facts: readonly { label: string; value: string }[]): string {
    return this.say(
      ...facts.map(({ label, value }) => `${label}: ${value}${/[.?!]$/.test(value) ? '' : '.'}`),
    );
  }

  /** Where an action may be meant that nobody would propose. */
  sayPlainly(doubt: Doubt, nudge: string): string {
    return this.say(FIRST[doubt], 'If something is to be done, say it in one plain sentence.', nudge);
  }

  say(...sentences: string[]): string {
    const said = sentences.filter(Boolean).join(' ');
    return this.#name === null ? said : `${this.#name}: “${said.replaceAll('“', '‘').replaceAll('”', '’')}”`;
  }
}

/** "Did you mean to …?", for one or two actions. */
export function askedAbout(replies: Replies, titles: readonly string[], doubt: Doubt | 'also'): string {
  const isAction = titles.every(
    (title) =>
      /^[A-Z][a-z]+\b/.test(title) && !/^(?:The|A|An|No|My|Our)\b|^\w+(?:ion|ment|ing)\b/.test(title),
  );
  const names = titles.map((title) =>
    isAction ? title.charAt(0).toLowerCase() + title.slice(1) : `“${title}”`,
  );
  const also = doubt === 'also' ? 'also ' : '';
  return replies.say(
    FIRST[doubt],
    isAction
      ? `Did you ${also}mean to ${names.join(', or to ')}?`
      : `Did you ${also}mean ${names.join(' or ')}?`,
  );
}

const oneOf = (lines: readonly string[], text: string) => lines[text.length % lines.length]!;
