import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDatabase, connectDatabase, db, poolUse, sqlClient, takeTime } from '#db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { GET as categoriesRoute } from '#src/pages/api/categories.ts';
import { callRoute } from '../../support/api.ts';
import { temporaryFolder } from '../../support/site.ts';

// A server of its own: the others' would stand still, too.
let dataDir: string;
let server: EmbeddedPostgres;
let watcher: postgres.Sql;
beforeAll(async () => {
  await closeDatabase();
  dataDir = await temporaryFolder('academy-frozen-');
  server = await startEmbeddedPostgres({ dataDir });
  await migrateDatabase(server.url);
  connectDatabase(server.url, { socketPath: server.socketPath });
  watcher = postgres(server.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await watcher?.end();
  await closeDatabase();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The server's first process and all that it has begun. */
async function serverProcesses(): Promise<number[]> {
  const [{ pid }] = (await watcher`select pg_backend_pid() as pid`) as [{ pid: number }];
  const parentOf = new Map(
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  const first = parentOf.get(pid)!;
  return [first, ...[...parentOf].filter(([, parent]) => parent === first).map(([child]) => child)];
}

it('while the database is frozen everybody is told to come again, and served as soon as it goes on', async () => {
  expect((await callRoute(categoriesRoute)).status).toBe(200);
  const { max } = poolUse();
  // Some connections are open when it freezes, others have to be made; one is in a transaction.
  await Promise.all(Array.from({ length: max / 2 }, () => sqlClient()`select pg_sleep(0.05)`));
  let freeze: () => void = () => {};
  const frozen = new Promise<void>((done) => {
    freeze = done;
  });
  const amid = db().transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await frozen;
    await tx.execute(sql`select 2`);
  });
  amid.catch(() => {});
  const processes = await serverProcesses();
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  try {
    freeze();
    const asked = await Promise.all([
      ...Array.from({ length: 3 * max }, () => callRoute(categoriesRoute).then(({ status }) => status)),
      sqlClient()`select 1`.then(
        () => 'answered',
        () => 'refused',
      ),
      amid.then(
        () => 'answered',
        () => 'refused',
      ),
    ]);
    expect(new Set(asked)).toEqual(new Set([503, 'refused']));
    expect(poolUse()).toEqual({ inUse: 0, waiting: 0, max });
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT');
  }
  // A whole pool connects anew, which may take a busy machine more than one try.
  const reconnected = { timeout: 10_000 };
  await expect
    .poll(async () => {
      const answers = await Promise.all(Array.from({ length: max }, () => callRoute(categoriesRoute)));
      return new Set(answers.map(({ status }) => status));
    }, reconnected)
    .toEqual(new Set([200]));
  await expect
    .poll(async () => {
      const [{ open }] = (await watcher`
        select count(*)::int as open from pg_stat_activity where application_name = 'academy'`) as [
        { open: number },
      ];
      return open;
    })
    .toBeLessThanOrEqual(max);
}, 60_000);

it('work that says so may take longer than a request', async () => {
  const slow = sql`select pg_sleep(5.5)`;
  const [hurried, unhurried] = await Promise.allSettled([
    db().transaction((tx) => tx.execute(slow)),
    db().transaction(async (tx) => {
      await takeTime(tx);
      await tx.execute(slow);
    }),
  ]);
  expect([hurried.status, unhurried.status]).toEqual(['rejected', 'fulfilled']);
}, 30_000);
