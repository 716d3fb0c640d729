import { z } from 'zod';
import { figureName } from '#src/shared/content/figures.ts';

const words = z
  .string('must be text (put it in quotes if it begins with a digit or holds a colon)')
  .trim()
  .min(1, 'is empty');

const exactly = <T extends z.ZodType>(count: number, item: T) =>
  z.array(item, 'must be a list').length(count, `must have exactly ${count} entries`);

const block = { heading: words, text: words };

/** `marketplace.yaml` (spec 2); its figures are claims, never counters (decision 7). */
export const marketplaceSchema = z.strictObject({
  title: words,
  description: words.max(200, 'is longer than 200 characters; search engines cut it off'),
  hero: z.strictObject({ eyebrow: words, heading: words, lead: words, browse: words, register: words }),
  stats: exactly(4, figureName),
  steps: z.strictObject({ ...block, link: words }),
  categories: z.strictObject(block),
  featured: z.strictObject({ ...block, link: words }),
  testimonials: z.strictObject({
    heading: words,
    note: words.optional(),
    items: exactly(3, z.strictObject({ quote: words, name: words, role: words })),
  }),
  course: z.strictObject({
    refund: words.max(160, 'is longer than 160 characters; it stands below a button'),
    questions: z.strictObject({
      heading: words,
      items: z
        .array(z.strictObject({ question: words, answer: words }), 'must be a list')
        .min(1, 'must have at least one entry')
        .max(8, 'must have at most 8 entries'),
    }),
  }),
  closing: z.strictObject({ ...block, register: words, browse: words }),
});
