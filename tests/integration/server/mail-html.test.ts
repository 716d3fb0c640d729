import { caniemail } from 'caniemail';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { courseRatings, failingLinks } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orders, seats } from '#db/schema/store.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import { answerRating } from '#src/features/catalogue/ratings/answers.server.ts';
import * as accountMails from '#src/features/account/mails.server.ts';
import { receiveContactMessage } from '#src/features/company/contact/contact.server.ts';
import {
  gradeAssignment,
  listUngraded,
  submitText,
} from '#src/features/learn/assignments/assignments.server.ts';
import { mailDeadLinks } from '#src/features/authoring/publishing/dead-links.server.ts';
import { sendNews, writeNews } from '#src/features/authoring/news/news.server.ts';
import { queueNewsMails } from '#src/features/learn/news/news.server.ts';
import { mailTeam } from '#src/features/learn/questions/question-mails.server.ts';
import { askQuestion } from '#src/features/learn/questions/questions.server.ts';
import { answerQuestion } from '#src/features/learn/questions/team-questions.server.ts';
import {
  mailMemberInvitation,
  mailSeatOffer,
  mailSeatTakenBack,
} from '#src/features/organisations/mails.server.ts';
import { queueOrganisationMails } from '#src/features/organisations/week-mail.server.ts';
import { queueWeeklyMails } from '#src/features/learn/dashboard/weekly-mail.server.ts';
import {
  mailOrderReceived,
  mailOverdue,
  mailPaymentReceived,
} from '#src/features/store/bank/bank-mails.server.ts';
import { correctInvoice } from '#src/features/store/invoices/correct-invoice.server.ts';
import { mailClaimed, mailClaimLink } from '#src/features/store/guests/claim-mails.server.ts';
import { queueReceipt } from '#src/features/store/orders/receipt.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { unprovenMail } from '#src/features/authoring/publishing/unproven-mail.server.ts';
import { dailyMailJob } from '#src/server/mail/daily-mail.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { MAIL_KINDS } from '#src/server/mail/mail-kinds.ts';
import { mailWebhookRests } from '#src/server/webhooks/rest-mail.ts';
import { setExcuse } from '#src/features/admin/grading/cell.server.ts';
import { buyAsGuest, makeGuest } from '../../support/guests.ts';
import {
  checkOut,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

// What mail programs are used; the check knows these best.
const CLIENTS: Parameters<typeof caniemail>[0]['clients'] = [
  'gmail.*',
  'outlook.*',
  'apple-mail.*',
  'yahoo.*',
];

/** What some of them leave out, and the mail reads as well without. */
const MAY_BE_MISSING = [
  // Replaced by a box of their own; ours carries nothing but its margin.
  '<body> element',
  // Square corners.
  'border-radius',
  // A long address or title makes the column wider.
  'word-break',
  // A price may break after its sign.
  'white-space',
  // The table of figures is read as one.
  'role attribute',
];

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // Mail programs know style attributes alone, and some know a table's own attributes better.
    'no-inline-style': 'off',
    'no-deprecated-attr': 'off',
    'long-title': 'off',
  },
});

const EVIL = '</title><b onclick="x">Ada & "Co"</b>';
const ada = { email: 'ada@example.com', username: EVIL, emailVerifiedAt: new Date() };
const SECRET = 'a'.repeat(43);
let payments: Payments;

/** A learner's question that the team of the course was told of. */
async function askedQuestion() {
  const [user, admin] = [await makeUser({ username: EVIL, emailVerifiedAt: new Date() }), await makeAdmin()];
  const course = await makeCourse({ title: EVIL });
  const lesson = await makeLesson(course.id, { title: EVIL });
  await makeEnrollment(user.id, course.id);
  const { id: questionId } = await askQuestion(user.id, lesson.id, {
    key: 'mail-html-question',
    body: `Why?\n\n${EVIL} [here](https://example.com/?a=1&b=2)`,
    line: 1,
    quote: EVIL,
    submissionId: null,
    shared: false,
  });
  await mailTeam(course.id);
  return { questionId, admin };
}

/** An order of two courses that somebody with an account paid. */
async function paidOrder() {
  const buyer = await makeBuyer(4900, 1999);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  return { order: await orderOf(orderId), items: await itemsOfOrder(orderId) };
}

