import { asc, eq, inArray, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { together } from '#db/together.ts';
import { makeCourse, makeUser } from '../../support/factories.ts';

const reads = (courseIds: number[], userId: number) => ({
  pairs: db()
    .select({ course: courses, user: users })
    .from(courses)
    .leftJoin(users, eq(users.id, userId))
    .where(inArray(courses.id, courseIds))
    .orderBy(asc(courses.id)),
  none: db().select().from(users).where(eq(users.id, 0)),
  count: db().$count(courses, inArray(courses.id, courseIds)),
  raw: db().execute<{ id: number }>(sql`select ${userId}::int as id`),
});

it('gives what the same selects give one by one', async () => {
  const made = [await makeCourse(), await makeCourse()];
  const user = await makeUser();
  const ids = made.map(({ id }) => id);
  const all = async () => {
    const { pairs, none, count, raw } = reads(ids, user.id);
    return await Promise.all([pairs, none, count, raw.then((rows) => [...rows])]);
  };
  const apart = await all();
  const shown = (found: typeof apart) => [
    found[0].map(({ course: { rating, ...rest }, user }) => [rest, Number(rating), user]),
    ...found.slice(1),
  ];
  expect(shown(await together(all))).toEqual(shown(apart));
  expect(apart[0][1]!.user!.id).toBe(user.id);
  expect(apart.slice(1)).toEqual([[], 2, [{ id: user.id }]]);
});

it('sends them as one statement, with what goes with the first', async () => {
  const own = () => db().select({ id: sql<string>`current_query()` }).from(sql`(select 1) one`);
  const withFirst: Promise<{ id: string }[]>[] = [];
  const [[one], [other]] = await together(
    () => Promise.all([own(), own()]),
    () => void withFirst.push(own().then((rows) => rows)),
  );
  expect(one!.id).toBe(other!.id);
  expect((await withFirst[0])![0]!.id).toBe(one!.id);
  expect(one!.id.match(/current_query/g)).toHaveLength(3);
});

it('gives the failure of one to each, and runs a transaction by itself', async () => {
  const fails = () => db().execute(sql`select 1 / ${0}::int`);
  const [failed, other] = await together(() => Promise.allSettled([fails(), db().$count(users)]));
  expect([failed!.status, other!.status]).toEqual(['rejected', 'rejected']);
  expect(await together(() => db().transaction((tx) => tx.$count(users, eq(users.id, 0))))).toBe(0);
});
