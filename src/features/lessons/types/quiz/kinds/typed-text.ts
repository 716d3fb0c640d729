import { distance } from 'fastest-levenshtein';

export type Comparison = { matchCase: boolean; forgiveTypos: boolean };

/** One form for what reads the same: composed letters, single spaces, plain quotes and hyphens. */
export function plainText(text: string, matchCase: boolean): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  return matchCase ? plain : plain.toLowerCase();
}

/** Letters that may be wrong, missing or too many: none in a short word or where a digit counts (decision 70). */
export function typosForgiven(text: string): number {
  const { length } = [...text];
  if (/\p{N}/u.test(text) || length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** Whether what was typed is one of the accepted texts. */
export function isAccepted(
  accepted: readonly string[],
  typed: string,
  { matchCase, forgiveTypos }: Comparison,
): boolean {
  const given = plainText(typed, matchCase);
  if (given === '') return false;
  return accepted.some((one) => {
    const wanted = plainText(one, matchCase);
    return wanted === given || (forgiveTypos && distance(wanted, given) <= typosForgiven(wanted));
  });
}
