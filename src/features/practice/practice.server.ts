import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { doorColumns, givesAccess, LessonClosed, readerOf } from '#src/features/catalogue/access.server.ts';
import { db, prepared, type Tx } from '#db/client.ts';
import { courses, lessons, type TestCase } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { findCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { countStudyTime, lockStudyClock } from '#src/features/learn/progress/activity.server.ts';
import {
  isPassedInstead,
  lockEnrollment,
  openLesson,
  recordCompletion,
  placeOfLesson,
} from '#src/features/learn/progress/learn.server.ts';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import { courseViewHref } from '#src/features/learn/progress/lesson-place.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { judge } from '#src/judge/client.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { has } from '#src/features/lessons/registry.ts';
import { judgeLimits } from '#src/features/lessons/types/coding/limits.ts';
import { groupingJob } from './groups/groups.server.ts';
import { offeredHints } from './groups/offered-hints.server.ts';
import type { OfferedHint } from './groups/schema.ts';
import { languageLabel, SUBMISSIONS_KEPT } from './practice.ts';
import type {
  JudgedRun,
  LessonForLearner,
  RunError,
  RunResult,
  SubmissionSummary,
  TestResult,
} from './schema.ts';

type SignedIn = NonNullable<Viewer>;
type Verdict = Awaited<ReturnType<typeof judge>>;
type JudgedTest = Verdict['tests'][number];

/** Characters of one value in the table of tests at most; what a program prints has its own, larger limit. */
const VALUE_MAX_CHARACTERS = 4000;

const lessonForViewer = prepared((database) =>
  database
    .select({
      ...doorColumns,
      title: lessons.title,
      type: lessons.type,
      difficulty: lessons.difficulty,
      points: lessons.points,
      instructions: lessons.instructions,
      content: lessons.content,
      expectedOutput: lessons.expectedOutput,
      hints: lessons.hints,
      testCases: lessons.testCases,
      codeLimits: lessons.codeLimits,
      codingLanguage: lessons.codingLanguage,
      starterCode: lessons.starterCode,
      isPreview: lessons.isPreview,
      attempts: lessonProgress.attempts,
      hintsUsed: lessonProgress.hintsUsed,
      completed: lessonProgress.completed,
      groupHintsOpened: sql<number>`(select count(*)::int from ${groupHintOffers}
        join ${mistakeGroups} on ${mistakeGroups.id} = ${groupHintOffers.groupId}
        where ${groupHintOffers.userId} = ${sql.placeholder('viewerId')} and ${mistakeGroups.lessonId} = ${lessons.id}
          and ${groupHintOffers.shownAt} is not null)`,
    })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, sql.placeholder('viewerId'))),
    )
    .where(eq(lessons.id, sql.placeholder('id')))
    .prepare('practice_lesson_for_viewer'),
);

type LessonRow = Awaited<ReturnType<ReturnType<typeof lessonForViewer>['execute']>>[number];

/**
 * The lesson's row where this viewer may read its body (decision 32), else not_found with the text of spec 8; forbidden
 * where it is not open to them yet.
 */
export async function readableLesson(id: number, viewer: Viewer): Promise<LessonRow> {
  // No account has id 0, so that a visitor is enrolled nowhere.
  const [row] = await lessonForViewer().execute({ id, viewerId: viewer?.id ?? 0 });
  if (!row || readerOf(row, viewer) === null) {
    throw await refusalOf(viewer?.id, { lessonId: id }, lessonNotFound());
  }
  return row;
}

function lessonNotFound(): AppError {
  return new AppError('not_found', LESSON_NOT_FOUND);
}

function shownTest({ input, expectedOutput, description = '', hidden = false, mode = 'call' }: TestCase) {
  return hidden ? { description, hidden, mode } : { description, hidden, mode, input, expectedOutput };
}

