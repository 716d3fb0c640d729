import { PGlite } from '@electric-sql/pglite';

/** Functions that sleep, or change settings within an expression. */
const TAKEN = [
  'pg_sleep(double precision)',
  'pg_sleep_for(interval)',
  'pg_sleep_until(timestamptz)',
  'set_config(text, text, boolean)',
  'pg_notify(text, text)',
  'pg_backend_pid()',
];

/** An archive with the role of programs: what each database starts with. */
export async function makeDataFolder(): Promise<Uint8Array<ArrayBuffer>> {
  const database = await PGlite.create({
    // Small: a program's database has few rows.
    initDbStartParams: [
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--wal-segsize=1',
      '--set',
      'shared_buffers=4MB',
      '--set',
      'max_connections=3',
      '--set',
      'temp_file_limit=32MB',
    ],
  });
  for (const statement of [
    'CREATE ROLE learner',
    'ALTER SCHEMA public OWNER TO learner',
    'GRANT CREATE, TEMPORARY ON DATABASE postgres TO learner',
    ...TAKEN.map((name) => `REVOKE EXECUTE ON FUNCTION pg_catalog.${name} FROM PUBLIC`),
    'REVOKE ALL ON pg_catalog.pg_settings FROM PUBLIC',
    'GRANT SELECT ON pg_catalog.pg_settings TO PUBLIC',
    'UPDATE pg_database SET datistemplate = false',
    'DROP DATABASE template0',
    'DROP DATABASE template1',
    'VACUUM FULL',
    'ANALYZE',
    'CHECKPOINT',
  ]) {
    await database.exec(statement);
  }
  const folder = await database.dumpDataDir('none');
  const bytes = new Uint8Array(await folder.arrayBuffer());
  await database.close();
  return bytes;
}
