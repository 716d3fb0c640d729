import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { organisationInvitations, organisationMembers } from '#db/schema/organisations.ts';
import { users } from '#db/schema/account.ts';
import { invitedBy } from '#src/features/organisations/seats/join.server.ts';
import { orderItems, orders, seats } from '#db/schema/store.ts';
import { webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import { listMembers } from '#src/features/organisations/members.server.ts';
import { countSeats, listOwnSeats, seatsCsv } from '#src/features/organisations/seats/seat-lists.server.ts';
import { mailSeatOffersJob } from '#src/features/organisations/seats/seats.server.ts';
import { PUT as pricesRoute } from '#src/pages/api/admin/seat-prices.ts';
import { POST as refundRoute } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as registerRoute } from '#src/pages/api/auth/register.ts';
import { POST as joinRoute } from '#src/pages/api/join.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { PUT as renameRoute } from '#src/pages/api/organisations/[id].ts';
import { PUT as linkRoute } from '#src/pages/api/organisations/[id]/link.ts';
import { DELETE as takeInvitationBackRoute } from '#src/pages/api/organisations/[id]/invitations/[invitation].ts';
import { DELETE as removeRoute } from '#src/pages/api/organisations/[id]/members/[user].ts';
import { POST as inviteRoute } from '#src/pages/api/organisations/[id]/members.ts';
import { POST as payRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { POST as remindRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/remind.ts';
import { POST as takeBackRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/take-back.ts';
import { POST as giveRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import { POST as giveBackRoute } from '#src/pages/api/seats/[seat]/give-back.ts';
import { GET as csvRoute } from '#src/pages/organisations/[id]/seats.csv.ts';
import { buyAsGuest, makeGuest } from '../../support/guests.ts';
import { type Answer, callRoute, signIn } from '../../support/api.ts';
import {
  confirm,
  createIntent,
  expectReconciled,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(async () => {
  await payments.sandbox.control.settled();
  await db().delete(rateLimits);
});

type Someone = Awaited<ReturnType<typeof somebody>>;
async function somebody(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ emailVerifiedAt: new Date(), ...values });
  return { user, session: await signIn(user) };
}

/** An organisation with its owner, and a course. */
async function makeOrganisation(priceCents = 5000) {
  const owner = await somebody();
  const opened = await callRoute(openRoute, { as: owner.session, body: { name: 'Example Ltd' } });
  expect(opened.status, opened.text).toBe(201);
  return { id: opened.body.id as number, owner, course: await makeCourseForSale({ priceCents }) };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

const BILLING = {
  company: 'Example Ltd',
  address: '1 Test Street',
  country: 'US',
  purchaseOrder: '',
  costCentre: '',
};
const begin = (
  one: Pick<Organisation, 'id' | 'course'>,
  who: Someone,
  count: unknown,
  amount: unknown,
  billing: unknown = BILLING,
) =>
  callRoute(payRoute, {
    as: who.session,
    params: { id: String(one.id) },
    body: { lines: [{ courseId: one.course.id, seats: count }], amount, billing },
  });
const intentOf = (answer: Answer) => String(answer.body.clientSecret).split('_secret_')[0]!;

/** Buys seats; gives the order. */
async function buySeats(one: Organisation, count: number, dollars = (one.course.priceCents * count) / 100) {
  const begun = await begin(one, one.owner, count, dollars);
  expect(begun.status, begun.text).toBe(200);
  const intentId = intentOf(begun);
  await pay(payments, intentId);
  const confirmed = await confirm(one.owner, intentId);
  expect(confirmed.status, confirmed.text).toBe(200);
  return { orderId: begun.body.orderId as number, intentId };
}

const give = (one: Organisation, people: string, dryRun = false, who = one.owner) =>
  callRoute(giveRoute, {
    as: who.session,
    params: { id: String(one.id) },
    body: { courseId: one.course.id, people, dryRun },
  });
const join = (who: Someone | null, token: unknown) =>
  callRoute(joinRoute, { as: who?.session ?? null, body: { token } });

/** The secret of the latest mail of a kind to an address. */
async function mailedTo(email: string, template = 'seat-offer'): Promise<string> {
  const [mail] = await db()
    .select({ text: mailOutbox.text })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, template)))
    .orderBy(sql`id desc`)
    .limit(1);
  return /join\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** Gives a seat to somebody, who takes it. */
async function seated(one: Organisation): Promise<Someone> {
  const who = await somebody();
  expect((await give(one, who.user.email)).body.given).toBe(1);
  await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
  const taken = await join(who, await mailedTo(who.user.email));
  expect(taken.status, taken.text).toBe(200);
  return who;
}
const accessOf = async (who: Someone, one: Pick<Organisation, 'course'>) =>
  (
    await db()
      .select({ status: enrollments.status })
      .from(enrollments)
      .where(and(eq(enrollments.userId, who.user.id), eq(enrollments.courseId, one.course.id)))
  )[0]?.status ?? 'none';
const seatsOf = (one: Pick<Organisation, 'id'>) =>
  db().select().from(seats).where(eq(seats.organisationId, one.id)).orderBy(seats.id);
const seatOf = async (one: Organisation, who: Someone) =>
  (await seatsOf(one)).find(({ email }) => email === who.user.email)!;
const takeBack = (one: Organisation, seatId: number, who = one.owner) =>
  callRoute(takeBackRoute, {
    method: 'POST',
    as: who.session,
    params: { id: String(one.id), seat: String(seatId) },
  });

describe('an organisation', () => {
  it('is opened by anybody who is signed in, who is its owner', async () => {
    const { id, owner } = await makeOrganisation();
    const [member] = await db()
      .select()
      .from(organisationMembers)
      .where(eq(organisationMembers.organisationId, id));
    expect(member).toMatchObject({ userId: owner.user.id, role: 'owner' });
    expect((await callRoute(openRoute, { body: { name: 'Nobody' } })).status).toBe(401);
    const unnamed = await callRoute(openRoute, { as: owner.session, body: { name: ' x ' } });
    const led = await callRoute(openRoute, {
      as: owner.session,
      body: { name: 'Win at https://evil.example' },
    });
    expect(led.body.fields.name).toMatch(/^Name of the organization must not hold a web or mail address/);
    expect(unnamed.body.fields.name).toBe('Name of the organization must be at least 2 characters');
  });

  it('is named anew by an owner, and by nobody else', async () => {
    const one = await makeOrganisation();
    const rename = (who: Someone, name: string) =>
      callRoute(renameRoute, {
        method: 'PUT',
        as: who.session,
        params: { id: String(one.id) },
        body: { name },
      });
    expect((await rename(one.owner, 'Another Ltd')).body.name).toBe('Another Ltd');
    expect((await rename(await somebody(), 'Mine')).status).toBe(404);
    const manager = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: manager.user.id, role: 'manager' });
    expect((await rename(manager, 'Mine')).status).toBe(403);
  });

  it('has managers who were invited by mail, by the address that was invited alone', async () => {
    const one = await makeOrganisation();
    const invite = (who: Someone, email: string, role = 'manager') =>
      callRoute(inviteRoute, { as: who.session, params: { id: String(one.id) }, body: { email, role } });
    const manager = await somebody();
    expect((await invite(one.owner, manager.user.email)).status).toBe(200);
    const first = await mailedTo(manager.user.email, 'organisation-invitation');
    expect((await invite(one.owner, manager.user.email)).status).toBe(200);
    const token = await mailedTo(manager.user.email, 'organisation-invitation');
    expect((await join(manager, first)).status, 'the first link is replaced').toBe(404);
    expect((await join(await somebody(), token)).status).toBe(403);
    expect((await join(manager, token)).body.next).toBe(`/organisations/${one.id}`);
    expect((await join(manager, token)).status, 'once').toBe(404);
    expect((await invite(one.owner, manager.user.email)).status, 'runs it already').toBe(409);
    expect((await invite(manager, 'x@example.com')).status, 'a manager').toBe(403);
    const unproven = await somebody({ emailVerifiedAt: null });
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: unproven.user.id, role: 'owner' });
    expect((await invite(unproven, 'x@example.com')).status, 'own address unproven').toBe(403);
    expect((await invite(one.owner, 'x@example.com', 'admin')).body.fields.role).toBe(
      'Role must be owner or manager',
    );
  });

  const inviteTo = (one: Organisation, who: Someone, email: string, role = 'manager') =>
    callRoute(inviteRoute, { as: who.session, params: { id: String(one.id) }, body: { email, role } });
  const invitationOf = async (email: string) =>
    (await db().select().from(organisationInvitations).where(eq(organisationInvitations.email, email)))[0];
  const removeFrom = (one: Organisation, who: Someone, member: Someone) =>
    callRoute(removeRoute, {
      method: 'DELETE',
      as: who.session,
      params: { id: String(one.id), user: String(member.user.id) },
    });
  const roleIn = async (one: Organisation, who: Someone) =>
    (
      await db()
        .select({ role: organisationMembers.role })
        .from(organisationMembers)
        .where(
          and(eq(organisationMembers.organisationId, one.id), eq(organisationMembers.userId, who.user.id)),
        )
    )[0]?.role ?? 'none';
  const addMember = async (one: Organisation, role: 'owner' | 'manager') => {
    const who = await somebody();
    await db().insert(organisationMembers).values({ organisationId: one.id, userId: who.user.id, role });
    return who;
  };

  it('takes an invitation back, by its owners alone', async () => {
    const one = await makeOrganisation();
    const invited = await somebody();
    await inviteTo(one, one.owner, invited.user.email);
    const token = await mailedTo(invited.user.email, 'organisation-invitation');
    const { id } = (await invitationOf(invited.user.email))!;
    const takeBackBy = (who: Someone | null, organisation = one.id) =>
      callRoute(takeInvitationBackRoute, {
        method: 'DELETE',
        as: who?.session ?? null,
        params: { id: String(organisation), invitation: String(id) },
      });
    const other = await makeOrganisation();
    expect((await takeBackBy(null)).status).toBe(401);
    expect((await takeBackBy(await somebody())).status).toBe(404);
    expect((await takeBackBy(await addMember(one, 'manager'))).status).toBe(403);
    expect((await takeBackBy(other.owner, other.id)).status, 'of another organisation').toBe(404);
    expect((await takeBackBy(one.owner)).status).toBe(200);
    expect((await takeBackBy(one.owner)).status).toBe(404);
    expect((await join(invited, token)).status).toBe(404);
    expect(await roleIn(one, invited)).toBe('none');
  });

  it.each(['leaves', 'is taken out', 'is no owner any more', 'is deleted'])(
    'ends an invitation whose inviter %s',
    async (how) => {
      const one = await makeOrganisation();
      const second = await addMember(one, 'owner');
      const invited = await somebody();
      const kept = await somebody();
      await inviteTo(one, second, invited.user.email, 'owner');
      await inviteTo(one, one.owner, kept.user.email);
      const token = await mailedTo(invited.user.email, 'organisation-invitation');
      if (how === 'leaves') await removeFrom(one, second, second);
      if (how === 'is taken out') await removeFrom(one, one.owner, second);
      if (how === 'is no owner any more') {
        await db()
          .update(organisationMembers)
          .set({ role: 'manager' })
          .where(eq(organisationMembers.userId, second.user.id));
      }
      if (how === 'is deleted') {
        const admin = await makeAdmin();
        await deletePerson({ id: admin.id, name: admin.username }, second.user.id, {
          confirmation: second.user.email,
          reason: 'gone',
        });
      }
      expect((await join(invited, token)).status).toBe(404);
      expect(await roleIn(one, invited)).toBe('none');
      expect((await listMembers(one.id)).invited.map(({ email }) => email)).toEqual([kept.user.email]);
      const other = await join(kept, await mailedTo(kept.user.email, 'organisation-invitation'));
      expect(other.status, other.text).toBe(200);
    },
  );

  it.each(['taken first', 'invited anew first'])(
    'lets one of an acceptance and a new invitation go first: %s',
    async (order) => {
      const one = await makeOrganisation();
      const invited = await somebody();
      await inviteTo(one, one.owner, invited.user.email, 'owner');
      const token = await mailedTo(invited.user.email, 'organisation-invitation');
      const steps: Record<string, () => Promise<Answer>> = {
        take: () => join(invited, token),
        invite: () => inviteTo(one, one.owner, invited.user.email, 'manager'),
      };
      const names = order === 'taken first' ? ['take', 'invite'] : ['invite', 'take'];
      const waiting = async (count: number) =>
        expect
          .poll(async () => {
            const [row] = await db().execute<{ count: number }>(sql`
              select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`);
            return row!.count;
          })
          .toBe(count);
      // Somebody holds the row until both have come.
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = db().transaction(async (tx) => {
        await tx
          .select()
          .from(organisationInvitations)
          .where(eq(organisationInvitations.email, invited.user.email))
          .for('update');
        held.resolve();
        await release.promise;
      });
      await held.promise;
      const begun = [steps[names[0]!]!()];
      await waiting(1);
      begun.push(steps[names[1]!]!());
      await waiting(2);
      release.resolve();
      await holding;
      const [first, second] = await Promise.all(begun);
      const open = await invitationOf(invited.user.email);
      if (order === 'taken first') {
        expect([first!.status, second!.status]).toEqual([200, 409]);
        expect(await roleIn(one, invited)).toBe('owner');
        expect(open).toBeUndefined();
      } else {
        expect([first!.status, second!.status]).toEqual([200, 404]);
        expect(await roleIn(one, invited)).toBe('none');
        expect(open?.role).toBe('manager');
      }
    },
  );

  it('keeps an owner', async () => {
    const one = await makeOrganisation();
    const remove = (who: Someone, member: Someone) =>
      callRoute(removeRoute, {
        method: 'DELETE',
        as: who.session,
        params: { id: String(one.id), user: String(member.user.id) },
      });
    expect((await remove(one.owner, one.owner)).status).toBe(409);
    const manager = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: manager.user.id, role: 'manager' });
    expect((await remove(manager, one.owner)).status).toBe(403);
    expect((await remove(one.owner, await somebody())).status).toBe(404);
    const admin = await makeAdmin();
    await deletePerson({ id: admin.id, name: admin.username }, one.owner.user.id, {
      confirmation: one.owner.user.email,
      reason: 'gone',
    });
    const rows = await db()
      .select()
      .from(organisationMembers)
      .where(eq(organisationMembers.organisationId, one.id));
    expect(rows.map(({ userId, role }) => [userId, role])).toEqual([[manager.user.id, 'owner']]);
    expect((await remove(manager, manager)).status).toBe(409);
  });
});

