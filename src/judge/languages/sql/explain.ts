import { type Token, tokensOf } from './statements.ts';
import { nearest } from '#src/judge/explanations/nearest.ts';

/** As PostgreSQL reports it. */
interface SqlError {
  /** Five characters. */
  code: string;
  message: string;
  detail?: string;
  constraint?: string;
}

interface Place {
  statement: string;
  /** From 0; null where unknown. */
  at: number | null;
  /** The lesson's tables and columns. */
  names: ReadonlySet<string>;
}

const KEYWORDS =
  'select from where group by order having limit offset insert into values update set delete create table alter drop join left right inner outer full cross on using and or not in is null like ilike between exists distinct union all except intersect as asc desc case when then else end with primary key foreign references unique check default returning'.split(
    ' ',
  );

/** Other databases' names for PostgreSQL's features. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ifnull: 'coalesce(a, b)',
  isnull: 'coalesce(a, b), or IS NULL',
  nvl: 'coalesce(a, b)',
  len: 'length(text)',
  datalength: 'octet_length(text)',
  charindex: 'position(part IN text)',
  instr: 'position(part IN text)',
  getdate: 'now()',
  sysdate: 'now()',
  curdate: 'current_date',
  datediff: 'one date minus the other: date_a - date_b',
  dateadd: "a date plus an interval: d + interval '1 day'",
  date_add: "a date plus an interval: d + interval '1 day'",
  year: 'extract(year FROM d)',
  month: 'extract(month FROM d)',
  day: 'extract(day FROM d)',
  iif: 'CASE WHEN … THEN … ELSE … END',
  if: 'CASE WHEN … THEN … ELSE … END',
  group_concat: "string_agg(text, ',')",
  listagg: "string_agg(text, ',')",
  ucase: 'upper(text)',
  lcase: 'lower(text)',
  rand: 'random()',
  convert: 'CAST(a AS type)',
  average: 'avg(a)',
  mean: 'avg(a)',
};

/** Where another database's syntax ends here. */
const FOREIGN: Readonly<Record<string, string>> = {
  '`': 'Names stand in double quotes here, or without any: not between backticks.',
  '==': 'Equal is written with one sign: =',
  '&&': 'Write AND between the conditions.',
  '[': 'Names stand in double quotes here, or without any: not in square brackets.',
  auto_increment: 'Write integer GENERATED ALWAYS AS IDENTITY.',
  top: 'The number of rows stands at the end: LIMIT 10.',
  elseif: 'CASE has a WHEN for each further condition: CASE WHEN … THEN … WHEN … THEN … ELSE … END.',
  minus: 'That is EXCEPT here.',
};

/** In written order. */
const CLAUSES = ['select', 'from', 'where', 'group', 'having', 'order', 'limit'];

function inWrongOrder(statement: string): string | null {
  let depth = 0;
  let last = -1;
  const tokens = tokensOf(statement);
  for (const { text, type } of tokens) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    const place = depth === 0 && type === 'word' ? CLAUSES.indexOf(text) : -1;
    if (place < 0) {
      if (depth === 0 && ['union', 'except', 'intersect', 'as'].includes(text)) last = -1;
      continue;
    }
    // A second query: most likely a semicolon is missing.
    if (place === 0 && tokens[0]!.text !== 'from') last = 0;
    if (place < last) {
      const name = (word: string) => ({ group: 'GROUP BY', order: 'ORDER BY' })[word] ?? word.toUpperCase();
      return `${name(text)} comes before ${name(CLAUSES[last]!)}. The order is SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT.`;
    }
    last = place;
  }
  return null;
}

/** Index of the token; -1 for none. */
function bracketAround(tokens: readonly Token[], place: number): number {
  let depth = 0;
  return tokens.findLastIndex(({ text }, at) => {
    if (at >= place) return false;
    if (text === ')') depth += 1;
    if (text === '(') depth -= 1;
    return depth < 0;
  });
}

/** Another database's function, by what is in its brackets. */
function callElsewhere(tokens: readonly Token[], place: number): string | null {
  const name = tokens[bracketAround(tokens, place) - 1]?.text ?? '';
  return ELSEWHERE[name] ? `PostgreSQL has no ${name}. It has ${ELSEWHERE[name]}.` : null;
}

const STATEMENTS = ['select', 'insert', 'update', 'delete', 'create', 'alter', 'drop', 'with'];
const COMPARISONS = ['=', '<>', '!=', '<', '>', '<=', '>=', 'like', 'ilike'];

