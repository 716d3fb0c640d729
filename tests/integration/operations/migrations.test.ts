import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeBackup } from '#db/backup.ts';
import { localFileStore } from '#db/file-store.ts';
import { MIGRATIONS_FOLDER, migrateDatabase, migrateWithin, readJournal } from '#db/migrate.ts';
import { restoreBackup, unpackBackup } from '#db/restore.ts';
import { databaseOn } from '../../support/database-url.ts';
import { hasOldestPostgres, startOldestPostgres } from '../../support/oldest-postgres.ts';

const journal = readJournal();
const TAGS = journal.entries.map(({ tag }) => tag);
/** Rows with values that came late, by the first migration that has them. */
const ROWS: Record<string, string> = {
  '0000_first/tables': `
    insert into categories (id, name) values (1, 'Programming');
    insert into courses (title, description, price_cents, level, category_id, is_active)
      values ('Joins', 'Tables that meet.', 4900, 'advanced', 1, true);
    insert into users (username, email, password_hash, role) values ('Ada', 'ada@example.com', 'x', 'admin');
    insert into orders (buyer_email, total_cents, fingerprint) values ('ada@example.com', 4900, 'one');
    insert into mail_outbox (template, recipient, subject, text, status) values ('receipt', 'ada@example.com', 'Receipt', 'x', 'sent')`,
  '0030_invoices_by_bank': `
    insert into ledger_entries (movement, order_id, account, amount_cents) values
      ('invoice:1', 1, 'receivables', 4900), ('invoice:1', 1, 'course_revenue', -4900),
      ('transfer:1', 1, 'bank', 4900), ('transfer:1', 1, 'receivables', -4900)`,
  '0056_sql_and_typescript': `
    insert into lessons (course_id, title, type, "order", coding_language) values
      (1, 'SQL', 'interactive_coding', 1, 'sql'), (1, 'TypeScript', 'interactive_coding', 2, 'typescript'),
      (1, 'Python', 'interactive_coding', 3, 'python');
    insert into code_submissions (user_id, lesson_id, language, submitted_code, is_correct, verdict, attempts) values
      (1, 1, 'sql', 'x', true, 'pass', 1), (1, 2, 'typescript', 'x', false, 'memory_limit', 1)`,
};

