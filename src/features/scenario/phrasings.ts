import { z } from 'zod';
import type { Engine } from './engine.ts';

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
 * Counts which texts lead to the rule they mean. A text counts as wrong where its best match, or the rule that would
 * be carried out at the start of a run, is another one.
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
    const best = engine.understanding.matches(text)[0]?.ruleId ?? null;
    if (best !== expected) return [{ text, expected, found: best }];
    const outcome = engine.act(engine.begin(), text);
    const done = outcome.kind === 'done' ? outcome.ruleId : expected;
    return done === expected ? [] : [{ text, expected, found: done }];
  });
  return {
    total: cases.length,
    understood: cases.length - missed.length,
    missed,
    wrong: missed.filter(({ found }) => found !== null),
  };
}
