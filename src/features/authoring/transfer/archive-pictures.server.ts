import type { CourseLesson } from './lesson-formats.server.ts';

// Texts name their pictures relative to their own file, so that editors of Markdown show them too.

/** What precedes an address in Markdown, HTML and CSS. */
const BEFORE = String.raw`(?<=\]\(\s*<?|\]:\s*<?|\b(?:src|href)\s*=\s*["']|\burl\(\s*["']?)`;
const RELATIVE = new RegExp(String.raw`${BEFORE}(?:\.{1,2}/)?pictures/([\w-]+(?:\.[\w-]+)+)`, 'g');
const ON_SITE = new RegExp(
  String.raw`${BEFORE}/pictures/[\w-]+/[a-z0-9-]+-\d{1,5}x\d{1,5}\.(?:avif|webp|jpg|png)(?![\w/.-]*\w)`,
  'g',
);

/** Programs stay byte for byte. */
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

export function textsOf(lesson: CourseLesson): string[] {
  const texts: string[] = [];
  withTexts(lesson, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

export function pictureNamesIn(text: string): string[] {
  return [...new Set([...text.matchAll(RELATIVE)].map(([, name]) => name!))];
}

/** A text of the folder as the site has it; where `addressOf` gives null, the text stays. */
export function toSite(text: string, addressOf: (name: string) => string | null): string {
  return text.replace(RELATIVE, (written, name: string) => addressOf(name) ?? written);
}

/**
 * A text of the site as a file of the folder has it.
 * @param up '../' for texts of files in a subfolder
 */
export function toFolder(text: string, nameOf: (address: string) => string | null, up: '' | '../'): string {
  return text.replace(ON_SITE, (address) => {
    const name = nameOf(address);
    return name === null ? address : `${up}pictures/${name}`;
  });
}

/** "/pictures/x/my-cat-800x600.jpg" becomes "my-cat.jpg". */
export const pictureName = (address: string): string =>
  address.replace(/^.*\/([a-z0-9-]+)-\d{1,5}x\d{1,5}(\.\w+)$/, '$1$2');
