import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { assignments, lessonProgress } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { env } from '#src/server/start/env.ts';
import { extensionOf, forgetBytes, saveFile } from '#src/server/files/files.ts';
import { sendJob } from '#src/server/jobs.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { mailLayout, siteName } from '#src/server/mail/mail-layout.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  getLearnersLesson,
  type LearnersLesson,
  lockLearnersLesson,
} from '#src/features/learn/progress/learn.server.ts';
import {
  isAssignment,
  SUBMISSION_EXTENSIONS,
  SUBMISSION_FILE_MAX_BYTES,
} from '#src/features/learn/progress/learn.ts';
import type { AssignmentModel } from '#src/features/learn/schema.ts';

const columns = {
  id: assignments.id,
  lessonId: assignments.lessonId,
  submission: assignments.submission,
  submittedAt: assignments.submittedAt,
  grade: assignments.grade,
  feedback: assignments.feedback,
  gradedAt: assignments.gradedAt,
  fileUrl: assignments.fileUrl,
  fileName: storedFiles.originalName,
  fileSize: storedFiles.size,
};

type AssignmentRow = {
  lessonId: number;
  submission: string;
  submittedAt: Date;
  grade: number | null;
  feedback: string;
  gradedAt: Date | null;
  fileUrl: string | null;
  fileName: string | null;
  fileSize: number | null;
};

function toModel(row: AssignmentRow): AssignmentModel {
  return {
    lessonId: row.lessonId,
    submission: row.submission,
    file: row.fileUrl ? { url: row.fileUrl, name: row.fileName ?? 'file', size: row.fileSize ?? 0 } : null,
    submittedAt: row.submittedAt.toISOString(),
    grade: row.grade,
    feedback: row.feedback,
    gradedAt: row.gradedAt?.toISOString() ?? null,
  };
}

