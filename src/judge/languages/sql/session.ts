import { randomBytes } from 'node:crypto';
import { cellText, tableText, type Table } from '#src/judge/comparing/tables.ts';
import { explainSql, namesIn } from './explain.ts';
import type { LearnerError } from '#src/judge/protocol.ts';
import type { Observation, Program } from '#src/judge/runner.ts';
import { CONDITIONS, isRoom, isSyntax } from './conditions.ts';
import type { Connection, SqlFailure, StatementResult } from './connection.ts';
import { InvalidSqlInput, parseSqlInput, type SqlInput } from './input.ts';
import { placeIn, type Statement, statementsOf } from './statements.ts';

// One submission in a database. All of it is one transaction that is never committed: what the lesson's own statements
// made stands at a savepoint, to which each test returns, so that it finds nothing of the tests before it. What a
// program says about transactions is done with savepoints of its own.

/** Names that no program can know. */
const mark = () => `judge_${randomBytes(8).toString('hex')}`;

/** Words with which a program may become somebody else, or leave behind what a rollback does not undo. */
const POWERFUL =
  /\b(?:role|authorization|set_config|pg_settings|reset|discard|execute|do|function|procedure|language|copy|prepare|deallocate|declare|listen|notify|load|lo_\w+|pg_\w*(?:lock|file|dir)\w*|setseed)\b|U&|\\/i;

/** Whether a database that has run these texts is as it was before: nothing in them can reach beyond a rollback. */
export function leavesNothing(...texts: string[]): boolean {
  return !texts.some((text) => POWERFUL.test(text));
}

/** What a program's statements came to. */
interface Ran {
  output: string;
  isCut: boolean;
  /** The rows of the last statement that gave any, and that statement. */
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

/** Told which statement begins, by its place in the program, so that the one that never ends is known. */
export type Progress = (at: number) => void;

/**
 * Runs a submission: one observation for each input, given one after the other.
 *
 * @param seen is told each observation as it is made
 */
export async function runSubmission(
  connection: Connection,
  { code, fixture, inputs }: Program,
  outputBytes: number,
  progress: Progress,
  seen: (observation: Observation) => void,
): Promise<void> {
  const session = new Session(connection, progress, namesIn(fixture));
  await session.must('BEGIN');
  await session.must('SET LOCAL ROLE learner');
  try {
    const made = await session.program(fixture, false);
    if (made.failure) {
      const { message } = made.failure.error;
      const said = `The tables of this lesson could not be made: ${message}`;
      const error = { name: 'LessonError', message: said, line: null, column: null, explanation: null };
      for (const _ of inputs.length > 0 ? inputs : ['']) seen(plain('runtime_error', error));
      return;
    }
    await session.keep();
    if (inputs.length === 0) seen(await session.plainRun(code, outputBytes));
    for (const { input } of inputs) {
      seen(await session.test(code, input, outputBytes));
      await session.back();
    }
  } finally {
    await connection.run('ROLLBACK');
    // What a session keeps beyond its transactions, such as locks.
    await connection.run('DISCARD ALL');
  }
}

class Session {
  #connection: Connection;
  #progress: Progress;
  #base = mark();
  /** Statements that give sequences back the numbers that they had: a rollback does not. */
  #sequences = '';

  #names: ReadonlySet<string>;

  constructor(connection: Connection, progress: Progress, names: ReadonlySet<string>) {
    this.#connection = connection;
    this.#progress = progress;
    this.#names = names;
  }

  /** Runs a statement of the judge's own; throws where it fails. */
  async must(statement: string): Promise<StatementResult> {
    const result = await this.#connection.run(statement);
    if (result.failure) throw new Error(`the judge's own statement failed: ${result.failure.message}`);
    return result;
  }

  /** Marks what there is now as what each test begins with. */
  async keep(): Promise<void> {
    const { table } = await this.must(
      `SELECT pg_catalog.string_agg(pg_catalog.format('SELECT pg_catalog.setval(%L, %s, %L);', pg_catalog.format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value IS NOT NULL), ' ') FROM pg_catalog.pg_sequences`,
    );
    this.#sequences = table?.rows[0]?.[0] ?? '';
    await this.must(`SAVEPOINT ${this.#base}`);
  }