function toLessonForLearner(row: LessonRow): LessonForLearner {
  return {
    id: row.id,
    courseId: row.courseId,
    title: row.title,
    type: row.type,
    difficulty: row.difficulty,
    points: row.points,
    instructions: row.instructions ?? '',
    content: row.content,
    expectedOutput: row.expectedOutput ?? '',
    hints: row.hints,
    testCases: row.testCases.map(shownTest),
    codingLanguage: row.codingLanguage,
    starterCode: row.starterCode ?? '',
    isPreview: row.isPreview,
    attempts: row.attempts ?? 0,
    hintsUsed: row.hintsUsed ?? 0,
    completed: row.completed ?? false,
  };
}

/**
 * A lesson as this viewer may read it. Its learner has opened it by this: their place in the course and the moment from
 * which their time counts are kept (decisions 32, 34, 50).
 *
 * @throws {AppError} not_found with the text of spec 8, for lessons out of reach as for those that do not exist (I1)
 */
export async function getLesson(viewer: Viewer, id: number): Promise<LessonForLearner> {
  const row = await readableLesson(id, viewer);
  if (viewer && row.enrollmentId !== null) await openLesson(viewer.id, row.courseId, id);
  return toLessonForLearner(row);
}

/** Hints that this viewer can have seen: the lesson's, and those that were written for others and opened. */
function hintsThereAre({ hints, groupHintsOpened }: LessonRow): number {
  return hints.length + groupHintsOpened;
}

/** What the page of a coding lesson shows. */
export interface Workbench extends LessonPlace {
  lesson: LessonForLearner & { codingLanguage: NonNullable<LessonForLearner['codingLanguage']> };
  course: { id: number; title: string };
  enrolled: boolean;
  /** The learner's last submitted program; null where there is none. */
  lastCode: string | null;
  /** Hints that others were given who failed alike, as far as this learner was offered them. */
  groupHints: OfferedHint[];
}

/**
 * Opens a coding lesson for its page: the lesson, its place in the course, and where the learner left off.
 *
 * @returns null where `getLesson` would throw; `elsewhere` names the page of a lesson that is no coding lesson
 */
