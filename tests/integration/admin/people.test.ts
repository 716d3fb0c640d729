import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog, passwordResetTokens, sessions, users } from '#db/schema/account.ts';
import { courseRatings, courses, findingOverrides, publishRuns } from '#db/schema/catalogue.ts';
import { contactMessages } from '#db/schema/company.ts';
import { certificates, enrollments, lessonProgress } from '#db/schema/learn.ts';
import { reviewItems } from '#db/schema/review.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { cartItems, claimTokens, orderItems, orders } from '#db/schema/store.ts';
import { listUsers } from '#src/features/admin/people/users.server.ts';
import { findAdminOrder } from '#src/features/admin/orders/orders.server.ts';
import { findPerson } from '#src/features/admin/people/people.server.ts';
import { personalData } from '#src/features/admin/people/personal-data.server.ts';
import { GET as ownExport } from '#src/pages/api/account/export.ts';
import { POST as deleteUser } from '#src/pages/api/admin/users/[id]/delete.ts';
import { POST as enroll } from '#src/pages/api/admin/users/[id]/enroll.ts';
import { GET as exportUser } from '#src/pages/api/admin/users/[id]/export.ts';
import { DELETE as endAll } from '#src/pages/api/admin/users/[id]/sessions.ts';
import { DELETE as endOne } from '#src/pages/api/admin/users/[id]/sessions/[signIn].ts';
import { POST as unenroll } from '#src/pages/api/admin/users/[id]/unenroll.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
  as = await signIn(admin);
});

let drawn = 0;

/** A completed order of one line. */
async function bought(
  course: { id: number; title: string },
  { priceCents = 4900, ...values }: Partial<typeof orders.$inferInsert> & { priceCents?: number } = {},
) {
  drawn += 1;
  const [order] = await db()
    .insert(orders)
    .values({
      buyerEmail: 'buyer@example.com',
      totalCents: priceCents,
      fingerprint: `people-${drawn}`,
      status: 'completed',
      invoiceNumber: `INV-2001-${String(drawn).padStart(6, '0')}`,
      completedAt: new Date(),
      ...values,
    })
    .returning();
  const [item] = await db()
    .insert(orderItems)
    .values({
      orderId: order!.id,
      courseId: course.id,
      title: course.title,
      priceCents,
      listPriceCents: priceCents,
    })
    .returning();
  return { order: order!, item: item! };
}

const entriesAbout = (userId: number) =>
  db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, 'user'), eq(auditLog.subjectId, String(userId))))
    .orderBy(auditLog.id);
const accessOf = async (userId: number, courseId: number) =>
  (
    await db()
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
  )[0];

describe('the list of accounts', () => {
  it('is sorted as asked, and finds parts of names and addresses', async () => {
    await makeUser({ username: 'Zoë Quinn_50%', email: 'zoe.quinn@example.org' });
    await makeUser({ username: 'Aaron Swartz', email: 'aaron@example.org' });
    const names = async (sort: 'name' | 'email' | 'oldest' | 'newest') =>
      (await listUsers({ search: 'example.org', role: null, sort, page: 1 })).users.map(
        (one) => one.username,
      );
    expect(await names('name')).toEqual(['Aaron Swartz', 'Zoë Quinn_50%']);
    expect(await names('email')).toEqual(['Aaron Swartz', 'Zoë Quinn_50%']);
    expect(await names('oldest')).toEqual(['Zoë Quinn_50%', 'Aaron Swartz']);
    expect(await names('newest')).toEqual(['Aaron Swartz', 'Zoë Quinn_50%']);
    const found = async (search: string) => (await listUsers({ search, role: null, page: 1 })).total;
    expect(await found('QUINN_50%')).toBe(1);
    expect(await found('quinnx50')).toBe(0);
    expect(await found('zo')).toBe(1);
    // One or two characters are looked for at the beginning.
    expect(await found('oë')).toBe(0);
    expect(await found('\\')).toBe(0);
  });
});

