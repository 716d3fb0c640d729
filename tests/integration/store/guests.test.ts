import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkPassword } from '#src/features/account/password/password.server.ts';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { passwordResetTokens, sessions, users } from '#db/schema/account.ts';
import { orders } from '#db/schema/store.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { mailVerification, verifyEmail } from '#src/features/account/email/verification.server.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { mailClaimLinkJob, readClaim } from '#src/features/store/guests/claim-links.server.ts';
import { lockGuest } from '#src/features/store/guests/guests.server.ts';
import { POST as resendRoute } from '#src/pages/api/admin/orders/[id]/claim-link.ts';
import { GET as adminRequestsRoute } from '#src/pages/api/admin/users/admin-requests.ts';
import { POST as loginRoute } from '#src/pages/api/auth/login.ts';
import { GET as meRoute } from '#src/pages/api/auth/me.ts';
import { POST as registerRoute } from '#src/pages/api/auth/register.ts';
import { GET as enrollmentsRoute } from '#src/pages/api/my-enrollments.ts';
import { GET as ordersRoute } from '#src/pages/api/orders.ts';
import { POST as resetRoute } from '#src/pages/api/reset-password.ts';
import { mailedToken, mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';
import {
  buyAsGuest,
  claim,
  claimByMail,
  createAccount,
  enrollmentOf,
  makeGuest,
  openDirect,
  startDirect,
} from '../../support/guests.ts';
import {
  expectReconciled,
  intentEvent,
  orderOf,
  type Payments,
  pay,
  sendEvent,
  startPayments,
} from '../../support/payments.ts';

// A guest's purchase belongs to whoever reads the mailbox of its address. An attacker has registered with the victim's
// address before, or does so at the worst moment; nothing of the victim's may ever reach that account.

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(async () => {
  await payments.sandbox.control.settled();
  payments.sandbox.control.clearEventFaults();
});

const ATTACKERS = 'attackers-choice';
const VICTIMS = 'victims-choice';

/** Registers with an address through the form's call, as a stranger to its mailbox would. */
async function registerAs(email: string) {
  const { ip } = makeGuest();
  const body = {
    username: 'Mallory',
    email,
    password: ATTACKERS,
    confirmPassword: ATTACKERS,
    role: 'student',
  };
  const answer = await callRoute(registerRoute, { body, ip });
  expect(answer.status, answer.text).toBe(201);
  return {
    id: answer.body.user.id as number,
    session: { token: answer.body.token as string, cookieSecret: answer.cookies.get('session')! },
  };
}
type Attacker = Awaited<ReturnType<typeof registerAs>>;

const userOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];

/** What the attacker's sign-in shows them, and what the database keeps for the account. */
async function reachOf({ id, session }: Attacker) {
  const mine = await callRoute(enrollmentsRoute, { as: session });
  const bought = await callRoute(ordersRoute, { as: session });
  return {
    courses: mine.status === 200 ? mine.body.length : 0,
    orders: bought.status === 200 ? bought.body.length : 0,
    enrollmentRows: await db().$count(enrollments, eq(enrollments.userId, id)),
    orderRows: await db().$count(orders, eq(orders.userId, id)),
  };
}
const NOTHING = { courses: 0, orders: 0, enrollmentRows: 0, orderRows: 0 };

/** The account is its mailbox's now: the attacker's password, session and links open nothing. */
async function expectTakenOver(attacker: Attacker, email: string, password = VICTIMS): Promise<void> {
  const as = attacker.session;
  expect((await callRoute(meRoute, { as })).status).toBe(401);
  expect((await callRoute(enrollmentsRoute, { as })).status).toBe(401);
  const { ip } = makeGuest();
  const refused = await callRoute(loginRoute, { body: { email, password: ATTACKERS }, ip });
  expect(refused.status).toBe(401);
  const user = (await userOf(email))!;
  expect(user.emailVerifiedAt).not.toBeNull();
  expect(await checkPassword(user.passwordHash, password)).toBe(true);
}

