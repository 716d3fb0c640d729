import { InvalidSqlInput, parseSqlInput } from '../languages/sql/input.ts';
import { parseTable, tableDifference } from './tables.ts';

/** Whether what a test of SQL saw is what was expected (decision 134). */
export function sameSql(got: string, expected: string, input: string): boolean {
  const look = lookOf(input);
  if (!look) return false;
  if (look.what === 'plan') return linesOf(expected).every((line) => got.includes(line));
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

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
