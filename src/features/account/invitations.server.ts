import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users, type UserRow } from '#db/schema/account.ts';
import { courses, courseStaff } from '#db/schema/catalogue.ts';
import { organisationInvitations as invitations } from '#db/schema/organisations.ts';
import { type Actor, recordAudit } from './audit.server.ts';
import { mailCourseStaff } from './mails.server.ts';
import { hashSecret, newSecret } from './session.server.ts';
import type { StaffRole } from './staff.ts';

const INVITATION_DAYS = 14;

/** Replaces an earlier invitation of the address. */
export async function keepInvitation(
  tx: Tx,
  values: Omit<typeof invitations.$inferInsert, 'token' | 'expiresAt'>,
): Promise<{ secret: string; expiresAt: Date; message: string }> {
  const secret = newSecret();
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000);
  const row = { ...values, token: hashSecret(secret), expiresAt };
  await tx
    .insert(invitations)
    .values(row)
    .onConflictDoUpdate({
      target: [invitations.organisationId, invitations.courseId, invitations.email],
      set: row,
    });
  const message = `We mailed an invitation to ${values.email}. It works for ${INVITATION_DAYS} days.`;
  return { secret, expiresAt, message };
}

/** To the staff of courses: not expired, and the inviter is still an administrator. */
export const staffInvitations = (which: SQL, executor: Executor = db()) =>
  executor
    .select({
      id: invitations.id,
      courseId: courses.id,
      title: courses.title,
      email: invitations.email,
      role: sql<StaffRole>`${invitations.role}`,
      expiresAt: invitations.expiresAt,
      by: { id: users.id, name: users.username },
    })
    .from(invitations)
    .innerJoin(courses, eq(courses.id, invitations.courseId))
    .innerJoin(users, and(eq(users.id, invitations.invitedBy), eq(users.role, 'admin')))
    .where(and(which, gt(invitations.expiresAt, sql`now()`)))
    .orderBy(invitations.email);

/** Null where it does not work. */
export async function findStaffInvitation(secret: string) {
  const [found] = await staffInvitations(eq(invitations.token, hashSecret(secret)));
  return found ?? null;
}

/** Gives what waits for the address, which the account has just proven. */
export async function takeStaffInvitations(tx: Tx, user: UserRow): Promise<void> {
  // Courses before invitations, like a course's deletion.
  const waiting = staffInvitations(eq(invitations.email, user.email), tx).for('key share', { of: courses });
  for (const { id, by, courseId, title } of await waiting) {
    const [taken] = await tx
      .delete(invitations)
      .where(eq(invitations.id, id))
      .returning({ role: sql<StaffRole>`${invitations.role}` });
    if (taken) await giveStaff(tx, by, { id: courseId, title }, user, taken.role);
  }
}

/** Makes a person author or grader, and mails them; a repeat changes nothing. */
export async function giveStaff(
  tx: Tx,
  actor: Actor,
  { id, title }: { id: number; title: string },
  user: UserRow,
  role: StaffRole,
): Promise<void> {
  const [given] = await tx
    .insert(courseStaff)
    .values({ courseId: id, userId: user.id, role, addedBy: actor.id })
    .onConflictDoUpdate({
      target: [courseStaff.userId, courseStaff.courseId],
      set: { role, addedBy: actor.id },
      setWhere: ne(courseStaff.role, role),
    })
    .returning();
  if (!given) return;
  await recordAudit(tx, actor, {
    action: 'course.staff_set',
    subjectType: 'course',
    subjectId: id,
    details: { title, email: user.email, role },
  });
  await mailCourseStaff(tx, user, { course: title, courseId: id, role });
}
