import { and, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { passwordResetTokens, users } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';
import { toPublicUser } from './account.server.ts';
import { recordAudit } from './audit.server.ts';
import { voidChanges } from './email/email-change.server.ts';
import { mailPasswordChanged } from './mails.server.ts';
import { asksForAdmin } from './roles.server.ts';
import {
  checkPassword,
  hashNewPassword,
  isCommonPassword,
  refuseCommonForAdmins,
} from './password/password.server.ts';
import { type PublicUser, WRONG_CURRENT_PASSWORD } from './schema.ts';
import { closeAllSessions, closeSignIn, setStrength } from './session.server.ts';
import { beginAttempt, forgive, withdraw } from './sign-in/sign-in-guard.server.ts';

export async function renameAccount(userId: number, username: string): Promise<PublicUser> {
  const [user] = await db().update(users).set({ username }).where(eq(users.id, userId)).returning();
  if (!user) throw accountGone();
  return toPublicUser(user);
}

/**
 * Ends all other sign-ins and reset links, and mails the owner (fault A8). Wrong tries count like failed sign-ins
 * (decision 11).
 * @param signInId stays open
 * @throws {AppError} invalid_input at `currentPassword`, too_many_requests
 */
export async function changeOwnPassword(
  userId: number,
  signInId: string | null,
  input: { currentPassword: string; newPassword: string },
  ip: string,
): Promise<{ message: string }> {
  const [known] = await db().select().from(users).where(eq(users.id, userId));
  if (!known) throw accountGone();
  const attempt = await beginAttempt(known.email, ip);
  let matches: boolean;
  let passwordHash: string;
  try {
    matches = await checkPassword(known.passwordHash, input.currentPassword);
    passwordHash = matches ? await hashNewPassword(input.newPassword) : '';
  } catch (error) {
    await withdraw(attempt);
    throw error;
  }
  if (!matches) throw wrongPassword();
  await refuseCommonForAdmins(known.role, input.newPassword, 'newPassword');
  const commonPassword = await isCommonPassword(input.newPassword);
  return db().transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!user) throw accountGone();
    if (user.passwordHash !== known.passwordHash) throw wrongPassword();
    await forgive(attempt, tx);
    await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
    await tx
      .update(passwordResetTokens)
      .set({ used: true })
      .where(and(eq(passwordResetTokens.userId, userId), eq(passwordResetTokens.used, false)));
    await closeAllSessions(tx, userId, signInId ?? undefined);
    if (signInId) await setStrength(tx, signInId, { commonPassword });
    await voidChanges(tx, userId);
    await recordAudit(
      tx,
      { id: userId, name: user.username },
      { action: 'password.changed', subjectType: 'user', subjectId: userId },
    );
    await mailPasswordChanged(tx, user, 'account-page');
    return { message: 'Your password has been changed. Every other device was signed out.' };
  });
}

function wrongPassword(): AppError {
  return new AppError('invalid_input', WRONG_CURRENT_PASSWORD, {
    fields: { currentPassword: WRONG_CURRENT_PASSWORD },
  });
}

function accountGone(): AppError {
  return new AppError('not_found', 'There is no such account.');
}

/** @throws {AppError} not_found */
export async function endOwnSignIn(userId: number, signInId: string): Promise<{ message: string }> {
  if (!(await closeSignIn(db(), userId, signInId))) {
    throw new AppError('not_found', 'This sign-in has ended already.');
  }
  return { message: 'That device is signed out.' };
}

export async function endOtherSignIns(userId: number, signInId: string | null): Promise<{ message: string }> {
  await closeAllSessions(db(), userId, signInId ?? undefined);
  return { message: 'Every other device is signed out.' };
}

export async function accountFacts(userId: number) {
  const [row] = await db()
    .select({
      joinedAt: users.createdAt,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      asksForAdmin: asksForAdmin(userId),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) throw accountGone();
  return { ...row, joinedAt: row.joinedAt.toISOString() };
}