export async function findWorkbench(
  viewer: Viewer,
  id: number,
): Promise<Workbench | { elsewhere: string } | null> {
  const lesson = await getLesson(viewer, id).catch((error: unknown) => {
    if (error instanceof LessonClosed) return { elsewhere: error.href };
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
  if (!lesson || 'elsewhere' in lesson) return lesson;
  const view = await findCourse(lesson.courseId, viewer);
  if (!view) return null;
  const { courseId, codingLanguage } = lesson;
  if (!has(lesson.type, 'codingLanguage') || codingLanguage === null) {
    return view.enrolled ? { elsewhere: `/learn/${courseId}?lesson=${id}` } : null;
  }
  // With nothing to compare a program with it is read, and marked complete there.
  if (view.enrolled && !(await isPassedInstead(id))) return { elsewhere: courseViewHref(courseId, id) };
  const [last] = viewer
    ? await db()
        .select({ code: codeSubmissions.submittedCode })
        .from(codeSubmissions)
        .where(and(eq(codeSubmissions.userId, viewer.id), eq(codeSubmissions.lessonId, id)))
        .orderBy(desc(codeSubmissions.submittedAt), desc(codeSubmissions.id))
        .limit(1)
    : [];
  const place: LessonPlace =
    viewer && view.enrolled
      ? await placeOfLesson(viewer.id, courseId, id)
      : {
          position: view.lessons.findIndex((one) => one.id === id) + 1,
          lessonCount: view.lessons.length,
          points: lesson.points,
          changedAt: null,
          previous: null,
          next: null,
        };
  return {
    lesson: { ...lesson, codingLanguage },
    course: { id: courseId, title: view.course.title },
    ...place,
    enrolled: view.enrolled,
    lastCode: last?.code ?? null,
    groupHints: viewer ? await offeredHints(viewer.id, id) : [],
  };
}

/** A run as the browser asks for it (spec 7); what it claims about hints and time is only ever an upper bound. */
export interface RunRequest {
  lessonId: number;
  code: string;
  language: string;
  /** Seconds. */
  timeSpent?: number | null;
  hintsUsed?: number | null;
}

/**
 * Judges a learner's program and keeps the submission; the first pass of an enrolled learner completes the lesson and
 * gives its points in the same transaction (spec 7, decisions 35, 50). A preview lesson may be run by anyone who is
 * signed in: without an enrollment only the submission is kept, no progress.
 *
 * @throws {AppError} not_found without access; invalid_input for another language or a lesson of another type;
 *   conflict for a lesson that has nothing to compare with; too_many_requests while earlier runs are under way;
 *   unavailable when the judge gave no verdict; then nothing is counted
 */
export async function executeCode(user: SignedIn, request: RunRequest): Promise<RunResult> {
  const lesson = await readableLesson(request.lessonId, user);
  const language = lesson.codingLanguage;
  if (!has(lesson.type, 'codingLanguage') || !language) {
    const message = 'This lesson is not a coding lesson.';
    throw new AppError('invalid_input', message, { fields: { lessonId: message } });
  }
  if (request.language.trim().toLowerCase() !== language) {
    const message = `This lesson is written in ${languageLabel(language)}.`;
    throw new AppError('invalid_input', message, { fields: { language: message } });
  }
  if (lesson.testCases.length === 0 && !lesson.expectedOutput?.trim()) {
    const message =
      'This lesson has nothing to check your code with. Read it, and mark it complete in the course.';
    throw new AppError('conflict', message);
  }
  // No connection is held while the judge works.
  const verdict = await askJudge({ ...lesson, codingLanguage: language }, request.code, String(user.id));
  const shown = asShown(lesson, verdict);
  try {
    return await retryOnConflict(() =>
      db().transaction((tx) => keepSubmission(tx, user, lesson, { ...request, language }, shown)),
    );
  } catch (error) {
    // The lesson or the account was deleted while the program ran.
    if (isForeignKeyViolation(error)) throw lessonNotFound();
    throw error;
  }
}

/** What the judge needs of a coding lesson; also of one that is not saved yet. */
export type JudgedLesson = Pick<LessonRow, 'testCases' | 'codeLimits' | 'expectedOutput' | 'content'> & {
  codingLanguage: NonNullable<LessonRow['codingLanguage']>;
};

function submissionOf(lesson: JudgedLesson, code: string, owner: string): Parameters<typeof judge>[0] {
  const { codingLanguage: language, testCases, expectedOutput, content } = lesson;
  return {
    language,
    code,
    tests: testCases.map((test) => ({
      input: test.input,
      expectedOutput: test.expectedOutput,
      mode: test.mode,
      hidden: test.hidden,
      ...(test.strict ? { strict: true } : {}),
    })),
    expectedOutput: expectedOutput ?? undefined,
    fixture: language === 'css' ? content : undefined,
    owner,
  };
}

/**
 * Judges a program against a lesson as its author has it before them, saved or not, and gives what a learner would see.
 * Nothing is kept or counted.
 *
 * @throws {AppError} conflict for a lesson that has nothing to compare with; unavailable when the judge gave no verdict
 */
export async function tryLesson(author: SignedIn, lesson: JudgedLesson, code: string): Promise<JudgedRun> {
  if (lesson.testCases.length === 0 && !lesson.expectedOutput?.trim()) {
    throw new AppError(
      'conflict',
      'Add a test case or an expected output first: there is nothing to compare with.',
    );
  }
  return asShown(lesson, await askJudge(lesson, code, String(author.id)));
}

async function askJudge(lesson: JudgedLesson, code: string, owner: string): Promise<Verdict> {
  try {
    return await judge(submissionOf(lesson, code, owner), { limits: judgeLimits(lesson.codeLimits) });
  } catch (error) {
    const refusal = error as { name?: string; reason?: string; retryAfterSeconds?: number };
    const reason = refusal.name === 'JudgeUnavailable' ? refusal.reason : 'failed';
    const options = { retryAfterSeconds: refusal.retryAfterSeconds ?? 2, cause: error };
    if (reason === 'own_runs') {
      const message =
        'Your earlier runs are still under way. Wait for their results; this one was not counted.';
      throw new AppError('too_many_requests', message, options);
    }
    if (reason !== 'busy') log.error({ err: error }, 'the judge gave no verdict');
    throw new AppError(
      'unavailable',
      reason === 'busy'
        ? 'Too many programs are waiting to be run. Yours got no verdict and nothing was counted. Please try again in a moment.'
        : 'Your code could not be run because of a fault on our side. Nothing was counted. Please try again in a moment.',
      options,
    );
  }
}

/** What a verdict tells the learner: all of it but what hidden tests were given and what they gave. */
export function asShown(
  lesson: Pick<LessonRow, 'testCases' | 'expectedOutput'>,
  verdict: Verdict,
): JudgedRun {
  const { testCases } = lesson;
  const tests = testCases.map((test, index): TestResult => {
    const judged = verdict.tests[index];
    const result = {
      ...shownTest(test),
      passed: judged?.passed ?? false,
      verdict: judged?.kind ?? verdict.kind,
    };
    return test.hidden
      ? result
      : {
          ...result,
          got: clip(judged?.got ?? null),
          ...(judged?.typeDifference ? { typeDifference: storable(judged.typeDifference) } : {}),
          error: shownError(judged?.error ?? null),
        };
  });
  if (testCases.length === 0) {
    tests.push({
      description: 'Prints the expected output',
      expectedOutput: lesson.expectedOutput ?? '',
      hidden: false,
      mode: 'call',
      passed: verdict.kind === 'pass',
      verdict: verdict.kind,
      got: clip(verdict.output),
      error: shownError(verdict.error),
    });
  }
  return {
    output: storable(verdict.output),
    outputTruncated: verdict.outputTruncated,
    isCorrect: verdict.kind === 'pass',
    verdict: verdict.kind,
    // The judge leaves a hidden test's values out of it.
    error: shownError(verdict.error),
    hint: shownError(verdict.hint),
    tests,
  };
}

function shownError(error: JudgedTest['error']): RunError | null {
  if (!error) return null;
  const { name, message, line, column, explanation } = error;
  return {
    name: storable(name),
    message: clip(message)!,
    line,
    column,
    explanation: explanation === null ? null : storable(explanation),
  };
}

/** Learners' programs may print what PostgreSQL cannot store and JSON cannot carry. */
function storable(value: string): string {
  return value.replaceAll('\0', '\u2400').toWellFormed();
}

function clip(value: string | null): string | null {
  if (value === null) return null;
  return value.length <= VALUE_MAX_CHARACTERS
    ? storable(value)
    : `${storable(value.slice(0, VALUE_MAX_CHARACTERS))}…`;
}

async function keepSubmission(
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
  if (!mayRead(lesson, user, enrolled))
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

/** Counts this run: attempts and hints as the server knows them, the session by its clock (decision 50, fault J10). */
async function count(
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

/** Keeps what `count` gave with the lesson's progress. One statement. */
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

/** A claimed number as a whole one from 0 to `limit`; nothing and nonsense count as 0. */
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

/**
 * Keeps how many hints a learner has seen of a lesson; the number never goes down (decision 50). Gives the number that
 * is known now, 0 for who is not enrolled.
 *
 * @throws {AppError} not_found without access
 */
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

/** A user's own runs of a lesson, the last one first; at most `SUBMISSIONS_KEPT`, the first that passed and those asked about. */
export async function listSubmissions(userId: number, lessonId: number): Promise<SubmissionSummary[]> {
  const rows = await db()
    .select(summaryColumns)
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.userId, userId), eq(codeSubmissions.lessonId, lessonId)))
    .orderBy(desc(codeSubmissions.attempts), desc(codeSubmissions.id));
  return rows.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() }));
}

/**
 * One of a user's own runs with its code.
 *
 * @throws {AppError} not_found for an unknown run and for somebody else's alike (fault I5)
 */
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