describe('A24: an account with the victim’s address that nobody has verified', () => {
  it('gets nothing by the proof of payment; the buyer gets a link, and with it the account', async () => {
    const victim = makeGuest();
    const { email } = victim.buyer;
    const attacker = await registerAs(email);
    const { courseId, orderId, intentId, clientSecret } = await buyAsGuest(payments, victim);
    expect(await reachOf(attacker)).toEqual(NOTHING);

    for (const proof of [{}, { paymentIntentId: intentId, clientSecret }]) {
      const answer = await createAccount(victim, { password: VICTIMS, ...proof });
      expect(answer.status, answer.text).toBe(202);
      expect(answer.body.message).toContain('We have sent a link');
      expect(answer.body.token).toBeUndefined();
      expect(answer.cookies.get('session')).toBeUndefined();
    }
    expect((await claim(victim, {})).status).toBe(202);
    expect(await reachOf(attacker)).toEqual(NOTHING);
    expect((await orderOf(orderId)).userId).toBeNull();

    const jobs = await db().execute<{ data: { email: string; requestId: string } }>(
      sql`select data from pgboss.job where name = ${mailClaimLinkJob.name} and data->>'email' = ${email}`,
    );
    expect(jobs).toHaveLength(3);
    await mailClaimLinkJob.run(jobs[0]!.data, { isLast: false });
    const token = await mailedToken(email, 'claim-link');
    expect(await readClaim(token, null)).toMatchObject({ state: 'open', hasAccount: false });
    const browser = makeGuest(victim.buyer);
    expect((await claim(browser, { token })).body.fields.password).toBeTruthy();
    const made = await claim(browser, { token, password: VICTIMS });
    expect(made.body, made.text).toMatchObject({
      status: 'created',
      user: { id: attacker.id, email, emailVerified: true },
      courseIds: [courseId],
    });
    expect((await enrollmentOf(attacker.id, courseId))?.status).toBe('active');
    await expectTakenOver(attacker, email);
    // The new session is the only one.
    expect(await db().$count(sessions, eq(sessions.userId, attacker.id))).toBe(2);
    const notice = (await mailsTo(email)).find((mail) => mail.template === 'purchase-attached');
    expect(notice?.text).toContain('whoever was signed in to it before is signed out');
    await expectReconciled(payments);
  });

  it('gets nothing while the attacker is signed in and holds the proof or the link of their own purchase', async () => {
    const victim = makeGuest();
    const attacker = await registerAs(victim.buyer.email);
    const as = attacker.session;
    const victims = await buyAsGuest(payments, victim);
    const own = makeGuest({ email: victim.buyer.email });
    await buyAsGuest(payments, own);
    expect((await claim(own, {}, { as })).status).toBe(202);
    expect((await claim(makeGuest(), { paymentIntentId: victims.intentId }, { as })).status).toBe(403);
    expect((await createAccount(own, {}, { as })).status).toBe(202);
    expect(await reachOf(attacker)).toEqual(NOTHING);
    // A link that was mailed to another address puts nothing into an account that is not verified either.
    const other = makeGuest();
    await buyAsGuest(payments, other);
    const token = await mailedToken(other.buyer.email, 'receipt');
    const answer = await claim(makeGuest(), { token, password: VICTIMS }, { as });
    expect(answer.body.user.email).toBe(other.buyer.email);
    expect(await reachOf(attacker)).toEqual(NOTHING);
  });

  it('made after the purchase, or between the link and its use, is handed over too', async () => {
    const victim = makeGuest();
    const { email } = victim.buyer;
    const { courseId } = await buyAsGuest(payments, victim);
    const attacker = await registerAs(email);
    const secret = 'r'.repeat(43);
    await db()
      .insert(passwordResetTokens)
      .values({ userId: attacker.id, token: hashSecret(secret), expiresAt: new Date(Date.now() + 60_000) });
    const made = await claimByMail(victim, VICTIMS);
    expect(made.body, made.text).toMatchObject({ status: 'created', courseIds: [courseId] });
    await expectTakenOver(attacker, email);
    const body = { token: secret, newPassword: ATTACKERS, confirmPassword: ATTACKERS };
    expect((await callRoute(resetRoute, { body, ip: victim.ip })).status).toBe(400);
  });

  it('gets nothing when the victim opens the link that verifies it: only its own sign-in could', async () => {
    const victim = makeGuest();
    const { email } = victim.buyer;
    const attacker = await registerAs(email);
    await buyAsGuest(payments, victim);
    const token = await mailedToken(email, 'email-verification');
    const signedIn = (await makeUser({ emailVerifiedAt: new Date() })).id;
    for (const reader of [null, signedIn]) {
      await expect(verifyEmail(token, reader, attachGuestPurchases)).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
    expect(await reachOf(attacker)).toEqual(NOTHING);
    expect((await userOf(email))?.emailVerifiedAt).toBeNull();
  });

  it('a reset by the mailbox’s owner hands it over with what was bought', async () => {
    const victim = makeGuest();
    const { email } = victim.buyer;
    const attacker = await registerAs(email);
    const { courseId } = await buyAsGuest(payments, victim);
    const secret = 's'.repeat(43);
    await db()
      .insert(passwordResetTokens)
      .values({ userId: attacker.id, token: hashSecret(secret), expiresAt: new Date(Date.now() + 60_000) });
    const body = { token: secret, newPassword: VICTIMS, confirmPassword: VICTIMS };
    expect((await callRoute(resetRoute, { body, ip: victim.ip })).status).toBe(200);
    await expectTakenOver(attacker, email);
    expect((await enrollmentOf(attacker.id, courseId))?.status).toBe('active');
  });

  it('an account that was made for somebody and has no password yet is claimed like a new one', async () => {
    const victim = makeGuest();
    const invited = await makeUser({ email: victim.buyer.email, passwordHash: null });
    const { courseId } = await buyAsGuest(payments, victim);
    expect((await createAccount(victim)).status).toBe(202);
    const made = await claimByMail(victim, VICTIMS);
    expect(made.body.user.id).toBe(invited.id);
    expect((await enrollmentOf(invited.id, courseId))?.status).toBe('active');
  });

  it('gets nothing when an administrator has the link mailed again', async () => {
    const victim = makeGuest();
    const attacker = await registerAs(victim.buyer.email);
    const { orderId } = await buyAsGuest(payments, victim);
    const admin = await signIn(await makeAdmin());
    const sent = await callRoute(resendRoute, { method: 'POST', params: { id: String(orderId) }, as: admin });
    expect(sent.status).toBe(200);
    expect(await reachOf(attacker)).toEqual(NOTHING);
    const token = await mailedToken(victim.buyer.email, 'claim-link');
    expect((await claim(makeGuest(), { token, password: VICTIMS })).status).toBe(201);
    await expectTakenOver(attacker, victim.buyer.email);
  });

  it('gets nothing however registration, payment and claims fall together', async () => {
    for (let round = 0; round < 8; round += 1) {
      const victim = makeGuest();
      const { email } = victim.buyer;
      const purchase = await openDirect(victim, await makeCourseForSale({ priceCents: 4900 }));
      await pay(payments, purchase.intentId);
      const [attacker, first] = await Promise.all([
        registerAs(email).catch(() => null),
        createAccount(victim, { password: VICTIMS }),
        sendEvent(payments, intentEvent('payment_intent.succeeded', purchase.intentId)),
      ]);
      await payments.sandbox.control.settled();
      expect([201, 202]).toContain(first.status);
      if (attacker) expect(await reachOf(attacker)).toEqual(NOTHING);
      const token = await mailedToken(email, 'receipt');
      const [made] = await Promise.all([
        claim(makeGuest(victim.buyer), { token, password: VICTIMS }),
        createAccount(victim, { password: VICTIMS }),
        callRoute(loginRoute, { body: { email, password: ATTACKERS }, ip: makeGuest().ip }),
      ]);
      expect(made.status, made.text).toBe(201);
      if (attacker) await expectTakenOver(attacker, email);
      expect((await enrollmentOf(made.body.user.id, purchase.courseId))?.status).toBe('active');
    }
    await expectReconciled(payments);
  }, 90_000);
});

describe('a purchase that somebody has claimed', () => {
  it('is told to others with the same secret as what it is, and nothing of it is', async () => {
    const guest = makeGuest();
    const { intentId, clientSecret, courseId } = await buyAsGuest(payments, guest);
    const [a, b] = [
      await makeUser({ emailVerifiedAt: new Date() }),
      await makeUser({ emailVerifiedAt: new Date() }),
    ];
    expect((await claim(guest, {}, { as: await signIn(a) })).body).toMatchObject({ courseIds: [courseId] });
    // Its owner may ask again.
    expect((await claim(guest, {}, { as: await signIn(a) })).body).toMatchObject({ courseIds: [courseId] });
    const token = await mailedToken(guest.buyer.email, 'receipt');
    for (const proof of [{}, { paymentIntentId: intentId, clientSecret }, { token, password: VICTIMS }]) {
      const answer = await claim(guest, proof, { as: await signIn(b) });
      expect(answer.status).toBe(409);
      const { message, code, requestId: _, ...more } = answer.body;
      expect({ message, code, more }).toEqual({
        message: 'This purchase is in another account than the one you are signed in to.',
        code: 'conflict',
        more: {},
      });
      const signedOut = await claim(
        { ...guest, cookies: new Map([...guest.cookies].filter(([name]) => name === 'purchase')) },
        proof,
      );
      expect(signedOut.status).toBe(409);
      expect(signedOut.body.message).toBe('An account exists for this purchase. Please sign in.');
    }
    expect(await enrollmentOf(b.id, courseId)).toBeNull();
    expect(await db().$count(orders, eq(orders.userId, b.id))).toBe(0);
  });
});

describe('the order of locks', () => {
  it('a completion waits for the lock of the address before it takes its order', async () => {
    payments.sandbox.control.faultEvents({ drop: true });
    const guest = makeGuest();
    const { orderId, intentId } = await openDirect(guest, await makeCourseForSale());
    await pay(payments, intentId);
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db().transaction(async (tx) => {
      await tx.execute(lockGuest(guest.buyer.email));
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const answer = sendEvent(payments, intentEvent('payment_intent.succeeded', intentId));
    await expect
      .poll(async () => {
        const [row] = await db().execute<{ waiting: number }>(
          sql`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted`,
        );
        return row!.waiting;
      })
      .toBe(1);
    // Whoever holds the address may want the order next.
    await db().transaction((tx) =>
      tx.execute(sql`select 1 from orders where id = ${orderId} for update nowait`),
    );
    release.resolve();
    await holder;
    expect((await answer).status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('completed');
  });

  it('completions, claims, verifications and resets of one address at once never deadlock', async () => {
    const deadlocks = async () => {
      await db().execute(sql`select pg_stat_force_next_flush()`);
      const [row] = await db().execute<{ deadlocks: number }>(
        sql`select deadlocks::int from pg_stat_database where datname = current_database()`,
      );
      return row!.deadlocks;
    };
    payments.sandbox.control.faultEvents({ drop: true });
    const before = await deadlocks();
    for (let round = 0; round < 10; round += 1) {
      const guest = makeGuest();
      const { email } = guest.buyer;
      const done = [
        await openDirect(guest, await makeCourseForSale()),
        await openDirect(guest, await makeCourseForSale()),
      ];
      const open = [
        await openDirect(guest, await makeCourseForSale()),
        await openDirect(guest, await makeCourseForSale()),
      ];
      for (const { intentId } of [...done, ...open]) await pay(payments, intentId);
      for (const { intentId } of done)
        await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId));
      const token = await mailedToken(email, 'receipt');
      const attacker = await registerAs(email);
      await db().transaction((tx) => mailVerification(tx, { id: attacker.id, email, username: 'Mallory' }));
      const verification = await mailedToken(email, 'email-verification');
      await Promise.allSettled([
        ...open.map(({ intentId }) => sendEvent(payments, intentEvent('payment_intent.succeeded', intentId))),
        claim(makeGuest(guest.buyer), { token, password: VICTIMS }),
        claim(guest, { paymentIntentId: open[0]!.intentId, clientSecret: open[0]!.clientSecret }),
        createAccount(guest, {
          paymentIntentId: done[0]!.intentId,
          clientSecret: done[0]!.clientSecret,
        }),
        verifyEmail(verification, attacker.id, attachGuestPurchases),
      ]);
      for (const { orderId } of [...done, ...open]) {
        const order = await orderOf(orderId);
        expect(order.status).toBe('completed');
        expect(order.userId).toBe(attacker.id);
      }
    }
    expect(await deadlocks()).toBe(before);
    await expectReconciled(payments);
  }, 90_000);
});

describe('an account made after a purchase', () => {
  it.each(['right after it', 'by the mailed link'])(
    'with one of the commonest passwords has no administrator’s rights, made %s',
    async (how) => {
      const guest = makeGuest();
      await buyAsGuest(payments, guest);
      const made = await (how === 'right after it'
        ? createAccount(guest, { password: 'Password1' })
        : claimByMail(guest, 'Password1'));
      expect(made.status, made.text).toBe(201);
      const as = { token: made.body.token as string, cookieSecret: made.cookies.get('session')! };
      await db().update(users).set({ role: 'admin' }).where(eq(users.id, made.body.user.id));
      const held = await callRoute(adminRequestsRoute, { as });
      expect([held.status, held.body.message]).toEqual([
        403,
        expect.stringContaining('one of the commonest'),
      ]);
    },
  );
});

describe('what costs nothing', () => {
  it('is mailed to an address a few times an hour only, and one of the links brings all of it', async () => {
    const { buyer } = makeGuest();
    const courses = await Promise.all(Array.from({ length: 7 }, () => makeCourseForSale({ priceCents: 0 })));
    const answers = [];
    for (const { id } of courses) answers.push((await startDirect(makeGuest(), id, 0, { buyer })).body);
    expect(answers.map(({ status }) => status)).toEqual(courses.map(() => 'completed'));
    expect(await mailsTo(buyer.email)).toHaveLength(5);
    const made = await claimByMail(makeGuest({ email: buyer.email }));
    expect(made.body.courseIds.toSorted((a: number, b: number) => a - b)).toEqual(
      courses.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });
});
