import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { assignments, enrollments, lessonProgress, quizAttempts, regrades } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { ACCESS_STATUS, isPerson } from '#src/features/catalogue/access.server.ts';
import { recomputeCourse, recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import { has } from '#src/features/lessons/registry.ts';
import { findQuiz } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import { QUIZ_PASS_PERCENT } from '#src/features/lessons/types/quiz/settings.ts';
import { PASS_SCORE } from '#src/features/scenario/limits.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { cellState, GRADED_TYPES } from './gradebook.ts';
import { NOTHING, readFacts } from './gradebook.server.ts';

const SHOWN_MAX = 50;
const EXTRA_MAX = 100;

type Editor = Actor & { id: number };
export interface CellPlace {
  courseId: number;
  userId: number;
  lessonId: number;
}

/** An attempt of a quiz, a submission, or the lesson itself. */
type CellKind = 'attempts' | 'work' | 'result';

/** @throws {AppError} not_found */
async function placeOf(executor: Executor, { courseId, userId, lessonId }: CellPlace) {
  const [row] = await executor
    .select({
      learner: { id: users.id, username: users.username, email: users.email },
      hasAccess: sql<boolean>`${enrollments.status} = ${ACCESS_STATUS}`,
      lesson: {
        id: lessons.id,
        title: lessons.title,
        type: lessons.type,
        settings: lessons.assignmentSettings,
      },
      course: { id: courses.id, title: courses.title },
    })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .innerJoin(lessons, eq(lessons.courseId, enrollments.courseId))
    .where(
      and(
        eq(enrollments.courseId, courseId),
        eq(enrollments.userId, userId),
        eq(lessons.id, lessonId),
        inArray(lessons.type, GRADED_TYPES),
        isPerson(enrollments.userId),
      ),
    );
  if (!row) throw new AppError('not_found', 'This course has no such learner or no such graded lesson.');
  const { type, settings } = row.lesson;
  const kind: CellKind = has(type, 'questions')
    ? 'attempts'
    : has(type, 'assignmentSettings')
      ? 'work'
      : 'result';
  const quiz = kind === 'attempts' ? await findQuiz(lessonId, executor) : null;
  return {
    ...row,
    kind,
    /** Null without a limit. */
    attemptsOfAll: quiz?.settings.attempts ?? null,
    passMark: {
      attempts: quiz?.settings.passPercent ?? QUIZ_PASS_PERCENT,
      work: settings.completeFrom ?? 0,
      result: PASS_SCORE,
    }[kind],
  };
}

async function readWork(executor: Executor, { userId, lessonId }: CellPlace) {
  const [progress] = await executor
    .select({
      score: lessonProgress.score,
      completed: lessonProgress.completed,
      excusedAt: lessonProgress.excusedAt,
      excusedReason: lessonProgress.excusedReason,
      excusedBy: users.username,
      extraAttempts: lessonProgress.extraAttempts,
    })
    .from(lessonProgress)
    .leftJoin(users, eq(users.id, lessonProgress.excusedBy))
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
  const quizzes = await executor
    .select({
      id: quizAttempts.id,
      score: quizAttempts.score,
      passed: quizAttempts.passed,
      submittedAt: quizAttempts.submittedAt,
    })
    .from(quizAttempts)
    .where(and(eq(quizAttempts.userId, userId), eq(quizAttempts.lessonId, lessonId)))
    .orderBy(desc(quizAttempts.submittedAt), desc(quizAttempts.id));
  const [handedIn] = await executor
    .select({
      id: assignments.id,
      submission: assignments.submission,
      fileUrl: assignments.fileUrl,
      fileName: storedFiles.originalName,
      fileSize: storedFiles.size,
      submittedAt: assignments.submittedAt,
      grade: assignments.grade,
      feedback: assignments.feedback,
      gradedAt: assignments.gradedAt,
      gradedBy: users.username,
    })
    .from(assignments)
    .leftJoin(storedFiles, eq(storedFiles.path, assignments.fileUrl))
    .leftJoin(users, eq(users.id, assignments.gradedBy))
    .where(and(eq(assignments.userId, userId), eq(assignments.lessonId, lessonId)));
  const programs = await executor
    .select({
      id: codeSubmissions.id,
      isCorrect: codeSubmissions.isCorrect,
      code: codeSubmissions.submittedCode,
      submittedAt: codeSubmissions.submittedAt,
    })
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId)))
    .orderBy(desc(codeSubmissions.id))
    .limit(SHOWN_MAX);
  const runs = await executor
    .select({
      id: scenarioProgress.id,
      score: scenarioProgress.score,
      passed: scenarioProgress.passed,
      startedAt: scenarioProgress.startedAt,
      completedAt: scenarioProgress.completedAt,
    })
    .from(scenarioProgress)
    .innerJoin(scenarios, eq(scenarios.id, scenarioProgress.scenarioId))
    .where(and(eq(scenarioProgress.userId, userId), eq(scenarios.lessonId, lessonId)))
    .orderBy(desc(scenarioProgress.id))
    .limit(SHOWN_MAX);
  const changes = await executor
    .select({
      id: regrades.id,
      attemptId: regrades.attemptId,
      before: regrades.before,
      grade: regrades.grade,
      reason: regrades.reason,
      by: users.username,
      at: regrades.createdAt,
    })
    .from(regrades)
    .leftJoin(users, eq(users.id, regrades.gradedBy))
    .where(and(eq(regrades.userId, userId), eq(regrades.lessonId, lessonId)))
    .orderBy(desc(regrades.id));
  const ended = runs.filter(({ completedAt }) => completedAt !== null);
  return {
    ...{ progress: progress ?? null, quizzes, handedIn: handedIn ?? null, programs, runs, changes },
    /** Of all that a decision depends on. */
    version: [
      ...[quizzes[0]?.id, programs[0]?.id, ended[0]?.id, changes[0]?.id],
      ...[handedIn?.submittedAt.getTime(), handedIn?.gradedAt?.getTime()],
      ...[progress?.score, progress?.excusedAt?.getTime(), progress?.extraAttempts || undefined],
    ]
      .map((part) => part ?? '')
      .join('.'),
  };
}

