import { z } from 'zod';
import { type Engine, isActed, type Outcome } from './engine.ts';

const texts = z.record(z.string(), z.array(z.string().min(1)).min(1));

/** What learners type in a scenario, and what should come of it; one file for each scenario of the demo. */
export const phrasingList = z.strictObject({
  /** `<course>/<scenario>`, both as named in the folder of the demo courses. */
  scenario: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  /** A run as a learner who knows the trade plays it, and the points it must give. */
  good: z.strictObject({ score: z.int(), actions: z.array(z.string()).min(1) }),
  /** A run that goes wrong in ways worth learning from. */
  bad: z.strictObject({
    score: z.int(),
    ended: z.boolean().default(false),
    actions: z.array(z.string()).min(1),
  }),
  /** Texts by the rule they mean; synonyms may be added for them. */
  learners: texts,
  /** Texts that mean no rule, most of them negated or vague. */
  none: z.array(z.string()).min(1),
  /** Texts that no synonym is added for: they measure how far the words carry beyond the ones thought of. */
  heldOut: texts,
  heldOutNone: z.array(z.string()).min(1),
});
export type PhrasingList = z.output<typeof phrasingList>;

/** One text that was not taken as it was meant. */
export interface Missed {
  text: string;
  /** Null where the text means no rule. */
  expected: string | null;
  /** Null where nothing was understood. */
  found: string | null;
}

export interface PhrasingResult {
  total: number;
  understood: number;
  missed: Missed[];
  /** Those of `missed` that led to a rule which was not meant. */
  wrong: Missed[];
}

/**
 * Counts which texts lead to the rule they mean, or are asked about it, at the start of a run. A text counts as wrong
 * where another one would be carried out.
 */
export function measurePhrasings(
  engine: Engine,
  byRule: PhrasingList['learners'],
  meaningless: string[],
): PhrasingResult {
  const cases: { text: string; expected: string | null }[] = [
    ...Object.entries(byRule).flatMap(([expected, list]) => list.map((text) => ({ text, expected }))),
    ...meaningless.map((text) => ({ text, expected: null })),
  ];
  const missed = cases.flatMap(({ text, expected }): Missed[] => {
    const outcome = engine.act(engine.begin(), text);
    const isAsked = !isActed(outcome) && expected !== null && outcome.ruleIds.includes(expected);
    const found = isActed(outcome) ? outcome.ruleId : isAsked ? expected : null;
    if (found === expected) return [];
    // What cannot be done at the start, and says nothing of it, is understood all the same.
    const understood = engine.understanding.understand(text);
    const isMeant =
      found === null && understood.kind === 'clear' && understood.matches[0]!.ruleId === expected;
    return isMeant ? [] : [{ text, expected, found }];
  });
  return {
    total: cases.length,
    understood: cases.length - missed.length,
    missed,
    wrong: missed.filter(({ found }) => found !== null),
  };
}

/** Texts of people who have never seen the rules of a scenario; one file for each scenario of the demo. */
export const strangerList = z.strictObject({
  scenario: phrasingList.shape.scenario,
  texts: z
    .array(
      z.strictObject({
        text: z.string().min(1),
        /** In plain words. */
        meant: z.string().min(1),
        kind: z.enum(['topic', 'question', 'negation', 'off']),
        /** The rules that do what was meant, by a reader's judgement; none where nothing is to be done. */
        actions: z.array(z.string()).default([]),
      }),
    )
    .min(1),
});
export type StrangerList = z.output<typeof strangerList>;
type StrangerText = StrangerList['texts'][number];

/** What came of a stranger's text, and whether that is right. */
export interface Judged extends StrangerText {
  /** In short, such as `done rollback`. */
  found: string;
  reply: string;
  /** `misread`: a rule was named that was not meant. `missed`: it was meant and neither named nor asked about. */
  verdict: 'right' | 'missed' | 'misread';
}

/** Tries each text at the start of a run. */
export function judgeStrangers(engine: Engine, texts: readonly StrangerText[]): Judged[] {
  return texts.map((text) => {
    const outcome = engine.act(engine.begin(), text.text);
    return { ...text, ...verdictOf(outcome, text) };
  });
}

function verdictOf(
  outcome: Outcome,
  { kind, actions }: StrangerText,
): Pick<Judged, 'found' | 'reply' | 'verdict'> {
  if (isActed(outcome)) {
    const found = `${outcome.kind} ${outcome.ruleId}`;
    return {
      found,
      reply: outcome.feedback,
      verdict: actions.includes(outcome.ruleId) ? 'right' : 'misread',
    };
  }
  const { reply, ruleIds } = outcome;
  const found = [outcome.kind, ...ruleIds].join(' ');
  const isAsked = ruleIds.some((id) => actions.includes(id));
  const isRight =
    kind === 'off'
      ? outcome.kind === 'unknown'
      : kind === 'topic'
        ? isAsked || (actions.length === 0 && ruleIds.length === 0)
        : isAsked || ruleIds.length === 0;
  return { found, reply, verdict: isRight ? 'right' : 'missed' };
}