/** An open bracket or block before a token. */
function leftOpen(tokens: readonly Token[], here: number): string | null {
  const { text } = tokens[here]!;
  const around = bracketAround(tokens, here);
  if (text === ')' && around < 0) return 'There is a ) too many: no bracket is open there.';
  if (CLAUSES.slice(1).includes(text)) {
    const join = tokens.findLastIndex(({ text: word }, at) => at < here && word === 'join');
    const isJoined =
      ['cross', 'natural'].includes(tokens[join - 1]?.text ?? '') ||
      tokens.slice(join, here).some(({ text: word }) => word === 'on' || word === 'using');
    if (around >= 0 && tokens[around + 1]?.text !== 'select')
      return `A bracket is opened and not closed: a ) is missing before ${text.toUpperCase()}.`;
    if (join >= 0 && text !== 'from' && !isJoined) return JOIN_NEEDS_ON;
  }
  if (around < 0 && here > 0 && STATEMENTS.includes(text)) {
    const before = tokens[here - 1]!.text;
    return [...COMPARISONS, 'in', 'exists', 'any'].includes(before)
      ? 'A query inside another one stands in brackets.'
      : `A semicolon is missing before ${text.toUpperCase()}: it parts two statements.`;
  }
  return null;
}

const JOIN_NEEDS_ON = 'JOIN of a table needs ON: which rows belong together? FROM a JOIN b ON b.a_id = a.id.';

function ofSyntax({ message }: SqlError, { statement, at, names }: Place): string {
  if (/unterminated quoted string/.test(message)) {
    return "A text begins with ' and does not end. Each text stands between two single quotes; a quote inside it is written twice: 'It''s'.";
  }
  if (/unterminated quoted identifier/.test(message))
    return 'A name begins with " and does not end: a second double quote is missing.';
  const tokens = tokensOf(statement);
  const order = inWrongOrder(statement);
  if (order) return order;
  if (/at end of input/.test(message)) {
    const depth = tokens.reduce((sum, { text }) => sum + (text === '(' ? 1 : text === ')' ? -1 : 0), 0);
    const join = tokens.findLastIndex(({ text }) => text === 'join');
    if (depth > 0) return 'A bracket is opened and not closed: a ) is missing.';
    if (join >= 0 && tokens.length - join > 1 && !tokens.slice(join).some(({ text }) => text === 'on'))
      return JOIN_NEEDS_ON;
    return 'The statement ends too early: something has to follow its last word.';
  }
  if (/LIMIT #,#/.test(message))
    return 'Write LIMIT 10 OFFSET 20: first how many rows, then how many are left out.';
  const here = tokens.findIndex((token) => token.at === at);
  const token = tokens[here];
  const before = tokens[here - 1];
  if (!token)
    return 'PostgreSQL cannot read the statement. Look at the place that it names, and just before it.';
  const foreign = FOREIGN[token.text] ?? FOREIGN[before?.text ?? ''] ?? callElsewhere(tokens, here);
  if (foreign) return foreign;
  if (before?.text === ',' && KEYWORDS.includes(token.text))
    return `There is a comma too many before ${token.text.toUpperCase()}.`;
  if ((token.text === ')' || token.type === 'end') && before?.text === ',')
    return 'There is a comma too many before the bracket.';
  if (before?.text === 'group' || before?.text === 'order')
    return `BY is missing after ${before.text.toUpperCase()}.`;
  if (before?.text === 'insert') return 'Write INSERT INTO, then the table.';
  if (before?.text === 'delete') return 'Write DELETE FROM, then the table: whole rows are deleted.';
  if (token.text === 'value') return 'The word is VALUES.';
  if (token.text === 'x' || before?.text === 'x') return 'Times is written with a star: 2 * price.';
  const named = tokens[here - 2]?.text === 'as' && token.text === '-';
  if (named || (before?.text === 'as' && token.type === 'text'))
    return 'A name is written without quotes and without -, such as two_days.';
  const open = leftOpen(tokens, here);
  if (open) return open;
  for (const one of [token, before]) {
    const isWord = one?.type === 'word' && !KEYWORDS.includes(one.text) && !names.has(one.text);
    const meant = isWord ? nearest(one.text, KEYWORDS) : null;
    if (meant) return `Did you mean ${meant.toUpperCase()}? It says ${one!.text}.`;
  }
  const count = (word: string) => tokens.filter(({ text }) => text === word).length;
  if (count('case') > count('end')) return 'CASE ends with END: CASE WHEN … THEN … ELSE … END.';
  if (count('&&') > 0) return FOREIGN['&&']!;
  if (token.type === 'text' || token.type === 'quoted' || token.type === 'word')
    return `Something is missing before ${token.text}: a comma between two columns, an operator, or the end of a bracket.`;
  return `Something is wrong at ${token.text}, or just before it.`;
}

function quotedIn(message: string): string {
  return /"([^"]+)"/.exec(message)?.[1] ?? '';
}

const orMeant = (name: string, names: ReadonlySet<string>) => {
  const meant = nearest(name.split('.').at(-1)!, names);
  return meant ? ` Did you mean ${meant}?` : '';
};