describe('seats', () => {
  it('are bought, and open for others than their buyer', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 3);
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', totalCents: 15_000, flag: null });
    expect((await seatsOf(one)).map(({ email, endedAt }) => [email, endedAt])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(await accessOf(one.owner, one)).toBe('none');
    const [line] = await db().select().from(orderItems).where(eq(orderItems.orderId, orderId));
    expect(line).toMatchObject({ seats: 3, priceCents: 15_000, title: `${one.course.title} (3 seats)` });
    await expectReconciled(payments);
  });

  it('cost less from a step on, and never what a page makes up', async () => {
    const admin = await makeAdmin();
    const session = await signIn(admin);
    const set = (steps: unknown, as = session) =>
      callRoute(pricesRoute, { method: 'PUT', as, body: { steps } });
    expect((await set([{ fromSeats: 10, percentOff: 10 }])).body).toEqual([
      { fromSeats: 10, percentOff: 10 },
    ]);
    const one = await makeOrganisation(3333);
    const refused = await begin(one, one.owner, 10, '333.30');
    expect([refused.status, refused.body.total]).toEqual([409, '300.00']);
    await buySeats(one, 10, 300);
    expect((await set([{ fromSeats: 1, percentOff: 10 }])).status).toBe(400);
    expect(
      (
        await set([
          { fromSeats: 5, percentOff: 10 },
          { fromSeats: 5, percentOff: 20 },
        ])
      ).status,
    ).toBe(400);
    expect((await set([], one.owner.session)).status).toBe(403);
    await set([]);
    await expectReconciled(payments);
  });

  it('are one open order for the same number, apart from what their buyer buys for themselves', async () => {
    const one = await makeOrganisation();
    const first = await begin(one, one.owner, 2, 100);
    const again = await begin(one, one.owner, 2, 100);
    expect(again.body.orderId).toBe(first.body.orderId);
    const others = await begin(one, one.owner, 4, 200);
    expect(others.body.orderId).not.toBe(first.body.orderId);
    expect((await orderOf(first.body.orderId)).status).toBe('expired');
    const { cartItems } = await import('#db/schema/store.ts');
    await db().insert(cartItems).values({ userId: one.owner.user.id, courseId: one.course.id });
    const own = await createIntent(one.owner, 50);
    expect(own.status, own.text).toBe(200);
    expect((await orderOf(others.body.orderId)).status).toBe('pending');
    await pay(payments, intentOf(own));
    expect((await confirm(one.owner, intentOf(own))).status).toBe(200);
    await pay(payments, intentOf(others));
    expect((await confirm(one.owner, intentOf(others))).status).toBe(200);
    expect(await accessOf(one.owner, one)).toBe('active');
    expect(await seatsOf(one)).toHaveLength(4);
    await expectReconciled(payments);
  });

  it('are not sold to strangers, of hidden or free courses, or by odd numbers', async () => {
    const one = await makeOrganisation();
    expect((await begin(one, await somebody(), 1, 50)).status).toBe(404);
    for (const count of [0, -1, 1.5, '3', 10_001, null]) {
      const refused = await begin(one, one.owner, count, 50);
      expect(refused.body.fields['lines.0.seats'], String(count)).toBe(
        'Seats must be a whole number from 1 to 10,000',
      );
    }
    const free = { ...one, course: await makeCourseForSale({ priceCents: 0 }) };
    expect((await begin(free, one.owner, 2, 0)).status).toBe(400);
    const hidden = { ...one, course: await makeCourseForSale({ isActive: false }) };
    expect((await begin(hidden, one.owner, 2, 98)).status).toBe(404);
    const dear = { ...one, course: await makeCourseForSale({ priceCents: 9_999_900 }) };
    expect((await begin(dear, one.owner, 10_000, 999_990_000)).status).toBe(400);
  });
});

