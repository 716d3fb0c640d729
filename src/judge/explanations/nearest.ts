/** Edits that turn one word into another, at most `limit` + 1. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + same));
    }
    previous = row;
  }
  return previous[b.length]!;
}

const LONGEST_WORD = 40;
const SWAPPED = 0.5;
const OTHER_CASE = 0.25;

const sorted = (word: string): string => [...word].sort().join('');

export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST_WORD) return null;
  const limit = word.length <= 1 ? 0 : word.length <= 4 ? 1 : 2;
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (candidate === word || candidate.length > LONGEST_WORD) continue;
    const isSwapped = candidate.length === word.length && sorted(candidate) === sorted(word);
    let far = isSwapped ? SWAPPED : distance(word, candidate, limit);
    if (candidate.toLowerCase() === lower) far = OTHER_CASE;
    if (far < bestDistance) [best, bestDistance] = [candidate, far];
  }
  return best;
}
