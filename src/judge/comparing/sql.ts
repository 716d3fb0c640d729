import { InvalidSqlInput, parseSqlInput } from '../languages/sql/input.ts';
import type { ShownRows } from '#src/judge/protocol.ts';
import { inColumnsOf, parseTable, sameCell, type Table, tableDifference } from './tables.ts';

export function sameSql(got: string, expected: string, input: string): boolean {
  const look = lookOf(input);
  if (!look) return false;
  if (look.what === 'plan') {
    const nodes = linesOf(got).map((line) => line.replace(/^->\s*/, ''));
    return linesOf(expected).every((line) =>
      nodes.some((node) => beginsWith(node, line.replace(/^->\s*/, ''))),
    );
  }
  if (look.what === 'refused') {
    // The name of the constraint may be left open.
    const [wanted, is] = [expected.trim(), got.trim()];
    return is === wanted || (!wanted.includes(' ') && is.split(' ')[0] === wanted);
  }
  const [came, wanted] = [parseTable(got), parseTable(expected)];
  if (!came || !wanted) return got.trim() === expected.trim();
  return tableDifference(came, wanted, look.what !== 'table' && look.inOrder) === null;
}

function lookOf(input: string) {
  try {
    return parseSqlInput(input).look;
  } catch (error) {
    if (error instanceof InvalidSqlInput) return null;
    throw error;
  }
}

/** As whole words: names of columns and tables come behind. */
const beginsWith = (line: string, start: string) => line === start || line.startsWith(`${start} `);

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const SHOWN = 30;
const VALUE_MAX = 200;

export function shownDifference(
  got: string,
  expected: string,
  input: string,
): { wanted: ShownRows; got: ShownRows } | null {
  const look = lookOf(input);
  const [came, wanted] = [parseTable(got), parseTable(expected)];
  if (!look || look.what === 'plan' || look.what === 'refused' || !came || !wanted) return null;
  const differs = tableDifference(came, wanted, look.what !== 'table' && look.inOrder);
  if (!differs) return null;
  const given = inColumnsOf(came, wanted);
  const { missing, extra } = differs;
  const beside = (row: readonly (string | null)[], other: readonly (string | null)[] | undefined) =>
    other && missing.length === extra.length
      ? row.flatMap((value, at) => (sameCell(value, other[at] ?? null) ? [] : [at]))
      : [];
  return {
    wanted: shownRows(wanted, missing, 'missing', (at) =>
      beside(wanted.rows[at]!, given.rows[extra[missing.indexOf(at)] ?? -1]),
    ),
    got: shownRows(given, extra, 'extra', (at) =>
      beside(given.rows[at]!, wanted.rows[missing[extra.indexOf(at)] ?? -1]),
    ),
  };
}

function shownRows(
  { columns, rows }: Table,
  differing: readonly number[],
  how: 'missing' | 'extra',
  marksOf: (at: number) => number[],
): ShownRows {
  const odd = new Set(differing);
  const places = rows.map((_, at) => at);
  const chosen =
    rows.length <= SHOWN
      ? places
      : [...differing, ...places.filter((at) => !odd.has(at))].slice(0, SHOWN).sort((a, b) => a - b);
  const short = (value: string | null) =>
    value !== null && value.length > VALUE_MAX ? `${value.slice(0, VALUE_MAX)}…` : value;
  return {
    columns,
    rows: chosen.map((at) => ({
      cells: rows[at]!.map(short),
      marks: odd.has(at) ? marksOf(at) : [],
      differs: odd.has(at) ? how : null,
    })),
    more: rows.length - chosen.length,
  };
}
