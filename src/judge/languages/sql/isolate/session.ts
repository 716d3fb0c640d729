import { cellText, tableText, type Table } from '#src/judge/comparing/tables.ts';
import type { LearnerError } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';
import { CONDITIONS, isRoom, isSyntax } from '../conditions.ts';
import { explainSql } from '../explain.ts';
import { InvalidSqlInput, parseSqlInput, type SqlInput } from '../input.ts';
import { placeIn } from '#src/judge/explanations/place.ts';
import { type Statement, statementsOf } from '../statements.ts';
import type { Engine, SqlFailure, StatementResult } from './engine.ts';
import { planText } from './plan.ts';

interface Ran {
  output: string;
  isCut: boolean;
  /** The last rows, and their statement. */
  table: Table | null;
  query: string;
  failure: { error: SqlFailure; statement: Statement; source: string } | null;
}

const plain = (kind: Observation['kind'], error: LearnerError | null = null): Observation => ({
  kind,
  value: null,
  output: '',
  outputTruncated: false,
  error,
});

/** Index of the statement that begins. */
export type Progress = (at: number) => void;

/** Characters. */
const OUTPUT_KEPT = 256 * 1024;

/** One by one until a failure; an open transaction is rolled back. */
function runProgram(engine: Engine, text: string, progress: Progress = () => {}): Ran {
  const ran: Ran = { output: '', isCut: false, table: null, query: '', failure: null };
  for (const statement of statementsOf(text)) {
    progress(statement.at);
    const result = statement.tokens[0]?.text === 'copy' ? NO_COPY : engine.run(statement.text);
    if (ran.output.length <= OUTPUT_KEPT) ran.output += shownResult(result);
    ran.isCut ||= result.isCut;
    if (result.failure) {
      ran.failure = { error: result.failure, statement, source: text };
      break;
    }
    if (result.table) {
      ran.table = result.table;
      ran.query = statement.text;
    }
  }
  if (engine.isInTransaction()) engine.run('ROLLBACK');
  return ran;
}

/** Returns the failure, or null. */
export function makeTables(engine: Engine, fixture: string): string | null {
  return runProgram(engine, fixture).failure?.error.message ?? null;
}

export function plainRun(
  engine: Engine,
  code: string,
  { names, progress, outputBytes }: Surroundings,
): Observation {
  const ran = runProgram(engine, code, progress);
  const seen = { ...cut(ran, outputBytes), value: ran.output.slice(0, outputBytes) };
  return ran.failure ? { ...seen, ...failed(ran.failure, names) } : { ...seen, kind: 'value', error: null };
}

interface Surroundings {
  /** The lesson's tables and columns. */
  names: ReadonlySet<string>;
  progress: Progress;
  outputBytes: number;
}

export function runTest(engine: Engine, code: string, input: string, around: Surroundings): Observation {
  let asked: SqlInput;
  try {
    asked = parseSqlInput(input);
  } catch (error) {
    if (!(error instanceof InvalidSqlInput)) throw error;
    return plain('runtime_error', { ...NOWHERE, name: error.name, message: error.message });
  }
  const given = runProgram(engine, asked.given);
  if (given.failure) {
    const message = `What is given before this test failed: ${given.failure.error.message}`;
    return plain('runtime_error', { ...NOWHERE, name: 'LessonError', message });
  }
  const ran = runProgram(engine, code, around.progress);
  const seen = { ...cut(ran, around.outputBytes), value: null };
  if (ran.failure) return { ...seen, ...failed(ran.failure, around.names) };
  const { value, error, isCut } = lookAt(engine, asked.look, ran, code);
  return { ...seen, kind: 'value', value, error, outputTruncated: seen.outputTruncated || isCut };
}

/** The program's objects hinder the test, such as a type named like a system function. */
class CannotLook extends Error {
  override name = 'CannotLook';
}

/** Throws where the judge's own statement fails. */
function must(engine: Engine, statement: string): StatementResult {
  const result = engine.run(statement);
  if (result.failure) throw new CannotLook(result.failure.message);
  return result;
}

/** Own operators and functions with system names. */
const SHADOWS = ['OPERATOR', 'ROUTINE'].map((kind) => {
  const [table, name, type] =
    kind === 'OPERATOR' ? ['pg_operator', 'opr', 'regoperator'] : ['pg_proc', 'pro', 'regprocedure'];
  return `SELECT format('ALTER ${kind} %s SET SCHEMA judge_hidden', own.oid::${type}) FROM ${table} own
    WHERE own.oid >= 16384 AND EXISTS (SELECT FROM ${table} WHERE ${name}name = own.${name}name AND ${name}namespace = 11)`;
});

/** Without these words a program makes no operator and no routine, not even dynamically; a range type has routines. */
const MAKES_ROUTINES = /\b(?:operator|function|procedure|aggregate|range|do|execute|call)\b/i;

