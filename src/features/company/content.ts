import { z } from 'zod';
import { figureName } from '#src/shared/content/figures.ts';
import { GLYPH_NAMES, ICON_NAMES } from './icons.ts';

// Schemas of src/content. Editors read their messages after the file and place, so each says what to write.

const SEARCH_DESCRIPTION_MAX = 200;

export const words = z
  .string('must be text (put it in quotes if it begins with a digit or holds a colon)')
  .trim()
  .min(1, 'is empty: write the text, or take the line back from the example');

export const strict = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has a line that the page does not use: ${(issue.keys as string[]).join(', ')} (a spelling mistake?)`
        : 'must be a group of indented lines',
  });

export const exactly = <T extends z.ZodType>(count: number, item: T) =>
  z.array(item, 'must be a list: one entry per dash').refine((list) => list.length === count, {
    error: (issue) => `must have exactly ${count} entries, and has ${(issue.input as unknown[]).length}`,
  });

export const atLeastOne = <T extends z.ZodType>(item: T) =>
  z.array(item, 'must be a list: one entry per dash').min(1, 'must have at least one entry');

const icon = z.enum(ICON_NAMES, `must be one of: ${ICON_NAMES.join(', ')}`);
const glyph = z.enum(GLYPH_NAMES, `must be one of: ${GLYPH_NAMES.join(', ')}`);

const withIcon = strict({ name: words, icon, text: words });
const withGlyph = strict({ name: words, art: glyph, text: words });

export const page = {
  title: words,
  description: words.max(
    SEARCH_DESCRIPTION_MAX,
    `is longer than ${SEARCH_DESCRIPTION_MAX} characters; search engines cut it off`,
  ),
};

/** Spec 2. */
export const homeSchema = strict({
  ...page,
  hero: strict({ heading: words, lead: words, start: words, services: words }),
  about: strict({ eyebrow: words, heading: words, text: words, link: words }),
  steps: strict({ heading: words, text: words, link: words }),
  services: strict({ heading: words, items: exactly(4, withGlyph) }),
  differentiators: strict({ heading: words, items: exactly(3, strict({ heading: words, text: words })) }),
  stats: exactly(4, figureName),
  /** Says that they are examples. */
  clients: strict({ heading: words, note: words.optional() }),
  approach: strict({
    heading: words,
    text: words,
    steps: exactly(3, strict({ heading: words, text: words })),
  }),
  industries: strict({ heading: words, items: exactly(6, withIcon) }),
  start: strict({
    heading: words,
    text: words,
    phoneLabel: words,
    emailLabel: words,
    contact: words,
    services: words,
  }),
});

/** The text below is the story. */
export const aboutSchema = strict({
  ...page,
  heading: words,
  lead: words,
  mission: strict({ heading: words, text: words }),
  vision: strict({ heading: words, text: words }),
  offerings: strict({ heading: words, items: exactly(3, withGlyph) }),
  reasons: strict({ heading: words, items: exactly(4, withIcon) }),
  established: strict({ heading: words, text: words }),
  everify: words,
  insights: strict({ heading: words, link: words }),
  closing: strict({ heading: words, courses: words, contact: words }),
});

export const servicesSchema = strict({
  ...page,
  heading: words,
  lead: words,
  featuresLabel: words,
  technologiesLabel: words,
  lines: exactly(
    6,
    strict({
      id: z
        .string('must be text')
        .regex(
          /^[a-z][a-z0-9-]*$/,
          'must be small letters, digits and hyphens: it becomes part of the address',
        ),
      name: words,
      icon,
      text: words,
      features: atLeastOne(words),
      technologies: atLeastOne(words),
    }),
  ),
  moreLabel: words,
  path: strict({
    heading: words,
    text: words,
    brief: strict({ name: words, text: words }),
    tracks: exactly(
      2,
      strict({ name: words, stages: exactly(4, strict({ when: words, name: words, text: words })) }),
    ),
    start: strict({ name: words, text: words }),
  }),
  specializations: strict({ heading: words, items: exactly(4, withIcon) }),
  claims: exactly(3, figureName),
  closing: strict({
    heading: words,
    text: words,
    start: words,
    courses: words,
    contact: words,
    call: words.includes('{phone}', { error: 'must hold {phone} where the number stands' }),
    copied: words,
    copyFailed: words.includes('{phone}', { error: 'must hold {phone} where the number stands' }),
  }),
});

export const teamsSchema = strict({
  ...page,
  heading: words,
  lead: words,
  start: words,
  quote: words,
  prices: strict({
    heading: words,
    text: words,
    seats: words,
    less: words,
    example: words,
    single: words,
  }),
  steps: strict({ heading: words, items: exactly(3, strict({ name: words, text: words })) }),
  sees: strict({ heading: words, shown: atLeastOne(words), hidden: words }),
  form: strict({ heading: words, text: words, subject: words }),
});

const CLIENT_COUNT = 11;

/** @param logoExists for a file name */
export function clientsSchema(logoExists: (file: string) => boolean) {
  return strict({
    ...page,
    heading: words,
    lead: words,
    clients: exactly(
      CLIENT_COUNT,
      strict({
        id: z.string('must be text').regex(/^[a-z][a-z0-9-]*$/, 'must be small letters, digits and hyphens'),
        name: words,
        logo: z
          .string('must be the name of a file in public/clients')
          .regex(/^[\w-]+\.svg$/, 'must be the name of an SVG file, such as example.svg')
          .refine(logoExists, {
            error: (issue) => `names ${String(issue.input)}, but there is no such file in public/clients`,
          }),
        work: words,
      }),
    ).refine(
      (list) => new Set(list.map(({ id }) => id)).size === list.length,
      'has the same id twice: each must be its own',
    ),
    openSeat: strict({ heading: words, link: words }),
    cases: strict({ heading: words, text: words }),
    industries: strict({ heading: words, text: words, items: exactly(6, withIcon) }),
    closing: strict({ heading: words, text: words, start: words }),
  });
}

export const contactSchema = strict({
  ...page,
  heading: words,
  lead: words,
  details: strict({ heading: words, email: words, phone: words, address: words, hours: words }),
  benefits: strict({ heading: words, items: exactly(5, words) }),
  form: strict({
    heading: words,
    firstName: words,
    lastName: words,
    email: words,
    subject: words,
    message: words,
    send: words,
    sending: words,
  }),
  sent: strict({ heading: words, text: words, again: words }),
});

export type HomeContent = z.infer<typeof homeSchema>;
export type ServicesContent = z.infer<typeof servicesSchema>;
export type ClientsContent = z.infer<ReturnType<typeof clientsSchema>>;
export type ContactContent = z.infer<typeof contactSchema>;
