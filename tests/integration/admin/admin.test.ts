import type { APIRoute } from 'astro';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { adminRequests, auditLog, users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { contactMessages } from '#db/schema/company.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { cartItems, orderFlags, orderItems, orders } from '#db/schema/store.ts';
import { ADMIN_ACTIONS, changeText } from '#src/features/admin/shell/admin.ts';
import { ADMIN_PAGE_SIZE } from '#src/shared/list-query.ts';
import { deletionNotice } from '#src/features/authoring/courses/courses.ts';
import { figures, thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { listAdminCourses } from '#src/features/authoring/courses/courses.server.ts';
import { listMessages } from '#src/features/admin/operations/messages.server.ts';
import { lastChanges } from '#src/features/admin/operations/audit-log.server.ts';
import { listUsers } from '#src/features/admin/people/users.server.ts';
import type { OrderStatus } from '#src/features/store/orders/orders.ts';
import { PUT as setMessage } from '#src/pages/api/admin/messages/[id].ts';
import { GET as listRequests } from '#src/pages/api/admin/users/admin-requests.ts';
import { GET as analytics } from '#src/pages/api/analytics/courses.ts';
import { GET as recent } from '#src/pages/api/analytics/recent-purchases.ts';
import { DELETE as removeCourse } from '#src/pages/api/courses/[id].ts';
import { PUT as toggle } from '#src/pages/api/courses/[id]/toggle.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
});

type Course = { id: number; title: string; priceCents: number };
let invoices = 0;

/** An order as it stands in a state, with one line for each course. */
async function makeOrder(
  lines: readonly Course[],
  {
    status = 'completed',
    refunded = [],
    ...values
  }: { status?: OrderStatus; refunded?: readonly Course[] } & Partial<typeof orders.$inferInsert> = {},
) {
  invoices += 1;
  const paid = !['pending', 'processing', 'failed', 'expired'].includes(status);
  const sum = (some: readonly Course[]) => some.reduce((total, course) => total + course.priceCents, 0);
  const [order] = await db()
    .insert(orders)
    .values({
      buyerEmail: 'buyer@example.com',
      totalCents: sum(lines),
      refundedCents: sum(refunded),
      fingerprint: `test-${invoices}`,
      status,
      invoiceNumber: paid ? `INV-2000-${invoices}` : null,
      completedAt: paid ? new Date() : null,
      ...values,
    })
    .returning();
  await db()
    .insert(orderItems)
    .values(
      lines.map((course) => ({
        orderId: order!.id,
        courseId: course.id,
        title: course.title,
        priceCents: course.priceCents,
        listPriceCents: course.priceCents,
        refundedAt: refunded.includes(course) ? new Date() : null,
      })),
    );
  return order!;
}

async function makeMessage(values: Partial<typeof contactMessages.$inferInsert> = {}) {
  const [message] = await db()
    .insert(contactMessages)
    .values({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      subject: 'An engine',
      message: 'We need two engineers.',
      ...values,
    })
    .returning();
  return message!;
}

const auditOf = (subjectType: string, id: number) =>
  db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, subjectType), eq(auditLog.subjectId, String(id))))
    .orderBy(desc(auditLog.id));
const findCourse = async (id: number) => (await db().select().from(courses).where(eq(courses.id, id)))[0];
const asAdmin = async (route: APIRoute, method: string, id?: unknown, body?: unknown) =>
  callRoute(route, {
    method,
    as: await signIn(admin),
    ...(id === undefined ? {} : { params: { id: String(id) } }),
    ...(body === undefined ? {} : { body }),
  });

const BAD_IDS = [
  2_147_483_647,
  2_147_483_648,
  -1,
  0,
  '1.5',
  '1e3',
  'NaN',
  '',
  "1' or '1'='1",
  '9'.repeat(5000),
];

