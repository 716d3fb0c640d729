import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { and, asc, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { hasAccess } from '#src/features/catalogue/access.server.ts';
import { db, type Tx } from '#db/client.ts';
import { adminRequests, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { cartItems, orderItems, orders, refunds } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { factorsOf } from '#src/features/account/second-factor/factors.server.ts';
import { closeAllSessions, closeSignIn, listSignIns } from '#src/features/account/session.server.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { CLAIMABLE } from '#src/features/store/guests/guests.server.ts';
import { leftOfLine } from '#src/features/store/refunds/refund-state.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type { PersonDetail, PersonOrder } from './people.ts';

const ORDERS_SHOWN = 20;

/** Null for none. */
export async function findPerson(id: number): Promise<PersonDetail | null> {
  const [user] = await db()
    .select()
    .from(users)
    .where(and(eq(users.id, id), isPerson(users.id)));
  if (!user) return null;
  const theirs = or(eq(orders.userId, id), and(isNull(orders.userId), eq(orders.buyerEmail, user.email)));
  const [[request], signIns, owned, bought, orderCount, certificateCount, secondFactors] = await Promise.all([
    db()
      .select({ createdAt: adminRequests.createdAt })
      .from(adminRequests)
      .where(and(eq(adminRequests.userId, id), eq(adminRequests.status, 'open'))),
    listSignIns(id),
    db()
      .select({
        courseId: enrollments.courseId,
        title: courses.title,
        status: enrollments.status,
        orderId: orderItems.orderId,
        enrolledAt: enrollments.enrolledAt,
        progress: enrollments.progress,
        completedAt: enrollments.completedAt,
        lastAccessedAt: enrollments.lastAccessedAt,
      })
      .from(enrollments)
      .innerJoin(courses, eq(courses.id, enrollments.courseId))
      .leftJoin(orderItems, eq(orderItems.id, enrollments.orderItemId))
      .where(eq(enrollments.userId, id))
      .orderBy(desc(enrollments.enrolledAt), desc(enrollments.id)),
    db().select().from(orders).where(theirs).orderBy(desc(orders.id)).limit(ORDERS_SHOWN),
    db().$count(orders, theirs),
    db().$count(certificates, eq(certificates.userId, id)),
    factorsOf(id),
  ]);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    role: user.role,
    emailVerified: user.emailVerifiedAt !== null,
    hasPassword: user.passwordHash !== null,
    secondFactors,
    learningMail: user.learningMail,
    joinedAt: user.createdAt.toISOString(),
    openRequestAt: request?.createdAt.toISOString() ?? null,
    signIns,
    enrollments: owned.map((row) => ({
      ...row,
      enrolledAt: row.enrolledAt.toISOString(),
      completedAt: row.completedAt?.toISOString() ?? null,
      lastAccessedAt: row.lastAccessedAt?.toISOString() ?? null,
    })),
    orders: await shownOrders(bought),
    orderCount,
    certificateCount,
  };
}

async function shownOrders(bought: (typeof orders.$inferSelect)[]): Promise<PersonOrder[]> {
  if (bought.length === 0) return [];
  const items = await db()
    .select({ orderId: orderItems.orderId, title: orderItems.title, refundedAt: orderItems.refundedAt })
    .from(orderItems)
    .where(
      inArray(
        orderItems.orderId,
        bought.map((order) => order.id),
      ),
    )
    .orderBy(asc(orderItems.id));
  const byOrder = Map.groupBy(items, ({ orderId }) => orderId);
  return bought.map((order) => {
    const lines = byOrder.get(order.id) ?? [];
    return {
      id: order.id,
      createdAt: order.createdAt.toISOString(),
      status: order.status,
      totalCents: order.totalCents,
      refundedCents: order.refundedCents,
      titles: lines.map(({ title }) => title),
      isUnclaimed: order.userId === null,
      canResendClaimLink:
        order.userId === null &&
        (CLAIMABLE as readonly string[]).includes(order.status) &&
        lines.some(({ refundedAt }) => refundedAt === null),
    };
  });
}

const noUser = () => new AppError('not_found', 'There is no such user.');

async function namedUser(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('share');
  if (!user) throw noUser();
  return user;
}

/**
 * Audited.
 * @throws {AppError} not_found
 */
export async function endSignIn(
  actor: Actor,
  userId: number,
  signInId: string,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const user = await namedUser(tx, userId);
    if (!(await closeSignIn(tx, userId, signInId))) {
      throw new AppError('not_found', 'This sign-in has ended already.');
    }
    await recordAudit(tx, actor, {
      action: 'user.signed_out',
      subjectType: 'user',
      subjectId: userId,
      details: { email: user.email, which: 'one device' },
    });
    return { message: 'That device is signed out.' };
  });
}

/**
 * Audited.
 * @param exceptSignInId an administrator's own sign-in
 * @throws {AppError} not_found
 */
