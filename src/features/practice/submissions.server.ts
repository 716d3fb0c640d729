import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { readerOf } from '#src/features/catalogue/access.server.ts';
import { db, type Tx } from '#db/client.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { countStudyTime, lockStudyClock } from '#src/features/learn/progress/activity.server.ts';
import { lockEnrollment, recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { sendJob } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { groupingJob } from './groups/groups.server.ts';
import { SUBMISSIONS_KEPT } from './practice.ts';
import type { JudgedRun, RunResult, SubmissionSummary, TestResult } from './schema.ts';
import {
  type LessonRow,
  type SignedIn,
  hintsThereAre,
  lessonNotFound,
  readableLesson,
} from '#src/features/practice/practice.server.ts';

export async function keepSubmission(
  tx: Tx,
  user: SignedIn,
  lesson: LessonRow,
  request: RunRequest & { language: NonNullable<LessonRow['codingLanguage']> },
  shown: JudgedRun,
): Promise<RunResult> {
  const { id: lessonId, courseId } = lesson;
  const userId = user.id;
  const wasEnrolled = lesson.enrollmentId !== null;
  // One connection asks in this order, so that nothing is counted before the lock is held.
  const [enrolled, expected] = await Promise.all([
    lockEnrollment(tx, userId, courseId),
    wasEnrolled ? count(tx, userId, lesson, true, request) : null,
  ]);
  // Access may have ended while the program ran.
  if (!enrolled && readerOf({ ...lesson, enrollmentId: null }, user) === null)
    throw await refusalOf(user.id, { lessonId: lesson.id }, lessonNotFound(), tx);
  // Without an enrollment there is no row to lock, and attempts must not be counted twice all the same.
  if (!enrolled) {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`practice:${userId}:${lessonId}`}, 0))`,
    );
  }
  const counted = expected && enrolled ? expected : await count(tx, userId, lesson, enrolled, request);
  const key = { userId, lessonId, courseId };
  // Sent together, the submission first: where the lesson is gone, its error says so.
  const [[row], before] = await Promise.all([
    tx
      .insert(codeSubmissions)
      .values({
        userId,
        lessonId,
        language: request.language,
        submittedCode: request.code,
        output: shown.output,
        isCorrect: shown.isCorrect,
        verdict: shown.verdict,
        results: shown.tests,
        attempts: counted.attempts,
        timeSpent: counted.sessionSeconds,
        hintsUsed: counted.hintsUsed,
        completedAt: shown.isCorrect ? sql`now()` : null,
      })
      .returning({ id: codeSubmissions.id })
      .execute(),
    enrolled ? countStudyTime(tx, { ...key, seconds: counted.sessionSeconds }, counted.clock) : null,
    enrolled ? keepCounts(tx, key, counted) : null,
  ]);
  if (!shown.isCorrect) await sendJob(tx, groupingJob, { submissionId: row!.id });
  if (counted.attempts > SUBMISSIONS_KEPT) await forgetOldSubmissions(tx, userId, lessonId);
  const run = {
    ...shown,
    submissionId: row!.id,
    attempts: counted.attempts,
    hintsUsed: counted.hintsUsed,
    timeSpent: counted.sessionSeconds,
  };
  if (!before) {
    return { ...run, pointsAwarded: 0, completed: shown.isCorrect, progress: null, totalPoints: null };
  }
  const { progress, totalPoints, certificateIssued } = before;
  // What is completed has given all it gives, but for a certificate that the course may still owe.
  const isSettled = counted.completed && (progress < 100 || certificateIssued);
  if (!shown.isCorrect || isSettled) {
    return { ...run, pointsAwarded: 0, completed: counted.completed, progress, totalPoints };
  }
  const completion = await recordCompletion(tx, key);
  return {
    ...run,
    pointsAwarded: completion.pointsAwarded,
    completed: true,
    progress: completion.progress,
    totalPoints: completion.totalPoints,
  };
}

/** Counts attempts, hints and the session by the server's clock (decision 50, fault J10). */
export async function count(
  tx: Tx,
  userId: number,
  lesson: LessonRow,
  enrolled: boolean,
  claimed: Pick<RunRequest, 'timeSpent' | 'hintsUsed'>,
) {
  const { id: lessonId } = lesson;
  const [[before], [progress], clock] = await Promise.all([
    runsBefore(tx, userId, lessonId),
    progressBefore(tx, userId, lessonId),
    enrolled ? lockStudyClock(tx, userId) : undefined,
  ]);
  // Whoever is not enrolled any more has progress that rests, and no lesson is open for them.
  const known = enrolled ? progress : undefined;
  const attempts = Math.max(before!.attempts, known?.attempts ?? 0) + 1;
  const hintsUsed = Math.max(
    before!.hintsUsed,
    known?.hintsUsed ?? 0,
    between(claimed.hintsUsed, hintsThereAre(lesson)),
  );
  const secondsOpen = enrolled ? (known?.secondsOpen ?? 0) : (before!.secondsSinceFirst ?? 0);
  const sessionSeconds = between(claimed.timeSpent, secondsOpen);
  return { attempts, hintsUsed, sessionSeconds, completed: known?.completed ?? false, clock };
}

const runsBefore = (tx: Tx, userId: number, lessonId: number) =>
  tx
    .select({
      attempts: sql<number>`coalesce(max(${codeSubmissions.attempts}), 0)::int`,
      hintsUsed: sql<number>`coalesce(max(${codeSubmissions.hintsUsed}), 0)::int`,
      secondsSinceFirst: sql<
        number | null
      >`floor(extract(epoch from clock_timestamp() - min(${codeSubmissions.submittedAt})))::float8`,
    })
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId)));

const progressBefore = (tx: Tx, userId: number, lessonId: number) =>
  tx
    .select({
      attempts: lessonProgress.attempts,
      hintsUsed: lessonProgress.hintsUsed,
      completed: lessonProgress.completed,
      secondsOpen: sql<number>`floor(extract(epoch from clock_timestamp() - ${lessonProgress.startedAt}))::float8`,
    })
    .from(lessonProgress)
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));

async function keepCounts(
  tx: Tx,
  key: { userId: number; lessonId: number; courseId: number },
  { attempts, hintsUsed }: { attempts: number; hintsUsed: number },
): Promise<void> {
  await tx
    .insert(lessonProgress)
    .values({ ...key, attempts, hintsUsed })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: {
        attempts: sql`excluded.attempts`,
        // Hints are counted without the enrollment's lock.
        hintsUsed: sql`greatest(${lessonProgress.hintsUsed}, excluded.hints_used)`,
        updatedAt: sql`now()`,
      },
    });
}

function between(value: number | null | undefined, limit: number): number {
  return Math.min(Math.max(0, Math.floor(value ?? 0)), Math.max(0, limit));
}

async function forgetOldSubmissions(tx: Tx, userId: number, lessonId: number): Promise<void> {
  const own = and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId));
  const old = tx
    .select({ id: codeSubmissions.id })
    .from(codeSubmissions)
    .where(own)
    .orderBy(desc(codeSubmissions.attempts))
    .offset(SUBMISSIONS_KEPT);
  await tx.delete(codeSubmissions).where(
    and(
      inArray(codeSubmissions.id, old),
      // The first that passed says when the lesson was done.
      sql`${codeSubmissions.id} is distinct from (${tx
        .select({ id: sql`min(${codeSubmissions.id})` })
        .from(codeSubmissions)
        .where(and(own, eq(codeSubmissions.isCorrect, true)))})`,
      // One that a question is about is read by whoever answers.
      sql`not exists (select from ${lessonQuestions} where ${lessonQuestions.submissionId} = ${codeSubmissions.id})`,
    ),
  );
}

/** Stores how many hints were seen; never goes down (decision 50). @throws {AppError} not_found */
export async function recordHints(user: SignedIn, lessonId: number, shown: number): Promise<number> {
  const lesson = await readableLesson(lessonId, user);
  if (lesson.enrollmentId === null) return 0;
  const seen = between(shown, hintsThereAre(lesson));
  const [row] = await db()
    .insert(lessonProgress)
    .values({ userId: user.id, lessonId, courseId: lesson.courseId, hintsUsed: seen })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: {
        hintsUsed: sql`greatest(${lessonProgress.hintsUsed}, excluded.hints_used)`,
        updatedAt: sql`now()`,
      },
    })
    .returning({ hintsUsed: lessonProgress.hintsUsed });
  return row!.hintsUsed;
}

const summaryColumns = {
  id: codeSubmissions.id,
  attempts: codeSubmissions.attempts,
  verdict: codeSubmissions.verdict,
  isCorrect: codeSubmissions.isCorrect,
  timeSpent: codeSubmissions.timeSpent,
  hintsUsed: codeSubmissions.hintsUsed,
  submittedAt: codeSubmissions.submittedAt,
};

export async function listSubmissions(userId: number, lessonId: number): Promise<SubmissionSummary[]> {
  const rows = await db()
    .select(summaryColumns)
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId)))
    .orderBy(desc(codeSubmissions.attempts), desc(codeSubmissions.id));
  return rows.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() }));
}

/** One of a user's own runs with its code. @throws {AppError} not_found (fault I5) */
export async function getSubmission(userId: number, id: number) {
  const [row] = await db()
    .select({
      ...summaryColumns,
      lessonId: codeSubmissions.lessonId,
      language: codeSubmissions.language,
      submittedCode: codeSubmissions.submittedCode,
      output: codeSubmissions.output,
      results: codeSubmissions.results,
      completedAt: codeSubmissions.completedAt,
    })
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.id, id), eq(codeSubmissions.userId, userId)));
  if (!row) throw new AppError('not_found', 'Submission not found');
  const { results, ...submission } = row;
  return {
    ...submission,
    tests: results as TestResult[],
    submittedAt: row.submittedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

export interface RunRequest {
  lessonId: number;
  code: string;
  language: string;
  /** Seconds. */
  timeSpent?: number | null;
  hintsUsed?: number | null;
}
