import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { adminRequests, auditLog, users } from '#db/schema/account.ts';
import { courseReviews, courses, findingOverrides, publishRuns, lessons } from '#db/schema/catalogue.ts';
import { contactMessages } from '#db/schema/company.ts';
import {
  assignments,
  certificates,
  courseNews,
  enrollments,
  lessonProgress,
  pointsLedger,
  quizAttempts,
  studyDays,
} from '#db/schema/learn.ts';
import { mailOutbox, storedFiles } from '#db/schema/machinery.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { scenarioActions, scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import {
  cartItems,
  claimTokens,
  orderEvents,
  orderItems,
  orderKeys,
  orders,
  refunds,
} from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { lockRoles, lockUser } from '#src/features/account/roles.server.ts';
import { factorsOf } from '#src/features/account/second-factor/factors.server.ts';
import { listSignIns, spendProof } from '#src/features/account/session.server.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { abandonOrder } from '#src/features/store/orders/fulfil.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import { recordEvent } from '#src/features/store/orders/orders.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { forgetPreviews } from '#src/features/learn/preview/preview.server.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { sendJob } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { normaliseEmail } from '#src/shared/fields.ts';
import { centsToDecimal } from '#src/shared/money.ts';

/** What an order's buyer is called once the person is deleted; the amounts stay for the books. */
const DELETED_BUYER = {
  buyerEmail: '',
  buyerFirstName: 'Deleted',
  buyerLastName: 'customer',
} as const;

const noUser = () => new AppError('not_found', 'There is no such user.');

// Links in mails that wait open something: whoever reads the file may not be who reads the mailbox.
const withoutLinks = sql<string>`regexp_replace(${mailOutbox.text}, '((token|key)(=|%3D))[A-Za-z0-9_-]+', '\\1removed', 'gi')`;

/** Said in the file of somebody who has not shown that the address is theirs. */
const NOT_INCLUDED =
  'Messages, mails and purchases made as a guest under this email address: they may be somebody else’s. Verify the address with the mailed link and ask again.';

/**
 * Everything that the site holds about a person, in their own words where they wrote it, and no secret: neither hashes
 * nor tokens nor other people's names. What hangs on the email address alone belongs to them only where they have
 * verified it (decision 13): anybody can register with a stranger's address.
 *
 * @throws {AppError} not_found
 */