export async function endSignIns(
  actor: Actor,
  userId: number,
  exceptSignInId?: string,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const user = await namedUser(tx, userId);
    await closeAllSessions(tx, userId, exceptSignInId);
    await recordAudit(tx, actor, {
      action: 'user.signed_out',
      subjectType: 'user',
      subjectId: userId,
      details: { email: user.email, which: 'every device' },
    });
    return { message: exceptSignInId ? 'Every other device is signed out.' : 'Every device is signed out.' };
  });
}

/**
 * Access without a purchase, audited with its reason; earlier progress continues (decision 21).
 * @throws {AppError} not_found, conflict
 */
export async function enrollByHand(
  actor: Actor,
  userId: number,
  { courseId, reason }: { courseId: number; reason: string },
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Serialized with checkouts.
      await tx.execute(lockBuyer(userId));
      const user = await namedUser(tx, userId);
      const [course] = await tx
        .select()
        .from(courses)
        .where(and(eq(courses.id, courseId), isOwnCourse));
      if (!course) {
        const message = 'There is no such course';
        throw new AppError('not_found', message, { fields: { courseId: message } });
      }
      const outcome = await giveAccess(tx, userId, courseId);
      if (outcome === 'had-it') {
        throw new AppError('conflict', `${user.username} has access to “${course.title}” already.`);
      }
      if (outcome === 'suspended') {
        throw new AppError(
          'conflict',
          `Access to “${course.title}” is suspended while its payment is disputed. It comes back when the dispute is won.`,
        );
      }
      await recordAudit(tx, actor, {
        action: 'enrollment.granted',
        subjectType: 'user',
        subjectId: userId,
        reason,
        details: { email: user.email, course: course.title, courseId },
      });
      return { message: `${user.username} has access to “${course.title}”.` };
    }),
  );
}

/** Under the buyer's lock; updates student count and cart. Existing access stays as it is. */
async function giveAccess(
  tx: Tx,
  userId: number,
  courseId: number,
): Promise<'given' | 'had-it' | 'suspended'> {
  const [granted] = await tx
    .insert(enrollments)
    .values({ userId, courseId })
    .onConflictDoUpdate({
      target: [enrollments.userId, enrollments.courseId],
      set: { status: 'active', orderItemId: null },
      setWhere: eq(enrollments.status, 'revoked'),
    })
    .returning({ isNew: sql<boolean>`(xmax = 0)` });
  await tx
    .delete(cartItems)
    .where(and(eq(cartItems.userId, userId), hasAccess(cartItems.userId, cartItems.courseId)));
  if (granted?.isNew) {
    await tx
      .update(courses)
      .set({ studentsCount: sql`${courses.studentsCount} + 1` })
      .where(eq(courses.id, courseId));
  }
  if (granted) return 'given';
  const [suspended] = await tx
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(
      and(
        eq(enrollments.userId, userId),
        eq(enrollments.courseId, courseId),
        eq(enrollments.status, 'suspended'),
      ),
    );
  return suspended ? 'suspended' : 'had-it';
}

/**
 * Revokes given access, audited; progress stays (decision 21). Paid access ends only by refund.
 * @throws {AppError} not_found, conflict
 */
export async function unenrollByHand(
  actor: Actor,
  userId: number,
  courseId: number,
  reason: string,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await tx.execute(lockBuyer(userId));
      const user = await namedUser(tx, userId);
      const [row] = await tx
        .select({ enrollment: enrollments, title: courses.title, line: orderItems })
        .from(enrollments)
        .innerJoin(courses, eq(courses.id, enrollments.courseId))
        .leftJoin(orderItems, eq(orderItems.id, enrollments.orderItemId))
        .where(
          and(
            eq(enrollments.userId, userId),
            eq(enrollments.courseId, courseId),
            ne(enrollments.status, 'revoked'),
          ),
        )
        .for('update', { of: enrollments });
      if (!row) throw new AppError('not_found', `${user.username} has no access to this course.`);
      const { line } = row;
      const paid =
        line !== null && line.refundedAt === null && leftOfLine(line, await refundsOfLine(tx, line.id)) > 0;
      if (paid) {
        throw new AppError(
          'conflict',
          `“${row.title}” was paid for with order #${line.orderId}. Refund it there: that ends the access.`,
        );
      }
      await tx.update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.id, row.enrollment.id));
      await recordAudit(tx, actor, {
        action: 'enrollment.revoked',
        subjectType: 'user',
        subjectId: userId,
        reason,
        details: { email: user.email, course: row.title, courseId, progress: row.enrollment.progress },
      });
      return { message: `${user.username} has no access to “${row.title}” any more. The progress is kept.` };
    }),
  );
}

const refundsOfLine = (tx: Tx, lineId: number) =>
  tx.select().from(refunds).where(eq(refunds.orderItemId, lineId));

/** By title, without those they have. */
export async function coursesToGive(userId: number): Promise<{ id: number; title: string }[]> {
  return db()
    .select({ id: courses.id, title: courses.title })
    .from(courses)
    .where(
      sql`${isOwnCourse} and not exists (select from ${enrollments} where ${enrollments.courseId} = ${courses.id}
        and ${enrollments.userId} = ${userId} and ${enrollments.status} <> 'revoked')`,
    )
    .orderBy(asc(courses.title), asc(courses.id))
    .limit(1000);
}
