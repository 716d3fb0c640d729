import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { assignments, lessonProgress } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { renderMarkdown, requireRenderable } from '#src/server/markdown.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { env } from '#src/server/start/env.ts';
import { extensionOf, forgetBytes, saveFile } from '#src/server/files/files.ts';
import { sendJob } from '#src/server/jobs.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  getLearnersLesson,
  type LearnersLesson,
  lockEnrollment,
  lockLearnersLesson,
  recordCompletion,
} from '#src/features/learn/progress/completion.server.ts';
import { spendExtraAttempt } from '#src/features/learn/progress/rulings.server.ts';
import { SUBMISSION_EXTENSIONS, SUBMISSION_FILE_MAX_BYTES } from '#src/features/learn/progress/learn.ts';
import { dueOfWork, isLate } from './due.server.ts';
import type { AssignmentModel, HandedIn } from '#src/features/learn/schema.ts';
import { has } from '#src/features/lessons/registry.ts';
import {
  type AssignmentSettings,
  gradeOf,
  type Rubric,
} from '#src/features/lessons/types/assignment/settings.ts';
import { isStaffOf, type Person } from '#src/features/account/staff.ts';

const columns = {
  id: assignments.id,
  lessonId: assignments.lessonId,
  submission: assignments.submission,
  submittedAt: assignments.submittedAt,
  dueAt: dueOfWork,
  late: isLate,
  grade: assignments.grade,
  feedback: assignments.feedback,
  marks: assignments.marks,
  gradedAt: assignments.gradedAt,
  // Spelled out: Drizzle omits the table's name, and the inner table would match.
  again: sql<boolean>`exists (select from lesson_progress p
    where p.user_id = assignments.user_id and p.lesson_id = assignments.lesson_id and p.extra_attempts > 0)`,
  fileUrl: assignments.fileUrl,
  fileName: storedFiles.originalName,
  fileSize: storedFiles.size,
};

type AssignmentRow = Omit<AssignmentModel, 'file' | 'submittedAt' | 'feedbackHtml' | 'gradedAt'> & {
  id: number;
  submittedAt: Date;
  gradedAt: Date | null;
  fileUrl: string | null;
  fileName: string | null;
  fileSize: number | null;
};

function toModel({ id: _, fileUrl, fileName, fileSize, ...row }: AssignmentRow): AssignmentModel {
  return {
    ...row,
    file: fileUrl ? { url: fileUrl, name: fileName ?? 'file', size: fileSize ?? 0 } : null,
    submittedAt: row.submittedAt.toISOString(),
    feedbackHtml: row.feedback && renderMarkdown(row.feedback, { topHeading: 4 }),
    gradedAt: row.gradedAt?.toISOString() ?? null,
  };
}

/** Null before one is handed in. */
export async function findAssignment(
  executor: Executor,
  userId: number,
  lessonId: number,
): Promise<AssignmentModel | null> {
  const [row] = await executor
    .select(columns)
    .from(assignments)
    .leftJoin(storedFiles, eq(storedFiles.path, assignments.fileUrl))
    .where(and(eq(assignments.userId, userId), eq(assignments.lessonId, lessonId)));
  return row ? toModel(row) : null;
}

/** @throws {AppError} not_found for any other type of lesson */
async function settingsOf(executor: Executor, lesson: Pick<LearnersLesson, 'id' | 'type'>) {
  if (!has(lesson.type, 'assignmentSettings')) {
    throw new AppError('not_found', 'This lesson takes no submission.');
  }
  const [row] = await executor
    .select({ settings: lessons.assignmentSettings })
    .from(lessons)
    .where(eq(lessons.id, lesson.id));
  return row?.settings ?? {};
}

/**
 * A learner's submission and its grade, or null.
 * @throws {AppError} not_found
 */
export async function getAssignment(userId: number, lessonId: number): Promise<AssignmentModel | null> {
  await settingsOf(db(), await getLearnersLesson(userId, lessonId));
  return findAssignment(db(), userId, lessonId);
}

/**
 * Hands in a text in place of an earlier one (decision 37); completes the lesson unless a grade does (decision 59).
 * @throws {AppError} not_found, conflict
 */
export function submitText(userId: number, lessonId: number, submission: string): Promise<HandedIn> {
  return replaceSubmission(userId, lessonId, { submission, fileUrl: null });
}

/**
 * Hands in a form's file in place of an earlier one (decision 37).
 * @throws {AppError} too_large, unsupported_media_type, invalid_input, as `submitText`
 */