/** By code. */
const WORDS: Readonly<Record<string, (error: SqlError, place: Place) => string | null>> = {
  '42601': ofSyntax,
  '42703': ({ message }, { statement, at, names }) => {
    const name = quotedIn(message) || (/column (\S+) does/.exec(message)?.[1] ?? '');
    if (at !== null && statement[at] === '"') {
      return `Double quotes are for the names of columns and tables. A text stands in single quotes: '${name}'.`;
    }
    const tokens = tokensOf(statement);
    const isAlias = tokens.some(({ text }, i) => text === name.toLowerCase() && tokens[i - 1]?.text === 'as');
    if (isAlias) {
      return `${name} is a name that SELECT gives, and WHERE and HAVING are looked at before that. Write the expression itself there.`;
    }
    const here = tokens.findIndex((token) => token.at === at);
    const elsewhere = callElsewhere(tokens, here);
    if (elsewhere) return elsewhere;
    if (tokens[0]?.text === 'select' && !tokens.some(({ text }) => text === 'from'))
      return 'FROM is missing: it says which table the columns are of.';
    const meant = orMeant(name, names);
    const isValue = tokens[0]?.text === 'insert' && !tokens.some(({ text }) => text === 'select');
    const mayBeText = isValue || (!meant && [...COMPARISONS, '('].includes(tokens[here - 1]?.text ?? ''));
    const written = at === null ? name : (/^\w+/.exec(statement.slice(at))?.[0] ?? name);
    return `No table in FROM has a column ${name}.${mayBeText ? ` Is it a text? Those stand in single quotes: '${written}'.` : meant}`;
  },
  '42P01': ({ message }, { names }) => {
    if (/missing FROM-clause/.test(message)) {
      return `${quotedIn(message)} is no table of this query. Add it to FROM or JOIN; a table with a short name is called by that alone.`;
    }
    if (/invalid reference/.test(message)) {
      return `${quotedIn(message)} cannot be named here: a table with a short name is called by that alone, and JOIN knows only the tables before it.`;
    }
    return `There is no table ${quotedIn(message)}.${orMeant(quotedIn(message), names)}`;
  },
  '42702': ({ message }) =>
    `More than one table has a column ${quotedIn(message)}. Say which: table.${quotedIn(message)}.`,
  '42803': ({ message }) => {
    if (/not allowed in WHERE/.test(message))
      return 'WHERE looks at single rows, before they are grouped. A condition on count, sum or another aggregate belongs into HAVING.';
    if (/not allowed in GROUP BY/.test(message))
      return 'GROUP BY names what makes a group, and not what is counted in it. A condition on a count belongs into HAVING.';
    if (/not allowed in/.test(message))
      return 'An aggregate such as max looks at many rows, and here there is one. Put it into a query in brackets: (SELECT max(a) FROM t).';
    if (/nested/.test(message))
      return 'An aggregate stands inside another one. Compute the inner one in a query of its own, in FROM or in WITH.';
    if (/must appear in the GROUP BY/.test(message))
      return `Each group becomes one row, and ${quotedIn(message)} has several values in it. Add it to GROUP BY, or put it into an aggregate such as max.`;
    return null;
  },
  '42P20': () =>
    'Window functions are computed after WHERE and GROUP BY. Put the query into WITH, and filter in the query around it.',
  '42P10': () =>
    'With SELECT DISTINCT the rows can be ordered only by what is selected. Add the column to SELECT.',
  '42883': ({ message }, { statement, at }) => {
    const name = /function (\w+)\(/.exec(message)?.[1]?.toLowerCase() ?? '';
    if (ELSEWHERE[name]) return `PostgreSQL has no ${name}. It has ${ELSEWHERE[name]}.`;
    const sign = tokensOf(statement).find((token) => token.at === at)?.text ?? '';
    if (FOREIGN[sign]) return FOREIGN[sign];
    if (/exist: .*(?:text|character|unknown).* \+ |exist: .* \+ (?:text|character)/.test(message))
      return 'Texts are put together with ||, not with +.';
    if (/exist: (?:date|timestamp.*) [<>=]+ integer/.test(message))
      return "A date is written as a text like '2026-01-31'.";
    if (/operator does not exist/.test(message))
      return `These two types do not go with this operator (${/exist: (.*)/.exec(message)?.[1] ?? ''}). Convert one of them: CAST(a AS type).`;
    if (/^function round\(double/.test(message))
      return 'round with a number of places takes numeric: round(a::numeric, 2).';
    const meant = nearest(name, [
      'count',
      'sum',
      'avg',
      'min',
      'max',
      'coalesce',
      'length',
      'upper',
      'lower',
      'round',
      'concat',
      'substring',
      'extract',
      'now',
      'string_agg',
    ]);
    return meant && meant !== name
      ? `Did you mean ${meant}?`
      : `There is no function ${name} for values of these types.`;
  },
  '42804': ({ message }, { statement, at }) => {
    if (!/argument of (?:WHERE|HAVING|AND|OR|NOT|JOIN\/ON|CASE\/WHEN)/.test(message))
      return 'The types do not fit together here. Convert one of them: CAST(a AS type).';
    const [first, ...others] = tokensOf(statement);
    const where = others.find(({ text }) => text === 'where')?.at ?? statement.length;
    return first?.text === 'update' && at !== null && at < where
      ? 'SET has a comma between two columns, not AND: SET a = 1, b = 2.'
      : 'A condition has to be true or false. Compare the value with something.';
  },
  '42701': ({ message }) => `The column ${quotedIn(message)} is there already.`,
  '42P07': ({ message }) =>
    `${quotedIn(message)} is there already: the tables of the lesson are made before your statements run.`,
  '42710': ({ message }) => `${quotedIn(message)} is there already.`,
  '42712': ({ message }) =>
    `Two tables in FROM are called ${quotedIn(message)}. Give each a short name of its own: FROM a AS x JOIN a AS y.`,
  '42501': () => 'This is not allowed here: a lesson’s database is for its tables alone.',
  '42P18': () => 'PostgreSQL cannot tell which type this is. Say it: CAST(NULL AS text).',
  '21000': ({ message }) =>
    /more than one row/.test(message)
      ? 'A query in brackets stands where one value belongs, and gives several rows. Use IN instead of =, or make it give one row.'
      : 'The same row would be changed twice by one statement.',
  '22012': () => 'Something is divided by 0. NULLIF(b, 0) makes NULL of a 0: a / NULLIF(b, 0).',
  '22P02': ({ message }) =>
    /type boolean/.test(message)
      ? "Each side of AND and OR is a whole condition: a = 'x' OR a = 'y'. Shorter: a IN ('x', 'y')."
      : `${quotedIn(message) ? `"${quotedIn(message)}"` : 'A text'} is no value of that type. Is a text compared with a column of numbers or dates?`,
  '22007': () => "A date is written as a text like '2026-01-31'.",
  '22008': () => 'There is no such day. A date is written as year, month and day: 2026-01-31.',
  '22001': () => 'The text is longer than its column allows.',
  '22003': () => 'The number is too large or too small for its type.',
  '23502': ({ message }) =>
    /contains null values/.test(message)
      ? `The rows that are there have no value for ${quotedIn(message)}. Give the new column a DEFAULT, or fill it before it is NOT NULL.`
      : `The column ${quotedIn(message)} must have a value: NULL is not allowed.`,
  '23503': ({ message }) =>
    /update or delete/.test(message)
      ? 'Other rows still point at this row. Delete or change those first.'
      : 'The row points at one that is not there. Which rows does the other table have?',
  '23505': ({ detail }) =>
    `A row with this value is there already, and there may be one only. ${detail ?? ''}`.trim(),
  '23514': ({ constraint }) => `The row breaks a rule of its table (${constraint ?? 'a CHECK'}).`,
  '25P02': () => 'An earlier statement of this transaction failed. End it with ROLLBACK first.',
  '25001': () => 'Here all statements run inside one transaction, in which this one is not possible.',
  '2BP01': () => 'Something else needs it. Remove that first, or add CASCADE to remove both.',
  '428C9': () => 'This column gets its value by itself. Leave it out of the INSERT.',
  '0A000': () => 'PostgreSQL can do this, but not here.',
  '54001': () => 'The query calls itself too deeply. Does its recursion come to an end?',
};

/**
 * In plain words; null where nothing more is known.
 * @param place the statement, and the names it could mean
 */
export function explainSql(error: SqlError, place: Place): string | null {
  const union = /each (UNION|INTERSECT|EXCEPT) query must have the same number/.exec(error.message);
  if (union) return `Both sides of ${union[1]} need the same columns, as many and in the same order.`;
  if (/INSERT has more (expressions|target)/.test(error.message))
    return 'INSERT names a number of columns and gives another number of values. They belong together one by one.';
  if (/subquery (?:must return only one column|has too many columns)/.test(error.message))
    return 'A query in brackets that stands for a value, or after IN, gives one column.';
  if (error.message.includes('\u00a0'))
    return 'The statement has a no-break space, as copied text has them. Type it as an ordinary space.';
  if (/^show\b/i.test(place.statement)) return 'Rows are shown by SELECT: SELECT a, b FROM t.';
  return WORDS[error.code]?.(error, place) ?? null;
}

/** Names of tables and columns, and all others in a text. */
export function namesIn(...texts: string[]): Set<string> {
  const words = texts.flatMap((text) => tokensOf(text).filter(({ type }) => type === 'word'));
  return new Set(words.map(({ text }) => text).filter((word) => !KEYWORDS.includes(word)));
}