describe('giving seats', () => {
  it('looks at a list first, names what is wrong, and mails the others once', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 3);
    const list = 'Name,Email\nAna,ana@example.com\nbo@example.com\nnobody\nANA@example.com\n';
    const looked = await give(one, list, true);
    expect(looked.body).toEqual({
      given: 2,
      free: 3,
      problemCount: 2,
      problems: [
        { line: 4, text: 'nobody', problem: 'malformed' },
        { line: 5, text: 'ANA@example.com', problem: 'repeated' },
      ],
    });
    expect((await seatsOf(one)).every(({ email }) => email === null)).toBe(true);
    expect((await give(one, list)).body.given).toBe(2);
    expect((await give(one, list)).body).toMatchObject({ given: 0, free: 1 });
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, 'ana@example.com'));
    expect(mails).toHaveLength(1);
  });

  it('does nothing where there are fewer seats than people', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const refused = await give(one, 'c1@example.com\nc2@example.com');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '1 seat is free, and the list needs 2. Nobody was invited.',
    ]);
    expect((await give(one, 'c1@example.com\nc2@example.com', true)).body.problems).toEqual([
      { line: 2, text: 'c2@example.com', problem: 'no_seat_left' },
    ]);
    expect((await seatsOf(one))[0]!.email).toBeNull();
  });

  it('gives the last seat to one of two who give it at once', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const answers = await Promise.all([give(one, 'd1@example.com'), give(one, 'd2@example.com')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await seatsOf(one)).filter(({ email }) => email !== null)).toHaveLength(1);
  });

  it('is for those who run the organisation, of courses that it has', async () => {
    const one = await makeOrganisation();
    expect((await give(one, 'e@example.com')).status, 'no seats yet').toBe(404);
    await buySeats(one, 1);
    expect((await give(one, 'e@example.com', false, await somebody())).status).toBe(404);
    expect((await give(one, '   ')).body.fields.people).toBe('People is required: their email addresses');
    const csv = (who: Someone) =>
      callRoute(csvRoute, { withCookie: who.session, params: { id: String(one.id) } });
    expect((await csv(one.owner)).status).toBe(200);
    expect((await csv(await somebody())).status).toBe(404);
  });
});

