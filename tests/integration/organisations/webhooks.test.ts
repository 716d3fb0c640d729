import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orderItems, orders, seats } from '#db/schema/store.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import { recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import { POST as completeRoute } from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import { POST as joinRoute } from '#src/pages/api/join.ts';
import { POST as againRoute } from '#src/pages/api/organisations/[id]/deliveries/[delivery]/again.ts';
import { POST as takeBackRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/take-back.ts';
import { POST as giveRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import {
  DELETE as deleteRoute,
  PUT as changeRoute,
} from '#src/pages/api/organisations/[id]/webhooks/[webhook].ts';
import { POST as testRoute } from '#src/pages/api/organisations/[id]/webhooks/[webhook]/test.ts';
import { POST as addRoute } from '#src/pages/api/organisations/[id]/webhooks.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { deliver } from '#src/server/webhooks/deliver.ts';
import { spreadWebhooks, sweepWebhooks } from '#src/server/webhooks/events.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

type Got = { body: string; signature: string };
let receiver: Server;
let port: number;
let got: Got[] = [];
/** How the receiver answers. */
let answer: (response: ServerResponse, request: IncomingMessage) => void;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({
        body: Buffer.concat(chunks).toString('utf8'),
        signature: String(request.headers['webhook-signature']),
      });
      answer(response, request);
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>((done) => void receiver.close(() => done()).closeAllConnections()));
beforeEach(async () => {
  got = [];
  answer = (response) => void response.writeHead(204).end();
  await db().delete(rateLimits);
  await db().delete(webhookEvents);
});

/** Only this test's receiver. */
const network = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (address: string, at: number) => address === '127.0.0.1' && at === port,
};

async function somebody() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  return { user, session: await signIn(user) };
}

/** An organisation with an owner, free seats of a course, and an endpoint at the receiver. */
async function makeOrganisation(count = 3) {
  const owner = await somebody();
  const course = await makeCourse({ priceCents: 5000 });
  const lesson = await makeLesson(course.id, {});
  const [organisation] = await db().insert(organisations).values({ name: 'Example Ltd' }).returning();
  const id = organisation!.id;
  await db().insert(organisationMembers).values({ organisationId: id, userId: owner.user.id, role: 'owner' });
  const [order] = await db()
    .insert(orders)
    .values({
      userId: owner.user.id,
      organisationId: id,
      fingerprint: `seats of ${id}`,
      totalCents: 15_000,
      buyerEmail: owner.user.email,
    })
    .returning();
  const [item] = await db()
    .insert(orderItems)
    .values({
      orderId: order!.id,
      courseId: course.id,
      title: 'Seats',
      priceCents: 15_000,
      listPriceCents: 15_000,
      seats: count,
    })
    .returning();
  await db()
    .insert(seats)
    .values(
      Array.from({ length: count }, () => ({
        orderItemId: item!.id,
        organisationId: id,
        courseId: course.id,
      })),
    );
  const [endpoint] = await db()
    .insert(webhookEndpoints)
    .values({
      organisationId: id,
      url: `http://hooks.test:${port}/in`,
      kinds: ['enrolled', 'completed', 'certificate', 'order', 'refund', 'seat'],
      secret: 'whsec_test',
    })
    .returning();
  return { id, owner, course, lesson, endpoint: endpoint! };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

const eventsOf = (one: Organisation) =>
  db()
    .select()
    .from(webhookEvents)
    .where(eq(webhookEvents.organisationId, one.id))
    .orderBy(webhookEvents.createdAt, webhookEvents.kind);
const deliveriesOf = (one: Organisation) =>
  db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, one.endpoint.id))
    .orderBy(desc(webhookDeliveries.id));
const spread = (one: Organisation) => spreadWebhooks.run({ organisationId: one.id }, { isLast: false });
const dueNow = () => db().update(webhookDeliveries).set({ dueAt: sql`now()` });

const give = (one: Organisation, email: string) =>
  callRoute(giveRoute, {
    as: one.owner.session,
    params: { id: String(one.id) },
    body: { courseId: one.course.id, people: email, dryRun: false },
  });

/** Somebody with a seat of the organisation. */
async function seated(one: Organisation) {
  const who = await somebody();
  expect((await give(one, who.user.email)).body.given).toBe(1);
  const secret = newSecret();
  await db()
    .update(seats)
    .set({ token: hashSecret(secret) })
    .where(eq(seats.email, who.user.email));
  const taken = await callRoute(joinRoute, { as: who.session, body: { token: secret } });
  expect(taken.status, taken.text).toBe(200);
  return who;
}