describe('enrolling by hand', () => {
  it('gives access once, counts the student, empties the cart of it, and keeps the reason', async () => {
    const [person, course] = [await makeUser(), await makeCourse()];
    await db().insert(cartItems).values({ userId: person.id, courseId: course.id });
    const call = { params: { id: String(person.id) }, body: { courseId: course.id, reason: 'Won it' }, as };
    const answers = await Promise.all([callRoute(enroll, call), callRoute(enroll, call)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await accessOf(person.id, course.id)).toMatchObject({ status: 'active', orderItemId: null });
    expect(await db().$count(cartItems, eq(cartItems.userId, person.id))).toBe(0);
    const [counted] = await db().select().from(courses).where(eq(courses.id, course.id));
    expect(counted!.studentsCount).toBe(1);
    expect(await entriesAbout(person.id)).toMatchObject([
      { action: 'enrollment.granted', reason: 'Won it', actorId: admin.id },
    ]);
  });

  it('asks for a reason and a course by name', async () => {
    const person = await makeUser();
    const params = { id: String(person.id) };
    const answer = await callRoute(enroll, { params, body: { courseId: 1, reason: '  ' }, as });
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ reason: 'Reason is required' });
    expect(
      (await callRoute(enroll, { params, body: { courseId: 2147483647, reason: 'x' }, as })).status,
    ).toBe(404);
    expect(
      (await callRoute(enroll, { params: { id: '2147483647' }, body: { courseId: 1, reason: 'x' }, as }))
        .status,
    ).toBe(404);
  });

  it('ends with the progress kept, which comes back with the access', async () => {
    const [person, course] = [await makeUser(), await makeCourse()];
    await makeEnrollment(person.id, course.id, { progress: 40, totalPoints: 30 });
    const params = { id: String(person.id) };
    const body = { courseId: course.id, reason: 'Left the team' };
    expect((await callRoute(unenroll, { params, body, as })).status).toBe(200);
    expect(await accessOf(person.id, course.id)).toMatchObject({ status: 'revoked', progress: 40 });
    expect((await callRoute(unenroll, { params, body, as })).status).toBe(404);
    expect((await callRoute(enroll, { params, body, as })).status).toBe(200);
    expect(await accessOf(person.id, course.id)).toMatchObject({
      status: 'active',
      progress: 40,
      totalPoints: 30,
    });
    expect((await entriesAbout(person.id)).map(({ action }) => action)).toEqual([
      'enrollment.revoked',
      'enrollment.granted',
    ]);
  });

  it('never takes what was paid for; what was free it does', async () => {
    const [person, paid, free] = [await makeUser(), await makeCourse(), await makeCourse()];
    const one = await bought(paid, { userId: person.id, buyerEmail: person.email });
    const other = await bought(free, { userId: person.id, buyerEmail: person.email, priceCents: 0 });
    await makeEnrollment(person.id, paid.id, { orderItemId: one.item.id });
    await makeEnrollment(person.id, free.id, { orderItemId: other.item.id });
    const params = { id: String(person.id) };
    const refused = await callRoute(unenroll, { params, body: { courseId: paid.id, reason: 'x' }, as });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(`order #${one.order.id}`);
    expect(await accessOf(person.id, paid.id)).toMatchObject({ status: 'active' });
    expect((await callRoute(unenroll, { params, body: { courseId: free.id, reason: 'x' }, as })).status).toBe(
      200,
    );
  });

  it('leaves access that a dispute suspends', async () => {
    const [person, course] = [await makeUser(), await makeCourse()];
    await makeEnrollment(person.id, course.id, { status: 'suspended' });
    const answer = await callRoute(enroll, {
      params: { id: String(person.id) },
      body: { courseId: course.id, reason: 'x' },
      as,
    });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('disputed');
  });
});