export async function submitFile(userId: number, lessonId: number, request: Request): Promise<HandedIn> {
  // Checked before the body is read, so that a refusal costs no upload.
  const settings = await settingsOf(db(), await getLearnersLesson(userId, lessonId));
  requireReplaceable(await findAssignment(db(), userId, lessonId), settings);
  return withUpload(request, { maxBytes: SUBMISSION_FILE_MAX_BYTES }, async ({ file }) => {
    if (!file || file.size === 0) {
      const message = file ? 'The file is empty' : 'Choose a file';
      throw new AppError('invalid_input', message, { fields: { file: message } });
    }
    if (!SUBMISSION_EXTENSIONS.includes(extensionOf(file.originalName))) {
      const message = `This kind of file is not taken. Hand in one of: ${SUBMISSION_EXTENSIONS.join(', ')}`;
      throw new AppError('unsupported_media_type', message, { fields: { file: message } });
    }
    const saved = await saveFile({ ...file, area: 'files' });
    try {
      return await replaceSubmission(userId, lessonId, { submission: '', fileUrl: saved.path });
    } catch (error) {
      await db().transaction(async (tx) => {
        await tx.delete(storedFiles).where(eq(storedFiles.id, saved.id));
        await sendJob(tx, forgetBytes, { sha256: saved.sha256 });
      });
      throw error;
    }
  });
}

const isFinal = (present: { grade: number | null } | null | undefined, completeFrom: number) =>
  present != null && present.grade !== null && present.grade >= completeFrom;

function requireReplaceable(
  present: { grade: number | null; again: boolean } | null | undefined,
  { completeFrom = 0 }: AssignmentSettings,
): void {
  if (isFinal(present, completeFrom) && !present?.again) {
    throw new AppError('conflict', 'Your work has been graded and can no longer be replaced.');
  }
}

async function replaceSubmission(
  userId: number,
  lessonId: number,
  values: { submission: string; fileUrl: string | null },
): Promise<HandedIn> {
  return await db().transaction(async (tx) => {
    const lesson = await lockLearnersLesson(tx, userId, lessonId);
    const settings = await settingsOf(tx, lesson);
    const [present] = await tx
      .select({ grade: assignments.grade, fileUrl: assignments.fileUrl, again: columns.again })
      .from(assignments)
      .where(and(eq(assignments.userId, userId), eq(assignments.lessonId, lessonId)))
      .for('update');
    requireReplaceable(present, settings);
    if (isFinal(present, settings.completeFrom ?? 0)) await spendExtraAttempt(tx, userId, lessonId);
    await tx
      .insert(assignments)
      .values({ userId, lessonId, ...values })
      .onConflictDoUpdate({
        target: [assignments.userId, assignments.lessonId],
        // The feedback stays readable while the work is done again.
        set: { ...values, submittedAt: sql`now()`, grade: null, marks: null, gradedAt: null, gradedBy: null },
      });
    const [old] = present?.fileUrl
      ? await tx
          .delete(storedFiles)
          .where(eq(storedFiles.path, present.fileUrl))
          .returning({ sha256: storedFiles.sha256 })
      : [];
    if (old) await sendJob(tx, forgetBytes, old);
    const completion =
      settings.completeFrom === undefined
        ? await recordCompletion(tx, { userId, courseId: lesson.courseId, lessonId })
        : null;
    return { ...(await findAssignment(tx, userId, lessonId))!, completion };
  });
}

/** For the learner who handed it in, and the staff of its course. */
export async function mayReadSubmittedFile(path: string, viewer: Person & { id: number }): Promise<boolean> {
  const [found] = await db()
    .select({ userId: assignments.userId, courseId: lessons.courseId })
    .from(assignments)
    .innerJoin(lessons, eq(lessons.id, assignments.lessonId))
    .where(eq(assignments.fileUrl, path))
    .limit(1);
  return found !== undefined && (found.userId === viewer.id || isStaffOf(viewer, found.courseId));
}

export interface SubmissionToGrade extends AssignmentModel {
  id: number;
  learner: { id: number; username: string; email: string };
  lessonTitle: string;
  settings: AssignmentSettings;
  course: { id: number; title: string };
}

/**
 * Submissions without a grade, oldest first, with their total.
 * @param page from 1
 * @param courseIds null for all
 */
