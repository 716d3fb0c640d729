/** Pixels of a portrait's sides, which is shown at a third of them. */
export const PORTRAIT_PIXELS = 320;

/** Who teaches a course, as its page shows them. */
export interface Instructor {
  name: string;
  /** May be empty. */
  words: string;
  /** Where the portrait is served; null without one. */
  portrait: string | null;
}

/** An instructor as search engines read it, within the `hasCourseInstance` of a course. */
export function instructorAsData({ name, words, portrait }: Instructor, siteUrl: string): object {
  return {
    '@type': 'Person',
    name,
    ...(words && { description: words.replace(/\s+/g, ' ') }),
    ...(portrait && { image: new URL(portrait, siteUrl).href }),
  };
}