export async function personalData(userId: number): Promise<Record<string, unknown>> {
  return db().transaction(
    async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      if (!user) throw noUser();
      const { passwordHash, ...account } = user;
      const person = personOf(user);
      return {
        about: 'What this site holds about one person. Moments are in UTC, amounts in US dollars.',
        ...(person.ownsEmail ? {} : { notIncluded: NOT_INCLUDED }),
        exportedAt: new Date().toISOString(),
        account: { ...account, hasPassword: passwordHash !== null },
        ...(await accountRows(tx, person)),
        ...(await boughtRows(tx, person)),
        ...(await learnedRows(tx, userId)),
        ...(await practisedRows(tx, userId)),
      };
    },
    // One moment for all of it.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** `ownsEmail` where the address is verified, so that what names the address alone is this person's too. */
type Person = { id: number; email: string; ownsEmail: boolean };

function personOf({ id, email, emailVerifiedAt }: typeof users.$inferSelect): Person {
  return { id, email, ownsEmail: emailVerifiedAt !== null };
}

async function accountRows(tx: Executor, { id, email, ownsEmail }: Person) {
  const signIns = (await listSignIns(id, tx)).map(({ id: _, ...signIn }) => signIn);
  const requests = await tx
    .select({
      status: adminRequests.status,
      createdAt: adminRequests.createdAt,
      decidedAt: adminRequests.decidedAt,
    })
    .from(adminRequests)
    .where(eq(adminRequests.userId, id))
    .orderBy(asc(adminRequests.id));
  const changes = await tx
    .select({
      action: auditLog.action,
      byThisPerson: sql<boolean>`${auditLog.actorId} is not distinct from ${id}`,
      reason: auditLog.reason,
      details: auditLog.details,
      at: auditLog.at,
    })
    .from(auditLog)
    .where(
      or(eq(auditLog.actorId, id), and(eq(auditLog.subjectType, 'user'), eq(auditLog.subjectId, String(id)))),
    )
    .orderBy(asc(auditLog.id));
  const messages = await tx
    .select({
      firstName: contactMessages.firstName,
      lastName: contactMessages.lastName,
      subject: contactMessages.subject,
      message: contactMessages.message,
      status: contactMessages.status,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(sql`${ownsEmail} and lower(${contactMessages.email}) = ${email}`)
    .orderBy(asc(contactMessages.id));
  const mails = await tx
    .select({
      subject: mailOutbox.subject,
      text: withoutLinks,
      status: mailOutbox.status,
      createdAt: mailOutbox.createdAt,
      sentAt: mailOutbox.sentAt,
    })
    .from(mailOutbox)
    .where(sql`${ownsEmail} and ${mailOutbox.recipient} = ${email}`)
    .orderBy(asc(mailOutbox.id));
  const { passkeys, ...otherFactors } = await factorsOf(id, tx);
  return {
    signIns,
    secondFactors: { ...otherFactors, passkeys: passkeys.map(({ id: _, ...passkey }) => passkey) },
    administratorRequests: requests,
    changes: changes.map(({ details, byThisPerson, ...change }) => ({
      ...change,
      byThisPerson,
      // An administrator's own doings tell about other people: the kind and the moment are this person's, the rest theirs.
      ...(byThisPerson ? {} : { details }),
    })),
    contactMessages: messages,
    mails,
  };
}

async function boughtRows(tx: Executor, person: Person) {
  const { id } = person;
  const cart = await tx
    .select({ course: courses.title, addedAt: cartItems.addedAt })
    .from(cartItems)
    .innerJoin(courses, eq(courses.id, cartItems.courseId))
    .where(eq(cartItems.userId, id))
    .orderBy(asc(cartItems.id));
  const bought = await tx.select().from(orders).where(theirs(person)).orderBy(asc(orders.id));
  const ids = bought.map((order) => order.id);
  const none: never[] = [];
  const items = ids.length
    ? await tx.select().from(orderItems).where(inArray(orderItems.orderId, ids)).orderBy(asc(orderItems.id))
    : none;
  const back = ids.length
    ? await tx.select().from(refunds).where(inArray(refunds.orderId, ids)).orderBy(asc(refunds.id))
    : none;
  const events = ids.length
    ? await tx
        .select()
        .from(orderEvents)
        .where(inArray(orderEvents.orderId, ids))
        .orderBy(asc(orderEvents.id))
    : none;
  return {
    cart,
    orders: bought.map((order) => ({
      id: order.id,
      invoiceNumber: order.invoiceNumber,
      status: order.status,
      buyerEmail: order.buyerEmail,
      buyerFirstName: order.buyerFirstName,
      buyerLastName: order.buyerLastName,
      total: centsToDecimal(order.totalCents),
      discount: centsToDecimal(order.discountCents),
      tax: centsToDecimal(order.taxCents),
      refunded: centsToDecimal(order.refundedCents),
      couponCode: order.couponCode,
      payment: order.stripePaymentIntentId,
      createdAt: order.createdAt,
      completedAt: order.completedAt,
      lines: items
        .filter(({ orderId }) => orderId === order.id)
        .map(({ title, priceCents, refundedAt }) => ({
          title,
          price: centsToDecimal(priceCents),
          refundedAt,
        })),
      refunds: back
        .filter(({ orderId }) => orderId === order.id)
        .map(({ amountCents, status, createdAt }) => ({
          amount: centsToDecimal(amountCents),
          status,
          createdAt,
        })),
      events: events
        .filter(({ orderId }) => orderId === order.id)
        .map(({ type, toStatus, source, at }) => ({ type, toStatus, source, at })),
    })),
  };
}

async function learnedRows(tx: Executor, userId: number) {
  const owned = await tx
    .select({ enrollment: enrollments, course: courses.title })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(eq(enrollments.userId, userId))
    .orderBy(asc(enrollments.id));
  const progress = await tx
    .select({ progress: lessonProgress, lesson: lessons.title, points: pointsLedger.points })
    .from(lessonProgress)
    .innerJoin(lessons, eq(lessons.id, lessonProgress.lessonId))
    .leftJoin(
      pointsLedger,
      and(eq(pointsLedger.userId, lessonProgress.userId), eq(pointsLedger.lessonId, lessonProgress.lessonId)),
    )
    .where(eq(lessonProgress.userId, userId))
    .orderBy(asc(lessonProgress.startedAt));
  const quizzes = await tx
    .select({
      lesson: lessons.title,
      answers: quizAttempts.answers,
      score: quizAttempts.score,
      passed: quizAttempts.passed,
      submittedAt: quizAttempts.submittedAt,
    })
    .from(quizAttempts)
    .innerJoin(lessons, eq(lessons.id, quizAttempts.lessonId))
    .where(eq(quizAttempts.userId, userId))
    .orderBy(asc(quizAttempts.id));
  const handedIn = await tx
    .select({
      lesson: lessons.title,
      submission: assignments.submission,
      file: assignments.fileUrl,
      submittedAt: assignments.submittedAt,
      grade: assignments.grade,
      feedback: assignments.feedback,
      marks: assignments.marks,
      gradedAt: assignments.gradedAt,
    })
    .from(assignments)
    .innerJoin(lessons, eq(lessons.id, assignments.lessonId))
    .where(eq(assignments.userId, userId))
    .orderBy(asc(assignments.id));
  const earned = await tx
    .select({
      certificateNumber: certificates.certificateNumber,
      recipientName: certificates.recipientName,
      courseTitle: certificates.courseTitle,
      issuedAt: certificates.issuedAt,
      validUntil: certificates.validUntil,
      revokedAt: certificates.revokedAt,
      revokedReason: certificates.revokedReason,
    })
    .from(certificates)
    .where(eq(certificates.userId, userId))
    .orderBy(asc(certificates.id));
  const days = await tx
    .select({ day: studyDays.day, seconds: studyDays.seconds, lessonsCompleted: studyDays.lessonsCompleted })
    .from(studyDays)
    .where(eq(studyDays.userId, userId))
    .orderBy(asc(studyDays.day));
  const reviews = await tx
    .select({
      course: courses.title,
      rating: courseReviews.rating,
      review: courseReviews.review,
      hiddenReason: courseReviews.hiddenReason,
      createdAt: courseReviews.createdAt,
      updatedAt: courseReviews.updatedAt,
    })
    .from(courseReviews)
    .innerJoin(courses, eq(courses.id, courseReviews.courseId))
    .where(eq(courseReviews.userId, userId))
    .orderBy(asc(courseReviews.id));
  const news = await tx
    .select({
      course: courses.title,
      title: courseNews.title,
      body: courseNews.body,
      createdAt: courseNews.createdAt,
      sentAt: courseNews.sentAt,
    })
    .from(courseNews)
    .innerJoin(courses, eq(courses.id, courseNews.courseId))
    .where(eq(courseNews.writtenBy, userId))
    .orderBy(asc(courseNews.id));
  return {
    enrollments: owned.map(({ enrollment, course }) => {
      const { id: _, userId: __, orderItemId: ___, ...rest } = enrollment;
      return { course, ...rest };
    }),
    lessons: progress.map(({ progress: row, lesson, points }) => {
      const { userId: _, notesVersion: __, ...rest } = row;
      return { lesson, points: points ?? 0, ...rest };
    }),
    quizAttempts: quizzes,
    assignments: handedIn,
    certificates: earned,
    studyDays: days,
    reviews,
    newsWritten: news,
  };
}

async function practisedRows(tx: Executor, userId: number) {
  const submissions = await tx
    .select({
      lesson: lessons.title,
      language: codeSubmissions.language,
      code: codeSubmissions.submittedCode,
      output: codeSubmissions.output,
      verdict: codeSubmissions.verdict,
      attempt: codeSubmissions.attempts,
      seconds: codeSubmissions.timeSpent,
      hintsUsed: codeSubmissions.hintsUsed,
      submittedAt: codeSubmissions.submittedAt,
    })
    .from(codeSubmissions)
    .innerJoin(lessons, eq(lessons.id, codeSubmissions.lessonId))
    .where(eq(codeSubmissions.userId, userId))
    .orderBy(asc(codeSubmissions.id));
  const runs = await tx
    .select({
      id: scenarioProgress.id,
      scenario: scenarios.title,
      startedAt: scenarioProgress.startedAt,
      completedAt: scenarioProgress.completedAt,
      score: scenarioProgress.score,
      passed: scenarioProgress.passed,
      feedback: scenarioProgress.feedback,
    })
    .from(scenarioProgress)
    .innerJoin(scenarios, eq(scenarios.id, scenarioProgress.scenarioId))
    .where(eq(scenarioProgress.userId, userId))
    .orderBy(asc(scenarioProgress.id));
  const actions = runs.length
    ? await tx
        .select({
          progressId: scenarioActions.progressId,
          action: scenarioActions.action,
          at: scenarioActions.at,
        })
        .from(scenarioActions)
        .where(
          inArray(
            scenarioActions.progressId,
            runs.map(({ id }) => id),
          ),
        )
        .orderBy(asc(scenarioActions.progressId), asc(scenarioActions.position))
    : [];
  return {
    codeSubmissions: submissions,
    scenarioRuns: runs.map(({ id, ...run }) => ({
      ...run,
      actions: actions
        .filter(({ progressId }) => progressId === id)
        .map(({ action, at }) => ({ action, at })),
    })),
  };
}

/**
 * Hands an administrator everything that the site holds about a person; that it was handed out is audited.
 *
 * @throws {AppError} not_found
 */
export async function exportPerson(actor: Actor, userId: number): Promise<Record<string, unknown>> {
  const data = await personalData(userId);
  await recordAudit(db(), actor, {
    action: 'user.exported',
    subjectType: 'user',
    subjectId: userId,
    details: { email: (data.account as { email: string }).email },
  });
  return data;
}

/**
 * Deletes a person for good: account, sign-ins, progress, submissions, certificates, reviews, messages and mails. Orders
 * stay for the books, without name and address; names and addresses leave the audit log too. Audited without either.
 * Messages and guest purchases under an address that the person never verified are left: they may be somebody else's.
 *
 * Payments that were begun are ended at the provider first, so that nobody can pay for somebody who is gone.
 *
 * @param confirmation the person's email, typed out
 * @throws {AppError} not_found; invalid_input for another email; conflict for oneself, the last administrator, or while a
 *   payment is under way; provider_unavailable
 */
export async function deletePerson(
  actor: Actor & { id: number },
  userId: number,
  { confirmation, reason }: { confirmation: string; reason: string },
): Promise<{ message: string }> {
  const [known] = await db().select().from(users).where(eq(users.id, userId));
  if (!known) throw noUser();
  if (userId === actor.id) {
    throw new AppError('conflict', 'You delete your own account on your account page.');
  }
  if (normaliseEmail(confirmation) !== known.email) {
    const message = 'This is not the email address of the account';
    throw new AppError('invalid_input', message, { fields: { confirmation: message } });
  }
  const { ownedEmail } = await erase(known, actor, { reason, source: 'admin' });
  return {
    message: ownedEmail
      ? 'The person and everything personal about them is deleted.'
      : 'The person and everything personal about them is deleted. Messages and guest purchases under the address stay: it was never verified, so they may be somebody else’s.',
  };
}

/**
 * Deletes one's own account as `deletePerson` does, with every sign-in; uses up the proof.
 *
 * @throws {AppError} proof_required; conflict for the last administrator, or while a payment is under way
 */
export async function deleteOwnAccount(
  userId: number,
  signInId: string | null,
): Promise<{ message: string }> {
  const [known] = await db().select().from(users).where(eq(users.id, userId));
  if (!known) throw noUser();
  await spendProof(db(), signInId);
  await erase(known, { id: userId, name: known.username }, { reason: '', source: 'buyer' });
  return { message: 'Your account is deleted.' };
}

/** Ends a person's open payments and takes the person out of everything, in that order. */
async function erase(
  known: typeof users.$inferSelect,
  actor: Actor & { id: number },
  how: { reason: string; source: 'admin' | 'buyer' },
): Promise<{ ownedEmail: boolean }> {
  const userId = known.id;
  const isSelf = actor.id === userId;
  // Before anything is ended at the provider, which no rollback brings back; again below, under the lock.
  if (known.role === 'admin') {
    const admins = await db().$count(users, eq(users.role, 'admin'));
    if (admins === 1) throw lastAdministrator(isSelf);
  }
  for (const order of await openOrdersOf(personOf(known))) {
    if (order.status === 'processing') throw paymentUnderWay();
    await abandonOrder(order, 'the buyer is deleted', how.source);
  }
  return await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const admins = await lockRoles(tx, isSelf ? { ...actor, id: null } : actor);
      await tx.execute(lockBuyer(userId));
      const user = await lockUser(tx, userId);
      if (user.role === 'admin' && admins.length === 1) throw lastAdministrator(isSelf);
      const person = personOf(user);
      // Begun again since the look above.
      if ((await openOrdersOf(person, tx)).length > 0) throw paymentUnderWay();
      const handedIn = await tx
        .select({ path: assignments.fileUrl })
        .from(assignments)
        .where(and(eq(assignments.userId, userId), sql`${assignments.fileUrl} is not null`));
      await forgetPreviews(tx, { adminId: userId });
      await anonymiseMails(tx, mailsTo(person));
      await anonymiseOrders(tx, { actorId: actor.id, source: how.source }, person);
      await anonymiseDoings(tx, person);
      if (person.ownsEmail) {
        await tx.delete(contactMessages).where(sql`lower(${contactMessages.email}) = ${person.email}`);
        // Those that told the firm of the messages.
        await tx.delete(mailOutbox).where(sql`lower(${mailOutbox.replyTo}) = ${person.email}`);
      }
      const reviewed = await tx
        .select({ courseId: courseReviews.courseId })
        .from(courseReviews)
        .where(eq(courseReviews.userId, userId));
      // Everything else that is theirs goes with the row.
      await tx.delete(users).where(eq(users.id, userId));
      await rateAnew(
        tx,
        reviewed.map(({ courseId }) => courseId),
      );
      const paths = handedIn.flatMap(({ path }) => path ?? []);
      const gone = await tx
        .delete(storedFiles)
        .where(inArray(storedFiles.path, paths))
        .returning({ sha256: storedFiles.sha256 });
      for (const bytes of gone) await sendJob(tx, forgetBytes, bytes);
      // Nobody is left to point to who deleted themselves.
      const doer = isSelf ? { id: null, name: `Deleted user ${userId}` } : actor;
      await recordAudit(tx, doer, {
        action: 'user.deleted',
        subjectType: 'user',
        subjectId: userId,
        reason: how.reason,
      });
      return { ownedEmail: person.ownsEmail };
    }),
  );
}

