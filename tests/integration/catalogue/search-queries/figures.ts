import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';

/** A text that people type, and the slugs of the courses that answer it; none where nobody here teaches that. */
export interface TypedQuery {
  query: string;
  wanted: string[];
}

/** How well a search answers a table of queries; shares from 0 to 1. */
export interface Figures {
  queries: number;
  /** Mean of one divided by the place of the first wanted course. */
  reciprocalRank: number;
  inFirstThree: number;
  nothingFound: number;
  notTaught: number;
  /** Of what is not taught: how many were answered with courses all the same. */
  claimed: number;
  /** One line for each query whose answer is not the best possible. */
  misses: string[];
}

/** Reads a table of this folder. */
export function readQueries(name: 'first' | 'second'): TypedQuery[] {
  const text = readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8');
  const table = parseYaml(text) as Record<string, string[]>;
  return Object.entries(table).map(([query, wanted]) => ({ query, wanted }));
}

/** What nobody teaches, though a search finds something like it. */
export function readGuesses(): string[] {
  return parseYaml(readFileSync(new URL('./guesses.yaml', import.meta.url), 'utf8'));
}

/**
 * Asks a search every query of a table.
 *
 * @param find gives the slugs of what is listed for a text, best first
 */
export async function measure(
  queries: readonly TypedQuery[],
  find: (query: string) => Promise<string[]>,
): Promise<Figures> {
  const taught = queries.filter(({ wanted }) => wanted.length > 0);
  const misses: string[] = [];
  const places: number[] = [];
  let claimed = 0;
  for (const { query, wanted } of queries) {
    const found = await find(query);
    if (wanted.length === 0) {
      if (found.length > 0) claimed += 1;
      if (found.length > 0) misses.push(`${query}: claims ${found.slice(0, 3).join(', ')}`);
      continue;
    }
    const place = found.findIndex((slug) => wanted.includes(slug)) + 1;
    places.push(found.length === 0 ? Number.NaN : place);
    if (place !== 1) misses.push(`${query}: place ${place || 'none'} of ${found.length}, first ${found[0]}`);
  }
  const share = (fits: (place: number) => boolean) => places.filter(fits).length / taught.length;
  return {
    queries: taught.length,
    reciprocalRank: places.reduce((sum, place) => sum + (place ? 1 / place : 0), 0) / taught.length,
    inFirstThree: share((place) => place >= 1 && place <= 3),
    nothingFound: share((place) => Number.isNaN(place)),
    notTaught: queries.length - taught.length,
    claimed,
    misses,
  };
}
