import { and, asc, count, eq, isNull, or, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { type UserRow, users } from '#db/schema/account.ts';
import { courses, courseStaff, lessons } from '#db/schema/catalogue.ts';
import { organisationInvitations } from '#db/schema/organisations.ts';
import { assignments } from '#db/schema/learn.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { setStaff, keepInvitation, staffInvitations } from '#src/features/account/invitations.server.ts';
import { mailInvitation } from '#src/features/account/mails.server.ts';
import type { StaffRole } from '#src/features/account/staff.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';

/** SQL: may be shown as the instructor: administrators, and the course's authors. */
const mayInstruct = (courseId: number) =>
  sql`${isPerson(users.id)} and (${users.role} = 'admin' or exists (select from ${courseStaff}
    where ${courseStaff.courseId} = ${courseId} and ${courseStaff.userId} = ${users.id} and ${courseStaff.role} = 'author'))`;

/** By name, and the email of the instructor; null without such a course. */
export async function findStaff(courseId: number) {
  const [course] = await db()
    .select({ title: courses.title, instructor: users.email })
    .from(courses)
    .leftJoin(users, eq(users.id, courses.createdBy))
    .where(and(eq(courses.id, courseId), isOwnCourse));
  if (!course) return null;
  const byName = [asc(sql`lower(${users.username})`), asc(users.id)];
  const instructors = await db()
    .select({ email: users.email, username: users.username })
    .from(users)
    .where(or(eq(users.email, course.instructor ?? ''), mayInstruct(courseId)))
    .orderBy(...byName);
  const members = await db()
    .select({
      userId: users.id,
      username: users.username,
      email: users.email,
      role: courseStaff.role,
      since: courseStaff.createdAt,
    })
    .from(courseStaff)
    .innerJoin(users, eq(users.id, courseStaff.userId))
    .where(eq(courseStaff.courseId, courseId))
    .orderBy(...byName);
  const invited = await staffInvitations(eq(courses.id, courseId));
  return { ...course, instructors, members, invited };
}

async function lockCourse(tx: Tx, courseId: number): Promise<{ title: string }> {
  const [course] = await tx
    .select({ title: courses.title })
    .from(courses)
    .where(and(eq(courses.id, courseId), isOwnCourse))
    .for('no key update');
  if (!course) throw new AppError('not_found', 'Course not found');
  return course;
}

/**
 * Makes a person author or grader, or the instructor, or removes them; a repeat changes nothing. Without a verified account
 * they are invited (decision 13).
 * @throws {AppError} not_found, invalid_input at `email`, too_many_requests
 */
export async function putStaff(
  actor: Actor & { id: number },
  courseId: number,
  { email, role }: { email: string; role: StaffRole | 'instructor' | 'none' },
): Promise<{ message: string }> {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  const isStaff = role === 'author' || role === 'grader';
  if (isStaff && !user?.emailVerifiedAt) await consume('organisation-members', `user:${actor.id}`);
  return db().transaction(async (tx) => {
    const course = { ...(await lockCourse(tx, courseId)), id: courseId };
    if (role === 'instructor') return setInstructor(tx, actor, course, email);
    if (role === 'none') return removeStaff(tx, actor, course, email, user);
    if (user?.role === 'admin') {
      const problem = 'This is an administrator, who may do all of it already.';
      throw new AppError('invalid_input', problem, { fields: { email: problem } });
    }
    if (user?.emailVerifiedAt) {
      await setStaff(tx, actor, course, user, role);
      return { message: `${user.username} is ${role} of this course` };
    }
    const { message, ...link } = await keepInvitation(tx, { courseId, email, role, invitedBy: actor.id });
    await mailInvitation(tx, {
      template: 'course-staff',
      to: email,
      title: 'Join the staff of a course',
      says: `${siteName()} invites you to be ${role === 'author' ? 'an author' : 'a grader'} of “${course.title}”.`,
      ...link,
    });
    return { message };
  });
}

async function setInstructor(
  tx: Tx,
  actor: Actor,
  { id, title }: { id: number; title: string },
  email: string,
): Promise<{ message: string }> {
  const [user] = await tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(eq(users.email, email), mayInstruct(id)));
  if (!user) {
    const problem = 'Only an administrator or an author of this course can be its instructor.';
    throw new AppError('invalid_input', problem, { fields: { email: problem } });
  }
  const [changed] = await tx
    .update(courses)
    .set({ createdBy: user.id })
    .where(and(eq(courses.id, id), sql`${courses.createdBy} is distinct from ${user.id}`))
    .returning({ id: courses.id });
  if (changed) {
    await recordAudit(tx, actor, {
      action: 'course.staff_set',
      subjectType: 'course',
      subjectId: id,
      details: { title, email, role: 'instructor' },
    });
  }
  return { message: `${user.username} is the instructor of this course` };
}

/** Their work stays. */
async function removeStaff(
  tx: Tx,
  actor: Actor,
  course: { id: number; title: string },
  email: string,
  user?: UserRow,
) {
  const [invited] = await tx
    .delete(organisationInvitations)
    .where(and(eq(organisationInvitations.courseId, course.id), eq(organisationInvitations.email, email)))
    .returning();
  if (invited) return { message: `The invitation of ${email} is withdrawn` };
  const was = user && (await setStaff(tx, actor, course, user, null));
  if (!was) throw new AppError('not_found', 'This person is not on the staff of this course.');
  return { message: `${user.username} is no ${was} of this course any more` };
}

/** By title. */
export function taughtCourses(userId: number) {
  const waiting = (
    table: typeof assignments | typeof lessonQuestions,
    isWaiting: ReturnType<typeof isNull>,
  ) =>
    db()
      .select({ waiting: count() })
      .from(table)
      .innerJoin(lessons, eq(lessons.id, table.lessonId))
      .where(and(eq(lessons.courseId, courses.id), isWaiting, isPerson(table.userId)));
  const toGrade = waiting(assignments, isNull(assignments.gradedAt));
  const toAnswer = waiting(
    lessonQuestions,
    sql`${lessonQuestions.waitingSince} is not null and ${lessonQuestions.hiddenAt} is null`,
  );
  return db()
    .select({
      id: courses.id,
      title: courses.title,
      role: courseStaff.role,
      isActive: courses.isActive,
      toGrade: sql<number>`(${toGrade})`.mapWith(Number),
      toAnswer: sql<number>`(${toAnswer})`.mapWith(Number),
    })
    .from(courseStaff)
    .innerJoin(courses, eq(courses.id, courseStaff.courseId))
    .where(eq(courseStaff.userId, userId))
    .orderBy(asc(courses.title), asc(courses.id));
}
