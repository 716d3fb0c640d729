import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { assignments, enrollments, previewLearners } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import {
  cookieName,
  cookieOptions,
  type CookieJar,
  type CurrentUser,
} from '#src/features/account/session.server.ts';
import { isLesson, lockWorking } from '#src/features/lessons/working-copy.server.ts';
import type { z } from 'zod';
import type { PreviewState, startPreviewCall } from './schema.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { sendJob } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { isStaffOf } from '#src/features/account/staff.ts';

// An administrator previews a course as a user of their own, whom no figure, list or mail includes (decision 76). A cookie names
// the course.

const COOKIE = 'preview';

type PreviewInput = z.output<NonNullable<typeof startPreviewCall.input>>;

export interface Preview {
  courseId: number;
  title: string;
  /** With or without unpublished changes; null where there are none. */
  state: PreviewState | null;
}

const LEARNING =
  /^\/(?:learn|lesson|lessons|scenario|scenarios)\/|^\/api\/(?:(?:lessons|lesson-questions|scenarios|submissions|my-enrollments)\/|(?:my-enrollments|enrollments|progress|execute-code|execute-scenario-action|hidden-programs)$|courses\/\d+\/content\/)/;

/**
 * Starts or continues a preview, with unpublished changes where there are any.
 * @param reset forgets earlier progress
 * @throws {AppError} not_found
 */
export async function startPreview(
  adminId: number,
  courseId: number,
  cookies: CookieJar,
  { lessonId, reset = false, state = 'changes' }: PreviewInput = {},
): Promise<{ href: string }> {
  const chosen = await db().transaction(async (tx) => {
    // Two tabs create one learner.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, adminId)).for('no key update');
    // Publishing and discarding delete the copy.
    const course = await lockWorking(tx, courseId);
    if (course?.courseId !== courseId) throw new AppError('not_found', 'Course not found');
    const shown = state === 'live' ? courseId : course.id;
    const [lesson] =
      lessonId === undefined
        ? []
        : await tx
            .select({ id: lessons.id })
            .from(lessons)
            .where(and(isLesson(lessonId), eq(lessons.courseId, shown)));
    if (lessonId !== undefined && !lesson) throw new AppError('not_found', 'Lesson not found');
    // A copy has the title of its day.
    if (shown !== courseId)
      await tx.update(courses).set({ title: course.title }).where(eq(courses.id, shown));
    if (reset) await forgetPreviews(tx, { adminId, courseId: shown });
    const found = { courseId: shown, lessonId: lesson?.id };
    const [known] = await tx
      .select({ userId: previewLearners.userId })
      .from(previewLearners)
      .where(and(eq(previewLearners.adminId, adminId), eq(previewLearners.courseId, shown)));
    if (known) return found;
    const [user] = await tx
      .insert(users)
      // Cannot sign in or get mail: no password, an impossible address.
      .values({
        username: 'Preview learner',
        email: `preview-${adminId}-${shown}@preview.invalid`,
        learningMail: 'off',
      })
      .returning({ id: users.id });
    await tx.insert(previewLearners).values({ userId: user!.id, adminId, courseId: shown });
    await tx.insert(enrollments).values({ userId: user!.id, courseId: shown });
    return found;
  });
  cookies.set(cookieName(COOKIE), String(chosen.courseId), cookieOptions());
  const place = chosen.lessonId === undefined ? '' : `?lesson=${chosen.lessonId}`;
  return { href: `/learn/${chosen.courseId}${place}` };
}

/**
 * Ends the preview; its progress stays.
 * @throws {AppError} not_found
 */
export async function leavePreview(
  adminId: number,
  courseId: number,
  cookies: CookieJar,
): Promise<{ href: string }> {
  cookies.delete(cookieName(COOKIE), cookieOptions());
  const [known] = await db()
    .select({ userId: previewLearners.userId })
    .from(previewLearners)
    .where(
      and(eq(previewLearners.adminId, adminId), inArray(previewLearners.courseId, statesOf(db(), courseId))),
    );
  if (!known) throw new AppError('not_found', 'You are not looking at this course as a learner.');
  return { href: `/admin/courses/${courseId}/content` };
}

/**
 * The preview's learner at this path; null for oneself.
 * @param path of the request
 */
export async function previewLearner(
  user: CurrentUser | null,
  path: string,
  cookies: { get: (name: string) => { value: string } | undefined },
): Promise<{ user: CurrentUser; preview: Preview } | null> {
  const chosen = cookies.get(cookieName(COOKIE))?.value;
  if (!user || !chosen || !/^[1-9]\d{0,8}$/.test(chosen) || !LEARNING.test(path)) return null;
  if (!isStaffOf(user, Number(chosen), 'author')) return null;
  const [found] = await db()
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      title: courses.title,
      courseId: sql<number>`coalesce(${courses.draftOf}, ${courses.id})`,
      state: sql<PreviewState | null>`case
        when ${courses.draftOf} is not null then 'changes'
        when exists (select from ${courses} copy where copy.draft_of = ${courses.id}) then 'live' end`,
    })
    .from(previewLearners)
    .innerJoin(users, eq(users.id, previewLearners.userId))
    .innerJoin(courses, eq(courses.id, previewLearners.courseId))
    .where(and(eq(previewLearners.adminId, user.id), eq(previewLearners.courseId, Number(chosen))));
  if (!found) return null;
  const { title, courseId, state, ...learner } = found;
  return {
    user: { ...learner, role: 'student', emailVerified: true, staff: {} },
    preview: { courseId, title, state },
  };
}

const statesOf = (executor: Executor, courseId: number) =>
  executor
    .select({ id: courses.id })
    .from(courses)
    .where(or(eq(courses.id, courseId), eq(courses.draftOf, courseId)));

/** Deletes preview learners of an administrator, of a course in all its states, or of both. */
export async function forgetPreviews(
  tx: Tx,
  { adminId, courseId }: { adminId?: number; courseId?: number },
): Promise<void> {
  const rows = await tx
    .select({ userId: previewLearners.userId })
    .from(previewLearners)
    .where(
      and(
        adminId === undefined ? undefined : eq(previewLearners.adminId, adminId),
        courseId === undefined ? undefined : inArray(previewLearners.courseId, statesOf(tx, courseId)),
      ),
    );
  if (rows.length === 0) return;
  const ids = rows.map(({ userId }) => userId);
  const handedIn = await tx
    .select({ path: assignments.fileUrl })
    .from(assignments)
    .where(and(inArray(assignments.userId, ids), isNotNull(assignments.fileUrl)));
  const paths = handedIn.map(({ path }) => path!);
  const gone =
    paths.length === 0
      ? []
      : await tx
          .delete(storedFiles)
          .where(inArray(storedFiles.path, paths))
          .returning({ sha256: storedFiles.sha256 });
  for (const bytes of gone) await sendJob(tx, forgetBytes, bytes);
  await tx.delete(users).where(inArray(users.id, ids));
}
