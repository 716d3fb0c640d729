import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { freePort } from '../../tests/support/site.ts';
import { isPassingDatabaseError } from './database-errors.ts';

const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

it('a database that cannot be reached may be later', async () => {
  const sql = postgres(`postgres://nobody@127.0.0.1:${await freePort()}/none`, { max: 1 });
  const refused = await failureOf(sql`select 1`);
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  expect(isPassingDatabaseError(refused)).toBe(true);
  expect(isPassingDatabaseError(new Error('Failed query', { cause: refused }))).toBe(true);
});

it('the same fault of anything else is not the database', async () => {
  const missing = await failureOf(readFile('/there/is/no/such/file'));
  expect(missing).toMatchObject({ code: 'ENOENT' });
  const port = await freePort();
  const unreached = await new Promise((done) => connect(port, '127.0.0.1').once('error', done));
  expect(unreached).toMatchObject({ code: 'ECONNREFUSED' });
  const wrapped = new Error('the mail server', { cause: unreached });
  expect([missing, unreached, wrapped].map(isPassingDatabaseError)).toEqual([false, false, false]);
});
