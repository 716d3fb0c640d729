import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessonProgress, quizAttempts } from '#db/schema/learn.ts';
import {
  getLearnersLesson,
  type LearnersLesson,
  lockLearnersLesson,
  recordCompletion,
} from '#src/features/learn/progress/completion.server.ts';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import type { QuizModel, QuizResult, submitQuizCall } from '#src/features/learn/schema.ts';
import { withinQuiz } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { type Attempt, findQuiz } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import { has } from '#src/features/lessons/registry.ts';
import type { Answers, MarkedAnswer } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import {
  type AskedQuestion,
  askedQuestions,
  type KeptQuestion,
  markedAnswer,
  readAnswers,
  scoreOf,
  stillValid,
} from '#src/features/lessons/types/quiz/marking.server.ts';
import { QUIZ_PASS_PERCENT, type QuizSettings } from '#src/features/lessons/types/quiz/settings.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';

type Quiz = NonNullable<Awaited<ReturnType<typeof findQuiz>>> & { userId: number; lessonId: number };

async function readQuiz(
  executor: Executor,
  userId: number,
  lesson: Pick<LearnersLesson, 'id' | 'type'>,
): Promise<Quiz> {
  const quiz = has(lesson.type, 'questions') && (await findQuiz(lesson.id, executor, userId));
  if (!quiz) throw new AppError('not_found', LESSON_NOT_FOUND);
  const { settings, progress } = quiz;
  const attempts = settings.attempts && settings.attempts + (progress?.extraAttempts ?? 0);
  return { ...quiz, userId, lessonId: lesson.id, settings: { ...settings, attempts } };
}

/** Attempts count from 1. */
const askedBy = ({ userId, lessonId, settings, questions, bank }: Quiz, attempt: number) =>
  askedQuestions(questions, settings, `${userId} ${lessonId} ${attempt}`, bank);

/** Whether attempts differ or are limited: each is then handed in once. */
const isCounted = ({ draw, attempts, waitMinutes, feedback }: QuizSettings) =>
  [draw, attempts, waitMinutes, feedback].some((setting) => setting !== undefined);

const attemptModel = ({ id, score, passed, submittedAt }: Attempt) => ({
  id,
  score,
  passed,
  submittedAt: submittedAt.toISOString(),
});

/** The questions may have changed since. */
function askedThen(quiz: Quiz, attempt: Attempt, number: number): AskedQuestion[] {
  const { draw } = quiz.settings;
  if (!draw) return askedBy(quiz, number);
  const isOfThen = ({ id }: KeptQuestion) => attempt.answers[id] !== undefined;
  const own = quiz.questions.filter(isOfThen);
  const questions = [...own, ...withinQuiz(own, quiz.bank.filter(isOfThen))];
  return askedBy({ ...quiz, questions, bank: [], settings: { ...quiz.settings, draw: undefined } }, number);
}

// The only way for answers out, besides `checkAnswer`; it needs a stored attempt (decision 36, fault I2).
function resultOf(quiz: Quiz, attempt: Attempt, number: number): QuizResult {
  const { draw, shuffleQuestions, shuffleOptions } = quiz.settings;
  const asked = askedThen(quiz, attempt, number);
  const isOwn =
    draw || shuffleQuestions || shuffleOptions || asked.some(({ shown }) => shown.kind !== undefined);
  return {
    attempt: attemptModel(attempt),
    answers: asked.map((one) =>
      markedAnswer(one, attempt.answers[one.kept.id] ?? null, attempt.credits[one.kept.id]),
    ),
    ...(isOwn ? { questions: asked.map(({ shown }) => shown) } : {}),
  };
}

/** Null for at once. */
function waitsUntil({ waitMinutes }: QuizSettings, last: Attempt | undefined): Date | null {
  return waitMinutes && last ? new Date(last.submittedAt.getTime() + waitMinutes * 60_000) : null;
}

/**
 * Questions without answers, and past attempts.
 * @throws {AppError} not_found
 */