export async function listUngraded({
  page,
  pageSize,
  courseIds = null,
}: {
  page: number;
  pageSize: number;
  courseIds?: number[] | null;
}): Promise<{ rows: SubmissionToGrade[]; total: number }> {
  const isWaiting = and(
    isNull(assignments.gradedAt),
    isPerson(assignments.userId),
    courseIds
      ? sql`exists (select from ${lessons} where ${lessons.id} = ${assignments.lessonId}
      and ${inArray(lessons.courseId, courseIds)})`
      : undefined,
  );
  const [rows, total] = await Promise.all([
    db()
      .select({
        ...columns,
        learner: { id: users.id, username: users.username, email: users.email },
        lessonTitle: lessons.title,
        settings: lessons.assignmentSettings,
        course: { id: courses.id, title: courses.title },
      })
      .from(assignments)
      .innerJoin(users, eq(users.id, assignments.userId))
      .innerJoin(lessons, eq(lessons.id, assignments.lessonId))
      .innerJoin(courses, eq(courses.id, lessons.courseId))
      .leftJoin(storedFiles, eq(storedFiles.path, assignments.fileUrl))
      .where(isWaiting)
      .orderBy(asc(assignments.submittedAt), asc(assignments.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db().$count(assignments, isWaiting),
  ]);
  return {
    rows: rows.map(({ learner, lessonTitle, settings, course, ...row }) => ({
      ...toModel(row),
      id: row.id,
      learner,
      lessonTitle,
      settings,
      course,
    })),
    total,
  };
}

function graded(
  rubric: Rubric | undefined,
  { grade, points }: { grade?: number | undefined; points?: number[] | undefined },
): Required<Pick<AssignmentModel, 'grade' | 'marks'>> & { grade: number } {
  const refuse = (field: string, message: string) =>
    new AppError('invalid_input', message, { fields: { [field]: message } });
  if (!rubric) {
    if (grade === undefined) throw refuse('grade', 'Grade is required');
    return { grade, marks: null };
  }
  if (points?.length !== rubric.length) {
    throw refuse('points', 'The rubric has changed. Reload the page and grade by the new one.');
  }
  const marks = rubric.map(({ name, points: of }, index) => ({ name, points: points[index]!, of }));
  for (const [index, mark] of marks.entries()) {
    if (mark.points > mark.of) {
      throw refuse(`points.${index}`, `“${mark.name}” has at most ${counted(mark.of, 'point')}`);
    }
  }
  return { grade: gradeOf(rubric, points), marks };
}

/**
 * Grades a submission and mails the learner; completes a lesson that asks for a grade (decision 59).
 * The gradebook changes grades (decision 129).
 * @param submittedAt of the submission that was read
 * @throws {AppError} not_found, forbidden, conflict, invalid_input
 */
export async function gradeAssignment(
  admin: Actor & { id: number },
  assignmentId: number,
  {
    feedback,
    submittedAt,
    ...given
  }: {
    grade?: number | undefined;
    points?: number[] | undefined;
    feedback: string;
    submittedAt: string;
  },
): Promise<AssignmentModel> {
  requireRenderable('feedback', 'Feedback', feedback);
  return db().transaction(async (tx) => {
    const [known] = await tx
      .select({
        userId: assignments.userId,
        lessonId: assignments.lessonId,
        email: users.email,
        name: users.username,
      })
      .from(assignments)
      .innerJoin(users, eq(users.id, assignments.userId))
      .where(eq(assignments.id, assignmentId));
    if (!known) throw new AppError('not_found', 'Submission not found');
    if (known.userId === admin.id) throw new AppError('forbidden', 'Somebody else grades your own work.');
    const [lesson] = await tx
      .select({ title: lessons.title, courseId: lessons.courseId, settings: lessons.assignmentSettings })
      .from(lessons)
      .where(eq(lessons.id, known.lessonId));
    const isEnrolled = lesson ? await lockEnrollment(tx, known.userId, lesson.courseId) : false;
    // In the lock order of the learner's own change.
    const [present] = await tx
      .select({ submittedAt: assignments.submittedAt, grade: assignments.grade })
      .from(assignments)
      .where(eq(assignments.id, assignmentId))
      .for('update');
    if (!present || !lesson) throw new AppError('not_found', 'Submission not found');
    if (present.submittedAt.toISOString() !== submittedAt) {
      throw new AppError(
        'conflict',
        'The learner has handed in something newer. Read it before you grade it.',
      );
    }
    const { completeFrom, rubric } = lesson.settings;
    const { grade, marks } = graded(rubric, given);
    if (present.grade !== null) {
      throw new AppError('conflict', 'It has a grade already. The gradebook changes it, with a reason.');
    }
    const completes = completeFrom !== undefined && grade >= completeFrom;
    await tx
      .update(assignments)
      .set({ grade, marks, feedback, gradedAt: sql`now()`, gradedBy: admin.id })
      .where(eq(assignments.id, assignmentId));
    await tx
      .insert(lessonProgress)
      .values({ userId: known.userId, lessonId: known.lessonId, courseId: lesson.courseId, score: grade })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { score: grade, updatedAt: sql`now()` },
      });
    if (completes && isEnrolled) {
      const { userId, lessonId } = known;
      await recordCompletion(tx, { userId, courseId: lesson.courseId, lessonId });
    }
    await recordAudit(tx, admin, {
      action: 'assignment.graded',
      subjectType: 'assignment',
      subjectId: assignmentId,
      details: { grade, before: null },
    });
    await queueMail(tx, {
      template: 'assignment-graded',
      to: known.email,
      subject: `Your work was graded | ${siteName()}`,
      content: {
        title: 'Your work was graded',
        paragraphs: [
          `Hello ${known.name},`,
          `What you handed in for the lesson “${lesson.title}” was graded: ${grade} of 100.`,
          ...(completes ? ['That completes the lesson.'] : []),
          ...(completeFrom !== undefined && !completes
            ? [`The lesson is completed by a grade of at least ${completeFrom}: you can hand in again.`]
            : []),
          ...(feedback ? ['There is written feedback too.'] : []),
        ],
        action: {
          label: 'See the feedback',
          url: new URL(`/learn/${lesson.courseId}?lesson=${known.lessonId}`, env().siteUrl).href,
        },
      },
    });
    return (await findAssignment(tx, known.userId, known.lessonId))!;
  });
}
