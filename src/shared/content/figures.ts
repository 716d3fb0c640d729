import { z } from 'zod';

/** In `src/content/figures.yaml` (decision 7). */
export const FIGURE_NAMES = [
  'happyClients',
  'candidatesPlaced',
  'projectsDelivered',
  'expertTeam',
  'projectsCompleted',
  'clientSatisfaction',
  'support',
  'students',
  'instructors',
  'courses',
  'learnerSatisfaction',
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

const text = z
  .string('must be text: put it in quotes if it is a number alone')
  .trim()
  .min(1, 'is empty: write the text');

const figure = z.strictObject({
  /** "500+". */
  figure: text.regex(/^\d/, 'must begin with a digit'),
  label: text,
  note: text.optional(),
});

export type Figure = z.output<typeof figure>;

export const figuresSchema = z.strictObject(
  Object.fromEntries(FIGURE_NAMES.map((name) => [name, figure])) as Record<FigureName, typeof figure>,
);

export const figureName = z.enum(FIGURE_NAMES, `must be one of the figures: ${FIGURE_NAMES.join(', ')}`);

/** For counting up; null for one such as "10,000+". */
export function countable(shown: string): { value: number; suffix: string } | null {
  const [, value, suffix] = /^(\d+)([^\d,./]*)$/.exec(shown) ?? [];
  return value === undefined ? null : { value: Number(value), suffix: suffix! };
}
