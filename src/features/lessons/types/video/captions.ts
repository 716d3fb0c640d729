import { z } from 'zod';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';

export const MORE_CAPTIONS_MAX = 8;
export const CAPTIONS_LANGUAGE = 'en';

export interface MoreCaptions {
  language: string;
  url: string;
}

export interface CaptionedLesson {
  captionsUrl?: string | null | undefined;
  captionsLanguage?: string | undefined;
  moreCaptions?: readonly MoreCaptions[] | undefined;
}

export const captionsPlace = (language: string) => `The captions in ${languageLabel(language)}`;

export const LANGUAGES: readonly string[] =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sr sv sw ta th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  );

/** Deutsch (German). */
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

function knownLanguage(tag: string): string | null {
  try {
    const [language] = Intl.getCanonicalLocales(tag);
    return language && nameOf(language, 'en') ? language : null;
  } catch {
    return null;
  }
}

export const languageInput = z
  .string({ error: 'Choose a language' })
  .trim()
  .max(35, 'A language must be at most 35 characters')
  .refine((tag) => knownLanguage(tag) !== null, 'There is no such language. Give a tag such as en or pt-BR.')
  .overwrite((tag) => knownLanguage(tag) ?? tag);

export function captionsOf({
  captionsUrl,
  captionsLanguage = CAPTIONS_LANGUAGE,
  moreCaptions = [],
}: CaptionedLesson): MoreCaptions[] {
  return [...(captionsUrl ? [{ language: captionsLanguage, url: captionsUrl }] : []), ...moreCaptions];
}

export interface CaptionsTrack {
  language: string;
  label: string;
  src: string;
}

export const shownCaptions = (lesson: CaptionedLesson): CaptionsTrack[] =>
  captionsOf(lesson)
    .filter(({ url }) => isSafeAddress(url))
    .map(({ language, url }) => ({ language, label: languageLabel(language), src: url }));

export function isLanguageTwice(lesson: CaptionedLesson): boolean {
  const all = captionsOf(lesson);
  return new Set(all.map(({ language }) => language)).size < all.length;
}

export const LANGUAGE_TWICE = 'A video has captions in each language once';
