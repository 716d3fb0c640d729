import { and, asc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { type UserRow, adminRequests, users } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';
import { toPublicUser } from './account.server.ts';
import { type Actor, recordAudit } from './audit.server.ts';
import { mailAdminDecision } from './mails.server.ts';
import type { listAdminRequests, PublicUser } from './schema.ts';

export const asksForAdmin = (userId: number | SQLWrapper) =>
  sql<boolean>`exists (select from ${adminRequests}
    where ${adminRequests.userId} = ${userId} and ${adminRequests.status} = 'open')`;

export async function openAdminRequests(): Promise<z.input<typeof listAdminRequests.output>> {
  const rows = await db()
    .select({ request: adminRequests, user: users })
    .from(adminRequests)
    .innerJoin(users, eq(users.id, adminRequests.userId))
    .where(eq(adminRequests.status, 'open'))
    .orderBy(asc(adminRequests.createdAt), asc(adminRequests.id));
  return rows.map(({ request, user }) => ({
    id: request.id,
    userId: user.id,
    username: user.username,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    createdAt: request.createdAt.toISOString(),
  }));
}

export async function administrators(): Promise<PublicUser[]> {
  const rows = await db().select().from(users).where(eq(users.role, 'admin')).orderBy(asc(users.id));
  return rows.map(toPublicUser);
}

const ROLES_LOCK = 727_106_010;

/**
 * Serialises role changes. One lock, because row locks of differing sets could deadlock.
 * @returns the administrators' ids
 */
export async function lockRoles(tx: Tx, actor: Actor): Promise<number[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ROLES_LOCK})`);
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.role, 'admin'));
  const ids = rows.map((row) => row.id);
  if (actor.id !== null && !ids.includes(actor.id)) {
    throw new AppError('forbidden', 'Only administrators may do this.');
  }
  return ids;
}

export async function lockUser(tx: Tx, userId: number): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) throw new AppError('not_found', 'There is no such user.');
  return user;
}

/**
 * Decision 10; mails the user.
 * @throws {AppError} not_found, conflict where no request is open or an address is unverified (decision 13)
 */
export async function decideRequest(
  actor: Actor,
  userId: number,
  decision: 'approve' | 'decline',
  reason = '',
): Promise<PublicUser> {
  return db().transaction(async (tx) => {
    await lockRoles(tx, actor);
    const user = await lockUser(tx, userId);
    const [request] = await tx
      .select()
      .from(adminRequests)
      .where(and(eq(adminRequests.userId, userId), eq(adminRequests.status, 'open')))
      .for('update');
    if (!request) throw new AppError('conflict', 'This user has no open request for administrator access.');
    if (decision === 'approve') refuseUnverified(user);
    await closeRequest(tx, actor, userId, decision === 'approve' ? 'approved' : 'declined');
    if (decision === 'approve') await tx.update(users).set({ role: 'admin' }).where(eq(users.id, userId));
    await recordAudit(tx, actor, {
      action: decision === 'approve' ? 'admin_request.approved' : 'admin_request.declined',
      subjectType: 'user',
      subjectId: userId,
      reason,
      details: { email: user.email },
    });
    await mailAdminDecision(tx, user, decision, reason);
    return toPublicUser({ ...user, role: decision === 'approve' ? 'admin' : user.role });
  });
}

async function closeRequest(
  tx: Tx,
  actor: Actor,
  userId: number,
  status: 'approved' | 'declined',
): Promise<void> {
  await tx
    .update(adminRequests)
    .set({ status, decidedAt: new Date(), decidedBy: actor.id })
    .where(and(eq(adminRequests.userId, userId), eq(adminRequests.status, 'open')));
}

function refuseUnverified(user: UserRow): void {
  if (user.emailVerifiedAt) return;
  throw new AppError(
    'conflict',
    'This user has not verified their email address yet. They can have a new link sent from their account.',
  );
}

/**
 * Approves an open request too; a repeat changes nothing.
 * @param actor the command line needs no verified address
 * @throws {AppError} not_found, conflict for the last administrator or an unverified address
 */
export async function setRole(
  actor: Actor,
  userId: number,
  role: 'student' | 'admin',
  reason = '',
): Promise<PublicUser> {
  return db().transaction(async (tx) => {
    const admins = await lockRoles(tx, actor);
    const user = await lockUser(tx, userId);
    if (user.role === role) return toPublicUser(user);
    if (role === 'admin') {
      if (actor.id !== null) refuseUnverified(user);
      await closeRequest(tx, actor, userId, 'approved');
    } else if (admins.length === 1) {
      throw new AppError('conflict', 'The last administrator cannot be demoted.');
    }
    await tx.update(users).set({ role }).where(eq(users.id, userId));
    await recordAudit(tx, actor, {
      action: role === 'admin' ? 'role.granted' : 'role.revoked',
      subjectType: 'user',
      subjectId: userId,
      reason,
      details: { email: user.email, from: user.role, to: role },
    });
    return toPublicUser({ ...user, role });
  });
}

export async function findUserIdByEmail(email: string): Promise<number | null> {
  const [user] = await db().select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? null;
}
