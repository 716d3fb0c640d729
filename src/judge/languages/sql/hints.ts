import {
  inColumnsOf,
  parseTable,
  sameCell,
  type Table,
  type TableDifference,
  tableDifference,
} from '#src/judge/comparing/tables.ts';
import { isOrdered, parseSqlInput } from './input.ts';
import { statementsOf, type Token, tokensOf } from './statements.ts';
import { placeIn } from '#src/judge/explanations/place.ts';
import type { LearnerError } from '#src/judge/protocol.ts';

/** Why statements that ran give the wrong rows. */

const LONGEST_SOURCE = 20_000;

type Row = Table['rows'][number];

interface Seen {
  tokens: Token[];
  got: Table;
  wanted: Table;
  differs: TableDifference;
  /** Rows that came in place of others, where as many came. */
  pairs: [wanted: Row, got: Row][];
}

type Said = [message: string, explanation: string, at?: number];

const has = (tokens: readonly Token[], ...words: string[]) =>
  tokens.some((_, at) => words.every((word, next) => tokens[at + next]?.text === word));
const placeOf = (tokens: readonly Token[], ...words: string[]) =>
  tokens.find((_, at) => words.every((word, next) => tokens[at + next]?.text === word))?.at;
const list = (names: readonly string[]) => names.join(', ');

const everyCell = (pairs: Seen['pairs'], isSo: (want: Row[number], is: Row[number]) => boolean) =>
  pairs.length > 0 && pairs.every(([want, is]) => want.every((value, cell) => isSo(value, is[cell] ?? null)));

/** Visible in the text; `isEmpty` is known of visible tests only. */
const IN_TEXT: ((tokens: Token[], isEmpty: boolean | null) => Said | null)[] = [
  (tokens) => {
    const at = placeOf(tokens, 'select', 'all', 'from');
    return at === undefined
      ? null
      : ['SELECT all gives no columns.', 'A star gives all of them: SELECT *.', at];
  },
  (tokens, isEmpty) => {
    const at = placeOf(tokens, 'not', 'in', '(', 'select');
    return at === undefined || isEmpty === false || has(tokens, 'is', 'not', 'null')
      ? null
      : [
          'NOT IN gives no row at all where its query gives a NULL.',
          'Leave NULL out of the inner query with IS NOT NULL, or use NOT EXISTS.',
          at,
        ];
  },
];

