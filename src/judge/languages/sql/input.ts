import { statementsOf } from './statements.ts';

/** What a test reads after the learner's statements, and what runs before them (decision 134). */
export interface SqlInput {
  /** The author's, before the learner's; '' for none. */
  given: string;
  look: /** The rows of the learner's last query. */
    | { what: 'result'; inOrder: boolean }
    | { what: 'table'; name: string }
    | { what: 'query'; query: string; inOrder: boolean }
    /** Of the learner's last query. */
    | { what: 'plan' }
    /** Whether the author's statement is refused. */
    | { what: 'refused'; statement: string };
}

/** The author's mistake; the message says what is expected. */
export class InvalidSqlInput extends Error {
  override name = 'InvalidInput';
}

const NAME = /^(?:\w+|"[^"]+")(?:\.(?:\w+|"[^"]+"))?$/;
const FORMS =
  'result, result in order, table NAME, plan, refused: STATEMENT, or a query; a first part “given: STATEMENTS” ends with a line of its own that says “then”';

/** Blank is `result`. */
export function parseSqlInput(input: string): SqlInput {
  const parts = /^\s*given:([\s\S]*?)\n[ \t]*then:?[ \t]*(?:\n([\s\S]*))?$/i.exec(input);
  if (!parts && /^\s*given:/i.test(input)) {
    throw new InvalidSqlInput('After “given:” a line that says “then” is missing');
  }
  const given = parts ? parts[1]!.trim() : '';
  const look = (parts ? (parts[2] ?? '') : input).trim();
  if (look === '' || /^result$/i.test(look)) return { given, look: { what: 'result', inOrder: false } };
  if (/^result in order$/i.test(look)) return { given, look: { what: 'result', inOrder: true } };
  if (/^plan$/i.test(look)) return { given, look: { what: 'plan' } };
  const name = /^table\s+(.+)$/i.exec(look)?.[1]?.trim();
  if (name && NAME.test(name)) return { given, look: { what: 'table', name } };
  const statement = /^refused:\s*([\s\S]+)$/i.exec(look)?.[1];
  if (statement) return { given, look: { what: 'refused', statement } };
  const [query, ...more] = statementsOf(look);
  if (query && more.length === 0 && /^(?:select|with|values|table|explain|\()/i.test(query.text)) {
    return { given, look: { what: 'query', query: query.text, inOrder: isOrdered(query.tokens) } };
  }
  throw new InvalidSqlInput(`A test looks at one of these: ${FORMS}`);
}

/** An ORDER BY outside brackets. */
export function isOrdered(tokens: readonly { text: string; type: string }[]): boolean {
  let depth = 0;
  return tokens.some(({ text, type }, at) => {
    if (type === 'sign' && text === '(') depth += 1;
    if (type === 'sign' && text === ')') depth -= 1;
    return depth === 0 && type === 'word' && text === 'order' && tokens[at + 1]?.text === 'by';
  });
}
