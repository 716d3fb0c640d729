import { z } from 'zod';

/** The figures that the firm says of itself, which `src/content/figures.yaml` holds (decision 7). */
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
  /** As it is shown: "500+". */
  figure: text.regex(/^\d/, 'must begin with a digit'),
  label: text,
  note: text.optional(),
});

export type Figure = z.output<typeof figure>;

/** `figures.yaml` */
export const figuresSchema = z.strictObject(
  Object.fromEntries(FIGURE_NAMES.map((name) => [name, figure])) as Record<FigureName, typeof figure>,
);

/** Where a page names a figure that it shows. */
export const figureName = z.enum(FIGURE_NAMES, `must be one of the figures: ${FIGURE_NAMES.join(', ')}`);

/** The number at the beginning of a figure, for counting up to it, and what follows; null for one such as "10,000+". */
export function countable(shown: string): { value: number; suffix: string } | null {
  const [, value, suffix] = /^(\d+)([^\d,./]*)$/.exec(shown) ?? [];
  return value === undefined ? null : { value: Number(value), suffix: suffix! };
}