/** The surest first. */
const IN_ROWS: ((seen: Seen) => Said | null)[] = [
  ({ differs: { missingColumns, otherColumns }, got, wanted, tokens }) => {
    if (missingColumns.length === 0 && otherColumns.length === 0) return null;
    if (missingColumns.length > 0 && missingColumns.length === otherColumns.length) {
      return [
        `Columns are to be called ${list(missingColumns)}; yours are called ${list(otherColumns)}.`,
        'AS gives a column its name: SELECT count(*) AS total.',
      ];
    }
    if (missingColumns.length === 0) {
      const star = placeOf(tokens, 'select', '*');
      return [
        `Columns too many: ${list(otherColumns)}.`,
        star === undefined
          ? `Asked for are ${list(wanted.columns.map(({ name }) => name))}.`
          : 'SELECT * gives all columns. Name those that are asked for.',
        star,
      ];
    }
    const [joined] = got.columns.flatMap(({ name }) =>
      missingColumns.flatMap((missing) => placeOf(tokens, missing, name) ?? []),
    );
    if (joined !== undefined)
      return [
        'A comma is missing between two columns.',
        'Without it the second word is a name for the first: SELECT a b is SELECT a AS b.',
        joined,
      ];
    return [
      `Columns are missing: ${list(missingColumns)}.`,
      `Yours has ${list(got.columns.map(({ name }) => name))}.`,
    ];
  },
  ({ differs: { isOrderOnly }, tokens }) =>
    isOrderOnly
      ? [
          'The rows are right, and their order is not.',
          isOrdered(tokens)
            ? 'ORDER BY takes several columns: where the first is the same, the next one decides.'
            : 'Without ORDER BY rows come in any order. Add it at the end.',
          placeOf(tokens, 'order', 'by'),
        ]
      : null,
  ({ differs: { types, missing, extra } }) => {
    const [one] = types;
    return one && missing.length + extra.length === 0
      ? [
          `${one.name} is ${one.got}, and ${one.wanted} is asked for.`,
          'The values are right. CAST(a AS type) makes another type of them.',
        ]
      : null;
  },
  ({ got, wanted, tokens }) => {
    // Every pair: no join condition.
    const from = placeOf(tokens, 'from');
    const isComma = from !== undefined && commaInFrom(tokens);
    const noCondition = (isComma && !has(tokens, 'where')) || has(tokens, 'cross', 'join');
    return noCondition && got.rows.length > wanted.rows.length
      ? [
          `${got.rows.length} rows came, and ${wanted.rows.length} ${wanted.rows.length === 1 ? 'is' : 'are'} asked for.`,
          'Each row of one table stands beside each of the other. Say which belong together: JOIN … ON a.id = b.a_id.',
          from,
        ]
      : null;
  },
  ({ got, wanted, tokens, differs: { extra } }) => {
    const isBeginning =
      extra.length > 0 &&
      got.rows.length > wanted.rows.length &&
      wanted.rows.length > 0 &&
      wanted.rows.every((row, at) => row.every((value, cell) => sameCell(value, got.rows[at]![cell]!)));
    return isBeginning && has(tokens, 'order', 'by') && !has(tokens, 'limit')
      ? [
          `The first ${wanted.rows.length} rows are right, and then there are more.`,
          'LIMIT at the end takes the first rows alone.',
        ]
      : null;
  },
  ({ got, wanted, tokens, differs: { missing } }) => {
    const at = placeOf(tokens, 'count', '(', '*', ')');
    const isZero = missing.some((place) => wanted.rows[place]!.includes('0'));
    return at !== undefined && isZero && has(tokens, 'left') && got.rows.length === wanted.rows.length
      ? [
          '1 came where 0 is asked for.',
          'count(*) counts rows, also the one that LEFT JOIN makes for what has no partner. Count a column of the other table instead.',
          at,
        ]
      : null;
  },
  ({ wanted, tokens, differs: { missing, extra } }) => {
    const lost = missing.some((place) =>
      wanted.rows[place]!.some((value) => value === null || value === '0'),
    );
    const at = has(tokens, 'left') || has(tokens, 'full') ? placeOf(tokens, 'where') : undefined;
    return !lost || extra.length > 0 || at === undefined
      ? null
      : [
          'Rows without a partner are missing.',
          'WHERE looks at the rows after LEFT JOIN has made them, and drops those with NULL. Put a condition on the right table behind ON.',
          at,
        ];
  },
  ({ pairs }) =>
    everyCell(pairs, (want, is) => sameCell(want, is) || (want === '0' && is === null))
      ? [
          'NULL came where 0 is asked for.',
          'The sum of no rows is NULL. coalesce(sum(a), 0) makes a 0 of it.',
        ]
      : null,
  ({ pairs, tokens }) => {
    const numbers = pairs.flatMap(([want, is]) =>
      want.map((value, cell) => [Number(value ?? Number.NaN), Number(is[cell] ?? Number.NaN)]),
    );
    const other = numbers.filter(([a, b]) => !Number.isNaN(a) && !Number.isNaN(b) && a !== b);
    if (other.length === 0) return null;
    if (
      other.every(
        ([want, is]) => Number.isInteger(is) && !Number.isInteger(want) && Math.abs(want! - is!) < 1,
      ) &&
      has(tokens, '/')
    )
      return [
        'The part behind the point is missing.',
        'A whole number divided by one gives a whole number. Make one of them numeric: a::numeric / b.',
        placeOf(tokens, '/'),
      ];
    return other.every(
      ([want, is]) => Math.abs(want! - is!) <= 0.5 && String(is).length > String(want).length,
    )
      ? [
          'The numbers are right but for their last places.',
          'round(a, 2) leaves two places behind the point.',
        ]
      : null;
  },
  ({ pairs }) => {
    const low = (value: string | null) => value?.trim().toLowerCase() ?? null;
    return everyCell(pairs, (want, is) => low(want) === low(is))
      ? [
          'The texts are right but for capital letters or spaces.',
          'Write them just as the task does; upper, lower and trim change them.',
        ]
      : null;
  },
  ({ got, tokens }) => {
    if (got.rows.length > 0) return null;
    const pattern = tokens.find(
      ({ text, type }, at) => type === 'text' && text.includes('%') && tokens[at - 1]?.text === '=',
    );
    if (pattern)
      return [
        'No row came.',
        `= takes % as a letter. A pattern stands behind LIKE: LIKE ${pattern.text}.`,
        pattern.at,
      ];
    return null;
  },
  ({ tokens, differs: { extra, missing } }) => {
    const isMixed = has(tokens, 'or') && has(tokens, 'and') && !bracketsAround(tokens, 'or');
    return isMixed && extra.length > 0 && missing.length === 0
      ? [
          'Rows came that do not fit.',
          'AND binds closer than OR. Put brackets around what belongs together: (a OR b) AND c.',
          placeOf(tokens, 'or'),
        ]
      : null;
  },
  ({ tokens, differs: { missing, extra } }) => {
    const at = placeOf(tokens, '<>') ?? placeOf(tokens, '!=');
    return at !== undefined && missing.length > 0 && extra.length === 0
      ? [
          'Rows are missing.',
          'Is the value NULL in them? <> is not true then; IS DISTINCT FROM takes them along.',
          at,
        ]
      : null;
  },
  ({ tokens, got, wanted, differs: { missing } }) => {
    const by = placeOf(tokens, 'group', 'by');
    return by !== undefined && missing.length > 0 && got.rows.length > wanted.rows.length
      ? [
          `${got.rows.length} groups came, and ${wanted.rows.length} ${wanted.rows.length === 1 ? 'is' : 'are'} asked for.`,
          'There is a row for each different value of all that GROUP BY names. Name only what a group is to be; rows that are not to count are for WHERE.',
          by,
        ]
      : null;
  },
  ({ differs: { missing, extra } }) => {
    if (missing.length > 0 && extra.length === 0)
      return [
        missing.length === 1 ? '1 row is missing.' : `${missing.length} rows are missing.`,
        'All rows that came are right. Which condition keeps the others out?',
      ];
    if (extra.length > 0 && missing.length === 0)
      return [
        extra.length === 1 ? '1 row is too much.' : `${extra.length} rows are too much.`,
        'All rows that are asked for are there. Which condition would keep the others out?',
      ];
    return null;
  },
  ofValues,
];

