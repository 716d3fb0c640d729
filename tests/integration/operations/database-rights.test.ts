import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { migrateDatabase } from '#db/migrate.ts';
import { databaseOn } from '../../support/database-url.ts';
import { freePort } from '../../support/site.ts';

const { url } = inject('postgres');
const root = resolve(import.meta.dirname, '../../..');
const role = `rights_${randomBytes(6).toString('hex')}`;
let admin: postgres.Sql;
let owner: postgres.Sql;
let database: string;
let address: string;

beforeAll(async () => {
  admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create role ${role} login password 'a-word'`);
});
afterAll(async () => {
  await admin.unsafe(`drop role ${role}`);
  await admin.end();
});

beforeEach(async () => {
  database = `rights_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`create database ${database}`);
  owner = postgres(databaseOn(url, database), { max: 1, onnotice: () => {} });
  const own = new URL(databaseOn(url, database));
  own.username = role;
  own.password = 'a-word';
  address = own.href;
});
afterEach(async () => {
  await owner.end();
  await admin.unsafe(`drop database ${database} with (force)`);
});

const schemas = async () =>
  (await owner`select nspname as name from pg_namespace where nspname in ('drizzle', 'pgboss')`).map(
    ({ name }) => name as string,
  );

const refusal = () =>
  migrateDatabase(address).then(
    () => null,
    (error: Error) => {
      expect(error.name).toBe('UnfitDatabaseError');
      expect(error.message).not.toContain('\n');
      return error.message;
    },
  );

it('names all rights that are missing at once, with the statements that grant them, which are enough', async () => {
  const first = `GRANT CREATE ON DATABASE ${database} TO ${role}`;
  const second = `GRANT USAGE, CREATE ON SCHEMA public TO ${role}`;
  expect(await refusal()).toContain(`run "${first}" and "${second}" in it.`);
  expect(await schemas()).toEqual([]);
  await owner.unsafe(first);
  expect(await refusal()).toContain(`run "${second}" in it.`);
  expect(await schemas()).toEqual([]);
  await owner.unsafe(second);
  expect(await refusal()).toBeNull();
  expect(await migrateDatabase(address)).toBe(0);
});

it('leaves the database of another program alone', async () => {
  await owner.unsafe(`grant create on database ${database} to ${role}`);
  await owner.unsafe(`grant usage, create on schema public to ${role}`);
  await owner`create extension pg_stat_statements`.catch(() => {});
  await owner`create table wp_posts (id int)`;
  expect(await refusal()).toMatch(
    /another program, such as wp_posts: .*"CREATE DATABASE academy OWNER rights_/,
  );
  expect(await schemas()).toEqual([]);
  // Of what this site's own migrations have made, none is another program's.
  await owner`drop table wp_posts`;
  expect(await refusal()).toBeNull();
});

it('says of a database that can only be read what lets it be written', async () => {
  await owner.unsafe(`grant create on database ${database} to ${role}`);
  await owner.unsafe(`grant usage, create on schema public to ${role}`);
  await owner.unsafe(`alter database ${database} set default_transaction_read_only = on`);
  expect(await refusal()).toContain(`"ALTER DATABASE ${database} SET default_transaction_read_only = off"`);
  await admin.unsafe(`alter database ${database} set default_transaction_read_only = off`);
  expect(await refusal()).toBeNull();
  // An up-to-date one is refused as well: nothing could be sold from it.
  await admin.unsafe(`alter role ${role} set default_transaction_read_only = on`);
  expect(await refusal()).toContain(`"ALTER ROLE ${role} SET default_transaction_read_only = off"`);
  await admin.unsafe(`alter role ${role} reset default_transaction_read_only`);
});

it.each([
  ['npm run db:migrate', ['scripts/database.ts', 'migrate']],
  ['a start', ['src/main.ts', '--dev']],
])('%s says so in one line without SQL or password', async (_what, args) => {
  const port = String(await freePort());
  const { code, output } = await new Promise<{ code: unknown; output: string }>((done) => {
    execFile(
      process.execPath,
      args,
      {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          PORT: port,
          DATABASE_URL: address,
          DATA_DIR: process.env.DATA_DIR,
          LOG_LEVEL: 'info',
        },
      },
      (error, stdout, stderr) =>
        done({ code: error?.code, output: stdout + stderr.replace(/^Database: .*\n/, '') }),
    );
  });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(`GRANT CREATE ON DATABASE ${database} TO ${role}`);
  expect(output).not.toMatch(/create schema|select |a-word/i);
  expect(await schemas()).toEqual([]);
});