describe('the figures of a course’s seats', () => {
  it('add up, with those that were taken and not begun', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 5);
    const [idle, learning, done] = [await seated(one), await seated(one), await seated(one)];
    await give(one, 'invited@example.com');
    const set = (who: Someone, values: Partial<typeof enrollments.$inferInsert>) =>
      db().update(enrollments).set(values).where(eq(enrollments.userId, who.user.id));
    await set(idle, { lastAccessedAt: null, progress: 0 });
    await set(learning, { lastAccessedAt: new Date(), progress: 10 });
    await set(done, { lastAccessedAt: null, progress: 100, completedAt: new Date() });
    expect(await countSeats(one.id)).toMatchObject([
      { all: 5, free: 1, offered: 1, waiting: 1, begun: 1, completed: 1 },
    ]);
    await expectReconciled(payments);
  });
});

describe('taking a seat', () => {
  it('proves the address that it was mailed to, and no other', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await somebody({ emailVerifiedAt: null });
    const provenAt = async ({ user }: Someone) =>
      (await db().select().from(users).where(eq(users.id, user.id)))[0]!.emailVerifiedAt;
    await give(one, who.user.email);
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const token = await mailedTo(who.user.email);
    const next = `/join?token=${token}`;
    expect(await invitedBy(next)).toEqual({ next, secret: token, email: who.user.email });
    expect(await invitedBy(`/join?token=${token}&more=1`)).toBeUndefined();
    const stranger = await somebody({ emailVerifiedAt: null });
    expect((await join(stranger, token)).status).toBe(403);
    expect(await provenAt(stranger)).toBeNull();
    expect((await join(who, token)).status).toBe(200);
    expect(await provenAt(who)).toEqual(expect.any(Date));
  });

  it('gives the course to the account of the address that was invited, once', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 2);
    const who = await somebody();
    await give(one, who.user.email);
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const token = await mailedTo(who.user.email);
    expect((await join(null, token)).status).toBe(401);
    const stranger = await join(await somebody(), token);
    expect([stranger.status, stranger.body.message]).toEqual([
      403,
      `This invitation is for ${who.user.email}. Sign in with that address to take it.`,
    ]);
    const both = await Promise.all([join(who, token), join(who, token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await accessOf(who, one)).toBe('active');
    expect((await join(who, 'A'.repeat(43))).status).toBe(404);
    expect((await join(who, 'short')).status).toBe(400);
    expect(await seatsCsv(one.id)).toContain(`${who.user.email},${who.user.username}`);
    const data = await personalData(who.user.id);
    expect(data.seats).toMatchObject([{ organisation: 'Example Ltd', of: one.course.title }]);
    await expectReconciled(payments);
  });

  it('leaves the seat to the organisation where its learner has the course already', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await somebody();
    await makeEnrollment(who.user.id, one.course.id);
    await give(one, who.user.email);
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const taken = await join(who, await mailedTo(who.user.email));
    expect(taken.body.message).toBe(
      'You have this course already, so the seat went back to your organization.',
    );
    expect((await seatsOf(one))[0]).toMatchObject({ email: null, userId: null });
    expect(await accessOf(who, one)).toBe('active');
  });

  it('works by a link for proven addresses at the organisation’s domains, while there are seats', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const setLink = (domains: unknown, who = one.owner) =>
      callRoute(linkRoute, {
        method: 'PUT',
        as: who.session,
        params: { id: String(one.id) },
        body: { courseId: one.course.id, domains },
      });
    expect((await setLink(['not a domain'])).status).toBe(400);
    expect((await setLink(['firm.example'], await somebody())).status).toBe(404);
    const made = await setLink(['@Firm.Example']);
    const token = /token=(.+)$/.exec(made.body.link)![1]!;
    expect((await join(await somebody(), token)).status, 'another domain').toBe(403);
    expect((await join(await somebody({ email: 'a@evil-firm.example' }), token)).status).toBe(403);
    const unproven = await somebody({ email: 'u@firm.example', emailVerifiedAt: null });
    expect((await join(unproven, token)).status, 'unproven').toBe(403);
    const ana = await somebody({ email: 'ana@firm.example' });
    expect((await join(ana, token)).status).toBe(200);
    expect((await join(ana, token)).body.code).toBe('already_owned');
    const late = await join(await somebody({ email: 'late@firm.example' }), token);
    expect([late.status, late.body.message]).toEqual([
      409,
      'All seats are taken. Ask your organization for another one.',
    ]);
    expect((await setLink([])).body.link).toBeNull();
    expect((await join(ana, token)).status).toBe(404);
  });
});