function lastAdministrator(isSelf: boolean): AppError {
  return new AppError(
    'conflict',
    isSelf
      ? 'You are the last administrator. Make somebody else one first.'
      : 'The last administrator cannot be deleted.',
  );
}

function paymentUnderWay(): AppError {
  return new AppError(
    'conflict',
    'A payment of this person is under way. Try again when it has ended, in a few minutes.',
  );
}

/** Orders of a person: those of the account, and those that nobody's account has under an address that is theirs. */
function theirs({ id, email, ownsEmail }: Person): SQL {
  return sql`(${orders.userId} = ${id} or (${ownsEmail} and ${orders.userId} is null and ${orders.buyerEmail} = ${email}))`;
}

/** Mails to a person: all to an address that is theirs, else those that the account itself caused. */
function mailsTo({ id, email, ownsEmail }: Person): SQL {
  if (ownsEmail) return eq(mailOutbox.recipient, email);
  return sql`${mailOutbox.recipient} = ${email} and (
    ${mailOutbox.template} not in ('receipt', 'refund', 'claim-link', 'contact-message')
    or ${mailOutbox.dedupeKey} in (select 'receipt:' || o.id from orders o where o.user_id = ${id})
    or ${mailOutbox.dedupeKey} in (
      select 'refund:' || r.id from refunds r join orders o on o.id = r.order_id where o.user_id = ${id}))`;
}