describe('who may', () => {
  const ROUTES: [string, APIRoute, string, (() => Promise<number>)?, object?][] = [
    ['GET /api/analytics/courses', analytics, 'GET'],
    ['GET /api/analytics/recent-purchases', recent, 'GET'],
    ['GET /api/admin/users/admin-requests', listRequests, 'GET'],
    ['PUT /api/courses/{id}/toggle', toggle, 'PUT', async () => (await makeCourse()).id],
    ['DELETE /api/courses/{id}', removeCourse, 'DELETE', async () => (await makeCourse()).id],
    [
      'PUT /api/admin/messages/{id}',
      setMessage,
      'PUT',
      async () => (await makeMessage()).id,
      { status: 'read' },
    ],
  ];

  const everything = async () => ({
    courses: await db()
      .select({ id: courses.id, isActive: courses.isActive })
      .from(courses)
      .orderBy(courses.id),
    messages: await db()
      .select({ id: contactMessages.id, status: contactMessages.status })
      .from(contactMessages)
      .orderBy(contactMessages.id),
    changes: await db().$count(auditLog),
  });

  it.each(ROUTES)('%s: administrators alone', async (_name, route, method, make, body) => {
    const id = make && (await make());
    const options = { method, ...(id ? { params: { id: String(id) } } : {}), ...(body ? { body } : {}) };
    const former = await makeAdmin();
    const formerSession = await signIn(former);
    await db().update(users).set({ role: 'student' }).where(eq(users.id, former.id));
    const student = await signIn(await makeUser());
    const before = await everything();

    expect((await callRoute(route, options)).status).toBe(401);
    for (const session of [student, formerSession]) {
      for (const how of [{ as: session }, { withCookie: session }]) {
        const answer = await callRoute(route, { ...options, ...how });
        expect(answer.status).toBe(403);
        expect(answer.body).toEqual({
          code: 'forbidden',
          message: 'Only administrators may do this.',
          requestId: expect.any(String),
        });
      }
    }
    if (method !== 'GET') {
      const foreign = await callRoute(route, {
        ...options,
        withCookie: await signIn(admin),
        headers: { origin: 'https://evil.test' },
      });
      expect(foreign.status).toBe(403);
    }
    expect(await everything()).toEqual(before);

    expect((await callRoute(route, { ...options, as: await signIn(admin) })).status).toBe(200);
    if (method !== 'GET') expect(await everything()).not.toEqual(before);
  });
});

describe('showing and hiding a course', () => {
  it('flips the visibility, says how it stands, and is audited', async () => {
    const course = await makeCourse({ title: 'Sundials' });
    await makeLesson(course.id, { provenRevision: 1 });
    expect((await asAdmin(toggle, 'PUT', course.id)).body).toMatchObject({
      id: course.id,
      isActive: false,
      activateWhenProven: false,
      version: course.version + 1,
    });
    expect(await findCourse(course.id)).toMatchObject({ isActive: false, version: course.version + 1 });
    expect((await asAdmin(toggle, 'PUT', course.id)).body).toEqual({
      id: course.id,
      isActive: true,
      activateWhenProven: false,
      version: course.version + 2,
    });
    expect(await auditOf('course', course.id)).toMatchObject([
      { action: 'course.shown', actorId: admin.id, actorName: 'Grace Hopper' },
      { action: 'course.hidden', details: { title: 'Sundials' } },
    ]);
  });

  it('done many times at once loses no flip', async () => {
    const course = await makeCourse();
    await makeLesson(course.id, { provenRevision: 1 });
    const answers = await Promise.all(Array.from({ length: 9 }, () => asAdmin(toggle, 'PUT', course.id)));
    expect(answers.filter((answer) => answer.body.isActive)).toHaveLength(4);
    expect((await findCourse(course.id))?.isActive).toBe(false);
    expect(await auditOf('course', course.id)).toHaveLength(9);
  });

  it.each(BAD_IDS)('is 404 for %s', async (id) => {
    expect((await asAdmin(toggle, 'PUT', id)).status).toBe(404);
  });
});

