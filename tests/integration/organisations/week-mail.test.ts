import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orderItems, orders, seatPlans, seats } from '#db/schema/store.ts';
import { closedChoicesUrl, setMailChoices } from '#src/server/mail/mail-choices.ts';
import { weekOfSeats } from '#src/features/organisations/seats/seat-lists.server.ts';
import {
  organisationMailJob,
  queueOrganisationMails,
  weekInWords,
} from '#src/features/organisations/week-mail.server.ts';

const WEEK = '2026-W48';
const DAY = 86_400_000;

/** An organisation with an owner, and one seat of a course for each of these people. */
async function makeOrganisation(people: { givenDaysAgo?: number; takenDaysAgo?: number }[]) {
  const owner = await makeUser({ emailVerifiedAt: new Date() });
  const [row] = await db().insert(organisations).values({ name: 'Example Ltd' }).returning();
  const id = row!.id;
  await db().insert(organisationMembers).values({ organisationId: id, userId: owner.id, role: 'owner' });
  const course = await makeCourseForSale();
  const [order] = await db()
    .insert(orders)
    .values({
      organisationId: id,
      userId: owner.id,
      buyerEmail: owner.email,
      fingerprint: `o${id}`,
      totalCents: 0,
    })
    .returning();
  const [item] = await db()
    .insert(orderItems)
    .values({
      orderId: order!.id,
      courseId: course.id,
      title: 'Seats',
      priceCents: 0,
      listPriceCents: 0,
      seats: 9,
    })
    .returning();
  const ago = (days: number | undefined) => (days === undefined ? null : new Date(Date.now() - days * DAY));
  const learners = [];
  for (const { givenDaysAgo, takenDaysAgo } of people) {
    const learner = takenDaysAgo === undefined ? null : await makeUser();
    learners.push(learner);
    await db()
      .insert(seats)
      .values({
        orderItemId: item!.id,
        organisationId: id,
        courseId: course.id,
        email:
          learner?.email ?? (givenDaysAgo === undefined ? null : `p${id}-${learners.length}@example.com`),
        givenAt: ago(givenDaysAgo),
        userId: learner?.id ?? null,
        takenAt: ago(takenDaysAgo),
      });
  }
  return { id, owner, course, item: item!, learners };
}
const mailsTo = (email: string) =>
  db().select().from(mailOutbox).where(sql`recipient = ${email} and template = 'organisation-week'`);

it('tells what happened in the last seven days, once a week, to who has proven their address', async () => {
  const one = await makeOrganisation([
    { givenDaysAgo: 1 },
    { givenDaysAgo: 20 },
    { givenDaysAgo: 20, takenDaysAgo: 2 },
    {},
  ]);
  await db()
    .insert(seatPlans)
    .values({ organisationId: one.id, courseId: one.course.id, dueOn: '2020-01-31' });
  await makeEnrollment(one.learners[2]!.id, one.course.id, {
    orderItemId: one.item.id,
    lastAccessedAt: new Date(),
    progress: 20,
  });
  const unproven = await makeUser();
  const manager = await makeUser({ emailVerifiedAt: new Date() });
  await db()
    .insert(organisationMembers)
    .values([
      { organisationId: one.id, userId: unproven.id, role: 'manager' },
      { organisationId: one.id, userId: manager.id, role: 'manager' },
    ]);
  expect(await weekOfSeats(one.id)).toEqual([
    { title: one.course.title, invited: 1, taken: 1, active: 1, completed: 0, late: 3 },
  ]);
  await queueOrganisationMails(WEEK, 0);
  await queueOrganisationMails(WEEK, 0);
  const mails = await mailsTo(one.owner.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain(one.course.title);
  expect(mails[0]!.text).toContain('1 invited, 1 took their seat, 1 learning, 3 late');
  // Nobody of the people stands in it by name.
  expect(mails[0]!.text).not.toContain(one.learners[2]!.email);
  expect(await mailsTo(manager.email)).toHaveLength(1);
  expect(await mailsTo(unproven.email)).toHaveLength(0);
  await queueOrganisationMails('2026-W49', 0);
  expect(await mailsTo(one.owner.email)).toHaveLength(2);
});

it('is not sent where nothing happened, and all organisations get theirs in batches', async () => {
  const quiet = await makeOrganisation([{ givenDaysAgo: 20, takenDaysAgo: 20 }]);
  await db()
    .insert(organisations)
    .values(Array.from({ length: 50 }, (_, index) => ({ name: `Organisation ${index}` })));
  const last = await makeOrganisation([{ givenDaysAgo: 0 }]);
  await organisationMailJob.run({ week: WEEK, after: 0 }, { isLast: false });
  expect(await mailsTo(last.owner.email)).toHaveLength(0);
  const [job] = await db().execute<{ data: { after: number } }>(
    sql`select data from pgboss.job where name = 'organisations.weekly-mail' order by created_on desc limit 1`,
  );
  await organisationMailJob.run({ week: WEEK, after: job!.data.after }, { isLast: false });
  expect(await mailsTo(last.owner.email)).toHaveLength(1);
  expect(await mailsTo(quiet.owner.email)).toHaveLength(0);
});

it('is not sent to a person who has switched it off, or has left', async () => {
  const one = await makeOrganisation([{ givenDaysAgo: 1 }]);
  await setMailChoices(one.owner.id, { organisation: 'off' });
  await queueOrganisationMails(WEEK, one.id - 1);
  expect(await mailsTo(one.owner.email)).toHaveLength(0);
  await setMailChoices(one.owner.id, { organisation: 'daily' });
  await queueOrganisationMails('2026-W49', one.id - 1);
  const [mail] = await mailsTo(one.owner.email);
  expect(mail!.unsubscribeUrl).toBe(closedChoicesUrl(['organisation']));
  await db().delete(organisationMembers).where(eq(organisationMembers.userId, one.owner.id));
  await queueOrganisationMails('2026-W50', one.id - 1);
  expect(await mailsTo(one.owner.email)).toHaveLength(1);
});

it('leaves out what did not happen', () => {
  const none = { invited: 0, taken: 0, active: 0, completed: 0, late: 0 };
  expect(weekInWords(none)).toBe('');
  expect(weekInWords({ ...none, completed: 1200, late: 1 })).toBe('1,200 completed, 1 late');
});
