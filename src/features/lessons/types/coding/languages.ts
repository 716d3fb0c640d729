/** The languages of coding lessons (spec 2). */
export const CODING_LANGUAGES = ['javascript', 'python', 'html', 'css', 'react'] as const;
export type CodingLanguage = (typeof CODING_LANGUAGES)[number];

const LANGUAGE_LABELS: Record<CodingLanguage, string> = {
  javascript: 'JavaScript',
  python: 'Python',
  html: 'HTML',
  css: 'CSS',
  react: 'React',
};

export function languageLabel(language: CodingLanguage): string {
  return LANGUAGE_LABELS[language];
}

/** Languages whose result is something to look at: their lessons have a live preview. */
export function hasPreview(language: CodingLanguage): boolean {
  return language === 'html' || language === 'css' || language === 'react';
}
