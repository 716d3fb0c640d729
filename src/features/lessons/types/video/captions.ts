import { z } from 'zod';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';

/** Further captions of a video at most. */
export const MORE_CAPTIONS_MAX = 8;
/** Of captions whose author says nothing else. */
export const CAPTIONS_LANGUAGE = 'en';

/** Captions beside the first ones of a video. */
export interface MoreCaptions {
  /** A BCP 47 tag. */
  language: string;
  url: string;
}

/** The captions of a lesson as far as they are looked at: out of a form, a draft or the database. */
export interface CaptionedLesson {
  captionsUrl?: string | null | undefined;
  captionsLanguage?: string | undefined;
  moreCaptions?: readonly MoreCaptions[] | undefined;
}

/** How the publish check calls captions. */
export const captionsPlace = (language: string) => `The captions in ${languageLabel(language)}`;

/** The languages that an author chooses from; the calls and the files of a course take every one that has a name. */
export const LANGUAGES: readonly string[] =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sr sv sw ta th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  );

/** What a language calls itself, with its English name: Deutsch (German). */
export function languageLabel(language: string): string {
  const english = nameOf(language, 'en');
  if (!english) return language;
  const own = nameOf(language, language) ?? english;
  const begun = own.charAt(0).toLocaleUpperCase(language) + own.slice(1);
  return begun === english ? english : `${begun} (${english})`;
}

function nameOf(language: string, told: string): string | undefined {
  return new Intl.DisplayNames(told, { type: 'language', fallback: 'none' }).of(language);
}

/** A tag as BCP 47 writes it; null for what is none, or no language that has a name. */
function knownLanguage(tag: string): string | null {
  try {
    const [language] = Intl.getCanonicalLocales(tag);
    return language && nameOf(language, 'en') ? language : null;
  } catch {
    return null;
  }
}

/** A language by its tag, in whatever case. */
export const languageInput = z
  .string({ error: 'Choose a language' })
  .trim()
  .max(35, 'A language must be at most 35 characters')
  .refine((tag) => knownLanguage(tag) !== null, 'There is no such language. Give a tag such as en or pt-BR.')
  .overwrite((tag) => knownLanguage(tag) ?? tag);

/** All captions of a lesson: the first ones, then the further ones. */
export function captionsOf({
  captionsUrl,
  captionsLanguage = CAPTIONS_LANGUAGE,
  moreCaptions = [],
}: CaptionedLesson): MoreCaptions[] {
  return [...(captionsUrl ? [{ language: captionsLanguage, url: captionsUrl }] : []), ...moreCaptions];
}

/** Captions as a player names them. */
export interface CaptionsTrack {
  language: string;
  label: string;
  src: string;
}

/** The captions of a lesson that may stand in a page. */
export const shownCaptions = (lesson: CaptionedLesson): CaptionsTrack[] =>
  captionsOf(lesson)
    .filter(({ url }) => isSafeAddress(url))
    .map(({ language, url }) => ({ language, label: languageLabel(language), src: url }));

/** Whether a lesson has two files of captions in one language. */
export function isLanguageTwice(lesson: CaptionedLesson): boolean {
  const all = captionsOf(lesson);
  return new Set(all.map(({ language }) => language)).size < all.length;
}

export const LANGUAGE_TWICE = 'A video has captions in each language once';
