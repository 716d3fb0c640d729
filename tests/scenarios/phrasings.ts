import { z } from 'zod';
import { type Engine, isActed, type Outcome } from '#src/features/scenario/engine.ts';

const texts = z.record(z.string(), z.array(z.string().min(1)).min(1));

export const phrasingList = z.strictObject({
  scenario: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  good: z.strictObject({ score: z.int(), actions: z.array(z.string()).min(1) }),
  bad: z.strictObject({
    score: z.int(),
    ended: z.boolean().default(false),
    actions: z.array(z.string()).min(1),
  }),
  learners: texts,
  none: z.array(z.string()).min(1),
  /** No texts are added for these: they measure how far the words carry. */
  heldOut: texts,
  heldOutNone: z.array(z.string()).min(1),
});
type PhrasingList = z.output<typeof phrasingList>;

export interface Missed {
  text: string;
  expected: string | null;
  found: string | null;
}

export interface PhrasingResult {
  total: number;
  understood: number;
  missed: Missed[];
  wrong: Missed[];
}

/** Counts which texts lead to the rule they mean, or are asked about it, at the start of a run. */
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

export const strangerList = z.strictObject({
  scenario: phrasingList.shape.scenario,
  texts: z
    .array(
      z.strictObject({
        text: z.string().min(1),
        meant: z.string().min(1),
        kind: z.enum(['topic', 'question', 'negation', 'off']),
        actions: z.array(z.string()).default([]),
        /** What has to be named as waiting. */
        also: z.array(z.string()).default([]),
        /** False where none of the actions may be carried out. */
        done: z.boolean().default(true),
      }),
    )
    .min(1),
});
type StrangerList = z.output<typeof strangerList>;
type StrangerText = StrangerList['texts'][number];

export interface Judged extends StrangerText {
  found: string;
  reply: string;
  /** `misread`: another rule was named. `missed`: it was neither named nor asked about. */
  verdict: 'right' | 'missed' | 'misread';
}

export function judgeStrangers(engine: Engine, texts: readonly StrangerText[]): Judged[] {
  return texts.map((text) => {
    const outcome = engine.act(engine.begin(), text.text);
    return { ...text, ...verdictOf(outcome, text) };
  });
}

function verdictOf(
  outcome: Outcome,
  { kind, actions, also, done }: StrangerText,
): Pick<Judged, 'found' | 'reply' | 'verdict'> {
  if (isActed(outcome)) {
    const asked = outcome.run.asked ?? [];
    const found = [outcome.kind, outcome.ruleId, ...asked].join(' ');
    const isAll = also.every((id) => id === outcome.ruleId || asked.includes(id));
    const isMeant = done && actions.includes(outcome.ruleId);
    return { found, reply: outcome.feedback, verdict: !isMeant ? 'misread' : isAll ? 'right' : 'missed' };
  }
  const { reply, ruleIds } = outcome;
  const found = [outcome.kind, ...ruleIds].join(' ');
  const isAsked = ruleIds.some((id) => actions.includes(id));
  const isRight =
    kind === 'off'
      ? outcome.kind === 'unknown'
      : kind === 'topic' && done
        ? isAsked || (actions.length === 0 && ruleIds.length === 0)
        : isAsked || ruleIds.length === 0;
  return { found, reply, verdict: isRight ? 'right' : 'missed' };
}