describe('sessions of a person', () => {
  it('are listed once for each device, without a secret, and end one by one or all at once', async () => {
    const person = await makeUser();
    const [first, second] = [await signIn(person), await signIn(person)];
    const shown = (await findPerson(person.id))!.signIns;
    expect(shown).toHaveLength(2);
    const hashes = (await db().select().from(sessions).where(eq(sessions.userId, person.id))).map(
      ({ id }) => id,
    );
    for (const secret of [first.token, first.cookieSecret, second.token, ...hashes]) {
      expect(JSON.stringify(shown)).not.toContain(secret);
    }
    const params = { id: String(person.id), signIn: shown[0]!.id };
    expect((await callRoute(endOne, { method: 'DELETE', params, as })).status).toBe(200);
    expect((await callRoute(endOne, { method: 'DELETE', params, as })).status).toBe(404);
    expect((await findPerson(person.id))!.signIns).toHaveLength(1);
    // Somebody else's number with this name ends nothing.
    const left = (await findPerson(person.id))!.signIns[0]!.id;
    const wrong = { id: String(admin.id), signIn: left };
    expect((await callRoute(endOne, { method: 'DELETE', params: wrong, as })).status).toBe(404);
    expect((await callRoute(endAll, { method: 'DELETE', params: { id: params.id }, as })).status).toBe(200);
    expect(await db().$count(sessions, eq(sessions.userId, person.id))).toBe(0);
    expect((await entriesAbout(person.id)).map(({ action }) => action)).toEqual([
      'user.signed_out',
      'user.signed_out',
    ]);
  });

  it('of one’s own end all but the one that asks', async () => {
    const self = await makeAdmin();
    const [here] = [await signIn(self), await signIn(self)];
    const answer = await callRoute(endAll, { method: 'DELETE', params: { id: String(self.id) }, as: here });
    expect(answer.status).toBe(200);
    expect((await findPerson(self.id))!.signIns).toHaveLength(1);
    expect((await callRoute(ownExport, { as: here })).status).toBe(200);
  });
});

/** Somebody with something in every corner of the site; `name` is theirs alone. */
async function makeFullPerson(name: string) {
  const person = await makeUser({
    username: `${name} Johnson`,
    password: 'trajectory-1962',
    emailVerifiedAt: new Date(),
  });
  const course = await makeCourse();
  const lesson = await makeLesson(course.id);
  const { order, item } = await bought(course, {
    userId: person.id,
    buyerEmail: person.email,
    buyerFirstName: name,
    buyerLastName: 'Johnson',
  });
  const guest = await bought(await makeCourse(), {
    buyerEmail: person.email,
    buyerFirstName: name,
    claimSecretHash: 'c'.repeat(64),
  });
  await db()
    .insert(claimTokens)
    .values({
      orderId: guest.order.id,
      token: `t-${person.id}`,
      expiresAt: new Date(Date.now() + 86_400_000),
    });
  await makeEnrollment(person.id, course.id, { orderItemId: item.id, progress: 50 });
  await db()
    .insert(lessonProgress)
    .values({ userId: person.id, lessonId: lesson.id, courseId: course.id, notes: 'my private note' });
  await db().insert(codeSubmissions).values({
    userId: person.id,
    lessonId: lesson.id,
    language: 'python',
    submittedCode: 'print("hello")',
    isCorrect: true,
    verdict: 'pass',
    attempts: 1,
  });
  await db()
    .insert(certificates)
    .values({
      userId: person.id,
      courseId: course.id,
      certificateNumber: `CERT-${person.id}`,
      recipientName: `${name} Johnson`,
      courseTitle: course.title,
      verificationUrl: 'http://localhost:4321/certificates/x',
    });
  await db()
    .insert(courseRatings)
    .values({ userId: person.id, courseId: course.id, rating: 1, review: 'Hard' });
  const other = await makeUser();
  await db().insert(courseRatings).values({ userId: other.id, courseId: course.id, rating: 5 });
  await db().update(courses).set({ rating: '3.00', reviewCount: 2 }).where(eq(courses.id, course.id));
  await db().insert(contactMessages).values({
    firstName: name,
    lastName: 'Johnson',
    email: person.email.toUpperCase(),
    subject: 'Hello',
    message: 'I have a question.',
  });
  await db()
    .insert(mailOutbox)
    .values([
      {
        template: 'password-reset',
        recipient: person.email,
        subject: 'Reset',
        text: 'Open http://localhost:4321/reset-password?token=verysecrettoken123',
      },
      {
        template: 'receipt',
        recipient: person.email,
        subject: 'Receipt',
        text: `Dear ${name}`,
        dedupeKey: `receipt:${order.id}`,
      },
    ]);
  await db()
    .insert(passwordResetTokens)
    .values({ userId: person.id, token: `hash-${person.id}`, expiresAt: new Date(Date.now() + 3_600_000) });
  await db()
    .insert(auditLog)
    .values({
      actorId: admin.id,
      actorName: admin.username,
      action: 'enrollment.granted',
      subjectType: 'user',
      subjectId: String(person.id),
      details: { email: person.email, course: course.title },
    });
  return { person, course, order, guest: guest.order };
}