/**
 * A learner's work in a graded lesson, and its rulings.
 * @throws {AppError} not_found
 */
export async function getCell(place: CellPlace) {
  const found = await placeOf(db(), place);
  const [work, facts] = await Promise.all([
    readWork(db(), place),
    readFacts(db(), [place.userId], [found.lesson]),
  ]);
  const known = facts.get(`${place.userId} ${place.lessonId}`) ?? NOTHING;
  return { ...found, ...work, state: cellState(known), attempts: known.attempts, late: known.late };
}
export type GradebookCell = Awaited<ReturnType<typeof getCell>>;

type Found = Awaited<ReturnType<typeof placeOf>>;
type Work = Awaited<ReturnType<typeof readWork>>;

/** Under the lock of all writers of progress. */
function deciding<T>(
  { id }: Editor,
  place: CellPlace,
  version: string | null,
  decide: (tx: Tx, found: Found, work: Work) => Promise<T>,
): Promise<T> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      if (id === place.userId) throw new AppError('forbidden', 'Somebody else grades your own work.');
      const [locked] = await tx
        .select({ id: enrollments.id })
        .from(enrollments)
        .where(and(eq(enrollments.userId, place.userId), eq(enrollments.courseId, place.courseId)))
        .for('update');
      const found = locked ? await placeOf(tx, place) : null;
      if (!found)
        throw new AppError('not_found', 'This course has no such learner or no such graded lesson.');
      if (!found.hasAccess) {
        throw new AppError('conflict', 'The learner has no access to the course now. Nothing is changed.');
      }
      const work = await readWork(tx, place);
      if (version !== null && work.version !== version) {
        throw new AppError(
          'conflict',
          'Something has changed in this lesson meanwhile. Reload the page and read it first.',
        );
      }
      return decide(tx, found, work);
    }),
  );
}

const stateOf = async (tx: Tx, place: CellPlace) => {
  const facts = await readFacts(tx, [place.userId], [{ id: place.lessonId }]);
  const known = facts.get(`${place.userId} ${place.lessonId}`) ?? NOTHING;
  return { version: (await readWork(tx, place)).version, state: cellState(known), grade: known.score };
};

async function tell(tx: Tx, found: Found, title: string, paragraphs: string[]): Promise<void> {
  await queueMail(tx, {
    template: 'grading-decided',
    to: found.learner.email,
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [`Hello ${found.learner.username},`, ...paragraphs],
      action: {
        label: 'Open the lesson',
        url: new URL(`/learn/${found.course.id}?lesson=${found.lesson.id}`, env().siteUrl).href,
      },
    },
  });
}

const about = ({ lesson, course, learner }: Found) => ({
  subjectType: 'lesson' as const,
  subjectId: lesson.id,
  details: { title: lesson.title, course: course.title, courseId: course.id, userId: learner.id },
});

const key = ({ courseId, userId, lessonId }: CellPlace) => ({ courseId, userId, lessonId });

/**
 * Changes a grade with a reason and a mail (decision 129). A pass completes the lesson; a lower grade revokes nothing.
 * @param version as read
 * @param attemptId of a quiz
 * @throws {AppError} not_found, invalid_input, conflict
 */
