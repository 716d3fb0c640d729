import type { CourseLesson } from './lesson-formats.server.ts';

// Pictures of texts lie in `pictures/` of a course's folder. Texts name them as they would on any disk, relative to their
// own file, so that editors of Markdown show them too.

/** What stands before an address in Markdown, HTML and CSS; words that merely look like a path stay words. */
const BEFORE = String.raw`(?<=\]\(\s*<?|\]:\s*<?|\b(?:src|href)\s*=\s*["']|\burl\(\s*["']?)`;
const RELATIVE = new RegExp(String.raw`${BEFORE}(?:\.{1,2}/)?pictures/([\w-]+(?:\.[\w-]+)+)`, 'g');
const ON_SITE = new RegExp(
  String.raw`${BEFORE}/pictures/[\w-]+/[a-z0-9-]+-\d{1,5}x\d{1,5}\.(?:avif|webp|jpg|png)(?![\w/.-]*\w)`,
  'g',
);

/** Programs are kept byte for byte, and names of files are no texts. */
const NO_TEXTS = new Set([
  'name',
  'type',
  'letPass',
  'file',
  'captions',
  'moreCaptions',
  'starterCode',
  'solution',
  'tests',
]);

/** A value with each text in it changed, however deep. */
function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one, change)]));
}

/** A lesson with each of its texts changed. */
export function withTexts(lesson: CourseLesson, change: (text: string) => string): CourseLesson {
  const entries = Object.entries(lesson).map(([key, value]) => [
    key,
    NO_TEXTS.has(key) ? value : changed(value, change),
  ]);
  return Object.fromEntries(entries) as CourseLesson;
}

/** All texts of a lesson that may show pictures. */
export function textsOf(lesson: CourseLesson): string[] {
  const texts: string[] = [];
  withTexts(lesson, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Names of the pictures in `pictures/` that a text may show. */
export function pictureNamesIn(text: string): string[] {
  return [...new Set([...text.matchAll(RELATIVE)].map(([, name]) => name!))];
}

/**
 * A text of the folder as the site has it.
 *
 * @param addressOf the address of a picture by its name; null leaves what is written
 */
export function toSite(text: string, addressOf: (name: string) => string | null): string {
  return text.replace(RELATIVE, (written, name: string) => addressOf(name) ?? written);
}

/**
 * A text of the site as it stands in a file of the folder.
 *
 * @param nameOf the name of a picture in `pictures/` by its address; null leaves the address
 * @param up '../' for texts of files that lie in a folder of their own
 */
export function toFolder(text: string, nameOf: (address: string) => string | null, up: '' | '../'): string {
  return text.replace(ON_SITE, (address) => {
    const name = nameOf(address);
    return name === null ? address : `${up}pictures/${name}`;
  });
}

/** A name for the file of a picture: "/pictures/x/my-cat-800x600.jpg" is "my-cat.jpg". */
export const pictureName = (address: string): string =>
  address.replace(/^.*\/([a-z0-9-]+)-\d{1,5}x\d{1,5}(\.\w+)$/, '$1$2');
