import { z } from 'zod';
import {
  type Kind,
  lines,
  NO_ANSWER,
  QUESTION_MAX,
  sameTexts,
  sharedFields,
  textsOf,
  type Tidy,
} from '../kind.ts';

export const orderingInput = z.object({
  ...sharedFields,
  kind: z.literal('ordering'),
  items: lines('Item', {
    min: 2,
    max: QUESTION_MAX.items,
    length: QUESTION_MAX.option,
    many: 'Items',
  }),
});
export type Ordering = Tidy<z.output<typeof orderingInput>>;

export const ordering: Kind = {
  name: 'ordering',
  label: 'Ordering',
  missing: (answer, { options }) => (sameTexts(textsOf(answer), options) ? null : NO_ANSWER),
};