/** The author's query runs with the start's settings, temporary tables last, and without operators that shadow system ones. */
function resetSession(engine: Engine, code: string): void {
  must(engine, 'RESET ALL');
  if (MAKES_ROUTINES.test(code)) {
    must(engine, 'SET search_path = pg_catalog, pg_temp');
    const shadows = SHADOWS.flatMap((query) => must(engine, query).table?.rows ?? []).flat();
    if (shadows.length > 0) must(engine, 'CREATE SCHEMA judge_hidden');
    for (const statement of shadows) must(engine, statement!);
  }
  must(engine, 'SET search_path = public, pg_temp');
}

function lookAt(
  engine: Engine,
  look: SqlInput['look'],
  ran: Ran,
  code: string,
): { value: string | null; error: LearnerError | null; isCut: boolean } {
  if (look.what === 'result') {
    if (!ran.table) return { value: null, error: NO_RESULT, isCut: false };
    return { value: tableText(ran.table), error: null, isCut: ran.isCut };
  }
  const noLook = (what: string, message: string): ReturnType<typeof lookAt> => {
    const text = `After your statements the test cannot look at ${what}: ${message}`;
    return { value: null, error: { ...NOWHERE, name: 'NoMatch', message: text }, isCut: false };
  };
  try {
    resetSession(engine, code);
  } catch (error) {
    if (error instanceof CannotLook) return noLook('what they did', error.message);
    throw error;
  }
  if (look.what === 'plan') {
    if (!ran.query) return { value: null, error: NO_RESULT, isCut: false };
    const { table, failure } = engine.run(`EXPLAIN (COSTS OFF, FORMAT JSON) ${ran.query}`);
    if (failure) return { value: null, error: { ...NO_RESULT, message: failure.message }, isCut: false };
    return { value: planText(table?.rows[0]?.[0] ?? ''), error: null, isCut: false };
  }
  if (look.what === 'refused') {
    const { failure } = runProgram(engine, look.statement);
    const value = failure ? `${condition(failure.error)} ${failure.error.constraint}`.trim() : 'accepted';
    return { value, error: null, isCut: false };
  }
  const query = look.what === 'table' ? `SELECT * FROM ${look.name}` : look.query;
  const { table, failure, isCut } = engine.run(query);
  if (!failure) return { value: table ? tableText(table) : '', error: null, isCut };
  return noLook(look.what === 'table' ? `the table ${look.name}` : 'its rows', failure.message);
}

const NO_COPY: StatementResult = {
  table: null,
  tag: '',
  isCut: false,
  notices: [],
  failure: {
    code: '0A000',
    message: 'COPY is not available here: write INSERT or SELECT',
    detail: '',
    hint: '',
    constraint: '',
    at: 0,
    isFromWithin: false,
  },
};

const NOWHERE = { line: null, column: null, explanation: null };
const NO_RESULT: LearnerError = {
  ...NOWHERE,
  name: 'NoMatch',
  message: 'None of your statements gives rows.',
  explanation: 'The answer is what your last SELECT gives.',
};

const condition = ({ code }: SqlFailure) => CONDITIONS[code] ?? code;

function cut(ran: Ran, outputBytes: number): Pick<Observation, 'output' | 'outputTruncated'> {
  const isLong = ran.output.length > outputBytes;
  return {
    output: isLong ? ran.output.slice(0, outputBytes) : ran.output,
    outputTruncated: ran.isCut || isLong,
  };
}

const SHOWN_ROWS = 100;

function shownResult({ table, tag, notices }: StatementResult): string {
  const told = notices.map((notice) => `NOTICE: ${notice}\n`).join('');
  if (!table)
    return tag && !/^(?:SELECT|EXPLAIN|SET|RESET|SAVEPOINT|RELEASE)/.test(tag) ? `${told}${tag}\n` : told;
  const rows = table.rows.slice(0, SHOWN_ROWS);
  const more = table.rows.length - rows.length;
  return `${told}${[table.columns.map(({ name }) => name), ...rows.map((row) => row.map(cellText))]
    .map((row) => row.join(' | '))
    .join('\n')}\n${more > 0 ? `… and ${more} more rows\n` : ''}`;
}

/** At the learner's line. */
function failed(
  { error, statement, source }: NonNullable<Ran['failure']>,
  names: ReadonlySet<string>,
): Pick<Observation, 'kind' | 'error'> {
  const { code, message, detail, hint, at, isFromWithin } = error;
  if (isRoom(code)) {
    const said = {
      name: 'MemoryLimit',
      message: 'The statement wanted more room than a lesson has and was stopped.',
      explanation:
        'Does each row of a join fit each one of the other table? Does a recursion come to an end?',
    };
    return { kind: 'memory_limit', error: { ...NOWHERE, ...said } };
  }
  const { line, column } = placeIn(source, statement.at + Math.min(at ?? 0, statement.text.length));
  const told = {
    name: condition(error),
    message: [message, detail, hint && `Hint: ${hint}`].filter(Boolean).join('. '),
    line,
    column: at === null ? null : column,
  };
  const explanation = explainSql(error, { statement: statement.text, at, names });
  return {
    kind: isSyntax(code) && !isFromWithin ? 'syntax_error' : 'runtime_error',
    error: { ...told, explanation },
  };
}
