import { sameNumber } from './numbers.ts';

// A line of columns ("name: type"), then a line for each row, parted by " | ".

export interface Table {
  /** `type` is '' where the text names none. */
  columns: { name: string; type: string }[];
  rows: (string | null)[][];
}

const escaped = (text: string) =>
  text.replace(/[\\|]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign] ?? sign);
const needsQuotes = (text: string) => text === '' || text === 'NULL' || /^\s|\s$|^"/.test(text);

export function cellText(value: string | null): string {
  if (value === null) return 'NULL';
  return needsQuotes(value) ? `"${escaped(value)}"` : escaped(value);
}

function cellOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === 'NULL') return null;
  const quoted = /^"([\s\S]*)"$/.exec(trimmed);
  return unescaped(quoted ? quoted[1]! : trimmed);
}

const partsOf = (line: string) => line.match(/(?:\\.|[^|\\])+|(?<=\||^)(?=\||$)/g) ?? [''];

export function tableText({ columns, rows }: Table): string {
  const head = columns.map(({ name, type }) => `${escaped(name)}${type ? `:${type}` : ''}`).join(' | ');
  return [head, ...rows.map((row) => row.map(cellText).join(' | '))].join('\n');
}

export function parseTable(text: string): Table | null {
  const [head = '', ...lines] = text.replace(/\r\n?/g, '\n').trimEnd().split('\n');
  if (head.trim() === '') return null;
  const columns = partsOf(head).map((part) => {
    const [, name = '', type = ''] = /^\s*(.*?)\s*(?::\s*([a-z][a-z0-9 ()[\],]*))?\s*$/is.exec(part) ?? [];
    return { name: unescaped(name), type: type.trim() };
  });
  // A line of signs below the columns is for the eye.
  const rows = lines.filter((line, at) => !(at === 0 && /^[-+| :]+$/.test(line) && line.includes('-')));
  return { columns, rows: rows.map((line) => partsOf(line).map(cellOf)) };
}

const NUMERIC = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Numbers by value, all else by text. */
export function sameCell(a: string | null, b: string | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  return NUMERIC.test(a) && NUMERIC.test(b) && !isLong(a) && !isLong(b) && sameNumber(Number(a), Number(b));
}

const isLong = (text: string) => /^-?\d{16,}$/.test(text);

const sameRow = (a: readonly (string | null)[], b: readonly (string | null)[]) =>
  a.length === b.length && a.every((value, at) => sameCell(value, b[at] ?? null));

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  decimal: 'numeric',
  float4: 'real',
  float8: 'double precision',
  bool: 'boolean',
  char: 'character',
  varchar: 'character varying',
  timestamptz: 'timestamp with time zone',
  'timestamp without time zone': 'timestamp',
  'time without time zone': 'time',
};

function sameType(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => name.toLowerCase().replace(/\s+/g, ' '));
  return (TYPE_NAMES[one!] ?? one) === (TYPE_NAMES[other!] ?? other);
}

export interface TableDifference {
  missingColumns: string[];
  otherColumns: string[];
  types: { name: string; got: string; wanted: string }[];
  missing: number[];
  extra: number[];
  isOrderOnly: boolean;
}

export function inColumnsOf(got: Table, wanted: Table): Table {
  const names = got.columns.map(({ name }) => name);
  const places = wanted.columns.map(({ name }) => names.indexOf(name));
  const fits =
    names.length === places.length && !places.includes(-1) && new Set(places).size === places.length;
  if (!fits) return got;
  return {
    columns: places.map((place) => got.columns[place]!),
    rows: got.rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

export function tableDifference(came: Table, wanted: Table, inOrder: boolean): TableDifference | null {
  const got = inColumnsOf(came, wanted);
  const gotNames = got.columns.map(({ name }) => name);
  const wantedNames = wanted.columns.map(({ name }) => name);
  const missingColumns = wantedNames.filter((name) => !gotNames.includes(name));
  const otherColumns = gotNames.filter((name) => !wantedNames.includes(name));
  const types = wanted.columns.flatMap(({ name, type }, at) => {
    const is = got.columns[at]?.type ?? '';
    return type && is && gotNames[at] === name && !sameType(type, is)
      ? [{ name, got: is, wanted: type }]
      : [];
  });
  const { missing, extra } = unmatched(got.rows, wanted.rows);
  const isAll = missing.length === 0 && extra.length === 0;
  const isOrderOnly = inOrder && isAll && !got.rows.every((row, at) => sameRow(row, wanted.rows[at] ?? []));
  const isSame =
    missingColumns.length + otherColumns.length + types.length === 0 &&
    gotNames.length === wantedNames.length &&
    isAll &&
    !isOrderOnly;
  return isSame ? null : { missingColumns, otherColumns, types, missing, extra, isOrderOnly };
}

function unmatched(
  got: readonly (string | null)[][],
  wanted: readonly (string | null)[][],
): { missing: number[]; extra: number[] } {
  // Rows that read the same are found at once; numbers that are written in two ways only one by one.
  const key = (row: readonly (string | null)[]) =>
    JSON.stringify(
      row.map((value) =>
        value && NUMERIC.test(value) && !isLong(value) ? Number(value).toPrecision(9) : value,
      ),
    );
  const open = new Map<string, number[]>();
  wanted.forEach((row, at) => {
    const places = open.get(key(row));
    if (places) places.push(at);
    else open.set(key(row), [at]);
  });
  const extra: number[] = [];
  got.forEach((row, at) => {
    if (open.get(key(row))?.shift() === undefined) extra.push(at);
  });
  return { missing: [...open.values()].flat().sort((a, b) => a - b), extra };
}