/** Which columns of a row are wrong. */
function ofValues({ wanted, pairs }: Seen): Said | null {
  if (pairs.length === 0) return null;
  const valuesOf = (of: 0 | 1, cell: number) =>
    pairs.map((pair) => pair[of][cell] ?? null).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  const other = wanted.columns.flatMap(({ name }, cell) => {
    const values = valuesOf(0, cell);
    return valuesOf(1, cell).every((value, at) => sameCell(value, values[at]!)) ? [] : [name];
  });
  const rows = pairs.length === 1 ? '1 row' : `${pairs.length} rows`;
  const how = 'How does each value come about?';
  if (other.length === 0)
    return ['The values are right, and stand in other rows.', 'Which of them belong together?'];
  return other.length < wanted.columns.length
    ? [
        `In ${rows} ${list(other)} ${other.length === 1 ? 'is' : 'are'} not as asked for.`,
        `The other columns are right. ${how}`,
      ]
    : [`${rows} ${pairs.length === 1 ? 'is' : 'are'} not as asked for.`, how];
}

function commaInFrom(tokens: readonly Token[]): boolean {
  const from = tokens.findIndex(({ text }) => text === 'from');
  let depth = 0;
  for (const { text } of tokens.slice(from + 1)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && text === ',') return true;
    if (depth === 0 && ['where', 'group', 'order', 'limit', 'having', ';'].includes(text)) return false;
  }
  return false;
}

