import { inspect } from 'node:util';
import { Writable } from 'node:stream';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loggerOptions } from './log.ts';
import { loggableError, reasonInOneLine, withoutQueryValues } from './loggable-error.ts';

const ADDRESS = 'ada@example.test';
const HASH = '$scrypt$a-hash';

/** As the driver makes them: what PostgreSQL says, with the values in the detail and in the message. */
function refused(message: string): Error {
  const made = new Error(message);
  return Object.assign(made, {
    name: 'PostgresError',
    code: '23505',
    detail: `Key (email)=(${ADDRESS}) already exists.`,
    where: `unnamed portal parameter $1 = '${ADDRESS}'`,
    table_name: 'users',
  });
}

function failedQuery(message = 'duplicate key value violates unique constraint "users_email"'): Error {
  // A value may hold what looks like the next line of a stack.
  const values = [ADDRESS, `a\n    at b ${HASH}`, HASH];
  return new DrizzleQueryError('insert into "users" ("email") values ($1)', values, refused(message));
}

function logged(content: unknown): string {
  let line = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      line += chunk;
      done();
    },
  });
  pino({ ...loggerOptions(), level: 'info' }, sink).error(content as object, 'a request failed');
  return line;
}

const everywhere: [string, () => string][] = [
  ['the log', () => logged({ err: failedQuery() })],
  ['the log, with the error alone', () => logged(failedQuery())],
  ['the log, as a cause', () => logged({ err: new Error('no order', { cause: failedQuery() }) })],
  ['the log, as one of several', () => logged({ err: new AggregateError([failedQuery()], 'several') })],
  ['a terminal', () => inspect(loggableError(failedQuery()))],
];

test.each(everywhere)('no value of a failed query reaches %s', (_where, write) => {
  const text = write();
  expect(text).not.toContain(ADDRESS);
  expect(text).not.toContain(HASH);
  expect(text).not.toContain('scrypt');
  // What is needed to find the fault stays.
  expect(text).toContain('insert into');
  expect(text).toContain('users_email');
  expect(text).toContain('loggable-error.test.ts');
});

test('a value that PostgreSQL could not read is not quoted', () => {
  const text = logged({ err: failedQuery(`invalid input syntax for type integer: "${ADDRESS}"`) });
  expect(text).not.toContain(ADDRESS);
  expect(text).toContain('invalid input syntax for type integer');
});

test('another error is told as it is', () => {
  const error = Object.assign(new TypeError('x is not a function: "y"'), { code: 'ODD' });
  expect(inspect(loggableError(error))).toBe(inspect(error));
  expect(loggableError('text')).toBe('text');
});

test('the text of a failure that somebody else wrote down loses the values too', () => {
  const { message, stack } = new DrizzleQueryError('select $1', [ADDRESS]);
  expect(withoutQueryValues(message)).toBe('Failed query: select $1');
  expect(withoutQueryValues(stack!)).toMatch(/Failed query: select \$1\n {4}at /);
  expect(withoutQueryValues(stack!)).not.toContain(ADDRESS);
});

test('one line gives the deepest reason', () => {
  expect(reasonInOneLine(failedQuery('too many connections'))).toBe('too many connections');
  expect(reasonInOneLine(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
});