describe('registering by the link of an invitation', () => {
  const register = (email: string, invitation: unknown) =>
    callRoute(registerRoute, {
      body: {
        username: 'Ana Example',
        email,
        password: 'a long and quiet sentence',
        confirmPassword: 'a long and quiet sentence',
        invitation,
      },
    });
  const mailsToVerify = (email: string) =>
    db().$count(
      mailOutbox,
      and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, 'email-verification')),
    );
  const invite = async (one: Organisation, email: string) => {
    expect((await give(one, email)).body.given).toBe(1);
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    return mailedTo(email);
  };

  it('proves the address that it was mailed to, and brings what was bought under it', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const guest = makeGuest();
    const { orderId } = await buyAsGuest(payments, guest);
    const { email } = guest.buyer;
    const token = await invite(one, email);
    const answer = await register(email, token);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.user).toMatchObject({ email, emailVerified: true });
    expect(await mailsToVerify(email)).toBe(0);
    expect((await orderOf(orderId)).userId).toBe(answer.body.user.id);
    // The place itself is taken by the button.
    expect((await seatsOf(one))[0]).toMatchObject({ email, userId: null });
  });

  it('proves no other address, nor one whose invitation has ended', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 2);
    const [invited, other] = ['invited', 'other'].map((name) => `${name}-${one.id}@example.com`);
    const token = await invite(one, invited!);
    const stranger = await register(other!, token);
    expect(stranger.status, stranger.text).toBe(201);
    expect(stranger.body.user.emailVerified).toBe(false);
    expect(await mailsToVerify(other!)).toBe(1);
    const [seat] = (await seatsOf(one)).filter(({ email }) => email === invited);
    await takeBack(one, seat!.id);
    const late = await register(invited!, token);
    expect([late.status, late.body.user.emailVerified]).toEqual([201, false]);
    // A link that many have proves nothing.
    const link = await callRoute(linkRoute, {
      method: 'PUT',
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { courseId: one.course.id, domains: ['example.com'] },
    });
    const code = String(link.body.link).split('token=')[1];
    const byLink = await register(`link-${one.id}@example.com`, code);
    expect([byLink.status, byLink.body.user.emailVerified]).toEqual([201, false]);
    const wrong = await register(`wrong-${one.id}@example.com`, 'short');
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['invitation']]);
  });

  it('does so for who is invited to run an organisation', async () => {
    const one = await makeOrganisation();
    const email = `manager-${one.id}@example.com`;
    const invited = await callRoute(inviteRoute, {
      as: one.owner.session,
      params: { id: String(one.id) },
      body: { email, role: 'manager' },
    });
    expect(invited.status, invited.text).toBe(200);
    const answer = await register(email, await mailedTo(email, 'organisation-invitation'));
    expect(answer.body.user.emailVerified).toBe(true);
  });
});

