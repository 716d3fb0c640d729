import { and, eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { orderItems, orders, seats } from '#db/schema/store.ts';
import { listSeats } from '#src/features/organisations/seats/seat-lists.server.ts';
import type { SeatFilter } from '#src/features/organisations/seats/seats.ts';
import { mailSeatOffersJob } from '#src/features/organisations/seats/seats.server.ts';
import { openSeats } from '#src/features/store/seats/seats.server.ts';
import { POST as joinRoute } from '#src/pages/api/join.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { PUT as dueRoute } from '#src/pages/api/organisations/[id]/due.ts';
import { POST as bulkRoute } from '#src/pages/api/organisations/[id]/seats/bulk.ts';
import { POST as remindRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/remind.ts';
import { POST as takeBackRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/take-back.ts';
import { POST as giveRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import { POST as giveBackRoute } from '#src/pages/api/seats/[seat]/give-back.ts';
import { mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

const rule = vi.hoisted(() => ({ days: 30 as number | null }));
vi.mock('#src/features/organisations/seats/seats.ts', async (original) => {
  const real = await original<typeof import('#src/features/organisations/seats/seats.ts')>();
  type Asked = Parameters<typeof real.mayTakeBack>;
  return {
    ...real,
    mayTakeBack: (state: Asked[0], seen: Asked[1]) => real.mayTakeBack(state, seen, rule.days),
  };
});

beforeEach(async () => {
  rule.days = 30;
  await db().delete(rateLimits);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function somebody() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  return { user, session: await signIn(user) };
}
type Someone = Awaited<ReturnType<typeof somebody>>;

/** An organisation with seats of two courses. */
async function makeOrganisation(counts: [number, number]) {
  const owner = await somebody();
  const opened = await callRoute(openRoute, { as: owner.session, body: { name: 'Example Ltd' } });
  const id = opened.body.id as number;
  const things = [await makeCourseForSale(), await makeCourseForSale()] as const;
  const [order] = await db()
    .insert(orders)
    .values({
      organisationId: id,
      buyerEmail: owner.user.email,
      totalCents: 1,
      status: 'completed',
      fingerprint: 'many-seats',
      invoiceNumber: `MANY-${id}`,
      completedAt: new Date(),
    } as typeof orders.$inferInsert)
    .returning();
  const items = await db()
    .insert(orderItems)
    .values(
      things.map(
        (course, place) =>
          ({
            orderId: order!.id,
            courseId: course.id,
            priceCents: 1,
            listPriceCents: 1,
            title: course.title,
            seats: counts[place],
          }) as typeof orderItems.$inferInsert,
      ),
    )
    .returning();
  await db().transaction((tx) => openSeats(tx, id, items));
  return { id, owner, from: things[0].id, to: things[1].id };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

const ask = (
  route: Parameters<typeof callRoute>[0],
  one: Organisation,
  body: object,
  who: Someone | null = one.owner,
  method: 'POST' | 'PUT' = 'POST',
) => callRoute(route, { method, as: who?.session ?? null, params: { id: String(one.id) }, body });
const give = async (one: Organisation, emails: string[], courseId = one.from) => {
  const given = await ask(giveRoute, one, { courseId, people: emails.join('\n'), dryRun: false });
  expect(given.body.given, given.text).toBe(emails.length);
  await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
};
async function seated(one: Organisation, who?: Someone, courseId = one.from) {
  const learner = who ?? (await somebody());
  await give(one, [learner.user.email], courseId);
  const mail = (await mailsTo(learner.user.email)).find(({ template }) => template === 'seat-offer');
  const token = /join\?token=([\w-]+)/.exec(mail!.text ?? '')?.[1];
  const joined = await callRoute(joinRoute, { as: learner.session, body: { token } });
  expect(joined.status, joined.text).toBe(200);
  return learner;
}
const seatIds = async (one: Organisation, emails: string[], courseId = one.from) => {
  const rows = await db()
    .select()
    .from(seats)
    .where(and(eq(seats.organisationId, one.id), eq(seats.courseId, courseId), inArray(seats.email, emails)));
  return emails.map((email) => rows.find((row) => row.email === email)!.id);
};
const learn = ({ user }: Someone, courseId: number, values: object) =>
  db()
    .update(enrollments)
    .set(values)
    .where(and(eq(enrollments.userId, user.id), eq(enrollments.courseId, courseId)));
const accessOf = async ({ user }: Someone, courseId: number) =>
  (
    await db()
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, user.id), eq(enrollments.courseId, courseId)))
  )[0];
const freeOf = (one: Organisation, courseId: number) =>
  db().$count(
    seats,
    and(eq(seats.organisationId, one.id), eq(seats.courseId, courseId), eq(seats.mailDue, false)),
  );
const offersTo = async (email: string) =>
  (await mailsTo(email)).filter(({ template }) => template === 'seat-offer').length;
const list = (one: Organisation, state: SeatFilter) =>
  listSeats(one.id, { of: null, state, search: '', page: 1 } as Parameters<typeof listSeats>[1]);

describe('who is late', () => {
  it('is found by the day that the organisation set', async () => {
    const one = await makeOrganisation([4, 1]);
    const [done, slow] = [await seated(one), await seated(one)];
    await give(one, ['open@late.example.org']);
    await learn(done, one.from, { progress: 100, completedAt: new Date(), lastAccessedAt: new Date() });
    expect((await list(one, 'late')).total).toBe(0);
    const due = (day: string) => ask(dueRoute, one, { courseId: one.from, dueOn: day }, one.owner, 'PUT');
    await due(new Date().toISOString().slice(0, 10));
    expect((await list(one, 'late')).total).toBe(0);
    await due('2020-01-31');
    const late = await list(one, 'late');
    expect(late.rows.map(({ email }) => email).toSorted()).toEqual(
      [slow.user.email, 'open@late.example.org'].toSorted(),
    );
    for (const row of late.rows) expect(row.isLate).toBe(true);
  });
});

describe('many seats at once', () => {
  it('are for those who run the organisation, and say what is wrong with what was sent', async () => {
    const one = await makeOrganisation([2, 1]);
    const stranger = await makeOrganisation([2, 1]);
    await give(one, ['a@many.example.org']);
    const ids = await seatIds(one, ['a@many.example.org']);
    const body = { action: 'take-back', seats: ids };
    expect((await ask(bulkRoute, one, body, stranger.owner)).status).toBe(404);
    expect((await ask(bulkRoute, one, body, null)).status).toBe(401);
    expect((await ask(bulkRoute, stranger, body)).body).toEqual({
      done: 0,
      refused: [{ id: ids[0], email: null, reason: 'gone' }],
    });
    for (const wrong of [
      { action: 'take-back', seats: [] },
      { action: 'end', seats: ids },
      { action: 'move', seats: ids },
      { action: 'move', seats: ids, to: { courseId: one.to, bundleId: 1 } },
      { action: 'remind', seats: ids, to: { courseId: one.to } },
      { action: 'remind', seats: Array.from({ length: 501 }, (_, n) => n + 1) },
    ])
      expect((await ask(bulkRoute, one, wrong)).status).toBe(400);
    const elsewhere = { action: 'move', seats: ids, to: { courseId: stranger.to } };
    expect((await ask(bulkRoute, one, elsewhere)).status).toBe(404);
    expect(await seatIds(one, ['a@many.example.org'])).toEqual(ids);
  });

  it('are mailed again, each as often as one alone', async () => {
    const one = await makeOrganisation([3, 1]);
    const taken = await seated(one);
    const emails = [`x-${one.id}@many.example.org`, `y-${one.id}@many.example.org`];
    await give(one, emails);
    const [x, y] = await seatIds(one, emails);
    const [theirs] = await seatIds(one, [taken.user.email]);
    for (let time = 0; time < 3; time += 1)
      await callRoute(remindRoute, {
        method: 'POST',
        as: one.owner.session,
        params: { id: String(one.id), seat: String(x) },
      });
    const answer = await ask(bulkRoute, one, { action: 'remind', seats: [x, y, y, theirs] });
    expect(answer.body, answer.text).toEqual({
      done: 1,
      refused: [
        { id: x, email: emails[0], reason: 'mailed_often' },
        { id: theirs, email: taken.user.email, reason: 'taken' },
      ],
    });
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    expect(await offersTo(emails[1]!)).toBe(2);
  });

  it('are taken back, but for those that somebody is at', async () => {
    const one = await makeOrganisation([5, 1]);
    const people = [await seated(one), await seated(one), await seated(one), await seated(one)] as const;
    const [waiting, busy, idle, done] = people;
    await learn(busy, one.from, { progress: 10, lastAccessedAt: daysAgo(29) });
    await learn(idle, one.from, { progress: 40, lastAccessedAt: daysAgo(31) });
    await learn(done, one.from, { progress: 100, lastAccessedAt: daysAgo(90), completedAt: daysAgo(90) });
    await db()
      .update(seats)
      .set({ takenAt: daysAgo(100) })
      .where(eq(seats.organisationId, one.id));
    await db()
      .insert(certificates)
      .values({
        userId: idle.user.id,
        courseId: one.from,
        certificateNumber: `MANY-${one.id}`,
        recipientName: 'Ada',
        courseTitle: 'Course',
        verificationUrl: 'https://example.com/x',
      });
    const ids = await seatIds(
      one,
      people.map(({ user }) => user.email),
    );
    const answer = await ask(bulkRoute, one, { action: 'take-back', seats: ids });
    expect(answer.body, answer.text).toEqual({
      done: 2,
      refused: [
        { id: ids[1], email: busy.user.email, reason: 'begun' },
        { id: ids[3], email: done.user.email, reason: 'completed' },
      ],
    });
    expect(await accessOf(waiting, one.from)).toMatchObject({ status: 'revoked', orderItemId: null });
    expect(await accessOf(busy, one.from)).toMatchObject({ status: 'active', progress: 10 });
    expect(await accessOf(idle, one.from)).toMatchObject({ status: 'revoked', progress: 40 });
    expect(await accessOf(done, one.from)).toMatchObject({ status: 'active' });
    expect(await db().$count(certificates, eq(certificates.userId, idle.user.id))).toBe(1);
    const told = async ({ user }: Someone) =>
      (await mailsTo(user.email)).filter(({ template }) => template === 'seat-taken-back');
    expect((await told(idle))[0]!.text).toContain('you were not there for 30 days or more');
    for (const other of [waiting, busy, done]) expect(await told(other)).toEqual([]);
    // Given the seat again, they go on where they were, and it is theirs for as long as anew.
    await seated(one, idle);
    expect(await accessOf(idle, one.from)).toMatchObject({ status: 'active', progress: 40 });
    const again = await seatIds(one, [idle.user.email]);
    expect((await ask(bulkRoute, one, { action: 'take-back', seats: again })).body.done).toBe(0);
  });

  it('follow the rule of the content file, which may say never', async () => {
    const one = await makeOrganisation([1, 1]);
    const ana = await seated(one);
    await learn(ana, one.from, { progress: 40, lastAccessedAt: daysAgo(400) });
    await db()
      .update(seats)
      .set({ takenAt: daysAgo(500) })
      .where(eq(seats.organisationId, one.id));
    const [id] = await seatIds(one, [ana.user.email]);
    const alone = (route: typeof takeBackRoute, as: Someone) =>
      callRoute(route, { method: 'POST', as: as.session, params: { id: String(one.id), seat: String(id) } });
    rule.days = null;
    expect((await list(one, 'begun')).rows[0]).toMatchObject({ canTakeBack: false });
    expect((await alone(takeBackRoute, one.owner)).status).toBe(409);
    rule.days = 30;
    expect((await list(one, 'begun')).rows[0]).toMatchObject({ canTakeBack: true });
    // What a learner gives back themselves is only what they have not begun.
    expect((await alone(giveBackRoute, ana)).status).toBe(409);
    expect((await alone(takeBackRoute, one.owner)).status).toBe(200);
    expect(await accessOf(ana, one.from)).toMatchObject({ status: 'revoked', progress: 40 });
  });

  it('are moved: an offer anew, or access at once', async () => {
    const one = await makeOrganisation([5, 3]);
    const [ana, bo, cy] = [await seated(one), await seated(one), await seated(one)];
    await learn(bo, one.from, { lastAccessedAt: new Date() });
    await makeEnrollment(cy.user.id, one.to);
    const open = `open-${one.id}@many.example.org`;
    const both = `both-${one.id}@many.example.org`;
    await give(one, [open, both]);
    await give(one, [both], one.to);
    const emails = [ana.user.email, bo.user.email, cy.user.email, open, both];
    const ids = await seatIds(one, emails);
    const move = { action: 'move', seats: ids, to: { courseId: one.to } };
    const answer = await ask(bulkRoute, one, move);
    expect(answer.body.done, answer.text).toBe(2);
    expect(
      answer.body.refused.map(({ email, reason }: { email: string; reason: string }) => [email, reason]),
    ).toEqual([
      [bo.user.email, 'begun'],
      [both, 'has_seat'],
      [cy.user.email, 'has_access'],
    ]);
    expect((await accessOf(ana, one.from))!.status).toBe('revoked');
    expect((await accessOf(ana, one.to))!.status).toBe('active');
    expect((await accessOf(bo, one.from))!.status).toBe('active');
    expect((await accessOf(cy, one.from))!.status).toBe('active');
    expect((await accessOf(cy, one.to))!.orderItemId).toBeNull();
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    expect(await offersTo(open)).toBe(2);
    expect(await seatIds(one, [ana.user.email, open], one.to)).toHaveLength(2);
    expect(await freeOf(one, one.to)).toBe(3);
  });

  it('are not moved at all where seats run short', async () => {
    const one = await makeOrganisation([3, 2]);
    const people = [await seated(one), await seated(one)];
    const emails = [...people.map(({ user }) => user.email), `z-${one.id}@many.example.org`];
    await give(one, emails.slice(2));
    const move = { action: 'move', seats: await seatIds(one, emails), to: { courseId: one.to } };
    const answer = await ask(bulkRoute, one, move);
    expect(answer.status).toBe(409);
    expect(answer.body.error ?? answer.text).toContain('2 seats are free there, and you chose 3 people.');
    for (const who of people) {
      expect((await accessOf(who, one.from))!.status).toBe('active');
      expect(await accessOf(who, one.to)).toBeUndefined();
    }
    // Two at once: one of them finds no seats any more.
    const pair = (seats: number[]) => ask(bulkRoute, one, { ...move, seats });
    const [first, second, third] = move.seats as [number, number, number];
    const answers = await Promise.all([pair([first, second]), pair([second, third])]);
    const moved = answers.filter(({ status }) => status === 200).map(({ body }) => body.done);
    expect(moved.reduce((sum, done) => sum + done, 0)).toBe(2);
  });
});