describe('deleting a course (decision 30)', () => {
  it('removes one that nobody bought, with its lessons and cart lines', async () => {
    const course = await makeCourse({ title: 'Unsold' });
    await makeLesson(course.id);
    await db()
      .insert(cartItems)
      .values({ userId: (await makeUser()).id, courseId: course.id });
    expect((await asAdmin(removeCourse, 'DELETE', course.id)).body).toEqual({ outcome: 'removed' });
    expect(await findCourse(course.id)).toBeUndefined();
    expect(await db().$count(lessons, eq(lessons.courseId, course.id))).toBe(0);
    expect(await db().$count(cartItems, eq(cartItems.courseId, course.id))).toBe(0);
    expect(await auditOf('course', course.id)).toMatchObject([
      { action: 'course.deleted', actorId: admin.id, details: { title: 'Unsold' } },
    ]);
    expect((await asAdmin(removeCourse, 'DELETE', course.id)).status).toBe(404);
  });

  it('hides one with an owner and keeps it for them', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    const owner = await makeUser();
    await makeEnrollment(owner.id, course.id);
    expect((await asAdmin(removeCourse, 'DELETE', course.id)).body).toEqual({ outcome: 'hidden' });
    expect(await findCourse(course.id)).toMatchObject({ isActive: false });
    expect(await db().$count(lessons, eq(lessons.id, lesson.id))).toBe(1);
    expect(await db().$count(enrollments, eq(enrollments.courseId, course.id))).toBe(1);
    expect(await auditOf('course', course.id)).toMatchObject([{ action: 'course.withdrawn' }]);

    expect((await asAdmin(removeCourse, 'DELETE', course.id)).body).toEqual({ outcome: 'hidden' });
    expect(await auditOf('course', course.id)).toHaveLength(1);
  });

  it.each(['completed', 'refunded', 'pending', 'failed'] as const)(
    'keeps one with a %s order of a guest',
    async (status) => {
      const course = await makeCourse();
      await makeOrder([course], { status });
      expect((await asAdmin(removeCourse, 'DELETE', course.id)).body).toEqual({ outcome: 'hidden' });
      expect(await findCourse(course.id)).toMatchObject({ isActive: false });
    },
  );

  it('does not take the course from someone who is getting it at the same moment', async () => {
    const [course, owner] = [await makeCourse(), await makeUser()];
    let deletion: ReturnType<typeof asAdmin> | undefined;
    // Two people at once: the driver's own transaction stands for the other one.
    await sqlClient().begin(async (other) => {
      await other`insert into enrollments (user_id, course_id) values (${owner.id}, ${course.id})`;
      deletion = asAdmin(removeCourse, 'DELETE', course.id);
      // The deletion has to wait for this transaction: it shows among those that wait for a lock.
      await vi.waitFor(async () => {
        const [waiting] = await db().execute<{ count: number }>(
          sql`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(waiting!.count).toBe(1);
      }, 20_000);
    });
    expect((await deletion!).body).toEqual({ outcome: 'hidden' });
    expect(await findCourse(course.id)).toMatchObject({ isActive: false });
    expect(await db().$count(enrollments, eq(enrollments.userId, owner.id))).toBe(1);
  });

  it.each(BAD_IDS)('is 404 for %s', async (id) => {
    expect((await asAdmin(removeCourse, 'DELETE', id)).status).toBe(404);
  });

  it('says beforehand which of the two will happen', async () => {
    const word = `notice${Date.now()}`;
    const [free, owned, ordered] = [
      await makeCourse({ title: `${word} free` }),
      await makeCourse({ title: `${word} owned` }),
      await makeCourse({ title: `${word} ordered`, isActive: false }),
    ];
    await makeEnrollment((await makeUser()).id, owned.id);
    await makeEnrollment((await makeUser()).id, owned.id, { status: 'suspended' });
    await makeEnrollment((await makeUser()).id, owned.id, { status: 'revoked' });
    await makeOrder([ordered]);
    const { courses: listed, total } = await listAdminCourses({ search: word, page: 1 });
    expect(total).toBe(3);
    expect(Object.fromEntries(listed.map((course) => [course.id, deletionNotice(course)]))).toEqual({
      [free.id]: `“${word} free” and all of its lessons will be removed for good. Nobody has bought it.`,
      [owned.id]: `2 people own “${word} owned”. It will be hidden from the store, and they keep their access.`,
      [ordered.id]: `“${word} ordered” is part of an order, so it stays hidden from the store and is kept.`,
    });
  });
});

describe('the list of courses', () => {
  it('pages through hidden and visible ones, newest first', async () => {
    const word = `paged${Date.now()}`;
    const made: number[] = [];
    for (let index = 0; index < ADMIN_PAGE_SIZE + 3; index += 1) {
      made.push((await makeCourse({ title: `${word} ${index}`, isActive: index % 2 === 0 })).id);
    }
    const first = await listAdminCourses({ search: word, page: 1 });
    const second = await listAdminCourses({ search: word, page: 2 });
    expect(first.total).toBe(ADMIN_PAGE_SIZE + 3);
    expect([...first.courses, ...second.courses].map(({ id }) => id)).toEqual(made.toReversed());
    expect((await listAdminCourses({ search: word, page: 99 })).page).toBe(2);
    expect((await listAdminCourses({ search: '100% _"; drop', page: 1 })).courses).toEqual([]);
  });
});

describe('the figures', () => {
  it('count courses, people with access, and money that was kept', async () => {
    const [a, b] = [
      await makeCourse({ priceCents: 4900 }),
      await makeCourse({ priceCents: 1050, isActive: false }),
    ];
    const before = await figures();
    expect(before.totalCourses).toBe(await db().$count(courses));
    expect(before.activeCourses).toBe(await db().$count(courses, eq(courses.isActive, true)));

    const [one, two, gone] = [await makeUser(), await makeUser(), await makeUser()];
    await makeEnrollment(one.id, a.id);
    await makeEnrollment(one.id, b.id);
    await makeEnrollment(two.id, a.id, { status: 'suspended' });
    await makeEnrollment(gone.id, a.id, { status: 'revoked' });
    await makeOrder([a, b]);
    await makeOrder([a, b], { status: 'partially_refunded', refunded: [a] });
    await makeOrder([a], { status: 'refunded', refunded: [a] });
    // A lost dispute: the money is gone although no refund was made.
    await makeOrder([a], { status: 'refunded' });
    for (const status of ['disputed', 'pending', 'processing', 'failed', 'expired'] as const) {
      await makeOrder([a], { status });
    }
    const after = await figures();
    expect(after.totalStudents - before.totalStudents).toBe(2);
    expect(after.totalRevenueCents - before.totalRevenueCents).toBe(4900 + 1050 + 1050);
  });
});

describe('GET /api/analytics/courses', () => {
  it('counts the purchases and the revenue of every course, hidden ones too', async () => {
    const [a, b, none] = [
      await makeCourse({ priceCents: 4900 }),
      await makeCourse({ priceCents: 1050, isActive: false }),
      await makeCourse(),
    ];
    await makeOrder([a, b]);
    await makeOrder([a, b], { status: 'partially_refunded', refunded: [a] });
    await makeOrder([a], { status: 'disputed' });
    await makeOrder([a], { status: 'pending' });
    const answer = await asAdmin(analytics, 'GET');
    const of = (course: Course) =>
      answer.body.find(({ courseId }: { courseId: number }) => courseId === course.id);
    expect(of(a)).toEqual({ courseId: a.id, title: a.title, totalPurchases: 1, totalRevenue: '49.00' });
    expect(of(b)).toEqual({ courseId: b.id, title: b.title, totalPurchases: 2, totalRevenue: '21.00' });
    expect(of(none)).toEqual({
      courseId: none.id,
      title: none.title,
      totalPurchases: 0,
      totalRevenue: '0.00',
    });
    expect(answer.body).toHaveLength(await db().$count(courses));

    const sum = answer.body.reduce(
      (cents: number, { totalRevenue }: { totalRevenue: string }) =>
        cents + Math.round(Number(totalRevenue) * 100),
      0,
    );
    expect(sum).toBe((await figures()).totalRevenueCents);
  });
});

describe('GET /api/analytics/recent-purchases', () => {
  it('lists paid orders, newest first, with their buyers and without secrets', async () => {
    const [a, b] = [await makeCourse({ priceCents: 4900 }), await makeCourse({ priceCents: 1050 })];
    const buyer = await makeUser({ username: 'Katherine Johnson' });
    const future = (seconds: number) => new Date(Date.now() + seconds * 1000);
    const guest = await makeOrder([a], {
      status: 'refunded',
      refunded: [a],
      completedAt: future(100),
      buyerFirstName: 'Mary',
      buyerLastName: 'Jackson',
    });
    const own = await makeOrder([a, b], {
      completedAt: future(200),
      userId: buyer.id,
      buyerEmail: buyer.email,
    });
    await makeOrder([b], { status: 'pending', createdAt: future(300) });
    const { body } = await asAdmin(recent, 'GET');
    expect(body.length).toBeLessThanOrEqual(10);
    expect(body.slice(0, 2)).toEqual([
      {
        orderId: own.id,
        invoiceNumber: own.invoiceNumber,
        purchasedAt: own.completedAt!.toISOString(),
        buyer: { name: 'Katherine Johnson', email: buyer.email },
        courses: [
          { courseId: a.id, title: a.title, price: '49.00' },
          { courseId: b.id, title: b.title, price: '10.50' },
        ],
        total: '59.50',
        refunded: '0.00',
        status: 'completed',
      },
      {
        orderId: guest.id,
        invoiceNumber: guest.invoiceNumber,
        purchasedAt: guest.completedAt!.toISOString(),
        buyer: { name: 'Mary Jackson', email: 'buyer@example.com' },
        courses: [{ courseId: a.id, title: a.title, price: '49.00' }],
        total: '49.00',
        refunded: '49.00',
        status: 'refunded',
      },
    ]);
  });
});

describe('things to do', () => {
  it('are counted, and the newest of those without a page are named', async () => {
    const before = await thingsToDo();
    const [applicant, former] = [await makeUser(), await makeUser()];
    await db()
      .insert(adminRequests)
      .values([{ userId: applicant.id }, { userId: former.id, status: 'declined' }]);
    await makeMessage();
    await makeMessage({ status: 'spam' });
    const flagged = await makeOrder([await makeCourse()]);
    await db().insert(orderFlags).values({ orderId: flagged.id, kind: 'other', subject: 'paid twice' });
    const [mail] = await db()
      .insert(mailOutbox)
      .values([
        {
          template: 'test',
          recipient: 'a@b.co',
          subject: 'Lost',
          text: 'x',
          status: 'failed',
          lastError: '550',
        },
        { template: 'test', recipient: 'a@b.co', subject: 'Waiting', text: 'x' },
      ])
      .returning();
    const after = await thingsToDo();
    expect(after.adminRequests - before.adminRequests).toBe(1);
    expect(after.newMessages - before.newMessages).toBe(1);
    expect(after.flaggedOrders.count - before.flaggedOrders.count).toBe(1);
    expect(after.flaggedOrders.newest[0]).toEqual({ id: flagged.id, flag: 'paid twice' });
    expect(after.failedMails.count - before.failedMails.count).toBe(1);
    expect(after.failedMails.newest[0]).toEqual({
      id: mail!.id,
      recipient: 'a@b.co',
      subject: 'Lost',
      error: '550',
    });
  });
});

describe('the list of users', () => {
  it('finds parts of names and addresses in any case, by role, page by page', async () => {
    const word = `Zq${Date.now()}`;
    const byName = await makeUser({ username: `Mae ${word} Jemison`, emailVerifiedAt: new Date() });
    const byEmail = await makeAdmin({ email: `${word.toLowerCase()}@example.com` });
    const find = async (search: string, role: 'student' | 'admin' | null = null) =>
      (await listUsers({ search, role, page: 1 })).users.map(({ id }) => id);
    expect(await find(word.toUpperCase())).toEqual([byEmail.id, byName.id]);
    expect(await find(word, 'admin')).toEqual([byEmail.id]);
    expect(await find(`%${word}`)).toEqual([]);
    expect(await find("' or 1=1 --")).toEqual([]);
    const { users: listed } = await listUsers({ search: word, role: 'student', page: 9 });
    expect(listed).toEqual([
      {
        id: byName.id,
        username: byName.username,
        email: byName.email,
        role: 'student',
        emailVerified: true,
        joinedAt: byName.createdAt.toISOString(),
      },
    ]);
  });
});

describe('the inbox', () => {
  it('lists everything but spam, or one state, and counts each', async () => {
    const [fresh, spam] = [await makeMessage({ subject: 'Fresh' }), await makeMessage({ status: 'spam' })];
    const inbox = await listMessages({ status: null, page: 1 });
    expect(inbox.messages[0]).toEqual({
      id: fresh.id,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      subject: 'Fresh',
      message: 'We need two engineers.',
      status: 'new',
      receivedAt: fresh.createdAt.toISOString(),
    });
    expect(inbox.messages.map(({ id }) => id)).not.toContain(spam.id);
    const { messages, counts } = await listMessages({ status: 'spam', page: 99 });
    expect(messages.map(({ id }) => id)).toContain(spam.id);
    expect(counts.spam).toBe(await db().$count(contactMessages, eq(contactMessages.status, 'spam')));
  });

  it('changes a state, audited once', async () => {
    const message = await makeMessage({ subject: 'Two engineers' });
    const mark = (status: unknown) => asAdmin(setMessage, 'PUT', message.id, { status });
    expect((await mark('replied')).body).toEqual({ id: message.id, status: 'replied' });
    expect((await mark('replied')).status).toBe(200);
    expect(await auditOf('contact_message', message.id)).toMatchObject([
      {
        action: 'message.status_changed',
        actorId: admin.id,
        details: { subject: 'Two engineers', from: 'new', to: 'replied' },
      },
    ]);
    for (const status of ['deleted', 'NEW', '', null, 1, ['read'], undefined]) {
      expect((await mark(status)).status).toBe(400);
    }
    const [stored] = await db().select().from(contactMessages).where(eq(contactMessages.id, message.id));
    expect(stored).toEqual({ ...message, status: 'replied' });
  });

  it.each(BAD_IDS)('is 404 for %s', async (id) => {
    expect((await asAdmin(setMessage, 'PUT', id, { status: 'read' })).status).toBe(404);
  });
});

describe('the last changes', () => {
  it('tell in words what administrators did, and nothing that people do themselves', async () => {
    const course = await makeCourse({ title: 'Astrolabes' });
    await db()
      .insert(auditLog)
      .values({ actorName: 'Someone', action: 'password.reset', subjectType: 'user', subjectId: '1' });
    await asAdmin(toggle, 'PUT', course.id);
    const [last] = await lastChanges(ADMIN_ACTIONS, 5);
    expect(last).toMatchObject({ actorName: 'Grace Hopper', action: 'course.hidden', reason: null });
    expect(changeText(last!)).toBe('hid the course “Astrolabes”');
  });
});
