import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db, poolUse, sqlClient } from '#db/client.ts';
import { categories } from '#db/schema/catalogue.ts';
import { isPassingDatabaseError } from '#src/server/database-errors.ts';
import { GET as categoriesRoute } from '#src/pages/api/categories.ts';
import { callRoute } from '../../support/api.ts';

const TASKS = 24;
const ROUNDS = 40;

let killer: postgres.Sql;
beforeAll(async () => {
  killer = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
  await killer`create table breaks (task text not null, part int not null)`;
});
afterAll(() => killer.end());

it('F2: connections that break at any moment lose no answer, mix none up, and leave a pool that works', async () => {
  const done: string[] = [];
  let broken = 0;
  let isOver = false;
  const breaking = (async () => {
    while (!isOver) {
      await killer`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'academy' and random() < 0.4`;
      await new Promise((next) => setTimeout(next, 15));
    }
  })();
  const work = async (task: string) => {
    const [own] = await db().execute<{ task: string }>(sql`select ${task}::text as task`);
    expect(own?.task).toBe(task);
    await db().transaction(async (tx) => {
      for (let part = 0; part < 3; part += 1) {
        const [row] = await tx.execute<{ task: string }>(
          sql`insert into breaks (task, part) values (${task}, ${part}) returning task`,
        );
        expect(row?.task).toBe(task);
        // Code that waits for something else meanwhile goes on with a connection that may be another's by now.
        if (Math.random() < 0.3) await new Promise((next) => setTimeout(next, 5));
      }
    });
    done.push(task);
  };
  await Promise.all(
    Array.from({ length: TASKS }, async (_, lane) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        try {
          await work(`${lane}-${round}`);
        } catch (error) {
          if (!isPassingDatabaseError(error)) throw error;
          broken += 1;
        }
      }
    }),
  );
  isOver = true;
  await breaking;
  expect(broken).toBeGreaterThan(0);
  const rows = await killer<{ task: string; parts: number }[]>`
    select task, count(*)::int as parts from breaks group by task`;
  expect(rows.filter(({ parts }) => parts !== 3)).toEqual([]);
  const kept = new Set(rows.map(({ task }) => task));
  expect(done.filter((task) => !kept.has(task))).toEqual([]);

  // Every place of the pool works again: a broken one is noticed by its next use and replaced.
  const all = () => Promise.allSettled(Array.from({ length: 12 }, () => sqlClient()`select pg_sleep(0.01)`));
  for (let round = 0; round < 10; round += 1) await all();
  expect((await all()).map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'));
}, 60_000);

it('F1: while slow work holds every connection, others are told to come again, and are served once it ends', async () => {
  const { max } = poolUse();
  const slow = Array.from({ length: max }, async () => {
    await db().execute(sql`select pg_sleep(3.5)`);
  });
  const reads = await Promise.all(Array.from({ length: 30 }, () => callRoute(categoriesRoute)));
  for (const read of reads) {
    expect(read.status).toBe(503);
    expect(read.body).toMatchObject({ code: 'unavailable' });
    expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await expect(db().transaction((tx) => tx.execute(sql`select 1`))).resolves.toHaveLength(1);
  await Promise.all(slow);
  expect((await callRoute(categoriesRoute)).status).toBe(200);
  expect(poolUse()).toEqual({ inUse: 0, waiting: 0, max });
});

it('more queries than connections are all answered, in rows and in values', async () => {
  const courses = Array.from({ length: 60 }, () => db().execute(sql`select 1`));
  const counts = Array.from({ length: 60 }, () => db().$count(categories));
  const failures = await Promise.allSettled(
    Array.from({ length: 30 }, () => db().execute(sql`select 1 / 0`)),
  );
  expect((await Promise.all(courses)).flat()).toHaveLength(60);
  expect(new Set(await Promise.all(counts)).size).toBe(1);
  expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
  expect(poolUse()).toMatchObject({ inUse: 0, waiting: 0 });
});

it('a connection still hears after it has sent more rows than their reader had room for', async () => {
  const slowly = () => {
    let bytes = 0;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        setTimeout(done, 1);
      },
    });
    return { sink, bytes: () => bytes };
  };
  for (let count = 3; count < 24; count += 1) {
    const reader = slowly();
    const rows = await killer
      .unsafe(`copy (select repeat('x', 20000) from generate_series(1, ${count})) to stdout`)
      .readable();
    await pipeline(rows, reader.sink);
    expect(reader.bytes()).toBe(count * 20_001);
  }
  expect((await killer`select 1 as one`)[0]).toEqual({ one: 1 });
});

it('F31: a reader of many rows that gives up leaves a connection that answers', async () => {
  const client = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(new Error('no room')),
  });
  const reading = client.begin(async (tx) => {
    const rows = await tx
      .unsafe(`copy (select repeat('x', 2000) from generate_series(1, 20000)) to stdout`)
      .readable();
    await pipeline(rows, full);
  });
  await expect(reading).rejects.toThrow('no room');
  expect(await client`select 1 as one`).toEqual([{ one: 1 }]);
  await client.end({ timeout: 5 });
});