/** Every kind of mail by its name, made by the function that makes it. */
const KINDS: Record<string, () => Promise<unknown>> = {
  'email-verification': async () => {
    await accountMails.mailVerificationLink(db(), ada, SECRET, 24, []);
    await accountMails.mailVerificationLink(db(), ada, SECRET, 24, ['C++ & friends', EVIL]);
  },
  'password-reset': () => accountMails.mailResetLink(db(), ada, SECRET, 60, 'reset'),
  'password-changed': async () => {
    await accountMails.mailPasswordChanged(db(), ada);
    await accountMails.mailPasswordChanged(db(), ada, 'account-page');
  },
  'second-factor-changed': async () => {
    const changes = [
      'passkey-added',
      'passkey-removed',
      'app-added',
      'app-removed',
      'codes-renewed',
    ] as const;
    for (const change of changes) await accountMails.mailFactorChanged(db(), ada, change);
  },
  'recovery-code-used': () => accountMails.mailRecoveryCodeUsed(db(), ada),
  'second-factor-guessed': () => accountMails.mailFactorGuessed(db(), { ...ada, id: 1 }),
  'second-factor-reset': () => accountMails.mailFactorsReset(db(), ada),
  'email-change': () => accountMails.mailEmailChangeLink(db(), ada, SECRET, 24),
  'email-change-taken': () => accountMails.mailEmailTaken(db(), ada),
  'email-change-notice': async () => {
    for (const done of [false, true])
      await accountMails.mailEmailChange(db(), ada, { newEmail: 'lovelace@example.com', done });
  },
  'admin-request-decided': async () => {
    await accountMails.mailAdminDecision(db(), ada, 'approve', '');
    await accountMails.mailAdminDecision(db(), ada, 'decline', EVIL);
  },
  'course-staff': async () => {
    for (const role of ['author', 'grader', null] as const)
      await accountMails.mailCourseStaff(db(), ada, { course: EVIL, courseId: 1, role });
  },
  receipt: async () => {
    await buyAsGuest(payments, makeGuest({ firstName: EVIL.slice(0, 40) }));
    const { order, items } = await paidOrder();
    const facts = { duplicates: items.slice(0, 1), attached: true, claimLink: null };
    await db().transaction((tx) =>
      queueReceipt(tx, { ...order, couponCode: 'TEN' }, items, facts, { again: true }),
    );
  },
  refund: async () => {
    const { order, items } = await paidOrder();
    await refundLine(order.id, items[0]!.id, { reason: 'test', source: 'admin' });
    await payments.sandbox.control.settled();
  },
  'claim-link': async () => {
    const { order, items } = await paidOrder();
    await mailClaimLink(db(), order, items, `https://site.test/claim?token=${SECRET}`);
  },
  'purchase-attached': async () => {
    for (const by of ['same-address', 'other-address', 'taken-over'] as const) {
      const { order, items } = await paidOrder();
      await mailClaimed(db(), order, items, by);
    }
  },
  'weekly-next': async () => {
    const user = await makeUser({ username: EVIL, emailVerifiedAt: new Date() });
    for (const title of [
      'Compilers',
      'A course with a name that is long enough to need more than one line',
    ]) {
      const course = await makeCourse({ title });
      await makeLesson(course.id);
      await makeEnrollment(user.id, course.id);
    }
    await queueWeeklyMails('2026-W31', 0);
  },
  'seat-taken-back': async () => {
    const ada = await makeUser({ emailVerifiedAt: new Date() });
    await mailSeatTakenBack(db(), { to: ada.email, organisation: EVIL, title: EVIL, idleDays: 30 });
  },
  'organisation-week': async () => {
    const user = await makeUser({ username: EVIL, emailVerifiedAt: new Date() });
    const course = await makeCourse({ title: EVIL });
    const [organisation] = await db().insert(organisations).values({ name: EVIL }).returning();
    const organisationId = organisation!.id;
    await db().insert(organisationMembers).values({ organisationId, userId: user.id, role: 'owner' });
    const { items } = await paidOrder();
    await db().insert(seats).values({
      orderItemId: items[0]!.id,
      organisationId,
      courseId: course.id,
      email: 'ada@example.com',
      givenAt: new Date(),
    });
    await queueOrganisationMails('2026-W31', 0);
  },
  'course-news': async () => {
    const [user, admin] = [
      await makeUser({ username: EVIL, emailVerifiedAt: new Date() }),
      await makeAdmin(),
    ];
    const course = await makeCourse({ title: EVIL });
    await makeEnrollment(user.id, course.id);
    const draft = await writeNews(admin, course.id, {
      title: EVIL,
      body: '# Soon\n\nSee [here](https://example.com/?a=1&b=2).\n\n- `<b>`\n- ![kite](https://example.com/k.png)',
    });
    await sendNews({ id: admin.id, name: admin.username }, draft.id, draft.version);
    await queueNewsMails(draft.id, 0);
  },
  'lesson-questions': async () => {
    await makeAdmin({ username: EVIL, emailVerifiedAt: new Date() });
    await askedQuestion();
  },
  'question-answered': async () => {
    const { questionId, admin } = await askedQuestion();
    await answerQuestion(admin, questionId, { key: 'mail-html-answer', body: `# So\n\n${EVIL}`, version: 1 });
  },
  'review-answered': async () => {
    const [learner, admin] = [await makeUser({ emailVerifiedAt: new Date() }), await makeAdmin()];
    const course = await makeCourse({ title: EVIL });
    const [review] = await db()
      .insert(courseRatings)
      .values({ userId: learner.id, courseId: course.id, rating: 3 })
      .returning();
    await answerRating(admin, review!.id, { body: `So\n\n${EVIL}` });
  },
  'dead-links': async () => {
    const admin = await makeAdmin({ username: EVIL, emailVerifiedAt: new Date() });
    const course = await makeCourse({ title: EVIL, createdBy: admin.id });
    const lesson = await makeLesson(course.id, { title: EVIL });
    await db()
      .insert(failingLinks)
      .values(
        ['https://example.com/?a=1&b=2', EVIL].map((address, index) => ({
          lessonId: lesson.id,
          findingKey: String(index),
          field: 'content',
          message: `Line 1: ${address} answers 404: nothing is there.`,
          failedOn: '2026-11-02',
          deadAt: new Date(),
        })),
      );
    await mailDeadLinks();
  },
  'daily-digest': async () => {
    const user = await makeUser({ username: EVIL, emailVerifiedAt: new Date() });
    for (const subject of [EVIL, 'Other news'])
      await queueMail(db(), {
        template: 'course-news',
        to: user.email,
        subject,
        content: {
          title: subject,
          paragraphs: [EVIL],
          action: { label: 'Read', url: 'http://localhost:4321/?a=1&b=2' },
        },
      });
    await dailyMailJob.run(undefined, { isLast: false });
  },
  'course-unproven': async () =>
    queueMail(
      db(),
      unprovenMail(await makeAdmin({ username: EVIL, emailVerifiedAt: new Date() }), {
        courseId: 1,
        title: EVIL,
        isActive: true,
        findings: [{ message: `“${EVIL}”: The solution is wrong.`, lessonId: 1 }],
      }),
    ),
  'webhook-rests': async () => {
    const owner = await makeUser();
    const [organisation] = await db().insert(organisations).values({ name: EVIL }).returning();
    await db()
      .insert(organisationMembers)
      .values({ organisationId: organisation!.id, userId: owner.id, role: 'owner' });
    const endpoint = { organisationId: organisation!.id, url: 'https://example.com/?a=1&b=2' };
    await db().transaction((tx) => mailWebhookRests(tx, endpoint, 'It answered 500 twenty times in a row.'));
  },
  'assignment-graded': async () => {
    const [user, admin] = [
      await makeUser({ username: EVIL, emailVerifiedAt: new Date() }),
      await makeAdmin(),
    ];
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'assignment' });
    await makeEnrollment(user.id, course.id);
    await submitText(user.id, lesson.id, 'Mine.');
    const { rows } = await listUngraded({ page: 1, pageSize: 100 });
    const { id, submittedAt } = rows.find(({ learner }) => learner.id === user.id)!;
    const actor = { id: admin.id, name: admin.username };
    await gradeAssignment(actor, id, { grade: 85, feedback: 'Good.', submittedAt });
  },
  'grading-decided': async () => {
    const [user, admin] = [
      await makeUser({ username: EVIL, emailVerifiedAt: new Date() }),
      await makeAdmin(),
    ];
    const course = await makeCourse({ title: EVIL });
    const lesson = await makeLesson(course.id, { type: 'assignment', title: EVIL });
    await makeEnrollment(user.id, course.id);
    const place = { courseId: course.id, userId: user.id, lessonId: lesson.id };
    await setExcuse({ id: admin.id, name: admin.username }, place, EVIL);
  },
  'organisation-invitation': () =>
    mailMemberInvitation(db(), {
      to: ada.email,
      organisation: EVIL,
      by: { name: EVIL, email: ada.email },
      role: 'manager',
      expiresAt: new Date(),
      secret: SECRET,
    }),
  'seat-offer': () =>
    mailSeatOffer(db(), {
      to: ada.email,
      organisation: EVIL,
      by: { name: EVIL, email: ada.email },
      title: EVIL,
      about: EVIL,
      dueOn: '2030-12-31',
      secret: SECRET,
    }),
  'bank-order': async () => {
    const [order] = await db().select().from(orders).limit(1);
    await mailOrderReceived(db(), { ...order!, buyerFirstName: EVIL, buyerEmail: ada.email }, EVIL);
  },
  'invoice-overdue': async () => {
    const [order] = await db().select().from(orders).limit(1);
    const owed = { ...order!, buyerFirstName: EVIL, buyerEmail: ada.email, dueAt: new Date() };
    await mailOverdue(db(), owed, 4900, 1);
  },
  'corrected-invoice': async () => {
    const { order } = await paidOrder();
    await correctInvoice({ id: order.userId! } as CurrentUser, order.id, {
      company: EVIL,
      address: EVIL,
      country: 'DE',
      purchaseOrder: '',
      costCentre: '',
    });
  },
  'payment-received': async () => {
    const [order] = await db().select().from(orders).limit(1);
    const named = { ...order!, buyerFirstName: EVIL, buyerEmail: ada.email };
    await mailPaymentReceived(db(), named, { id: 1, amountCents: 4900, bookedOn: '2026-11-24' }, 100);
  },
  'contact-message': () =>
    receiveContactMessage(
      {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: ada.email,
        subject: EVIL,
        message: EVIL,
        website: '',
        elapsedMs: 60_000,
      },
      '203.0.113.7',
    ),
};

beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());

it('every kind of mail is tried here', () => {
  expect(Object.keys(KINDS).sort()).toEqual(Object.keys(MAIL_KINDS).sort());
});

it.each(Object.entries(KINDS))('%s is HTML that mail programs show', async (template, make) => {
  const known = new Set((await db().select({ id: mailOutbox.id }).from(mailOutbox)).map(({ id }) => id));
  await make();
  const mails = (await db().select().from(mailOutbox)).filter(
    (mail) => mail.template === template && !known.has(mail.id),
  );
  expect(mails.length).toBeGreaterThan(0);
  for (const { html, text, subject } of mails) {
    expect(text.trim().length).toBeGreaterThan(40);
    expect(subject).not.toMatch(/[\r\n]/);
    // What a visitor wrote goes to the firm as plain text.
    expect(html === null).toBe(template === 'contact-message');
    if (html === null) continue;
    const report = await validator.validateString(html);
    expect(
      report.results.flatMap(({ messages }) => messages.map((one) => `${one.ruleId}: ${one.message}`)),
    ).toEqual([]);
    expect(html).toContain('<body style="margin:0">');
    const { issues } = caniemail({ clients: CLIENTS, html });
    const missing = [...issues.errors.values()].flat().map(({ title }) => title);
    expect([...new Set(missing)].filter((title) => !MAY_BE_MISSING.includes(title))).toEqual([]);
    expect(html).not.toContain('<b onclick');
    // Gmail cuts longer ones off.
    expect(Buffer.byteLength(html)).toBeLessThan(102_000);
    // Every address in it is in the plain text too.
    for (const [, href] of html.matchAll(/href="([^"]+)"/g))
      expect(text).toContain(href!.replaceAll(/&(#38|amp);/g, '&'));
  }
});
