/** Shown at a third. */
export const PORTRAIT_PIXELS = 320;

export interface Instructor {
  name: string;
  words: string;
  portrait: string | null;
}

/** Within `hasCourseInstance`. */
export function instructorAsData({ name, words, portrait }: Instructor, siteUrl: string): object {
  return {
    '@type': 'Person',
    name,
    ...(words && { description: words.replace(/\s+/g, ' ') }),
    ...(portrait && { image: new URL(portrait, siteUrl).href }),
  };
}