describe('taking a seat back', () => {
  it('works until its learner has begun, and the seat can be given on', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await seated(one);
    const seat = await seatOf(one, who);
    expect((await takeBack(one, seat.id, await somebody())).status).toBe(404);
    expect((await takeBack(one, seat.id)).status).toBe(200);
    expect(await accessOf(who, one)).toBe('revoked');
    expect((await takeBack(one, seat.id)).body.message).toBe('This seat is free already.');
    const next = await seated(one);
    await db()
      .update(enrollments)
      .set({ lastAccessedAt: sql`now()` })
      .where(eq(enrollments.userId, next.user.id));
    const refused = await takeBack(one, seat.id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `${next.user.email} has begun, so the seat stays theirs.`,
    ]);
    expect(await accessOf(next, one)).toBe('active');
    await expectReconciled(payments);
  });

  it('ends an open offer; one that is mailed again has a new link', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await somebody();
    await give(one, who.user.email);
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const first = await mailedTo(who.user.email);
    const seat = await seatOf(one, who);
    const params = { id: String(one.id), seat: String(seat.id) };
    expect((await callRoute(remindRoute, { method: 'POST', as: one.owner.session, params })).status).toBe(
      200,
    );
    await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
    const second = await mailedTo(who.user.email);
    expect(second).not.toBe(first);
    expect((await join(who, first)).status).toBe(404);
    await takeBack(one, seat.id);
    expect((await join(who, second)).status).toBe(404);
    expect((await callRoute(remindRoute, { method: 'POST', as: one.owner.session, params })).status).toBe(
      409,
    );
  });

  it('comes with the deletion of its learner', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await seated(one);
    const admin = await makeAdmin();
    await deletePerson({ id: admin.id, name: admin.username }, who.user.id, {
      confirmation: who.user.email,
      reason: 'asked for it',
    });
    expect((await seatsOf(one))[0]).toMatchObject({ email: null, userId: null, takenAt: null });
  });
});