/** One delivery that waits. */
async function oneDelivery() {
  const one = await makeOrganisation();
  await give(one, 'ada@example.com');
  await spread(one);
  const [delivery] = await deliveriesOf(one);
  return { one, delivery: delivery! };
}
const stateOf = async (one: Organisation) => (await deliveriesOf(one))[0]!;

describe('events', () => {
  it('tells of seats, enrolling, completing and certificates, of its own seats alone', async () => {
    const one = await makeOrganisation();
    const other = await makeOrganisation();
    const who = await seated(one);
    const done = await callRoute(completeRoute, {
      as: who.session,
      params: { id: String(one.course.id), lessonId: String(one.lesson.id) },
    });
    expect(done.status, done.text).toBe(200);
    const events = await eventsOf(one);
    expect(events.map(({ kind, data }) => [kind, data.state]).toSorted()).toEqual(
      [
        ['certificate', undefined],
        ['completed', undefined],
        ['enrolled', undefined],
        ['seat', 'offered'],
        ['seat', 'taken'],
      ].toSorted(),
    );
    const completed = events.find(({ kind }) => kind === 'completed')!;
    expect(Object.keys(completed.data).toSorted()).toEqual(['bundle', 'course', 'person', 'seatId']);
    expect(completed.data.person).toEqual({ email: who.user.email, name: who.user.username });
    expect(await eventsOf(other)).toEqual([]);

    // The same again is no second event.
    await callRoute(completeRoute, {
      as: who.session,
      params: { id: String(one.course.id), lessonId: String(one.lesson.id) },
    });
    expect(await eventsOf(one)).toHaveLength(events.length);

    const [seat] = await db().select().from(seats).where(eq(seats.userId, who.user.id));
    await db()
      .update(enrollments)
      .set({ progress: 0, lastAccessedAt: null, completedAt: null })
      .where(eq(enrollments.userId, who.user.id));
    const back = await callRoute(takeBackRoute, {
      as: one.owner.session,
      params: { id: String(one.id), seat: String(seat!.id) },
    });
    expect(back.status, back.text).toBe(200);
    expect((await eventsOf(one)).at(-1)?.data).toMatchObject({ state: 'free', person: null });
  });

  it('tells of who has completed a course because its last open lesson is gone', async () => {
    const one = await makeOrganisation();
    const who = await seated(one);
    const further = await makeLesson(one.course.id);
    const done = await callRoute(completeRoute, {
      as: who.session,
      params: { id: String(one.course.id), lessonId: String(one.lesson.id) },
    });
    expect(done.status, done.text).toBe(200);
    const completions = async () => (await eventsOf(one)).filter(({ kind }) => kind === 'completed').length;
    expect(await completions()).toBe(0);
    await db().transaction(async (tx) => {
      await tx.delete(lessons).where(eq(lessons.id, further.id));
      await recomputeCourse(tx, one.course.id);
    });
    expect(await completions()).toBe(1);
  });

  it('writes nothing where no endpoint wants it, and nothing of what was rolled back', async () => {
    const one = await makeOrganisation(1);
    await db()
      .update(webhookEndpoints)
      .set({ kinds: ['refund'] })
      .where(eq(webhookEndpoints.id, one.endpoint.id));
    await give(one, 'ada@example.com');
    expect(await eventsOf(one)).toEqual([]);
    await db()
      .update(webhookEndpoints)
      .set({ kinds: ['seat'] })
      .where(eq(webhookEndpoints.id, one.endpoint.id));
    const short = await give(one, 'grace@example.com\nmary@example.com');
    expect(short.status).toBe(409);
    expect(await eventsOf(one)).toEqual([]);
  });

  it('goes with the person, whose data names it', async () => {
    const one = await makeOrganisation();
    const who = await seated(one);
    await spread(one);
    const person = { id: who.user.id, email: who.user.email, ownsEmail: true };
    const data = (await personalData(who.user.id)) as Record<string, unknown>;
    expect(JSON.stringify(data.toldToOrganisations)).toContain(person.email);
    await deletePerson({ id: (await makeAdmin()).id, name: 'Admin' }, who.user.id, {
      confirmation: who.user.email,
      reason: 'They asked for it',
    });
    const left = await eventsOf(one);
    expect(JSON.stringify(left)).not.toContain(person.email);
    expect(left.map(({ data: told }) => told.state)).toEqual(['free']);
  });
});