  /** Back to what was kept. */
  async back(): Promise<void> {
    await this.must(`ROLLBACK TO SAVEPOINT ${this.#base}`);
    for (const statement of statementsOf(this.#sequences)) await this.must(statement.text);
  }

  /** Runs the statements of a text one after the other, until one fails. */
  async program(text: string, tells = true): Promise<Ran> {
    const ran: Ran = { output: '', isCut: false, table: null, query: '', failure: null };
    const block = new Block(this.#connection);
    for (const statement of statementsOf(text)) {
      if (tells) this.#progress(statement.at);
      const result = await block.run(statement);
      ran.output += shownResult(result);
      ran.isCut ||= result.isCut;
      if (result.failure) {
        ran.failure = { error: result.failure, statement, source: text };
        return ran;
      }
      if (result.table) {
        ran.table = result.table;
        ran.query = statement.text;
      }
    }
    const late = await block.end();
    const [last] = statementsOf(text).slice(-1);
    if (late && last) ran.failure = { error: late, statement: last, source: text };
    return ran;
  }

  /** A run without tests: all that its statements gave. */
  async plainRun(code: string, outputBytes: number): Promise<Observation> {
    const ran = await this.program(code);
    const seen = { ...cut(ran, outputBytes), value: ran.output };
    return ran.failure
      ? { ...seen, ...failed(ran.failure, this.#names) }
      : { ...seen, kind: 'value', error: null };
  }

  async test(code: string, input: string, outputBytes: number): Promise<Observation> {
    let asked: SqlInput;
    try {
      asked = parseSqlInput(input);
    } catch (error) {
      if (!(error instanceof InvalidSqlInput)) throw error;
      return plain('runtime_error', {
        name: error.name,
        message: error.message,
        line: null,
        column: null,
        explanation: null,
      });
    }
    const given = await this.program(asked.given, false);
    if (given.failure) {
      const message = `What is given before this test failed: ${given.failure.error.message}`;
      return plain('runtime_error', { ...NOWHERE, name: 'LessonError', message });
    }
    const ran = await this.program(code);
    const seen = { ...cut(ran, outputBytes), value: null };
    if (ran.failure) return { ...seen, ...failed(ran.failure, this.#names) };
    const { value, error, isCut } = await this.#look(asked.look, ran);
    return { ...seen, kind: 'value', value, error, outputTruncated: seen.outputTruncated || isCut };
  }

  async #look(
    look: SqlInput['look'],
    ran: Ran,
  ): Promise<{ value: string | null; error: LearnerError | null; isCut: boolean }> {
    if (look.what === 'result' || look.what === 'plan') {
      if (!ran.table) return { value: null, error: NO_RESULT, isCut: false };
      if (look.what === 'result') return { value: tableText(ran.table), error: null, isCut: ran.isCut };
      const { table, failure } = await this.#connection.run(`EXPLAIN (COSTS OFF) ${ran.query}`);
      if (failure) return { value: null, error: { ...NO_RESULT, message: failure.message }, isCut: false };
      return { value: (table?.rows ?? []).map(([line]) => line).join('\n'), error: null, isCut: false };
    }
    if (look.what === 'refused') {
      const { failure } = await this.program(look.statement, false);
      const value = failure ? `${condition(failure.error)} ${failure.error.constraint}`.trim() : 'accepted';
      return { value, error: null, isCut: false };
    }
    const query = look.what === 'table' ? `SELECT * FROM ${look.name}` : look.query;
    const { table, failure, isCut } = await this.#connection.run(query);
    if (!failure) return { value: table ? tableText(table) : '', error: null, isCut };
    const message = `After your statements the test cannot look at ${look.what === 'table' ? `the table ${look.name}` : 'its rows'}: ${failure.message}`;
    return { value: null, error: { ...NOWHERE, name: 'NoMatch', message }, isCut: false };
  }
}

const NOWHERE = { line: null, column: null, explanation: null };
const NO_RESULT: LearnerError = {
  ...NOWHERE,
  name: 'NoMatch',
  message: 'None of your statements gives rows.',
  explanation: 'The answer is what your last SELECT gives.',
};

const condition = ({ code }: SqlFailure) => CONDITIONS[code] ?? code;

function cut(ran: Ran, outputBytes: number): Pick<Observation, 'output' | 'outputTruncated'> {
  const isLong = Buffer.byteLength(ran.output) > outputBytes;
  return {
    output: isLong ? ran.output.slice(0, outputBytes) : ran.output,
    outputTruncated: ran.isCut || isLong,
  };
}

/** Rows of a result that are shown among what a program gave. */
const SHOWN_ROWS = 100;

function shownResult({ table, tag, notices }: StatementResult): string {
  const told = notices.map((notice) => `NOTICE: ${notice}\n`).join('');
  if (!table) return tag && !/^(?:SELECT|EXPLAIN|SET|SAVEPOINT|RELEASE)/.test(tag) ? `${told}${tag}\n` : told;
  const rows = table.rows.slice(0, SHOWN_ROWS);
  const more = table.rows.length - rows.length;
  return `${told}${[table.columns.map(({ name }) => name), ...rows.map((row) => row.map(cellText))]
    .map((row) => row.join(' | '))
    .join('\n')}\n${more > 0 ? `… and ${more} more rows\n` : ''}`;
}

/** What failed, at the learner's line. */
function failed(
  { error, statement, source }: NonNullable<Ran['failure']>,
  names: ReadonlySet<string>,
): Pick<Observation, 'kind' | 'error'> {
  const { code, message, detail, hint, at } = error;
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
  return { kind: isSyntax(code) ? 'syntax_error' : 'runtime_error', error: { ...told, explanation } };
}

/** What a program says about transactions, done with savepoints inside that of the judge. */
class Block {
  #connection: Connection;
  /** The savepoint that stands for the program's own transaction; null outside of one. */
  #own: string | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async run(statement: Statement): Promise<StatementResult> {
    const [first, second] = statement.tokens.map(({ text }) => text);
    if (first === 'begin' || (first === 'start' && second === 'transaction')) {
      if (this.#own) return done('BEGIN', 'there is already a transaction in progress');
      this.#own = mark();
      await this.#connection.run(`SAVEPOINT ${this.#own}`);
      return done('BEGIN');
    }
    const isBack = first === 'rollback' || first === 'abort';
    if (isBack && !statement.tokens.some(({ text }) => text === 'to' || text === 'prepared')) {
      if (!this.#own) return done('ROLLBACK', 'there is no transaction in progress');
      await this.#connection.run(`ROLLBACK TO SAVEPOINT ${this.#own}`);
      this.#own = null;
      return done('ROLLBACK');
    }
    if ((first === 'commit' || first === 'end') && second !== 'prepared') {
      if (!this.#own) return done('COMMIT', 'there is no transaction in progress');
      const failure = await this.#deferredFailure();
      if (failure) {
        await this.#connection.run(`ROLLBACK TO SAVEPOINT ${this.#own}`);
        this.#own = null;
        return { ...done(''), failure };
      }
      this.#own = null;
      return done('COMMIT');
    }
    if (first === 'copy') {
      const message = 'COPY is not available here: write INSERT or SELECT';
      const failure = { code: '0A000', message, detail: '', hint: '', constraint: '', at: 0 };
      return { ...done(''), failure };
    }
    return this.#connection.run(statement.text);
  }

  /** What is left to say once all statements have run: a transaction that was not committed is rolled back. */
  async end(): Promise<SqlFailure | null> {
    if (this.#own) {
      await this.#connection.run(`ROLLBACK TO SAVEPOINT ${this.#own}`);
      return null;
    }
    return this.#deferredFailure();
  }

  /** What a commit would find broken; rules that wait for a commit wait again afterwards. */
  async #deferredFailure(): Promise<SqlFailure | null> {
    const here = mark();
    await this.#connection.run(`SAVEPOINT ${here}`);
    const { failure } = await this.#connection.run('SET CONSTRAINTS ALL IMMEDIATE');
    await this.#connection.run(`ROLLBACK TO SAVEPOINT ${here}`);
    return failure;
  }
}

function done(tag: string, notice?: string): StatementResult {
  return { table: null, tag, isCut: false, notices: notice ? [notice] : [], failure: null };
}
