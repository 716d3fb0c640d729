import { searchForm } from './search-words.ts';

/** "ai" does not begin "aim". */
const BEGINNING_MIN = 4;

/** A final y is an i in the stem. */
function markedBeginning(stem: string): string {
  return stem.length >= BEGINNING_MIN ? stem.replace(/i$/, '') : stem;
}

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

/** A PostgreSQL regular expression for lower-case texts. */
export function marksPattern(stems: readonly string[]): string {
  const parts = stems.map((stem) => (stem.length < BEGINNING_MIN ? `${stem}s?\\M` : markedBeginning(stem)));
  return `\\m(?:${parts.join('|')})`;
}

const fits = (form: string, beginning: string) =>
  beginning.length < BEGINNING_MIN
    ? form === beginning || form === `${beginning}s`
    : form.startsWith(beginning);