let folder: string;
const admins: postgres.Sql[] = [];
const made: { admin: postgres.Sql; name: string }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-migrations-'));
  await cp(MIGRATIONS_FOLDER, join(folder, 'migrations'), { recursive: true });
});
afterAll(async () => {
  for (const { admin, name } of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await Promise.all(admins.map((admin) => admin.end()));
  await oldest?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A folder with the migrations up to one of them. */
async function upTo(tag: string): Promise<string> {
  const entries = journal.entries.slice(0, TAGS.indexOf(tag) + 1);
  await writeFile(join(folder, 'migrations/meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return join(folder, 'migrations');
}

/** What a database is made of, and every row of it but for times that the clock gave. */
async function stateOf(sql: postgres.Sql): Promise<Record<string, unknown>> {
  const lines = (text: string) => sql.unsafe(text).then((rows) => rows.map(({ line }) => line));
  return {
    columns: await lines(`
      select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
        || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1`),
    constraints: await lines(`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
      where connamespace = 'public'::regnamespace order by 1`),
    indexes: await lines(`select indexdef as line from pg_indexes where schemaname = 'public' order by 1`),
    triggers: await lines(`
      select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = tgrelid
      where c.relnamespace = 'public'::regnamespace and not tgisinternal order by 1`),
    functions: await lines(`
      select pg_get_functiondef(p.oid) as line from pg_proc p where pronamespace = 'public'::regnamespace and prolang in
        (select oid from pg_language where lanname in ('sql', 'plpgsql')) order by 1`),
    types: await lines(`
      select typname as line from pg_type where typnamespace = 'public'::regnamespace and typtype = 'e' order by 1`),
    lessons: await lines(
      `select concat_ws(' ', title, type, difficulty, coding_language) as line from lessons order by 1`,
    ),
    entries: await lines(
      `select concat_ws(' ', movement, account, amount_cents) as line from ledger_entries order by 1`,
    ),
    courses: await lines(`select concat_ws(' ', title, level, search_text) as line from courses order by 1`),
  };
}

/** Nothing waits for the end of the transaction afterwards, as with rows that a restore loads. */
const insertRows = async (tx: postgres.ISql, tag: string): Promise<void> => {
  if (!ROWS[tag]) return;
  await tx.unsafe(`${ROWS[tag]}; set constraints all immediate; set constraints all deferred`);
};

it('no migration adds a value to an enum, which no row could use before the transaction has ended', async () => {
  const files = (await readdir(MIGRATIONS_FOLDER, { recursive: true })).filter((name) =>
    name.endsWith('.sql'),
  );
  expect(files.length).toBeGreaterThan(50);
  const adding: string[] = [];
  for (const name of files) {
    if (/\badd\s+value\b/i.test(await readFile(join(MIGRATIONS_FOLDER, name), 'utf8'))) adding.push(name);
  }
  expect(adding).toEqual([]);
});

const oldest = hasOldestPostgres ? await startOldestPostgres() : null;

describe.each([
  { server: 'the newest PostgreSQL', url: inject('postgres').url },
  ...(oldest ? [{ server: 'the oldest PostgreSQL', url: oldest.url }] : []),
])('on $server, migrations', { timeout: 240_000 }, ({ url }) => {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  admins.push(admin);

  async function emptyDatabase(): Promise<string> {
    const name = `migrated_${randomUUID().replaceAll('-', '')}`;
    await admin.unsafe(`create database ${name}`);
    made.push({ admin, name });
    return databaseOn(url, name);
  }

  const onDatabase = async <T>(at: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
    const sql = postgres(at, { max: 1, onnotice: () => {} });
    return work(sql).finally(() => sql.end());
  };

  /** A database with the migrations up to one and the rows of the time; each step is a transaction of its own. */
  async function databaseOf(last: string, steps = [...Object.keys(ROWS), last]): Promise<string> {
    const at = await emptyDatabase();
    for (const tag of new Set(steps.filter((step) => TAGS.indexOf(step) <= TAGS.indexOf(last)))) {
      await migrateDatabase(at, await upTo(tag));
      await onDatabase(at, (sql) => insertRows(sql, tag));
    }
    return at;
  }

  it('lead to the same in one transaction with rows between them, one by one, and at once', async () => {
    const [one, many, none] = [
      await emptyDatabase(),
      await databaseOf(TAGS.at(-1)!, TAGS),
      await emptyDatabase(),
    ];
    await onDatabase(one, (sql) =>
      sql.begin(async (tx) => {
        for (const tag of TAGS) {
          await migrateWithin(tx, sql, await upTo(tag));
          await insertRows(tx, tag);
        }
      }),
    );
    await migrateDatabase(none);
    const state = await onDatabase(many, stateOf);
    expect(state.types).toEqual([]);
    expect(state.lessons).toHaveLength(3);
    expect(state.entries).toHaveLength(4);
    expect(await onDatabase(one, stateOf)).toEqual(state);
    const { lessons, entries, courses, ...shape } = await onDatabase(none, stateOf);
    expect([lessons, entries, courses]).toEqual([[], [], []]);
    expect(state).toMatchObject(shape);
  });

  it.each(['0029_withdrawals', '0056_sql_and_typescript'])(
    'bring a backup up to date that was made at %s, in an empty database and over a full one',
    async (tag) => {
      const source = await databaseOf(tag);
      const out = join(folder, `${randomUUID()}.tar.gz`);
      const store = localFileStore(join(folder, 'files'));
      const { rows } = await writeBackup({ url: source, store, out });
      const target = await emptyDatabase();
      for (const replace of [false, true]) {
        const backup = await unpackBackup(out, join(folder, 'data'));
        expect(await restoreBackup({ url: target, store, backup, replace })).toMatchObject({ rows });
      }
      await migrateDatabase(source);
      expect(await onDatabase(target, stateOf)).toEqual(await onDatabase(source, stateOf));
    },
  );
});