export async function getQuiz(userId: number, lessonId: number): Promise<QuizModel> {
  return openedQuiz(userId, await getLearnersLesson(userId, lessonId));
}

/** The same of a lesson that its learner may open. */
export async function openedQuiz(
  userId: number,
  lesson: Pick<LearnersLesson, 'id' | 'type' | 'title'>,
): Promise<QuizModel> {
  const quiz = await readQuiz(db(), userId, lesson);
  const { settings, attempts, made, progress } = quiz;
  const [last] = attempts;
  const wait = waitsUntil(settings, last);
  const asked = askedBy(quiz, made + 1);
  const known = stillValid(asked, progress?.checked ?? {});
  const checked = asked.flatMap((one) => {
    const answer = known[one.kept.id];
    return answer === undefined ? [] : [markedAnswer(one, answer)];
  });
  return {
    lessonId: lesson.id,
    title: lesson.title,
    passPercent: settings.passPercent ?? QUIZ_PASS_PERCENT,
    questions: asked.map(({ shown }) => shown),
    ...(isCounted(settings) ? { attempt: made + 1 } : {}),
    ...(settings.attempts ? { attemptsLeft: Math.max(0, settings.attempts - made) } : {}),
    ...(wait && wait > quiz.now ? { waitsUntil: wait.toISOString() } : {}),
    attempts: attempts.map(attemptModel),
    bestScore: progress?.score ?? null,
    passed: progress?.completed ?? false,
    lastResult: last ? resultOf(quiz, last, made) : null,
    ...(settings.feedback ? { feedback: settings.feedback } : {}),
    ...(checked.length > 0 ? { checked } : {}),
  };
}

/** `now` is the database's clock, like the attempts' times. */
function requireLeave({ settings, made, attempts: [last], now }: Quiz): void {
  if (settings.attempts && made >= settings.attempts) {
    throw new AppError(
      'conflict',
      `You have used ${settings.attempts === 1 ? 'your only attempt' : `all ${settings.attempts} attempts`}.`,
    );
  }
  const wait = waitsUntil(settings, last);
  if (!wait || wait <= now) return;
  const seconds = Math.ceil((wait.getTime() - now.getTime()) / 1000);
  throw new AppError(
    'conflict',
    `The next attempt is possible in ${counted(Math.ceil(seconds / 60), 'minute')}.`,
    {
      retryAfterSeconds: seconds,
      extra: { waitsUntil: wait.toISOString() },
    },
  );
}

/**
 * Marks one answer and says what is right (decision 36): the first answer counts, later ones get its feedback.
 * @throws {AppError} not_found, invalid_input, conflict
 */
export async function checkAnswer(
  userId: number,
  lessonId: number,
  {
    answers,
    attempt,
    practice,
  }: { answers: Answers; attempt?: number | undefined; practice?: boolean | undefined },
): Promise<MarkedAnswer> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const lesson = await lockLearnersLesson(tx, userId, lessonId);
      const quiz = await readQuiz(tx, userId, lesson);
      if (quiz.settings.feedback !== 'each') {
        throw new AppError('conflict', 'This quiz tells what was right once it is handed in.');
      }
      const {
        made,
        attempts: [last],
      } = quiz;
      const tell = (asked: readonly AskedQuestion[], read: Answers) => {
        const one = asked.find(({ kept }) => answers[kept.id] !== undefined)!;
        return markedAnswer(one, read[one.kept.id]!);
      };
      if (practice) {
        const told = last
          ? askedThen(quiz, last, made).filter(({ kept }) => last.answers[kept.id] !== undefined)
          : [];
        return tell(told, readAnswers(told, answers, { isPart: true }));
      }
      const number = made + 1;
      if (attempt !== undefined && attempt !== number) throw handedIn();
      requireLeave(quiz);
      const asked = askedBy(quiz, number);
      const known = stillValid(asked, quiz.progress?.checked ?? {});
      const quizChecked = readAnswers(asked, answers, { known, isPart: true });
      await tx
        .insert(lessonProgress)
        .values({ userId, lessonId, courseId: lesson.courseId, quizChecked })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: { quizChecked, updatedAt: sql`now()` },
        });
      return tell(asked, quizChecked);
    }),
  );
}

