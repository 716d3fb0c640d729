import { z } from 'zod';
import { atLeastOne, exactly, page, strict, words } from '../content.ts';

// Schemas of stories; as in content.ts, editors read the messages.

const ALT_MIN = 12;
const ALT_MAX = 200;

/** The picture's content, not that it is a picture. */
export const alternativeText = words
  .min(ALT_MIN, `says too little: tell in ${ALT_MIN} to ${ALT_MAX} characters what is on the picture`)
  .max(ALT_MAX, `is longer than ${ALT_MAX} characters: tell the rest in the text`)
  .refine(
    (text) => !/^(an? |the )?(image|picture|photo|graphic)\b/i.test(text) && !/\.\w{3,4}$/.test(text),
    'must tell what is on the picture, without “picture of” or the name of a file',
  );

export interface ContentLookup {
  hasPicture: (file: string) => boolean;
  hasClient: (id: string) => boolean;
}

const picture = ({ hasPicture }: ContentLookup) =>
  strict({
    file: z
      .string('must be the path of a file in src/content/pictures, such as people/name.png')
      .refine(hasPicture, {
        error: ({ input }) =>
          `names ${String(input)}, but there is no such PNG, JPEG or WebP in src/content/pictures`,
      }),
    alt: alternativeText,
  });

const client = ({ hasClient }: ContentLookup) =>
  z.string('must be the id of a client').refine(hasClient, {
    error: ({ input }) => `names ${String(input)}, but clients.yaml has no client of that id`,
  });

const day = z.date('must be a day without quotes, such as 2026-11-10');

/** The text below is the story. */
export const caseSchema = (lookup: ContentLookup) =>
  strict({
    ...page,
    client: client(lookup),
    example: z.boolean('must be true for a made-up client, or false for a real one'),
    published: day,
    service: words,
    period: words,
    team: words,
    summary: words,
    picture: picture(lookup),
    figures: exactly(3, strict({ figure: words, label: words })),
    comparison: strict({
      heading: words,
      unit: words,
      rows: atLeastOne(
        strict({
          name: words,
          before: z.number('must be a number').positive('must be more than 0'),
          after: z.number('must be a number').positive('must be more than 0'),
        }),
      ),
    }),
  });

export const quotesSchema = (lookup: ContentLookup) =>
  strict({
    heading: words,
    note: words,
    quotes: atLeastOne(strict({ text: words, name: words, role: words, client: client(lookup) })),
  });

/** The team on the About page. */
export const peopleSchema = (lookup: ContentLookup) =>
  strict({
    heading: words,
    text: words,
    note: words,
    people: atLeastOne(strict({ name: words, role: words, text: words, portrait: picture(lookup) })).refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      'has the same name twice',
    ),
  });

/** The text below is the article. */
export const articleSchema = strict({
  ...page,
  lead: words,
  author: words,
  published: day,
  changed: day.optional(),
  topic: z.enum(['Hiring', 'Software', 'Learning'], 'must be one of: Hiring, Software, Learning'),
});

export const insightsSchema = strict({
  ...page,
  heading: words,
  lead: words,
  list: words,
  feed: words,
  contact: words,
  more: words,
});

export type CaseContent = z.infer<ReturnType<typeof caseSchema>>;
export type QuotesContent = z.infer<ReturnType<typeof quotesSchema>>;
export type PeopleContent = z.infer<ReturnType<typeof peopleSchema>>;
export type ArticleContent = z.infer<typeof articleSchema>;