export function regrade(
  admin: Editor,
  place: CellPlace,
  {
    grade,
    reason,
    version,
    attemptId,
  }: { grade: number; reason: string; version: string; attemptId?: number | undefined },
) {
  return deciding(admin, place, version, async (tx, found, work) => {
    const { userId, lessonId, courseId } = key(place);
    const passes = grade >= found.passMark;
    let before = work.progress?.score ?? null;
    let best = grade;
    if (found.kind === 'attempts') {
      const attempt = work.quizzes.find(({ id }) => id === attemptId);
      if (!attempt) {
        const message = 'Choose one of the learner’s attempts';
        throw new AppError('invalid_input', message, { fields: { attemptId: message } });
      }
      before = attempt.score;
      best = Math.max(grade, ...work.quizzes.flatMap(({ id, score }) => (id === attemptId ? [] : [score])));
      await tx
        .update(quizAttempts)
        .set({ score: grade, passed: passes })
        .where(eq(quizAttempts.id, attempt.id));
    } else if (found.kind === 'work') {
      if (!work.handedIn) throw new AppError('conflict', 'The learner has handed in nothing yet.');
      before = work.handedIn.grade;
      await tx
        .update(assignments)
        .set({ grade, marks: null, gradedAt: sql`now()`, gradedBy: admin.id })
        .where(eq(assignments.id, work.handedIn.id));
    }
    await tx
      .insert(lessonProgress)
      .values({ userId, lessonId, courseId, score: best })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { score: best, updatedAt: sql`now()` },
      });
    await tx.insert(regrades).values({
      ...{ userId, lessonId, before, grade, reason, gradedBy: admin.id },
      attemptId: found.kind === 'attempts' ? (attemptId ?? null) : null,
    });
    if (passes) await recordCompletion(tx, { userId, courseId, lessonId });
    const { details, ...subject } = about(found);
    await recordAudit(tx, admin, {
      action: 'grade.changed',
      ...subject,
      reason,
      details: { ...details, before, grade },
    });
    await tell(tx, found, 'Your grade was changed', [
      `Your result in the lesson “${found.lesson.title}” is now ${grade} of 100${before === null ? '' : `; it was ${before}`}.`,
      `The reason: ${reason}`,
      ...(passes && !work.progress?.completed ? ['That completes the lesson.'] : []),
    ]);
    return stateOf(tx, place);
  });
}

/**
 * For a limited quiz, or a graded submission; mails the learner.
 * @throws {AppError} not_found, conflict
 */
export function addAttempt(admin: Editor, place: CellPlace, { version }: { version: string }) {
  return deciding(admin, place, version, async (tx, found, work) => {
    const isQuiz = found.kind === 'attempts';
    const { title } = found.lesson;
    const limits = isQuiz ? found.attemptsOfAll !== null : work.handedIn?.gradedAt != null;
    if (!limits) throw new AppError('conflict', 'Nothing keeps the learner from another attempt.');
    if ((work.progress?.extraAttempts ?? 0) >= EXTRA_MAX) {
      throw new AppError('conflict', `A learner gets at most ${EXTRA_MAX} more attempts.`);
    }
    await tx
      .insert(lessonProgress)
      .values({ ...key(place), extraAttempts: 1 })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { extraAttempts: sql`${lessonProgress.extraAttempts} + 1`, updatedAt: sql`now()` },
      });
    await recordAudit(tx, admin, { action: 'attempt.added', ...about(found) });
    await tell(tx, found, 'You have another attempt', [
      isQuiz
        ? `You may take the quiz “${title}” once more.`
        : `You may hand in your work for the lesson “${title}” once more. A new grade then takes the place of the present one.`,
    ]);
    return stateOf(tx, place);
  });
}

/**
 * Excuses a learner, or withdraws that; progress, openings and certificate follow. Mails; idempotent.
 * @param reason null withdraws; a completed course stays completed
 * @throws {AppError} not_found
 */
export function setExcuse(admin: Editor, place: CellPlace, reason: string | null) {
  return deciding(admin, place, null, async (tx, found, work) => {
    const isExcused = work.progress?.excusedAt != null;
    if (isExcused === (reason !== null)) return stateOf(tx, place);
    const excuse = {
      excusedAt: reason === null ? null : sql`now()`,
      excusedReason: reason,
      excusedBy: reason === null ? null : admin.id,
    };
    await tx
      .insert(lessonProgress)
      .values({ ...key(place), ...excuse })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { ...excuse, updatedAt: sql`now()` },
      });
    const completed = await recomputeCourse(tx, place.courseId, place.userId);
    await recordAudit(tx, admin, {
      action: reason === null ? 'lesson.excuse_withdrawn' : 'lesson.excused',
      ...about(found),
      ...(reason === null ? {} : { reason }),
    });
    const { title } = found.lesson;
    await tell(
      tx,
      found,
      reason === null ? 'A lesson counts again' : 'You are excused from a lesson',
      reason === null
        ? [
            `The lesson “${title}” of “${found.course.title}” counts for you again. A certificate that you have stays valid.`,
          ]
        : [
            `You need not do the lesson “${title}” of “${found.course.title}”: the course is completed without it.`,
            `The reason: ${reason}`,
            ...(completed.length > 0 ? ['That completes the course.'] : []),
          ],
    );
    return stateOf(tx, place);
  });
}