function openOrdersOf(person: Person, executor: Executor = db()) {
  return executor
    .select()
    .from(orders)
    .where(and(theirs(person), inArray(orders.status, ['pending', 'processing'])))
    .orderBy(asc(orders.id));
}

async function anonymiseOrders(
  tx: Executor,
  by: { actorId: number; source: 'admin' | 'buyer' },
  person: Person,
): Promise<void> {
  // Bought as a guest with another address, and taken into the account later.
  const others = await tx
    .select({ id: orders.id, email: orders.buyerEmail })
    .from(orders)
    .where(and(theirs(person), sql`${orders.buyerEmail} not in ('', ${person.email})`));
  const kept = await tx
    .update(orders)
    .set({ ...DELETED_BUYER, anonymisedAt: sql`now()`, claimSecretHash: null, updatedAt: sql`now()` })
    .where(theirs(person))
    .returning({ id: orders.id, status: orders.status });
  if (kept.length > 0) {
    const ids = kept.map((order) => order.id);
    // Links in old mails open neither the order nor what was bought.
    await tx.delete(claimTokens).where(inArray(claimTokens.orderId, ids));
    await tx.delete(orderKeys).where(inArray(orderKeys.orderId, ids));
  }
  for (const { id, status } of kept) {
    if (!isFulfilled(status)) continue;
    await recordEvent(tx, id, { type: 'anonymised', ...by });
  }
  for (const [email, bought] of Map.groupBy(others, (order) => order.email)) {
    const isSomebodyElses =
      (await tx.$count(users, eq(users.email, email))) +
        (await tx.$count(orders, eq(orders.buyerEmail, email))) >
      0;
    const ids = bought.map((order) => order.id);
    const keys = ids.flatMap((id) => [`receipt:${id}`, `claimed:${id}`]);
    await anonymiseMails(
      tx,
      sql`(${mailOutbox.recipient} = ${email} and ${isSomebodyElses ? inArray(mailOutbox.dedupeKey, keys) : sql`true`})`,
    );
    await anonymiseAuditDetails(
      tx,
      person,
      sql`${auditLog.details} ->> 'email' = ${email}
        and ${isSomebodyElses ? inArray(sql`${auditLog.details} ->> 'order'`, ids.map(String)) : sql`true`}`,
    );
  }
}