/**
 * Marks and stores an attempt; passing completes the lesson (decisions 36 and 70). The best score counts.
 * @param attempt its number; a repeat changes nothing
 * @param requestId from the client; a repeat gives the first result
 * @throws {AppError} not_found, invalid_input, conflict
 */
export async function submitQuiz(
  userId: number,
  lessonId: number,
  answers: Answers,
  attempt?: number,
  requestId?: string,
): Promise<z.output<typeof submitQuizCall.output>> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const lesson = await lockLearnersLesson(tx, userId, lessonId);
      const quiz = await readQuiz(tx, userId, lesson);
      const made = await tx
        .select()
        .from(quizAttempts)
        .where(and(eq(quizAttempts.userId, userId), eq(quizAttempts.lessonId, lessonId)))
        .orderBy(asc(quizAttempts.submittedAt), asc(quizAttempts.id));
      // A repeat counts whatever the quiz asks now.
      const sent = requestId ? made.findIndex((one) => one.requestId === requestId) : -1;
      if (sent >= 0) return repeated(tx, quiz, made[sent]!, sent + 1, lesson.courseId);
      const number = isCounted(quiz.settings) ? (attempt ?? made.length + 1) : made.length + 1;
      const asked = askedBy(quiz, number);
      if (asked.length === 0) throw new AppError('conflict', 'This quiz has no questions yet.');
      const present = made[number - 1];
      if (present) {
        // With feedback to each question the answers are fixed.
        const known = quiz.settings.feedback ? stillValid(asked, present.answers) : {};
        if (!isDeepStrictEqual(readAnswers(asked, answers, { known }), present.answers)) throw handedIn();
        return repeated(tx, quiz, present, number, lesson.courseId);
      }
      if (number !== made.length + 1) throw handedIn();
      requireLeave(quiz);
      // Checked answers are fixed.
      const known = stillValid(asked, quiz.progress?.checked ?? {});
      const read = readAnswers(asked, answers, { known });
      const { score } = scoreOf(asked, read);
      const passed = score >= (quiz.settings.passPercent ?? QUIZ_PASS_PERCENT);
      const [row] = await tx
        .insert(quizAttempts)
        .values({
          ...{ userId, lessonId, requestId, answers: read, score, passed },
          submittedAt: sql`clock_timestamp()`,
        })
        .returning();
      const [best] = await tx
        .insert(lessonProgress)
        .values({ userId, lessonId, courseId: lesson.courseId, score, attempts: 1 })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: {
            score: sql`greatest(${lessonProgress.score}, ${score})`,
            attempts: sql`${lessonProgress.attempts} + 1`,
            quizChecked: null,
            updatedAt: sql`now()`,
          },
        })
        .returning({ score: lessonProgress.score });
      const completion = passed
        ? await recordCompletion(tx, { userId, courseId: lesson.courseId, lessonId, score })
        : null;
      return { ...resultOf(quiz, row!, number), bestScore: best?.score ?? score, completion };
    }),
  );
}

const handedIn = () =>
  new AppError(
    'conflict',
    'This attempt was already handed in, in another tab or on another device. Reload the page to see its result.',
  );

async function repeated(
  tx: Tx,
  quiz: Quiz,
  present: Attempt,
  number: number,
  courseId: number,
): Promise<z.output<typeof submitQuizCall.output>> {
  const { userId, lessonId } = quiz;
  const [best] = await tx
    .select({ score: lessonProgress.score })
    .from(lessonProgress)
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
  const completion = present.passed
    ? await recordCompletion(tx, { userId, courseId, lessonId, score: present.score })
    : null;
  return { ...resultOf(quiz, present, number), bestScore: best?.score ?? present.score, completion };
}