describe('a delivery', () => {
  it('is signed as documented and sent once', async () => {
    const { one, delivery } = await oneDelivery();
    await deliver(delivery.id, network);
    const [{ body, signature }] = got as [Got];
    const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
    expect(digest).toBe(createHmac('sha256', 'whsec_test').update(`${seconds}.${body}`).digest('hex'));
    expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(60);
    expect(JSON.parse(body)).toMatchObject({
      id: delivery.eventId,
      type: 'seat',
      organisationId: one.id,
      data: { state: 'offered', person: { email: 'ada@example.com' } },
    });
    await deliver(delivery.id, network);
    await spread(one);
    expect(got).toHaveLength(1);
    expect(await stateOf(one)).toMatchObject({
      status: 'delivered',
      answerCode: 204,
      attempts: 1,
      lastError: null,
    });
  });

  it('is sent by one of two workers', async () => {
    const { delivery } = await oneDelivery();
    await Promise.all([deliver(delivery.id, network), deliver(delivery.id, network)]);
    expect(got).toHaveLength(1);
  });

  it('is spread once by two workers', async () => {
    const one = await makeOrganisation();
    await give(one, 'ada@example.com\ngrace@example.com');
    await Promise.all([spread(one), spread(one)]);
    expect(await deliveriesOf(one)).toHaveLength(2);
  });

  it('is sent again with its id after a worker was killed between the answer and its note', async () => {
    const { one, delivery } = await oneDelivery();
    // What the killed worker left: a try that is counted and a lease.
    await db().update(webhookDeliveries).set({ attempts: 1, dueAt: sql`now() + interval '30 seconds'` });
    await deliver(delivery.id, network);
    expect(got).toHaveLength(0);
    await moveBack(webhookDeliveries, undefined, { dueAt: { minutes: 3 } });
    await sweepWebhooks.run(undefined, { isLast: false });
    await deliver(delivery.id, network);
    expect(JSON.parse(got[0]!.body).id).toBe(delivery.eventId);
    expect(await stateOf(one)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('waits longer each time while the receiver answers 500, and ends after three days', async () => {
    const { one, delivery } = await oneDelivery();
    answer = (response) => void response.writeHead(500).end('broken');
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await dueNow();
      await deliver(delivery.id, network);
      const { dueAt, triedAt, status } = await stateOf(one);
      expect(status).toBe('queued');
      pauses.push(Math.round((dueAt.getTime() - triedAt!.getTime()) / 1000));
    }
    expect(pauses).toEqual([10, 30, 90, 270]);
    expect(delivery.endsAt.getTime() - delivery.createdAt.getTime()).toBe(3 * 86_400_000);
    // The last try comes a minute before the end, and none after it.
    await db().update(webhookDeliveries).set({ endsAt: sql`now() + interval '5 minutes'` });
    await dueNow();
    await deliver(delivery.id, network);
    const last = await stateOf(one);
    expect([last.status, last.endsAt.getTime() - last.dueAt.getTime()]).toEqual(['queued', 60_000]);
    await db().update(webhookDeliveries).set({ endsAt: sql`now() + interval '59 seconds'` });
    await dueNow();
    await deliver(delivery.id, network);
    expect(await stateOf(one)).toMatchObject({ status: 'failed', answerCode: 500, answerText: 'broken' });
    expect(got).toHaveLength(6);
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
  });

  it('ends without one more try where its time is over', async () => {
    const { one, delivery } = await oneDelivery();
    await db().update(webhookDeliveries).set({ dueAt: sql`now()`, endsAt: sql`now()` });
    await deliver(delivery.id, network);
    expect(got).toEqual([]);
    expect(await stateOf(one)).toMatchObject({
      status: 'failed',
      attempts: 0,
      lastError: 'It could not be sent before its time was over.',
    });
    const other = await oneDelivery();
    await db().update(webhookDeliveries).set({ dueAt: sql`now()`, endsAt: sql`now()` });
    await sweepWebhooks.run(undefined, { isLast: false });
    expect(got).toEqual([]);
    expect((await stateOf(other.one)).status).toBe('failed');
  });

  it('fails where the receiver changes to another protocol and says no more', {
    timeout: 30_000,
  }, async () => {
    const { one, delivery } = await oneDelivery();
    answer = (response) =>
      void response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      );
    await deliver(delivery.id, network);
    expect(await stateOf(one)).toMatchObject({ status: 'queued', answerCode: 101, leasedUntil: null });
  });

  it('is sent for its organisation by two at a time, and keeps no other waiting', async () => {
    const slow = await makeOrganisation(6);
    await give(slow, Array.from({ length: 6 }, (_, index) => `s${index}@example.com`).join('\n'));
    await spread(slow);
    const waiting = await deliveriesOf(slow);
    expect(waiting).toHaveLength(6);
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const sending = waiting.map(({ id }) => deliver(id, network));
    await expect.poll(() => held.length).toBe(2);
    // The other four have ended: they hold no worker.
    let ended = 0;
    for (const one of sending) void one.then(() => (ended += 1));
    await expect.poll(() => ended).toBe(4);

    const quick = await oneDelivery();
    answer = (response) => void response.writeHead(204).end();
    await deliver(quick.delivery.id, network);
    expect(await stateOf(quick.one)).toMatchObject({ status: 'delivered' });
    expect(held).toHaveLength(2);
    expect((await deliveriesOf(slow)).filter(({ attempts }) => attempts > 0)).toHaveLength(2);

    // One that has ended sends on the next.
    for (const response of held) response.writeHead(204).end();
    await Promise.all(sending);
    const sentOn = await db().execute<{ id: number }>(sql`
      select distinct (data->>'deliveryId')::int as id from pgboss.job
      where name = 'webhooks.deliver' and (data->>'isNext')::boolean`);
    const left = (await deliveriesOf(slow)).filter(({ status }) => status === 'queued').map(({ id }) => id);
    expect(left).toHaveLength(4);
    expect(sentOn.map(({ id }) => id).filter((id) => left.includes(id))).toHaveLength(2);
    for (const id of left) await deliver(id, network, true);
    expect((await deliveriesOf(slow)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('gets a job for a few of each organisation when it is overdue, not for all of one', async () => {
    const many = await makeOrganisation(6);
    await give(many, Array.from({ length: 6 }, (_, index) => `m${index}@example.com`).join('\n'));
    await spread(many);
    const few = await oneDelivery();
    await db().execute(sql`delete from pgboss.job where name = 'webhooks.deliver'`);
    await moveBack(webhookDeliveries, undefined, { dueAt: { minutes: 3 } });
    await sweepWebhooks.run(undefined, { isLast: false });
    const jobs = await db().execute<{ id: number }>(sql`
      select (data->>'deliveryId')::int as id from pgboss.job where name = 'webhooks.deliver'`);
    const ids = jobs.map(({ id }) => id);
    expect(ids).toContain(few.delivery.id);
    expect(ids).toHaveLength(3);
  });

  it('that is a test is tried once', async () => {
    const one = await makeOrganisation();
    const asked = await callRoute(testRoute, {
      as: one.owner.session,
      params: { id: String(one.id), webhook: String(one.endpoint.id) },
    });
    expect(asked.status, asked.text).toBe(200);
    await spread(one);
    answer = (response) => void response.writeHead(500).end();
    await deliver((await stateOf(one)).id, network);
    expect(await stateOf(one)).toMatchObject({ status: 'failed', attempts: 1, answerCode: 500 });
  });

  it('lets its endpoint rest after twenty that failed in a row, and its owners are told once', async () => {
    const { one, delivery } = await oneDelivery();
    const second = await somebody();
    const manager = await somebody();
    const left = await somebody();
    await db()
      .insert(organisationMembers)
      .values([
        { organisationId: one.id, userId: second.user.id, role: 'owner' },
        { organisationId: one.id, userId: manager.user.id, role: 'manager' },
        { organisationId: one.id, userId: left.user.id, role: 'owner' },
      ]);
    await db().delete(organisationMembers).where(eq(organisationMembers.userId, left.user.id));
    answer = (response) => void response.writeHead(500).end();
    const endpointOf = async () =>
      (await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.id, one.endpoint.id)))[0]!;
    const fail = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        await dueNow();
        await deliver(delivery.id, network);
      }
    };
    await fail(19);
    expect(await endpointOf()).toMatchObject({ paused: false, failures: 19, restedAt: null });
    // One that arrives begins the row anew.
    answer = (response) => void response.writeHead(204).end();
    await fail(1);
    expect(await endpointOf()).toMatchObject({ paused: false, failures: 0 });
    await give(one, 'grace@example.com\nmary@example.com');
    await spread(one);
    const [third, next] = await deliveriesOf(one);
    answer = (response) => void response.writeHead(500).end();
    for (let round = 0; round < 20; round += 1) {
      await dueNow();
      await deliver(next!.id, network);
    }
    const rests = await endpointOf();
    expect(rests).toMatchObject({ paused: true, failures: 20 });
    expect(rests.restReason).toContain('It answered 500.');
    expect(rests.restedAt).not.toBeNull();
    const states = await deliveriesOf(one);
    expect(states.find(({ id }) => id === third!.id)?.status, 'what waited').toBe('failed');
    const mails = await db()
      .select({ to: mailOutbox.recipient })
      .from(mailOutbox)
      .where(eq(mailOutbox.template, 'webhook-rests'));
    expect(mails.map(({ to }) => to).toSorted()).toEqual(
      [one.owner.user.email, second.user.email].toSorted(),
    );

    const resumed = await callRoute(changeRoute, {
      as: second.session,
      params: { id: String(one.id), webhook: String(one.endpoint.id) },
      body: { kinds: ['seat'], paused: false },
    });
    expect(resumed.status, resumed.text).toBe(200);
    expect(await endpointOf()).toMatchObject({
      paused: false,
      failures: 0,
      restedAt: null,
      restReason: null,
    });
  });

  it('follows no redirect', async () => {
    const { one, delivery } = await oneDelivery();
    answer = (response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    await deliver(delivery.id, network);
    expect(got).toHaveLength(1);
    expect(await stateOf(one)).toMatchObject({ status: 'queued', answerCode: 307 });
  });

  it('reads no more than the beginning of 10 MB', async () => {
    const { one, delivery } = await oneDelivery();
    let sent = 0;
    answer = (response) => {
      response.writeHead(200);
      const more = () => {
        if (response.destroyed || sent >= 10_485_760) return void response.end();
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536, 97))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    };
    await deliver(delivery.id, network);
    expect(await stateOf(one)).toMatchObject({ status: 'delivered', answerText: 'a'.repeat(500) });
    expect(sent).toBeLessThan(10_485_760);
  });

  it('gives a slow receiver 10 seconds', { timeout: 30_000 }, async () => {
    const { one, delivery } = await oneDelivery();
    answer = (response) => void response.writeHead(200).write('begun');
    await deliver(delivery.id, network);
    const { status, lastError } = await stateOf(one);
    expect([status, lastError]).toEqual(['queued', 'It did not answer in 10 seconds.']);
  });

  it('is tried again where the receiver is down', async () => {
    const { one, delivery } = await oneDelivery();
    const down = createServer();
    await new Promise<void>((done) => down.listen(0, '127.0.0.1', done));
    const at = (down.address() as AddressInfo).port;
    await new Promise<void>((done) => void down.close(() => done()));
    await db()
      .update(webhookEndpoints)
      .set({ url: `http://hooks.test:${at}/` })
      .where(eq(webhookEndpoints.id, one.endpoint.id));
    await deliver(delivery.id, { ...network, isAllowed: () => true });
    expect(await stateOf(one)).toMatchObject({ status: 'queued', answerCode: null });
    expect((await stateOf(one)).lastError).toContain('ECONNREFUSED');
  });

  it('is not sent into a private network', async () => {
    const { one, delivery } = await oneDelivery();
    await db()
      .update(webhookEndpoints)
      .set({ url: `http://127.0.0.1:${port}/` })
      .where(eq(webhookEndpoints.id, one.endpoint.id));
    await deliver(delivery.id);
    expect(got).toEqual([]);
    expect((await stateOf(one)).lastError).toContain('private network');
  });

  it('is not sent while its endpoint is paused', async () => {
    const { one, delivery } = await oneDelivery();
    await db().update(webhookEndpoints).set({ paused: true }).where(eq(webhookEndpoints.id, one.endpoint.id));
    await deliver(delivery.id, network);
    expect(got).toEqual([]);
    expect(await stateOf(one)).toMatchObject({ status: 'failed', lastError: 'The endpoint was paused.' });
  });
});

describe('the owner', () => {
  const add = (one: Organisation, who: Organisation['owner'] | null, body: unknown) =>
    callRoute(addRoute, { as: who?.session ?? null, params: { id: String(one.id) }, body });
  const good = { url: 'https://hooks.example.com/in', kinds: ['seat'] };

  it('adds, changes, tests and deletes a webhook', async () => {
    const one = await makeOrganisation();
    const made = await add(one, one.owner, good);
    expect(made.status, made.text).toBe(201);
    expect(made.body.secret).toMatch(/^whsec_[\w-]{20,}$/);
    expect((await add(one, one.owner, good)).status).toBe(409);
    const params = { id: String(one.id), webhook: String(made.body.id) };
    const as = one.owner.session;
    expect((await callRoute(testRoute, { as, params })).status).toBe(200);
    await spread(one);
    const sent = await db()
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.endpointId, made.body.id));
    // A test is for the endpoint that asked for it.
    expect([sent.length, (await deliveriesOf(one)).length]).toEqual([1, 0]);
    const rest = await callRoute(changeRoute, { as, params, body: { kinds: ['order'], paused: true } });
    expect(rest.status, rest.text).toBe(200);
    expect((await callRoute(testRoute, { as, params })).status).toBe(409);
    expect((await callRoute(deleteRoute, { as, params })).status).toBe(200);
    expect((await callRoute(deleteRoute, { as, params })).status).toBe(404);
  });

  it.each([
    ['http://hooks.example.com/', 'https'],
    ['https://u:p@hooks.example.com/', 'password'],
    ['https://127.0.0.1/', 'public'],
    ['https://[::1]/', 'public'],
    ['https://169.254.169.254/latest', 'public'],
    ['https://localhost/', 'public'],
    ['https://hooks.example.com:8443/', 'public'],
    ['no address', 'https'],
  ])('is refused %s', async (url, why) => {
    const one = await makeOrganisation();
    const answered = await add(one, one.owner, { ...good, url });
    expect([answered.status, answered.body.fields.url]).toEqual([400, expect.stringContaining(why)]);
  });

  it('has proven their own address before they add one', async () => {
    const one = await makeOrganisation();
    const unproven = await makeUser({ emailVerifiedAt: null });
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: unproven.id, role: 'owner' });
    const session = await signIn(unproven);
    const refused = await add(one, { user: unproven, session }, good);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('confirm your own email address'),
    ]);
  });

  it('has ten at most, also at once, and chooses an event', async () => {
    const one = await makeOrganisation();
    expect((await add(one, one.owner, { ...good, kinds: [] })).status).toBe(400);
    expect((await add(one, one.owner, { ...good, kinds: ['test'] })).status).toBe(400);
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(one, one.owner, { ...good, url: `https://hooks.example.com/${index}` }),
      ),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(9);
  });

  it('alone may do so', async () => {
    const { one, delivery } = await oneDelivery();
    await deliver(delivery.id, network);
    const other = await makeOrganisation();
    const manager = await somebody();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: one.id, userId: manager.user.id, role: 'manager' });
    const webhook = String(one.endpoint.id);
    const tries = (id: string, who: Organisation['owner'] | null) => {
      const as = who?.session ?? null;
      return Promise.all([
        callRoute(addRoute, { as, params: { id }, body: good }),
        callRoute(changeRoute, { as, params: { id, webhook }, body: { kinds: ['seat'], paused: true } }),
        callRoute(deleteRoute, { as, params: { id, webhook } }),
        callRoute(testRoute, { as, params: { id, webhook } }),
        callRoute(againRoute, { as, params: { id, delivery: String(delivery.id) } }),
      ]).then((all) => all.map(({ status }) => status));
    };
    expect(await tries(String(one.id), null)).toEqual([401, 401, 401, 401, 401]);
    expect(await tries(String(one.id), other.owner)).toEqual([404, 404, 404, 404, 404]);
    expect(await tries(String(one.id), manager)).toEqual([403, 403, 403, 403, 403]);
    // Their own organisation with another's rows.
    expect((await tries(String(other.id), other.owner)).slice(1)).toEqual([404, 404, 404, 404]);
  });

  it('sends an event again, with its id, unless it is waiting', async () => {
    const { one, delivery } = await oneDelivery();
    const again = () =>
      callRoute(againRoute, {
        as: one.owner.session,
        params: { id: String(one.id), delivery: String(delivery.id) },
      });
    expect((await again()).status).toBe(409);
    await deliver(delivery.id, network);
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [second] = await deliveriesOf(one);
    await deliver(second!.id, network);
    expect(got.map(({ body }) => JSON.parse(body).id)).toEqual([delivery.eventId, delivery.eventId]);
  });
});
