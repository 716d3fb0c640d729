// Tells from the words of a table whether a measured value keeps its aim, so that no run can leave the verdict away.

const MISSED = ' MISSED';
const CLAUSE = /(?:(p\d+(?:\.\d+)?) )?([≤≥<]) ([\d.,]+) ?(\/s|ms|s|MB|× bare Astro)?/g;

const numberOf = (text: string) => Number(text.replaceAll(',', ''));

/** The first number before a unit; without one, a ratio such as "0.98 of bare". */
function figure(text: string, unit: string | undefined): number | null {
  const found = unit
    ? new RegExp(`([\\d.,]+) ?${unit}(?![\\w/])`).exec(text)
    : /([\d.,]+) (?:of|×)/.exec(text);
  return found ? numberOf(found[1]!) : null;
}

/** A percentile of a value; the next higher one that is told stands in for it. */
function percentile(value: string, name: string): number | null {
  const told = [...value.matchAll(/p(\d+(?:\.\d+)?) ([\d.,]+)/g)]
    .map(([, rank, time]) => ({ rank: Number(rank), time: numberOf(time!) }))
    .sort((a, b) => a.rank - b.rank);
  return told.find(({ rank }) => rank >= Number(name.slice(1)))?.time ?? null;
}

/**
 * Whether a value keeps an aim, both as they stand in a table.
 *
 * @param value such as "383/s, p50 34 ms, p97.5 94 ms, 0 errors"
 * @param aim such as "p95 ≤ 60 ms, ≤ 4 × bare Astro"
 * @param ratio such as "0.98 of bare" or "3.20 × bare Astro by CPU"
 * @throws where the value does not say what the aim is about
 */
export function keepsAim(value: string, aim: string, ratio = ''): boolean {
  if (/\b[1-9]\d* (errors|failures|refused)\b/.test(value)) return false;
  const within = /^within (\d+) ms$/.exec(aim);
  if (within) {
    const [, a, b] = /([\d.]+) \/ ([\d.]+) ms/.exec(value) ?? [];
    return Math.abs(Number(a) - Number(b)) <= Number(within[1]);
  }
  const clauses = [...aim.matchAll(CLAUSE)];
  if (clauses.length === 0) throw new Error(`The aim "${aim}" is not understood.`);
  return clauses.every(([, rank, sign, limit, unit]) => {
    const isRatio = unit === undefined || unit.startsWith('×');
    const found = rank ? percentile(value, rank) : figure(isRatio ? `${value} ${ratio}` : value, unit);
    if (found === null) throw new Error(`"${value}" does not say whether it is "${aim}".`);
    const bound = numberOf(limit!);
    return sign === '≥' ? found >= bound : sign === '<' ? found < bound : found <= bound;
  });
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A table of Markdown with MISSED behind each aim that its row misses, and nowhere else. */
export function markMissed(table: string): string {
  const rows = table.split('\n');
  const heads = cellsOf(rows[0]!);
  const [value, aim, ratio] = [/^value$/, /^aim$/, /^(ratios?|of bare Astro)$/].map((name) =>
    heads.findIndex((head) => name.test(head)),
  ) as [number, number, number];
  // The judge's table has its verdicts in a column of their own: there, a run that fails misses any aim.
  if (aim < 0 || heads.at(-1) === '') return table;
  const marked = rows.slice(2).map((row) => {
    const cells = cellsOf(row);
    const wanted = cells[aim]!.replace(MISSED, '');
    if (wanted === '') return row;
    const kept = keepsAim(cells[value]!, wanted, cells[ratio] ?? '');
    cells[aim] = kept ? wanted : wanted + MISSED;
    return `| ${cells.join(' | ')} |`;
  });
  return [...rows.slice(0, 2), ...marked].join('\n');
}