describe('giving a seat back', () => {
  const giveBack = (who: Someone | null, seatId: unknown) =>
    callRoute(giveBackRoute, {
      method: 'POST',
      as: who?.session ?? null,
      params: { seat: String(seatId) },
    });

  it('is for its learner, who sees whose it is, and makes it free for the next one', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    const who = await seated(one);
    const seat = await seatOf(one, who);
    expect(await listOwnSeats(who.user.id)).toMatchObject([
      {
        id: seat.id,
        courseId: one.course.id,
        title: one.course.title,
        organisation: 'Example Ltd',
        givenAt: seat.givenAt!.toISOString(),
        begun: false,
      },
    ]);
    await db()
      .insert(webhookEndpoints)
      .values({ organisationId: one.id, url: 'https://hooks.example.com/', secret: 'x', kinds: ['seat'] });
    for (const [other, status] of [
      [null, 401],
      [await somebody(), 404],
      [one.owner, 404],
    ] as const) {
      expect((await giveBack(other, seat.id)).status).toBe(status);
    }
    expect((await giveBack(who, 999_999)).status).toBe(404);
    expect((await giveBack(who, 'x')).status).toBe(404);
    const answer = await giveBack(who, seat.id);
    expect(answer.status, answer.text).toBe(200);
    expect(await accessOf(who, one)).toBe('revoked');
    expect(await listOwnSeats(who.user.id)).toEqual([]);
    expect(await countSeats(one.id)).toMatchObject([{ all: 1, free: 1, waiting: 0 }]);
    const told = await db().select().from(webhookEvents).where(eq(webhookEvents.organisationId, one.id));
    expect(told.map(({ data }) => (data as { state: string }).state)).toEqual(['free']);
    expect((await giveBack(who, seat.id)).status).toBe(404);
    const next = await seated(one);
    expect((await giveBack(who, seat.id)).status).toBe(404);
    expect(await accessOf(next, one)).toBe('active');
    await expectReconciled(payments);
  });

  it('ends once they have begun, and with a refund', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 2);
    const who = await seated(one);
    const other = await seated(one);
    await db()
      .update(enrollments)
      .set({ lastAccessedAt: sql`now()` })
      .where(eq(enrollments.userId, who.user.id));
    const refused = await giveBack(who, (await seatOf(one, who)).id);
    expect([refused.status, refused.body.message]).toEqual([409, 'You have begun, so the seat stays yours.']);
    expect((await listOwnSeats(who.user.id))[0]!.begun).toBe(true);
    expect(await accessOf(who, one)).toBe('active');
    const admin = await makeAdmin();
    const seat = await seatOf(one, other);
    const refund = await callRoute(refundRoute, {
      as: await signIn(admin),
      params: { id: String(orderId) },
      body: {
        itemId: seat.orderItemId,
        reason: 'Fewer people',
        seats: 1,
        requestKey: '0a1cb1a5-5f3c-4a44-9c1c-8b8c79a6b7a1',
      },
    });
    expect(refund.status, refund.text).toBe(200);
    const ended = await giveBack(other, seat.id);
    expect([ended.status, ended.body.message]).toEqual([
      409,
      'This seat was paid back and is not in use any more.',
    ]);
  });

  it('and taking it back at once make it free once', async () => {
    const one = await makeOrganisation();
    await buySeats(one, 1);
    for (let round = 0; round < 5; round += 1) {
      const who = await seated(one);
      const { id } = await seatOf(one, who);
      const [given, taken] = await Promise.all([giveBack(who, id), takeBack(one, id)]);
      expect([given.status, taken.status]).toEqual(given.status === 200 ? [200, 409] : [404, 200]);
      expect((await seatsOf(one))[0]).toMatchObject({ email: null, userId: null, takenAt: null });
      expect(await accessOf(who, one)).toBe('revoked');
    }
  });
});

