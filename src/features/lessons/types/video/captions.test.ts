import { describe, expect, it } from 'vitest';
import { captionsOf, isLanguageTwice, LANGUAGES, languageInput, languageLabel } from './captions.ts';

describe('a language of captions', () => {
  it.each([
    ['en', 'English'],
    ['de', 'Deutsch (German)'],
    ['fr', 'Français (French)'],
    ['pt-BR', 'Português (Brasil) (Brazilian Portuguese)'],
    ['ar', 'العربية (Arabic)'],
    ['xx', 'xx'],
  ])('%s is called %s', (language, label) => {
    expect(languageLabel(language)).toBe(label);
  });

  it('has a name of its own in the list', () => {
    for (const language of LANGUAGES) expect(languageInput.parse(language)).toBe(language);
    expect(new Set(LANGUAGES.map(languageLabel)).size).toBe(LANGUAGES.length);
  });

  it.each([
    ['PT-br', 'pt-BR'],
    [' de ', 'de'],
    ['zh-hant', 'zh-Hant'],
  ])('%j is written %s', (tag, language) => {
    expect(languageInput.parse(tag)).toBe(language);
  });

  it.each(['', 'xx', 'german', 'en_US', 'e', `en-${'a'.repeat(40)}`, 7])('is not %j', (tag) => {
    expect(languageInput.safeParse(tag).success).toBe(false);
  });
});

describe('captions', () => {
  const de = { language: 'de', url: '/files/1/de.vtt' };

  it('begin with the first ones, where there are any', () => {
    expect(captionsOf({ captionsUrl: '/files/1/a.vtt', moreCaptions: [de] })).toEqual([
      { language: 'en', url: '/files/1/a.vtt' },
      de,
    ]);
    expect(captionsOf({ captionsUrl: '', moreCaptions: [de] })).toEqual([de]);
  });

  it('have each language once', () => {
    expect(isLanguageTwice({ captionsUrl: '/a.vtt', moreCaptions: [de] })).toBe(false);
    expect(isLanguageTwice({ captionsUrl: '/a.vtt', captionsLanguage: 'de', moreCaptions: [de] })).toBe(true);
    expect(isLanguageTwice({ captionsUrl: '', captionsLanguage: 'de', moreCaptions: [de] })).toBe(false);
    expect(isLanguageTwice({ moreCaptions: [de, de] })).toBe(true);
  });
});