describe('a person’s data', () => {
  it('comes as one file with everything and no secret', async () => {
    const { person, course, order, guest } = await makeFullPerson('Dorothy');
    const session = await signIn(person);
    const answer = await callRoute(ownExport, { as: session });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const { body, text } = answer;
    expect(body.account).toMatchObject({ email: person.email, hasPassword: true });
    expect(body.orders.map(({ id }: { id: number }) => id)).toEqual([order.id, guest.id]);
    expect(body.enrollments[0]).toMatchObject({ course: course.title, progress: 50 });
    for (const theirs of [
      'my private note',
      'print(\\"hello\\")',
      'Hard',
      'I have a question.',
      'Dear Dorothy',
    ]) {
      expect(text).toContain(theirs);
    }
    const stored = await db().select().from(sessions).where(eq(sessions.userId, person.id));
    for (const secret of [
      'argon2',
      'verysecrettoken123',
      `hash-${person.id}`,
      `t-${person.id}`,
      'c'.repeat(64),
      session.token,
      session.cookieSecret,
      ...stored.flatMap(({ id, signInId }) => [id, signInId]),
    ]) {
      expect(text, secret).not.toContain(secret);
    }
    const byAdmin = await callRoute(exportUser, { params: { id: String(person.id) }, as });
    expect(byAdmin.body.orders).toEqual(body.orders);
    expect((await entriesAbout(person.id)).at(-1)).toMatchObject({
      action: 'user.exported',
      actorId: admin.id,
    });
  });

  it('holds nothing that hangs on an address which the account never verified', async () => {
    const victim = await makeFullPerson('Ada');
    await db().update(users).set({ emailVerifiedAt: null }).where(eq(users.id, victim.person.id));
    const answer = await callRoute(ownExport, { as: await signIn(victim.person) });
    expect(answer.body.notIncluded).toContain('Verify the address');
    expect(answer.body.contactMessages).toEqual([]);
    expect(answer.body.mails).toEqual([]);
    expect(answer.body.orders.map(({ id }: { id: number }) => id)).toEqual([victim.order.id]);
    expect(answer.text).not.toContain('I have a question.');
    // What the account itself did is there.
    expect(answer.text).toContain('my private note');
  });

  it('covers every table that names a user: a new one has to be looked at here', async () => {
    const rows = await db().execute<{ name: string }>(sql`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(TABLES).sort());
    const { person } = await makeFullPerson('Barbara');
    const exported = await personalData(person.id);
    const names = Object.values(TABLES).filter((name) => name !== null);
    expect(names.filter((name) => !Object.hasOwn(exported, name))).toEqual([]);
  });

  it('holds what somebody recalls and what they wrote about a course, side by side', async () => {
    const { person, course } = await makeFullPerson('Mary');
    const lesson = await makeLesson(course.id);
    await db().insert(reviewItems).values({
      userId: person.id,
      lessonId: lesson.id,
      due: new Date(),
      stability: 1,
      difficulty: 5,
      lastReview: new Date(),
    });
    const exported = await personalData(person.id);
    expect(exported.reviews).toMatchObject([{ course: course.title, review: expect.any(String) }]);
    expect(exported.recall).toMatchObject([{ lesson: lesson.title }]);
  });
});

/** Tables with a foreign key to users, by the name under which the export has their rows, or why it has none. */
const TABLES = {
  admin_requests: 'administratorRequests',
  assignments: 'assignments',
  audit_log: 'changes',
  auth_challenges: null, // a sign-in under way, for minutes
  authenticator_apps: 'secondFactors',
  bank_transfers: null, // who of the administration wrote a transfer down; audited
  cart_items: 'cart',
  certificates: 'certificates',
  code_submissions: 'codeSubmissions',
  coupons: null, // who made one; audited
  course_news: 'newsWritten',
  course_review_answers: 'answersToReviews',
  course_reviews: 'reviews',
  course_staff: 'courseStaff',
  courses: null, // who made one; what a page says of its author is part of the account
  email_changes: null, // a secret that waits, for a day
  email_verification_tokens: null, // secrets
  enrollments: 'enrollments',
  group_hint_offers: 'hintsFromOthers',
  lesson_progress: 'lessons',
  lesson_question_replies: 'lessonQuestionReplies',
  lesson_question_reports: 'lessonQuestionReports',
  lesson_questions: 'lessonQuestions',
  lesson_versions: null, // who saved; audited
  order_events: 'orders',
  order_flags: null, // who of the administration looked at it
  orders: 'orders',
  organisation_invitations: null, // who invited; audited
  organisation_members: 'organisations',
  passkeys: 'secondFactors',
  password_reset_tokens: null, // secrets
  points_ledger: 'lessons',
  preview_learners: null, // an author as a learner; made anew at any time
  publish_overrides: null, // who let a finding pass; audited
  publish_runs: null, // who began a publish check; audited
  quiz_attempts: 'quizAttempts',
  quotes: 'quotes',
  recall_answers: 'recallAnswers',
  recall_items: 'recall',
  recovery_codes: 'secondFactors',
  refunds: 'orders',
  regrades: 'regrades',
  scenario_progress: 'scenarioRuns',
  seats: 'seats',
  sessions: 'signIns',
  study_clocks: null, // where a clock stands for a minute
  study_days: 'studyDays',
  videos: null, // who uploaded; audited
  webhook_events: 'toldToOrganisations',
} as const;

describe('deleting a person', () => {
  const remove = (id: number, body: Record<string, unknown>) =>
    callRoute(deleteUser, { params: { id: String(id) }, body, as });

  it('takes everything personal and keeps the books', async () => {
    const { person, course, order, guest } = await makeFullPerson('Katherine');
    const session = await signIn(person);
    const wrong = await remove(person.id, { confirmation: 'somebody@example.com', reason: 'Asked for it' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.fields).toEqual({ confirmation: 'This is not the email address of the account' });
    const done = await remove(person.id, {
      confirmation: ` ${person.email.toUpperCase()}`,
      reason: 'Asked for it',
    });
    expect(done.text).not.toContain(person.email);
    expect(done.status).toBe(200);
    expect(await findPerson(person.id)).toBeNull();
    expect((await callRoute(ownExport, { as: session })).status).toBe(401);
    for (const { id } of [order, guest]) {
      const [kept] = await db().select().from(orders).where(eq(orders.id, id));
      expect(kept).toMatchObject({
        userId: null,
        buyerEmail: '',
        buyerFirstName: 'Deleted',
        buyerLastName: 'customer',
        claimSecretHash: null,
        totalCents: 4900,
        status: 'completed',
      });
      expect(await db().$count(claimTokens, eq(claimTokens.orderId, id))).toBe(0);
      const shown = (await findAdminOrder(id))!;
      expect(shown).toMatchObject({ isGuest: false, isAnonymised: true });
      expect(shown.can).toMatchObject({ resendReceipt: false, resendClaimLink: false });
      expect(shown.timeline.at(-1)!.text).toContain('account was deleted');
    }
    const [rated] = await db().select().from(courses).where(eq(courses.id, course.id));
    expect(rated).toMatchObject({ rating: '5.00', reviewCount: 1 });
    // Nowhere in the database, whatever the table.
    const tables = await db().execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await db().execute(
        sql`select 1 from ${sql.identifier(name)} t where lower(t::text) like ${`%${person.email}%`} or t::text like '%Katherine%'`,
      );
      expect(rows.length, name).toBe(0);
    }
    expect(await db().$count(mailOutbox, eq(mailOutbox.dedupeKey, `receipt:${order.id}`))).toBe(1);
    expect((await entriesAbout(person.id)).at(-1)).toMatchObject({
      action: 'user.deleted',
      reason: 'Asked for it',
      details: {},
    });
    expect((await remove(person.id, { confirmation: person.email, reason: 'Again' })).status).toBe(404);
  });

  it('reaches what names them elsewhere: the publish check, the firm’s own mail, and purchases with another address', async () => {
    const person = await makeAdmin({ username: 'Wilhelmina Fleming' });
    const somebody = await makeUser();
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    await db().insert(publishRuns).values({
      courseId: course.id,
      status: 'finished',
      startedBy: person.id,
      startedByName: person.username,
    });
    await db().insert(findingOverrides).values({
      lessonId: lesson.id,
      revision: 1,
      findingKey: 'k',
      message: 'Too short',
      reason: 'It is meant to be',
      userId: person.id,
      userName: person.username,
    });
    const mail = { template: 'test', subject: 'Test', text: 'Dear Wilhelmina' };
    const purchase = { userId: person.id, buyerFirstName: 'Wilhelmina' };
    const [own, shared] = [
      await bought(course, { ...purchase, buyerEmail: 'wilhelmina@private.example' }),
      await bought(await makeCourse(), { ...purchase, buyerEmail: somebody.email }),
    ];
    await db()
      .insert(mailOutbox)
      .values([
        { ...mail, recipient: 'firm@example.com', replyTo: person.email.toUpperCase() },
        {
          ...mail,
          recipient: 'wilhelmina@private.example',
          dedupeKey: `receipt:${own.order.id}`,
        },
        { ...mail, recipient: 'wilhelmina@private.example', template: 'receipt' },
        { ...mail, recipient: somebody.email, dedupeKey: `claimed:${shared.order.id}` },
        { ...mail, recipient: somebody.email, text: 'Your week' },
      ]);
    await db()
      .insert(auditLog)
      .values(
        [own.order, shared.order].map(({ id, buyerEmail }) => ({
          actorName: 'Grace Hopper',
          action: 'order.claim_link_resent',
          subjectType: 'order',
          subjectId: String(id),
          details: { order: id, email: buyerEmail },
        })),
      );
    const done = await remove(person.id, { confirmation: person.email, reason: 'Asked for it' });
    expect(done.status, done.text).toBe(200);
    const tables = await db().execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await db().execute(
        sql`select 1 from ${sql.identifier(name)} t where t::text ilike '%wilhelmina%' or t::text ilike ${`%${person.email}%`}`,
      );
      expect(rows.length, name).toBe(0);
    }
    // What is about the other person with that address stays theirs.
    const left = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, somebody.email));
    expect(left.map(({ text }) => text)).toEqual(['Your week']);
    const about = sql`${auditLog.action} = 'order.claim_link_resent' and ${auditLog.details} ->> 'email' like '%@%'`;
    expect(await db().$count(auditLog, about)).toBe(0);
  });

  it('leaves what hangs on an address which the account never verified', async () => {
    const { person, order, guest } = await makeFullPerson('Grace');
    await db().update(users).set({ emailVerifiedAt: null }).where(eq(users.id, person.id));
    await db()
      .insert(mailOutbox)
      .values({
        template: 'receipt',
        recipient: person.email,
        subject: 'Receipt of the guest',
        text: 'Dear guest',
        dedupeKey: `receipt:${guest.id}`,
      });
    const done = await remove(person.id, { confirmation: person.email, reason: 'Asked for it' });
    expect(done.body.message).toContain('it was never verified');
    const [left] = await db().select().from(orders).where(eq(orders.id, guest.id));
    expect(left).toMatchObject({ buyerEmail: person.email, buyerFirstName: 'Grace' });
    const [own] = await db().select().from(orders).where(eq(orders.id, order.id));
    expect(own!.buyerEmail).toBe('');
    const messages = await db()
      .select()
      .from(contactMessages)
      .where(eq(contactMessages.email, person.email.toUpperCase()));
    expect(messages).toHaveLength(1);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, person.email));
    expect(mails.map(({ subject }) => subject)).toEqual(['Receipt of the guest']);
  });

  it('computes ratings from what a review at the same moment left', async () => {
    const [course, person, reviewer] = [await makeCourse(), await makeUser(), await makeUser()];
    const stars = (userId: number, rating: number) => ({ userId, courseId: course.id, rating, review: '' });
    await db().insert(courseRatings).values(stars(person.id, 1));
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const review = db().transaction(async (tx) => {
      // As a review is written: the course first, then the review, then the rating.
      await tx.select().from(courses).where(eq(courses.id, course.id)).for('no key update');
      begun.resolve();
      await mayEnd.promise;
      await tx.insert(courseRatings).values(stars(reviewer.id, 5));
    });
    await begun.promise;
    const deletion = remove(person.id, { confirmation: person.email, reason: 'Asked for it' });
    await vi.waitFor(async () => {
      const [row] = await db().execute<{ waiting: number }>(
        sql`select count(*)::int as waiting from pg_locks where not granted`,
      );
      expect(row!.waiting).toBeGreaterThan(0);
    }, 20_000);
    mayEnd.resolve();
    await review;
    expect((await deletion).status).toBe(200);
    const [after] = await db().select().from(courses).where(eq(courses.id, course.id));
    expect([Number(after!.rating), after!.reviewCount]).toEqual([5, 1]);
  });

  it('refuses oneself, and the last administrator even when two delete each other', async () => {
    const own = await remove(admin.id, { confirmation: admin.email, reason: 'Tired' });
    expect(own.status).toBe(409);
    const [one, two] = [await makeAdmin(), await makeAdmin()];
    await db()
      .update(users)
      .set({ role: 'student' })
      .where(sql`${users.role} = 'admin' and ${users.id} not in (${one.id}, ${two.id})`);
    // Both are signed in before either is gone.
    const [asOne, asTwo] = [await signIn(one), await signIn(two)];
    const removeAs = (victim: typeof one, as: typeof asOne) =>
      callRoute(deleteUser, {
        params: { id: String(victim.id) },
        body: { confirmation: victim.email, reason: 'Feud' },
        as,
      });
    const answers = await Promise.all([removeAs(two, asOne), removeAs(one, asTwo)]);
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await db().$count(users, eq(users.role, 'admin'))).toBe(1);
    await db().update(users).set({ role: 'admin' }).where(eq(users.id, admin.id));
  });

  it('waits for a payment that is under way', async () => {
    const [person, course] = [await makeUser(), await makeCourse()];
    await db()
      .insert(orders)
      .values({
        userId: person.id,
        buyerEmail: person.email,
        totalCents: 4900,
        fingerprint: `open-${person.id}`,
        status: 'processing',
      });
    const answer = await remove(person.id, { confirmation: person.email, reason: 'x' });
    expect(answer.status).toBe(409);
    expect(await findPerson(person.id)).not.toBeNull();
    expect(course.id).toBeGreaterThan(0);
  });

  it('gives not_found for nobody', async () => {
    await expect(personalData(2147483647)).rejects.toMatchObject({ code: 'not_found' });
  });
});