describe('paying seats back', () => {
  const refund = async (orderId: number, body: object) => {
    const admin = await makeAdmin();
    const [item] = await db().select().from(orderItems).where(eq(orderItems.orderId, orderId));
    return callRoute(refundRoute, {
      as: await signIn(admin),
      params: { id: String(orderId) },
      body: { itemId: item!.id, reason: 'Fewer people', ...body },
    });
  };

  it('is told to the webhooks of the organisation, as its order was', async () => {
    const one = await makeOrganisation();
    await db()
      .insert(webhookEndpoints)
      .values({
        organisationId: one.id,
        url: 'https://hooks.example.com/',
        kinds: ['order', 'refund', 'seat'],
        secret: 'whsec_test',
      });
    const { orderId } = await buySeats(one, 2);
    expect((await refund(orderId, { seats: 1, requestKey: crypto.randomUUID() })).status).toBe(200);
    await payments.sandbox.control.settled();
    const told = await db().select().from(webhookEvents).where(eq(webhookEvents.organisationId, one.id));
    const byKind = (kind: string) => told.filter((event) => event.kind === kind).map(({ data }) => data);
    expect(byKind('order')).toMatchObject([
      { orderId, totalCents: 10_000, currency: 'usd', lines: [{ priceCents: 10_000, seats: 2 }] },
    ]);
    expect(byKind('refund')).toMatchObject([{ orderId, amountCents: 5_000, seats: 1 }]);
    expect(byKind('seat')).toMatchObject([{ state: 'ended', person: null }]);
  });

  it('ends free ones first, then open offers, then who has not begun, then the last given', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 5);
    const begun = await seated(one);
    const begunLater = await seated(one);
    for (const { user } of [begun, begunLater]) {
      await db()
        .update(enrollments)
        .set({ lastAccessedAt: sql`now()` })
        .where(eq(enrollments.userId, user.id));
    }
    const waiting = await seated(one);
    await give(one, 'offered@example.com');
    const back = (seatsBack: number) =>
      refund(orderId, { seats: seatsBack, requestKey: crypto.randomUUID() });
    const alive = async () =>
      (await seatsOf(one)).filter(({ endedAt }) => endedAt === null).map((s) => s.email);

    const first = await back(2);
    expect(first.body.message).toContain('$100.00 for');
    expect(await alive()).toEqual([begun, begunLater, waiting].map(({ user }) => user.email));
    await back(1);
    expect([await accessOf(waiting, one), await accessOf(begunLater, one)]).toEqual(['revoked', 'active']);
    await back(1);
    expect([await accessOf(begunLater, one), await accessOf(begun, one)]).toEqual(['revoked', 'active']);
    expect((await orderOf(orderId)).status).toBe('partially_refunded');
    const over = await back(2);
    expect(over.body.fields.seats).toBe('Seats must be at most 1: no more are left of this line');
    await back(1);
    expect(await accessOf(begun, one)).toBe('revoked');
    expect((await orderOf(orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('takes the same request once, and refuses what is no number of seats', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 3);
    const requestKey = crypto.randomUUID();
    const answers = await Promise.all([
      refund(orderId, { seats: 1, requestKey }),
      refund(orderId, { seats: 1, requestKey }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await orderOf(orderId)).refundedCents).toBe(5000);
    expect((await refund(orderId, { seats: 1 })).status, 'without a key').toBe(400);
    expect((await refund(orderId, { seats: 1, amount: '50.00', requestKey })).status).toBe(400);
    expect((await refund(orderId, { seats: 0, requestKey })).status).toBe(400);
    await expectReconciled(payments);
  });

  it('of a whole order ends every seat', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 2);
    const who = await seated(one);
    expect((await refund(orderId, {})).status).toBe(200);
    expect(await accessOf(who, one)).toBe('revoked');
    expect((await seatsOf(one)).every(({ endedAt }) => endedAt !== null)).toBe(true);
    const late = await give(one, 'late@example.com');
    expect(late.status).toBe(409);
    await expectReconciled(payments);
  });

  it('rests them while the payment is disputed, and gives them back', async () => {
    const one = await makeOrganisation();
    const { orderId, intentId } = await buySeats(one, 2);
    const who = await seated(one);
    const dispute = payments.sandbox.control.openDispute({ intent: intentId });
    await payments.sandbox.control.settled();
    expect(await accessOf(who, one)).toBe('suspended');
    payments.sandbox.control.closeDispute(dispute.id, 'won');
    await payments.sandbox.control.settled();
    expect([await accessOf(who, one), (await orderOf(orderId)).status]).toEqual(['active', 'completed']);
    await expectReconciled(payments);
  });

  it('does not take a course away from who bought it, nor give it to the buyer of the seats', async () => {
    const one = await makeOrganisation();
    const { orderId } = await buySeats(one, 1);
    await refund(orderId, {});
    expect(await accessOf(one.owner, one)).toBe('none');
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId));
    expect(order!.organisationId).toBe(one.id);
    const [course] = await db().select().from(courses).where(eq(courses.id, one.course.id));
    expect(course!.studentsCount).toBe(0);
  });
});
