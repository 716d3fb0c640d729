import { asc, eq, inArray, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { together } from '#db/together.ts';
import { makeCourse, makeLesson, makeUser } from '../../support/factories.ts';

it('gives what the same selects give one by one', async () => {
  const user = await makeUser();
  const { id: courseId } = await makeCourse();
  const ids = [(await makeLesson(courseId)).id, (await makeLesson(courseId)).id];
  const all = async () =>
    Promise.all([
      // Two columns of one name, dates and a joined row.
      db()
        .select({ lesson: lessons, user: users })
        .from(lessons)
        .leftJoin(users, eq(users.id, user.id))
        .where(inArray(lessons.id, ids))
        .orderBy(asc(lessons.id)),
      db().select().from(users).where(eq(users.id, 0)),
      db().$count(lessons, inArray(lessons.id, ids)),
      db().transaction((tx) => tx.$count(users, eq(users.id, user.id))),
    ]);
  const apart = await all();
  expect(await together(all)).toEqual(apart);
  expect(apart[0][1]).toMatchObject({ lesson: { id: ids[1] }, user: { id: user.id } });
  expect(apart.slice(1)).toEqual([[], 2, 1]);
});

it('sends them as one statement, with what goes with the first', async () => {
  const asked: Promise<unknown>[] = [];
  const own = () =>
    asked.push(
      db()
        .execute(sql`select current_query() as text`)
        .then(([row]) => row),
    );
  together(own, own);
  await asked[0];
  const [one, other] = await Promise.all(asked);
  expect(one).toEqual(other);
  expect(asked).toHaveLength(2);
});

it('gives the failure of one to each', async () => {
  const both = () => Promise.allSettled([db().execute(sql`select 1 / ${0}::int`), db().$count(users)]);
  expect((await together(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
