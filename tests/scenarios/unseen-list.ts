import { z } from 'zod';
import { phrasingList } from './phrasings.ts';

/** Texts of people who had read the briefing alone, with what a judge said of the answer in their round. */
export const unseenList = z.strictObject({
  scenario: phrasingList.shape.scenario,
  texts: z
    .array(
      z.strictObject({
        text: z.string().min(1),
        meant: z.string().min(1),
        kind: z.enum(['order', 'two', 'look', 'question', 'negation', 'weighed', 'off']),
        round: z.int(),
        verdict: z.enum(['understood', 'asked', 'missed', 'misread']),
      }),
    )
    .min(1),
});
