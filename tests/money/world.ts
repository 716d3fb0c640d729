import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import postgres from 'postgres';
import Stripe from 'stripe';
import { db, sqlClient } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { enrollments } from '#db/schema/learn.ts';
import { bundleCourses, bundles, coupons, orders, quotes, seatPriceSteps, seats } from '#db/schema/store.ts';
import { deleteCourse, toggleCourse } from '#src/features/authoring/courses/courses.server.ts';
import { repairOrder } from '#src/features/store/reconciliation/repair-order.server.ts';
import { openOrganisation } from '#src/features/organisations/members.server.ts';
import { mailSeatOffersJob } from '#src/features/organisations/seats/seats.server.ts';
import {
  cancelBankOrder,
  recordTransfer,
  releaseBankOrder,
} from '#src/features/store/bank/bank-orders.server.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { abandonOrder } from '#src/features/store/orders/fulfil.server.ts';
import { itemsOf, type Order, receivedCents } from '#src/features/store/orders/orders.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundDuplicatesJob, refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { POST as addRoute } from '#src/pages/api/cart.ts';
import { DELETE as removeRoute } from '#src/pages/api/cart/[courseId].ts';
import { POST as joinRoute } from '#src/pages/api/join.ts';
import { POST as nameRoute } from '#src/pages/api/orders/[id]/billing.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { POST as seatPaymentRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { POST as takeBackRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/take-back.ts';
import { POST as giveRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import { POST as registerRoute } from '#src/pages/api/auth/register.ts';
import { POST as claimRoute } from '#src/pages/api/claim-purchase.ts';
import { POST as confirmRoute } from '#src/pages/api/confirm-payment.ts';
import { POST as accountRoute } from '#src/pages/api/create-account-after-purchase.ts';
import { POST as directRoute } from '#src/pages/api/create-direct-payment.ts';
import { POST as intentRoute } from '#src/pages/api/create-payment-intent.ts';
import { POST as buyerRoute } from '#src/pages/api/save-direct-buyer.ts';
import { GET as quoteRoute } from '#src/pages/organisations/[id]/quote.pdf.ts';
import { isPassingDatabaseError } from '#src/server/database-errors.ts';
// Says who draws the papers that mails carry.
import '#src/jobs.ts';
import { deliverMail, sweepMails } from '#src/server/mail/mail.ts';
import { AppError } from '#src/shared/errors.ts';
import { type Answer, type CallOptions, callRoute, SITE, signIn } from '../support/api.ts';
import { dyingAt, watchDatabase, watchProvider } from '../support/fault-points.ts';
import { faultOfAnswer, findFaults } from '../support/oracle.ts';
import { type Payments, pay, startPayments } from '../support/payments.ts';
import { BUNDLE, type Card, type Op, type Schedule, type SeatsOf, type Step, type Who } from './schedule.ts';

/** What a run of schedules did. */
export type Counters = {
  schedules: number;
  operations: Record<string, number>;
  /** Processes that died in the middle of something. */
  deaths: number;
  /** Orders that were completed. */
  settled: number;
  refunds: number;
  disputes: number;
  correctedInvoices: number;
  quotes: number;
  /** Seats of bundles, and those of them that were paid back. */
  bundleSeats: number;
  bundleSeatsEnded: number;
  /** Payments that succeeded at the provider. */
  payments: number;
  /** Answers by status. */
  answers: Record<string, number>;
  oracleFailures: number;
};

export const newCounters = (): Counters => ({
  schedules: 0,
  operations: {},
  deaths: 0,
  settled: 0,
  refunds: 0,
  disputes: 0,
  correctedInvoices: 0,
  quotes: 0,
  bundleSeats: 0,
  bundleSeatsEnded: 0,
  payments: 0,
  answers: {},
  oracleFailures: 0,
});

/** Counters that are read from the database. */
const TOTALS = [
  'settled',
  'refunds',
  'disputes',
  'correctedInvoices',
  'quotes',
  'bundleSeats',
  'bundleSeatsEnded',
] as const;

const count = (counts: Record<string, number>, name: string | number) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

type Person = {
  email: string;
  userId: number | null;
  session: Awaited<ReturnType<typeof signIn>> | null;
  cookies: Map<string, string>;
  ip: string;
};

/** A payment form that is open in some window. */
type Window = { who: Who; intentId: string; clientSecret: string };

type World = {
  people: Record<Who, Person>;
  courseIds: number[];
  bundleId: number;
  couponCode: string;
  /** Ada's. */
  organisationId: number;
  windows: Window[];
  /** Something was broken on purpose, so that an answer may be an honest 5xx. */
  isFaulty: boolean;
  wrongs: string[];
};

/** Tables that a schedule fills; emptied together, which asks no trigger. */
const TABLES =
  'seat_price_steps, orders, organisations, users, courses, bundles, coupons, mail_outbox, provider_events, invoice_counters, rate_limits, audit_log';
const BILLING = {
  company: 'Example Ltd',
  address: '1 Example Street',
  country: 'DE',
  purchaseOrder: '',
  costCentre: '',
};

/** Schedules that share a database before it is emptied: emptying costs as much as a schedule. */
const SCHEDULES_PER_DATABASE = 8;

/** Runs schedules against the real services, one after the other. */
export class MoneyMachine {
  readonly counters = newCounters();
  readonly #payments: Payments;
  readonly #admin: postgres.Sql;
  readonly #adminId: () => Promise<number>;
  #sinceCleared = 0;
  /** Set while the next event is to be worked off by a process that dies. */
  #nextEventDiesAt = 0;

  private constructor(payments: Payments, admin: postgres.Sql) {
    this.#payments = payments;
    this.#admin = admin;
    this.#adminId = async () => (await makeAdmin()).id;
  }

  /** Starts the sandbox and wraps database and provider with fault points. */
  static async start(): Promise<MoneyMachine> {
    let machine: MoneyMachine | undefined;
    const payments = await startPayments((work) => machine!.#answerEvent(work));
    watchProvider();
    machine = new MoneyMachine(payments, postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} }));
    return machine;
  }

  async stop(): Promise<void> {
    await this.#payments.close();
    await this.#admin.end();
  }

  async #answerEvent(work: () => Promise<Answer>): Promise<Answer | null> {
    const at = this.#nextEventDiesAt;
    this.#nextEventDiesAt = 0;
    if (at === 0) return work();
    const outcome = await dyingAt(at, work);
    if (!outcome.died) return outcome.result;
    this.counters.deaths += 1;
    return null;
  }

  get #control() {
    return this.#payments.sandbox.control;
  }

  async #clear(): Promise<void> {
    await this.#control.reset();
    await this.#admin.unsafe(`truncate ${TABLES} cascade`);
    await this.#admin.unsafe('truncate pgboss.job');
    this.#sinceCleared = 0;
  }

  /**
   * Runs a schedule, lets everything recover, and looks for anything that should not be.
   *
   * @returns what is wrong, in sentences; empty where all is well
   */
  async run(schedule: Schedule): Promise<string[]> {
    watchDatabase(sqlClient());
    if (this.#sinceCleared >= SCHEDULES_PER_DATABASE) await this.#clear();
    this.#sinceCleared += 1;
    const before = await this.#totals();
    const world = await this.#makeWorld(schedule);
    for (const step of schedule.steps) await this.#step(world, step);
    await this.#recover(world);
    const faults = [...world.wrongs, ...(await this.#judge())];
    const after = await this.#totals();
    this.counters.schedules += 1;
    for (const name of TOTALS) this.counters[name] += after[name] - before[name];
    if (faults.length > 0) {
      this.counters.oracleFailures += 1;
      // Whatever comes next starts from a clean state, above all the shrinking.
      await this.#clear();
    }
    return faults;
  }

  async #totals(): Promise<Record<(typeof TOTALS)[number], number>> {
    const [row] = await db().execute<Record<(typeof TOTALS)[number], number>>(sql`select
      (select count(*) from orders where completed_at is not null)::int as settled,
      (select count(*) from refunds)::int as refunds, (select count(*) from disputes)::int as disputes,
      (select count(*) from orders where correction is not null)::int as "correctedInvoices",
      (select count(*) from quotes)::int as quotes,
      (select count(*) from seats where bundle_id is not null)::int as "bundleSeats",
      (select count(*) from seats where bundle_id is not null and ended_at is not null)::int as "bundleSeatsEnded"`);
    return row!;
  }

  async #makeWorld({ prices, couponPercent }: Schedule): Promise<World> {
    const [ada, ben] = [await makeUser(), await makeUser()];
    const courseIds: number[] = [];
    for (const priceCents of prices) courseIds.push((await makeCourseForSale({ priceCents })).id);
    const [bundle] = await db()
      .insert(bundles)
      .values({
        title: 'All three',
        description: 'At one price.',
        priceCents: Math.floor(prices.reduce((sum, cents) => sum + cents) * 0.7),
        state: 'active',
      })
      .returning();
    const bundleId = bundle!.id;
    await db()
      .insert(bundleCourses)
      .values(courseIds.map((courseId, position) => ({ bundleId, position, courseId })));
    // Reached by some of the orders of several lines; what a seat costs is then rounded.
    await db().insert(seatPriceSteps).values({ fromSeats: 5, percentOff: 15 }).onConflictDoNothing();
    const couponCode = `SAVE${randomUUID().slice(0, 8).toUpperCase()}`;
    await db()
      .insert(coupons)
      .values({ code: couponCode, kind: 'percent', percentOff: couponPercent, usageLimit: 2 });
    const { id: organisationId } = await openOrganisation({ ...ada, emailVerified: true }, 'Example Ltd');
    const person = (email: string, account: typeof ada | null, session: Person['session']): Person => ({
      email,
      userId: account?.id ?? null,
      session,
      cookies: new Map(),
      ip: `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`,
    });
    return {
      people: {
        ada: person(ada.email, ada, await signIn(ada)),
        ben: person(ben.email, ben, await signIn(ben)),
        guest: person(`guest-${randomUUID()}@example.com`, null, null),
        'ada as guest': person(ada.email, null, null),
      },
      courseIds,
      bundleId,
      couponCode,
      organisationId,
      windows: [],
      isFaulty: false,
      wrongs: [],
    };
  }

  async #step(world: World, step: Step): Promise<void> {
    if ('together' in step) {
      await Promise.all(step.together.map((op) => this.#perform(world, op)));
      return;
    }
    if (!('dies' in step)) return this.#perform(world, step);
    world.isFaulty = true;
    const outcome = await dyingAt(step.at, () => this.#perform(world, step.dies));
    if (outcome.died) this.counters.deaths += 1;
  }

  async #perform(world: World, op: Op): Promise<void> {
    count(this.counters.operations, op.do);
    try {
      await this.#do(world, op);
    } catch (error) {
      // A refusal is an answer; the provider's and the database's faults are honest only while there are some.
      const isRefusal = error instanceof AppError && error.status < 500;
      const isProviders = error instanceof Stripe.errors.StripeError;
      const isFault = (error instanceof AppError || isPassingDatabaseError(error)) && world.isFaulty;
      if (!isRefusal && !isProviders && !isFault) world.wrongs.push(`${op.do}: ${String(error)}`);
    }
  }

  async #ask(
    world: World,
    who: Who,
    route: Parameters<typeof callRoute>[0],
    options: CallOptions,
  ): Promise<Answer> {
    const person = world.people[who];
    const answer = await callRoute(route, {
      as: person.session,
      ip: person.ip,
      cookies: person.cookies,
      headers: { origin: SITE },
      ...options,
    });
    for (const [name, value] of answer.cookies) person.cookies.set(name, value);
    count(this.counters.answers, answer.status);
    const fault = faultOfAnswer(answer, world.isFaulty);
    if (fault) world.wrongs.push(fault);
    return answer;
  }

  async #do(world: World, op: Op): Promise<void> {
    const control = this.#control;
    switch (op.do) {
      case 'add to cart':
        await this.#ask(world, op.who, addRoute, { body: thingOf(world, op.course) });
        return;
      case 'remove from cart':
        await this.#ask(world, op.who, removeRoute, {
          method: 'DELETE',
          // A bundle goes by any of its courses.
          params: { courseId: String(world.courseIds[op.course % BUNDLE]) },
        });
        return;
      case 'checkout':
        await this.#checkOut(world, op.who, op.coupon);
        return;
      case 'direct checkout':
        await this.#checkOutDirectly(world, op.who, op.course, op.coupon);
        return;
      case 'buy': {
        const window = await this.#openWindow(world, op);
        if (window) await this.#pay(window, op.card);
        return;
      }
      case 'pay': {
        const window = pick(world.windows, op.nth);
        if (window) await this.#pay(window, op.card);
        return;
      }
      case 'confirm': {
        const window = pick(world.windows, op.nth);
        if (window)
          await this.#ask(world, window.who, confirmRoute, { body: { paymentIntentId: window.intentId } });
        return;
      }
      case 'event again':
        return this.#sendAgain(op.nth, op.copies);
      case 'events':
        control.clearEventFaults();
        if (op.mode === 'dropped') control.faultEvents({ drop: true });
        if (op.mode === 'held') control.holdEvents();
        if (op.mode === 'twice') control.faultEvents({ copies: 2 });
        if (op.mode === 'at once twice') control.faultEvents({ copies: 2, concurrent: true });
        if (op.mode === 'late') control.faultEvents({ delayMs: 20 });
        return;
      case 'release events':
        control.releaseEvents(op.order);
        return;
      case 'payment settles': {
        const window = pick(world.windows, op.nth);
        if (window) control.settle(window.intentId, op.outcome);
        return;
      }
      case 'refund at the provider':
        return this.#refundAtProvider(op.nth, op.how);
      case 'refund a line': {
        const order = await this.#order(op.nth, true);
        const item = order && pick(await itemsOf(order.id), op.line);
        if (item) await this.#refundLine(op, order.id, item);
        return;
      }
      case 'refund settles': {
        const refund = pick((await this.#payments.stripe.refunds.list({ limit: 20 })).data, op.nth);
        if (refund) control.settleRefund(refund.id, op.outcome);
        return;
      }
      case 'dispute': {
        const order = await this.#order(op.nth, true);
        if (!order?.stripePaymentIntentId) return;
        const amount = op.part ? { amount: Math.ceil(order.totalCents / 2) } : {};
        try {
          control.openDispute({ intent: order.stripePaymentIntentId, ...amount });
        } catch {
          // Disputed already.
        }
        return;
      }
      case 'dispute ends': {
        const dispute = pick((await this.#payments.stripe.disputes.list({ limit: 20 })).data, op.nth);
        try {
          if (dispute) control.closeDispute(dispute.id, op.outcome);
        } catch {
          // Closed already.
        }
        return;
      }
      case 'price':
        await db()
          .update(courses)
          .set({ priceCents: op.cents })
          .where(eq(courses.id, world.courseIds[op.course]!));
        return;
      case 'hide or show':
        await toggleCourse({ id: null, name: 'money machine' }, world.courseIds[op.course]!);
        return;
      case 'delete':
        await deleteCourse({ id: null, name: 'money machine' }, world.courseIds[op.course]!);
        return;
      case 'order ends': {
        const order = await this.#order(op.nth, false);
        if (order) await abandonOrder(order, 'the payment was closed', 'reconciler');
        return;
      }
      case 'buy seats': {
        const window = await this.#openPayment(world, 'ada', (amount) => ({
          route: seatPaymentRoute,
          params: { id: String(world.organisationId) },
          body: { lines: seatLinesOf(world, op.lines), amount, billing: BILLING },
        }));
        if (window) await this.#pay(window, op.card);
        return;
      }
      case 'order seats':
        await Promise.all(Array.from({ length: op.times }, () => this.#orderSeats(world, op.lines)));
        return;
      case 'quote':
        return this.#quote(world, op);
      case 'release':
      case 'close': {
        const order = await this.#bankOrder(op.nth);
        if (!order) return;
        const actor = { id: await this.#adminId(), name: 'money machine' };
        if (op.do === 'release') await releaseBankOrder(actor, order.id);
        else await cancelBankOrder({ source: 'admin' }, order.id, 'not wanted');
        return;
      }
      case 'transfer':
        return this.#transfer(op);
      case 'give seat':
      case 'take seat':
      case 'begin seat':
        return this.#seat(world, op);
      case 'take seat back': {
        const taken = await db()
          .select()
          .from(seats)
          .where(isNotNull(seats.email))
          .orderBy(asc(seats.id))
          .limit(4);
        const seat = pick(taken, op.nth);
        if (!seat) return;
        await this.#ask(world, 'ada', takeBackRoute, {
          method: 'POST',
          params: { id: String(world.organisationId), seat: String(seat.id) },
        });
        return;
      }
      case 'refund seats': {
        const order = await this.#order(op.nth, true);
        const lines = order ? await itemsOf(order.id) : [];
        const item = pick(
          lines.filter((one) => one.seats !== null),
          op.line,
        );
        if (!order || !item) return;
        const request = {
          reason: 'fewer people',
          source: 'admin' as const,
          seats: op.seats,
          requestKey: randomUUID(),
        };
        const tries = Array.from({ length: op.times }, () => refundLine(order.id, item.id, request));
        for (const outcome of await Promise.allSettled(tries))
          if (outcome.status === 'rejected') throw outcome.reason;
        return;
      }
      case 'correct invoice': {
        const order = await this.#order(op.nth, true);
        const who = (['ada', 'ben'] as const).find((one) => world.people[one].userId === order?.userId);
        if (!order || !who) return;
        const press = () =>
          this.#ask(world, who, nameRoute, { params: { id: String(order.id) }, body: BILLING });
        const answers = await Promise.all(Array.from({ length: op.times }, press));
        if (answers.filter(({ status }) => status === 200).length > 1)
          world.wrongs.push(`the invoice of order ${order.id} was corrected twice`);
        return;
      }
      case 'make account':
        await this.#ask(world, op.who, accountRoute, {
          body: {
            email: world.people[op.who].email,
            firstName: 'Ada',
            lastName: 'L',
            password: 'analytical',
          },
        });
        return;
      case 'claim by mail':
        return this.#claimByMail(world, op.who);
      case 'stranger registers':
        await callRoute(registerRoute, {
          body: {
            username: 'Mallory',
            email: world.people.guest.email,
            password: 'attackers-choice',
            confirmPassword: 'attackers-choice',
            role: 'student',
          },
        });
        return;
      case 'address verified': {
        const { userId, email } = world.people[op.who];
        await db().transaction(async (tx) => {
          await tx.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, userId!));
          await attachGuestPurchases(tx, { id: userId!, email });
        });
        return;
      }
      case 'reconcile':
        await reconcileOrders();
        return;
      case 'repair': {
        const order = await this.#order(op.nth, false);
        if (order) await repairOrder(order.id, await this.#adminId());
        return;
      }
      case 'provider fails': {
        world.isFaulty = true;
        const path = { any: {}, intents: { path: '/v1/payment_intents' }, refunds: { path: '/v1/refunds' } }[
          op.call
        ];
        const how =
          op.how === 'answer lost'
            ? { stage: 'after' as const, outcome: 'reset' as const }
            : op.how === 'stored'
              ? { method: 'POST' as const, outcome: 500, stored: true }
              : { outcome: op.how };
        control.failApi({ from: 'site', times: op.times, ...path, ...how });
        return;
      }
      case 'connections break':
        world.isFaulty = true;
        await this.#admin`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'academy'`;
        return;
      case 'death by event':
        world.isFaulty = true;
        this.#nextEventDiesAt = op.at;
        return;
    }
  }

  /**
   * Seats by invoice; a price that is out of date is corrected.
   *
   * @returns each total that was told, and the order's
   */
  async #orderSeats(world: World, lines: readonly SeatsOf[]): Promise<number[]> {
    const told: number[] = [];
    let amount: unknown = 49;
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const { body } = await this.#ask(world, 'ada', invoiceRoute, {
        params: { id: String(world.organisationId) },
        body: { lines: seatLinesOf(world, lines), amount, billing: BILLING },
      });
      if (typeof body?.orderId === 'number') {
        const [made] = await db().select().from(orders).where(eq(orders.id, body.orderId));
        told.push(made!.totalCents);
      }
      if (typeof body?.total !== 'string') break;
      amount = body.total;
      told.push(Math.round(Number(amount) * 100));
    }
    return told;
  }

  /** What was quoted is the most that is asked, however dear it becomes. */
  async #quote(world: World, { lines, dearer }: Extract<Op, { do: 'quote' }>): Promise<void> {
    const search = new URLSearchParams();
    for (const { courseId, bundleId, seats: count } of seatLinesOf(world, lines)) {
      search.append('of', bundleId ? `bundle-${bundleId}` : `course-${courseId}`);
      search.append('seats', String(count));
    }
    const path = `/organisations/${world.organisationId}/quote.pdf?${search}`;
    const params = { id: String(world.organisationId) };
    const withCookie = world.people.ada.session!;
    const paper = await this.#ask(world, 'ada', quoteRoute, { withCookie, as: null, path, params });
    const number = /"(Q-[\d-]+)\.pdf"/.exec(paper.headers.get('content-disposition') ?? '')?.[1];
    if (!number) return;
    const [quote] = await db().select().from(quotes).where(eq(quotes.number, number));
    const quoted = quote!.lines.reduce((sum, { seats: count, unitCents }) => sum + count * unitCents, 0);
    for (const { course } of lines) {
      if (course === BUNDLE) {
        const own = eq(bundles.id, world.bundleId);
        const priceCents = sql`least(${bundles.priceCents} + ${dearer}, 99999999)`;
        await db().update(bundles).set({ priceCents }).where(own);
        // After every order that may have read the price of before.
        await db().update(bundles).set({ updatedAt: sql`now()` }).where(own);
      } else {
        const priceCents = sql`least(${courses.priceCents} + ${dearer}, 99999999)`;
        await db().update(courses).set({ priceCents }).where(eq(courses.id, world.courseIds[course]!));
      }
    }
    for (const cents of await this.#orderSeats(world, lines))
      if (cents > quoted) world.wrongs.push(`${number} quoted ${quoted}, and ${cents} were asked`);
  }

  /** One of the newest orders by invoice. */
  async #bankOrder(nth: number): Promise<Order | null> {
    const rows = await db()
      .select()
      .from(orders)
      .where(eq(orders.payment, 'bank'))
      .orderBy(sql`${orders.id} desc`)
      .limit(4);
    return pick(rows, nth) ?? null;
  }

  /** Money by bank; with `times`, the button is pressed again. */
  async #transfer({ nth, how, times }: Extract<Op, { do: 'transfer' }>): Promise<void> {
    const order = await this.#bankOrder(nth);
    if (!order) return;
    const received = await db().transaction((tx) => receivedCents(tx, order.id));
    const left = order.totalCents - order.refundedCents - received;
    const cents = {
      'what is left': left,
      'a part': Math.ceil(left / 3),
      'too much': left + 777,
      'sent back': received,
    };
    const amountCents = Math.min(cents[how], 99_999_999);
    if (amountCents <= 0) return;
    const entry = {
      direction: how === 'sent back' ? ('out' as const) : ('in' as const),
      amountCents,
      bookedOn: '2026-11-24',
      reference: 'statement',
      requestKey: randomUUID(),
    };
    const actor = { id: await this.#adminId(), name: 'money machine' };
    const tries = Array.from({ length: times }, () => recordTransfer(actor, order.id, entry));
    for (const outcome of await Promise.allSettled(tries))
      if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Somebody is given a seat, takes what was mailed last, or opens a lesson of it. */
  async #seat(
    world: World,
    op: Extract<Op, { do: 'give seat' | 'take seat' | 'begin seat' }>,
  ): Promise<void> {
    const { email, userId } = world.people[op.who];
    const ofWorld = eq(seats.organisationId, world.organisationId);
    if (op.do === 'give seat') {
      const things = await db()
        .selectDistinct({ courseId: seats.courseId, bundleId: seats.bundleId })
        .from(seats)
        .where(ofWorld)
        .orderBy(seats.courseId, seats.bundleId);
      const given = pick(things, op.nth);
      if (!given) return;
      await this.#ask(world, 'ada', giveRoute, {
        params: { id: String(world.organisationId) },
        body: {
          ...(given.bundleId === null ? { courseId: given.courseId } : { bundleId: given.bundleId }),
          people: email,
          dryRun: false,
        },
      });
    } else if (op.do === 'take seat') {
      await mailSeatOffersJob.run({ organisationId: world.organisationId }, { isLast: false });
      const mails = await db()
        .select({ text: mailOutbox.text })
        .from(mailOutbox)
        .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, 'seat-offer')))
        .orderBy(sql`${mailOutbox.id} desc`)
        .limit(3);
      const token = /join\?token=([\w-]+)/.exec(pick(mails, op.nth)?.text ?? '')?.[1];
      if (token) await this.#ask(world, op.who, joinRoute, { body: { token } });
    } else {
      await db()
        .update(enrollments)
        .set({ lastAccessedAt: new Date() })
        .where(and(eq(enrollments.userId, userId!), eq(enrollments.status, 'active')));
    }
  }

  /** The guest opens the link of their newest mail that has one, and chooses a password. */
  async #claimByMail(world: World, who: 'guest' | 'ada as guest'): Promise<void> {
    const { email } = world.people[who];
    const mails = await db()
      .select({ text: mailOutbox.text })
      .from(mailOutbox)
      .where(eq(mailOutbox.recipient, email))
      .orderBy(sql`${mailOutbox.id} desc`);
    const token = mails.map(({ text }) => /claim\?token=([\w-]+)/.exec(text)?.[1]).find((one) => one);
    if (!token) return;
    const answer = await this.#ask(world, who, claimRoute, { body: { token, password: 'analytical' } });
    // Whoever took ada's account over goes on as ada: every session from before has ended.
    if (answer.status === 201 && answer.body.user.id === world.people.ada.userId) {
      world.people.ada.session = {
        ...world.people.ada.session!,
        token: answer.body.token,
        cookieSecret: answer.cookies.get('session')!,
      };
    }
  }

  async #openWindow(world: World, op: Extract<Op, { do: 'buy' }>): Promise<Window | null> {
    const isAccount = op.who === 'ada' || op.who === 'ben';
    if (!isAccount) return this.#checkOutDirectly(world, op.who, op.course, op.coupon);
    await this.#ask(world, op.who, addRoute, { body: thingOf(world, op.course) });
    return this.#checkOut(world, op.who as 'ada' | 'ben', op.coupon);
  }

  /** The cart's checkout as the page does it: a total that is out of date is corrected once. */
  async #checkOut(world: World, who: 'ada' | 'ben', withCoupon: boolean): Promise<Window | null> {
    return this.#openPayment(world, who, (amount) => ({
      route: intentRoute,
      body: { amount, ...(withCoupon ? { couponCode: world.couponCode } : {}) },
    }));
  }

  async #checkOutDirectly(
    world: World,
    who: Who,
    course: number,
    withCoupon: boolean,
  ): Promise<Window | null> {
    const person = world.people[who];
    const buyer = { firstName: 'Ada', lastName: 'Lovelace', email: person.email };
    const window = await this.#openPayment(world, who, (amount) => ({
      route: directRoute,
      body: {
        ...thingOf(world, course),
        amount,
        ...(withCoupon ? { couponCode: world.couponCode } : {}),
        ...(person.session ? {} : { buyer }),
      },
    }));
    if (!window || person.session) return window;
    const { intentId, clientSecret } = window;
    const saved = await this.#ask(world, who, buyerRoute, {
      body: { ...buyer, paymentIntentId: intentId, clientSecret },
    });
    // A page whose buyer was refused does not go on to pay.
    if (saved.status === 200) return window;
    world.windows.splice(world.windows.indexOf(window), 1);
    return null;
  }

  async #openPayment(
    world: World,
    who: Who,
    request: (amount: string | number) => {
      route: Parameters<typeof callRoute>[0];
      body: unknown;
      params?: Record<string, string>;
    },
  ): Promise<Window | null> {
    let amount: string | number = 49;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { route, ...asked } = request(amount);
      const answer = await this.#ask(world, who, route, asked);
      if (answer.status === 409 && typeof answer.body.total === 'string') {
        amount = answer.body.total;
        continue;
      }
      const clientSecret: unknown = answer.status === 200 ? answer.body.clientSecret : null;
      if (typeof clientSecret !== 'string') return null;
      const intentId = clientSecret.split('_secret_')[0]!;
      const window = { who, intentId, clientSecret };
      if (!world.windows.some((one) => one.intentId === intentId && one.who === who))
        world.windows.push(window);
      return window;
    }
    return null;
  }

  async #pay(window: Window, card: Card): Promise<void> {
    if ((await pay(this.#payments, window.intentId, card)) === 'succeeded') this.counters.payments += 1;
  }

  async #sendAgain(nth: number, copies: number): Promise<void> {
    const event = pick((await this.#payments.stripe.events.list({ limit: 10 })).data, nth);
    if (!event) return;
    for (let copy = 0; copy < copies; copy += 1) this.#control.resendEvent(event.id);
  }

  /** An administrator pays a line back; with `times`, by pressing the button again. */
  async #refundLine(
    { part, access, times }: Extract<Op, { do: 'refund a line' }>,
    orderId: number,
    item: { id: number; priceCents: number },
  ): Promise<void> {
    const parts = { 'a cent': 1, half: Math.ceil(item.priceCents / 2), 'the price': item.priceCents };
    const request = {
      reason: 'asked for it',
      source: 'admin' as const,
      ...(part === 'what is left' ? {} : { amountCents: parts[part], requestKey: randomUUID() }),
      ...(access === 'as usual' ? {} : { endsAccess: access === 'ends' }),
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: times }, () => refundLine(orderId, item.id, request)),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** A refund that somebody makes by hand in the provider's dashboard. */
  async #refundAtProvider(nth: number, how: 'all' | 'line' | 'odd'): Promise<void> {
    const order = await this.#order(nth, true);
    if (!order?.stripePaymentIntentId) return;
    const line = (await itemsOf(order.id))[0]?.priceCents ?? 0;
    const amount = how === 'all' ? {} : { amount: how === 'line' ? line : 7 };
    await this.#payments.stripe.refunds.create({ payment_intent: order.stripePaymentIntentId, ...amount });
  }

  /** One of the newest orders; with `paid`, of those that were completed. */
  async #order(nth: number, paid: boolean): Promise<Order | null> {
    const rows = await db()
      .select()
      .from(orders)
      .where(paid ? isNotNull(orders.completedAt) : undefined)
      .orderBy(sql`${orders.id} desc`)
      .limit(4);
    return pick(rows, nth) ?? null;
  }

  /** The world mends: provider and database answer, events come again, and the background work catches up. */
  async #recover(world: World): Promise<void> {
    const control = this.#control;
    this.#nextEventDiesAt = 0;
    control.clearApiFaults();
    control.clearEventFaults();
    await this.#drainBrokenConnections();
    await control.settled();
    const problems: string[] = [];
    for (let round = 1; round <= 4; round += 1) {
      const result = await reconcileOrders();
      const jobs = await this.#runJobs();
      await control.settled();
      const isQuiet =
        result.completed +
          result.expired +
          result.flagged +
          result.failed +
          result.resent +
          result.moneyBack ===
        0;
      if (isQuiet && jobs === 0) break;
      if (round === 4)
        problems.push(`reconciling does not come to rest: ${JSON.stringify(result)}, ${jobs} jobs`);
    }
    await this.#deliverMails();
    world.wrongs.push(...problems);
  }

  /** A connection that broke while it was idle is noticed by its next use. */
  async #drainBrokenConnections(): Promise<void> {
    for (let round = 1; ; round += 1) {
      const tries = await Promise.allSettled(
        Array.from({ length: 12 }, () => db().execute(sql`select pg_sleep(0.002)`)),
      );
      if (tries.every(({ status }) => status === 'fulfilled')) return;
      if (round === 20) throw new Error('The connections do not come back.');
    }
  }

  async #runJobs(): Promise<number> {
    const rows = await db().execute<{ id: string; data: never }>(
      sql`select id, data from pgboss.job
        where name = ${refundDuplicatesJob.name} and state < 'completed'`,
    );
    for (const { id, data } of rows) {
      await refundDuplicatesJob.run(data, { isLast: false });
      await db().execute(sql`delete from pgboss.job where id = ${id}`);
    }
    return rows.length;
  }

  async #deliverMails(): Promise<void> {
    await sweepMails.run(undefined, { isLast: false });
    const queued = await db()
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(and(eq(mailOutbox.status, 'queued'), inArray(mailOutbox.template, ['receipt'])));
    for (const { id } of queued) await deliverMail.run({ outboxId: id }, { isLast: false });
  }

  async #judge(): Promise<string[]> {
    const found = await findFaults(this.#payments.stripe, { wholeLife: true });
    const rows = await db().execute<{ fault: string }>(sql`
      select 'course ' || c.id || ' counts ' || c.students_count || ' students' as fault from courses c
      where c.students_count <> (select count(*) from enrollments e where e.course_id = c.id)
      union all
      select 'mail ' || m.id || ' is ' || m.status || ' after ' || m.attempts || ' tries' from mail_outbox m
      where m.template = 'receipt' and (m.status <> 'sent' or m.attempts <> 1)
      union all
      select 'order ' || o.id || ' is processing, and its payment is not' from orders o
      where o.status = 'processing' and o.stripe_payment_intent_id is null`);
    return [...found, ...rows.map(({ fault }) => fault)];
  }
}

const thingOf = (world: World, course: number): { bundleId?: number; courseId?: number } =>
  course === BUNDLE ? { bundleId: world.bundleId } : { courseId: world.courseIds[course]! };

const seatLinesOf = (world: World, lines: readonly SeatsOf[]) =>
  lines.map(({ course, seats: count }) => ({ ...thingOf(world, course), seats: count }));

function pick<T>(rows: readonly T[], nth: number): T | undefined {
  return rows.length === 0 ? undefined : rows[nth % rows.length];
}