function bracketsAround(tokens: readonly Token[], word: string): boolean {
  let depth = 0;
  return tokens.some(({ text }) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return text === word && depth > 0;
  });
}

/** Of a table that should change. */
function ofChange(code: string, tokens: readonly Token[]): Said | null {
  const whole = statementsOf(code).find(
    ({ tokens: own }) => ['update', 'delete'].includes(own[0]?.text ?? '') && !has(own, 'where'),
  );
  if (whole)
    return [
      whole.tokens[0]!.text === 'update'
        ? 'UPDATE without WHERE changes every row.'
        : 'DELETE without WHERE deletes every row.',
      'Say which rows are meant: WHERE id = 1.',
      whole.at,
    ];
  const begins = placeOf(tokens, 'begin') ?? placeOf(tokens, 'start', 'transaction');
  return begins !== undefined && !has(tokens, 'commit') && !has(tokens, 'end')
    ? [
        'The transaction is begun and never committed.',
        'Without COMMIT at its end nothing of it stays.',
        begins,
      ]
    : null;
}

/**
 * Null for nothing.
 * @param at what the test reads, and both tables; null for a hidden test, of which only the text counts
 */
export function hintAtSql(
  code: string,
  at: { input: string; got: string; wanted: string } | null,
): LearnerError | null {
  if (code.length > LONGEST_SOURCE) return null;
  const tokens = tokensOf(code);
  const say = ([message, explanation, place]: Said): LearnerError => ({
    name: 'Hint',
    message,
    explanation,
    ...(place === undefined ? { line: null, column: null } : placeIn(code, place)),
  });
  const isEmpty = at && parseTable(at.got)?.rows.length === 0;
  for (const look of IN_TEXT) {
    const said = look(tokens, isEmpty);
    if (said) return say(said);
  }
  if (!at) return null;
  const { look } = parseSqlInput(at.input);
  if (look.what === 'plan') {
    return say(
      /Seq Scan/.test(at.got)
        ? [
            'The plan reads the whole table (Seq Scan).',
            'An index on the column of the condition lets it go to the rows at once.',
          ]
        : ['The plan is another one than is asked for.', `It is: ${at.got.split('\n')[0]}`],
    );
  }
  if (look.what === 'refused') {
    return say(
      at.got === 'accepted'
        ? [
            'A statement is accepted that is to be refused.',
            'Which rule of the table would refuse it: NOT NULL, UNIQUE, CHECK or REFERENCES?',
          ]
        : [`The statement is refused for another reason: ${at.got}.`, 'Which of your rules is that?'],
    );
  }
  const change = look.what === 'result' ? null : ofChange(code, tokens);
  if (change) return say(change);
  const [came, wanted] = [parseTable(at.got), parseTable(at.wanted)];
  if (!came || !wanted) return null;
  const inOrder = look.what !== 'table' && look.inOrder;
  const differs = tableDifference(came, wanted, inOrder);
  if (!differs) return null;
  const got = inColumnsOf(came, wanted);
  const { missing, extra } = differs;
  const pairs: Seen['pairs'] =
    missing.length === extra.length ? missing.map((at, i) => [wanted.rows[at]!, got.rows[extra[i]!]!]) : [];
  const seen = { tokens, got, wanted, differs, pairs };
  for (const rule of IN_ROWS) {
    const said = rule(seen);
    if (said) return say(said);
  }
  return null;
}
