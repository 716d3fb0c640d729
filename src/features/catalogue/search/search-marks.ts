import { searchForm } from './search-words.ts';

/** Shorter stems stand for themselves and their plural: "ai" is not the beginning of "aim". */
const BEGINNING_MIN = 4;

/** The letters with which every form of a word begins, from its stem: a final y of the word is an i in its stem. */
function markedBeginning(stem: string): string {
  return stem.length >= BEGINNING_MIN ? stem.replace(/i$/, '') : stem;
}

/** A text in pieces, those apart that were searched for. */
export function markWords(text: string, stems: readonly string[]): { text: string; marked: boolean }[] {
  if (stems.length === 0) return [{ text, marked: false }];
  const beginnings = stems.map(markedBeginning);
  const isMarked = (word: string) => {
    const form = searchForm(word);
    return form !== '' && beginnings.some((beginning) => fits(form, beginning));
  };
  return text
    .split(/([\p{L}\p{N}\p{M}+#]+)/u)
    .filter(Boolean)
    .map((piece) => ({ text: piece, marked: isMarked(piece) }));
}

/** The same as a regular expression of PostgreSQL, for texts in small letters. */
export function marksPattern(stems: readonly string[]): string {
  const parts = stems.map((stem) => (stem.length < BEGINNING_MIN ? `${stem}s?\\M` : markedBeginning(stem)));
  return `\\m(?:${parts.join('|')})`;
}

const fits = (form: string, beginning: string) =>
  beginning.length < BEGINNING_MIN
    ? form === beginning || form === `${beginning}s`
    : form.startsWith(beginning);