/** What keeps the name of whoever did something. */
async function anonymiseDoings(tx: Executor, person: Person): Promise<void> {
  const { id, email, ownsEmail } = person;
  const name = `Deleted user ${id}`;
  await tx.update(auditLog).set({ actorName: name }).where(eq(auditLog.actorId, id));
  await tx.update(publishRuns).set({ startedByName: name }).where(eq(publishRuns.startedBy, id));
  await tx.update(findingOverrides).set({ userName: name }).where(eq(findingOverrides.userId, id));
  await anonymiseAuditDetails(
    tx,
    person,
    sql`${auditLog.details} ->> 'email' = ${email}
      and (${ownsEmail} or (${auditLog.subjectType} = 'user' and ${auditLog.subjectId} = ${String(id)}))`,
  );
}

async function anonymiseAuditDetails(tx: Executor, { id }: Person, which: SQL): Promise<void> {
  await tx
    .update(auditLog)
    .set({ details: sql`jsonb_set(${auditLog.details}, '{email}', to_jsonb(${`deleted user ${id}`}::text))` })
    .where(which);
}

/** The books count one receipt for each order: its row stays, without recipient and text. */
async function anonymiseMails(tx: Executor, which: SQL): Promise<void> {
  await tx
    .delete(mailOutbox)
    .where(and(which, sql`coalesce(${mailOutbox.dedupeKey}, '') not like 'receipt:%'`));
  await tx
    .update(mailOutbox)
    .set({
      recipient: '',
      subject: 'Receipt of a deleted customer',
      text: '',
      html: null,
      // What still waits must not be sent to nobody.
      status: sql`case when ${mailOutbox.status} = 'queued' then 'sent'::mail_status else ${mailOutbox.status} end`,
      lastError: null,
    })
    .where(which);
}

/** A course's rating is of the reviews that there are (decision 38). */
async function rateAnew(tx: Executor, courseIds: readonly number[]): Promise<void> {
  if (courseIds.length === 0) return;
  // Whoever changes a review of these waits, as they do for one another: none computes from what is about to change.
  await tx
    .select({ id: courses.id })
    .from(courses)
    .where(inArray(courses.id, [...courseIds]))
    .orderBy(asc(courses.id))
    .for('no key update');
  await tx.execute(sql`
    update courses c set
      rating = coalesce((select round(avg(r.rating), 2) from course_reviews r where r.course_id = c.id and r.hidden_at is null), 0),
      review_count = (select count(*) from course_reviews r where r.course_id = c.id and r.hidden_at is null)
    where c.id in ${[...courseIds]}`);
}
