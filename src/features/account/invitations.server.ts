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

const role = sql<StaffRole>`${invitations.role}`;

/** Replaces an earlier invitation of the address. */
export async function keepInvitation(
  tx: Tx,
  values: Omit<typeof invitations.$inferInsert, 'token' | 'expiresAt'>,
) {
  const secret = newSecret();
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000);
  const row = { ...values, token: hashSecret(secret), expiresAt };
  await tx
    .insert(invitations)
    .values(row)
    .onConflictDoUpdate({
      target: [values.courseId ? invitations.courseId : invitations.organisationId, invitations.email],
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
      course: { id: courses.id, title: courses.title },
      email: invitations.email,
      role,
      expiresAt: invitations.expiresAt,
      username: invitations.email,
      by: { id: users.id, name: users.username },
    })
    .from(invitations)
    .innerJoin(courses, eq(courses.id, invitations.courseId))
    .innerJoin(users, and(eq(users.id, invitations.invitedBy), eq(users.role, 'admin')))
    .where(and(which, gt(invitations.expiresAt, sql`now()`)))
    .orderBy(invitations.email);

export const findStaffInvitation = async (secret: string) =>
  (await staffInvitations(eq(invitations.token, hashSecret(secret))))[0];

/** Gives what waits for the address, which the account has just proven. */
export async function takeStaffInvitations(tx: Tx, user: UserRow): Promise<void> {
  // Courses before invitations, like a course's deletion.
  const waiting = staffInvitations(eq(invitations.email, user.email), tx).for('key share', { of: courses });
  for (const { id, by, course } of await waiting) {
    const [taken] = await tx.delete(invitations).where(eq(invitations.id, id)).returning({ role });
    if (taken) await setStaff(tx, by, course, user, taken.role);
  }
}

/**
 * Makes a person author or grader, or removes them (null), and mails them; a repeat changes nothing.
 * @returns the given or the lost role
 */
export async function setStaff(
  tx: Tx,
  actor: Actor,
  { id, title }: { id: number; title: string },
  user: UserRow,
  role: StaffRole | null,
): Promise<StaffRole | undefined> {
  const [changed] = role
    ? await tx
        .insert(courseStaff)
        .values({ courseId: id, userId: user.id, role, addedBy: actor.id })
        .onConflictDoUpdate({
          target: [courseStaff.userId, courseStaff.courseId],
          set: { role, addedBy: actor.id },
          setWhere: ne(courseStaff.role, role),
        })
        .returning()
    : await tx
        .delete(courseStaff)
        .where(and(eq(courseStaff.courseId, id), eq(courseStaff.userId, user.id)))
        .returning();
  if (!changed) return undefined;
  await recordAudit(tx, actor, {
    action: role ? 'course.staff_set' : 'course.staff_removed',
    subjectType: 'course',
    subjectId: id,
    details: { title, email: user.email, role: changed.role },
  });
  await mailCourseStaff(tx, user, { course: title, courseId: id, role });
  return changed.role;
}