async function findAssignment(
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

function requireAssignment(lesson: LearnersLesson): void {
  if (!isAssignment(lesson)) {
    throw new AppError('not_found', 'This lesson takes no submission.');
  }
}

/**
 * What a learner has handed in for a lesson, with its grade; null before that.
 *
 * @throws {AppError} not_found where the learner has no such lesson or it takes no submission
 */
export async function getAssignment(userId: number, lessonId: number): Promise<AssignmentModel | null> {
  requireAssignment(await getLearnersLesson(userId, lessonId));
  return findAssignment(db(), userId, lessonId);
}

/**
 * Hands in a text, in place of what was handed in before (decision 37).
 *
 * @throws {AppError} conflict once it is graded; not_found as `getAssignment`
 */
export function submitText(userId: number, lessonId: number, submission: string): Promise<AssignmentModel> {
  return replaceSubmission(userId, lessonId, { submission, fileUrl: null });
}

/**
 * Hands in the file of a form, in place of what was handed in before (decision 37).
 *
 * @throws {AppError} as `submitText`; too_large and unsupported_media_type for files that are not taken, invalid_input
 *   for a form without one
 */
export async function submitFile(
  userId: number,
  lessonId: number,
  request: Request,
): Promise<AssignmentModel> {
  // Known before the file is read: nobody uploads 20 MB to learn that it is refused.
  requireOpen(await getAssignment(userId, lessonId));
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

function requireOpen(present: Pick<AssignmentModel, 'gradedAt'> | null): void {
  if (present?.gradedAt) {
    throw new AppError('conflict', 'Your work has been graded and can no longer be replaced.');
  }
}

async function replaceSubmission(
  userId: number,
  lessonId: number,
  values: { submission: string; fileUrl: string | null },
): Promise<AssignmentModel> {
  return await db().transaction(async (tx) => {
    const lesson = await lockLearnersLesson(tx, userId, lessonId);
    requireAssignment(lesson);
    const [present] = await tx
      .select({ gradedAt: assignments.gradedAt, fileUrl: assignments.fileUrl })
      .from(assignments)
      .where(and(eq(assignments.userId, userId), eq(assignments.lessonId, lessonId)))
      .for('update');
    requireOpen(present ? { gradedAt: present.gradedAt?.toISOString() ?? null } : null);
    await tx
      .insert(assignments)
      .values({ userId, lessonId, ...values })
      .onConflictDoUpdate({
        target: [assignments.userId, assignments.lessonId],
        set: { ...values, submittedAt: sql`now()` },
      });
    const [old] = present?.fileUrl
      ? await tx
          .delete(storedFiles)
          .where(eq(storedFiles.path, present.fileUrl))
          .returning({ sha256: storedFiles.sha256 })
      : [];
    if (old) await sendJob(tx, forgetBytes, old);
    return (await findAssignment(tx, userId, lessonId))!;
  });
}

/** Whether this user handed in the stored file; administrators may read every file anyway. */
export async function ownsSubmittedFile(path: string, userId: number): Promise<boolean> {
  const rows = await db()
    .select({ id: assignments.id })
    .from(assignments)
    .where(and(eq(assignments.fileUrl, path), eq(assignments.userId, userId)))
    .limit(1);
  return rows.length > 0;
}

/** A submission as whoever grades it sees it. */
export interface SubmissionToGrade extends AssignmentModel {
  id: number;
  learner: { id: number; username: string; email: string };
  lessonTitle: string;
  course: { id: number; title: string };
}

/**
 * Submissions that wait for a grade, the oldest first, and how many there are in all.
 *
 * @param page from 1
 */
export async function listUngraded({
  page,
  pageSize,
}: {
  page: number;
  pageSize: number;
}): Promise<{ rows: SubmissionToGrade[]; total: number }> {
  const [rows, [all]] = await Promise.all([
    db()
      .select({
        ...columns,
        learner: { id: users.id, username: users.username, email: users.email },
        lessonTitle: lessons.title,
        course: { id: courses.id, title: courses.title },
      })
      .from(assignments)
      .innerJoin(users, eq(users.id, assignments.userId))
      .innerJoin(lessons, eq(lessons.id, assignments.lessonId))
      .innerJoin(courses, eq(courses.id, lessons.courseId))
      .leftJoin(storedFiles, eq(storedFiles.path, assignments.fileUrl))
      .where(isNull(assignments.gradedAt))
      .orderBy(asc(assignments.submittedAt), asc(assignments.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db().select({ total: count() }).from(assignments).where(isNull(assignments.gradedAt)),
  ]);
  return {
    rows: rows.map(({ id, learner, lessonTitle, course, ...row }) => ({
      ...toModel(row),
      id,
      learner,
      lessonTitle,
      course,
    })),
    total: all!.total,
  };
}

/**
 * Grades a submission, or corrects a grade; the learner is told by mail. The grade also counts as the lesson's score.
 *
 * @param submittedAt of the submission that was read: a newer one is not graded unseen
 * @throws {AppError} not_found; conflict where the learner has handed in anew
 */
export async function gradeAssignment(
  admin: Actor & { id: number },
  assignmentId: number,
  { grade, feedback, submittedAt }: { grade: number; feedback: string; submittedAt: string },
): Promise<AssignmentModel> {
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
    const [lesson] = await tx
      .select({ title: lessons.title, courseId: lessons.courseId })
      .from(lessons)
      .where(eq(lessons.id, known.lessonId));
    // Locked after what it is about is known, as the learner's own change locks it.
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
    await tx
      .update(assignments)
      .set({ grade, feedback, gradedAt: sql`now()`, gradedBy: admin.id })
      .where(eq(assignments.id, assignmentId));
    await tx
      .insert(lessonProgress)
      .values({ userId: known.userId, lessonId: known.lessonId, courseId: lesson.courseId, score: grade })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { score: grade, updatedAt: sql`now()` },
      });
    await recordAudit(tx, admin, {
      action: present.grade === null ? 'assignment.graded' : 'assignment.regraded',
      subjectType: 'assignment',
      subjectId: assignmentId,
      details: { grade, before: present.grade },
    });
    await queueMail(tx, {
      template: 'assignment-graded',
      to: known.email,
      subject: `Your work was graded | ${siteName()}`,
      ...mailLayout({
        title: 'Your work was graded',
        paragraphs: [
          `Hello ${known.name},`,
          `What you handed in for the lesson “${lesson.title}” was graded: ${grade} of 100.`,
          ...(feedback ? ['There is written feedback too.'] : []),
        ],
        action: {
          label: 'See the feedback',
          url: new URL(`/learn/${lesson.courseId}?lesson=${known.lessonId}`, env().siteUrl).href,
        },
      }),
    });
    return (await findAssignment(tx, known.userId, known.lessonId))!;
  });
}
