import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { and, count, desc, eq, gte, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { reviewAnswers, reviewItems } from '#db/schema/review.ts';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { addStudy, isPassedInstead } from '#src/features/learn/progress/completion.server.ts';
import { findQuiz } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import { bodyColumns } from '#src/features/lessons/lesson-store.server.ts';
import { isDoneByPassing, quiz } from '#src/features/lessons/registry.ts';
import type { Answers } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import {
  type AskedQuestion,
  askedQuestions,
  markedAnswer,
  readAnswers,
  scoreOf,
} from '#src/features/lessons/types/quiz/marking.server.ts';
import type { SignedIn } from '#src/features/practice/practice.server.ts';
import { judgeForReview } from '#src/features/practice/run-code.server.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { renderMarkdown } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import { comesBack, type DueItem, queueOf, readDue, secondsOf, today } from './due/due.server.ts';
import { afterReview, QUEUE_SECONDS, type ReviewRating, retrievability } from './due/schedule.ts';
import type { AnsweredReview, ReviewRange, ReviewItem, ReviewQueue, ReviewRun } from './schema.ts';

/** Bytes of one answer; the first review always fits. */
const QUEUE_MAX_BYTES = 1_400_000;
/** Days. */
const SNOOZE_DAYS = 7;
/** Milliseconds: a clock may be set back between question and answer. */
const EARLY_MS = 3_600_000;
/** Days. */
const RECORD_DAYS = 180;

export async function readReviewQueue(userId: number): Promise<ReviewQueue> {
  const [due, recall] = await Promise.all([readDue(userId), reviewRecord(userId)]);
  const { dueCount, queue } = queueOf(due);
  const items: ReviewItem[] = [];
  let bytes = 0;
  // One by one: those that do not fit are not rendered.
  for (const due of queue) {
    const item = await toItem(userId, due);
    if (!item) continue;
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (items.length > 0 && bytes > QUEUE_MAX_BYTES) break;
    items.push(item);
  }
  return { dueCount, items, recall, secondsPerDay: QUEUE_SECONDS };
}

/** Varies between reviews, stable across reloads. */
async function questionFor(
  userId: number,
  lessonId: number,
  version: number,
  executor: Executor = db(),
): Promise<AskedQuestion | null> {
  const quiz = await findQuiz(lessonId, executor);
  const questions = quiz ? [...quiz.questions, ...quiz.bank] : [];
  const kept = questions[version % Math.max(1, questions.length)];
  if (!kept) return null;
  const [asked] = askedQuestions(
    [kept],
    { shuffleOptions: true },
    `review ${userId} ${lessonId} ${version}`,
    [],
  );
  return asked ?? null;
}

async function toItem(userId: number, item: DueItem): Promise<ReviewItem | null> {
  const { lessonId, version, title, courseId, courseTitle } = item;
  const shared = { lessonId, version, title, courseId, courseTitle };
  if (item.type === quiz.name) {
    const asked = await questionFor(userId, lessonId, version);
    return asked && { ...shared, question: asked.shown, task: null };
  }
  // Texts are read only here: each page counts due items.
  const [[solved], [lesson]] = await Promise.all([
    db()
      .select({ code: codeSubmissions.submittedCode })
      .from(codeSubmissions)
      .where(
        and(
          eq(codeSubmissions.userId, userId),
          eq(codeSubmissions.lessonId, lessonId),
          eq(codeSubmissions.isCorrect, true),
        ),
      )
      .orderBy(desc(codeSubmissions.submittedAt), desc(codeSubmissions.id))
      .limit(1),
    db().select(bodyColumns).from(lessons).where(eq(lessons.id, lessonId)),
  ]);
  // Deleted since it was listed.
  if (!lesson) return null;
  const { codingLanguage: language, starterCode, instructions, content } = lesson;
  const text = [instructions, hasFixture(language) ? '' : content].filter(Boolean).join('\n\n');
  const isRun = language !== null && isDoneByPassing(lesson.type, lesson);
  return {
    ...shared,
    question: null,
    task: {
      html: renderMarkdown(text, { topHeading: 3 }),
      solution: solved?.code ?? null,
      editor: isRun ? { language, starterCode: starterCode ?? '' } : null,
    },
  };
}

/** Locked until the transaction ends. */
async function lockItem(tx: Tx, userId: number, lessonId: number) {
  const [found] = await tx
    .select({ item: reviewItems, type: lessons.type, now: sql<string>`clock_timestamp()` })
    .from(reviewItems)
    .innerJoin(lessons, eq(lessons.id, reviewItems.lessonId))
    .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
    .where(and(comesBack(userId), eq(reviewItems.lessonId, lessonId)))
    .for('update', { of: reviewItems });
  if (!found) {
    throw await refusalOf(userId, { lessonId }, new AppError('not_found', 'There is no such review.'), tx);
  }
  return { ...found, now: new Date(found.now) };
}

const movedOn = () =>
  new AppError(
    'conflict',
    'This review was already answered or put off, in another tab or on another device.',
  );

/**
 * Locks an answerable review and reads its earlier answer.
 * @throws {AppError} as `answerReviewItem`
 */
async function openReview(tx: Tx, userId: number, lessonId: number, version: number) {
  const found = await lockItem(tx, userId, lessonId);
  const [before] = await tx
    .select()
    .from(reviewAnswers)
    .where(
      and(
        eq(reviewAnswers.userId, userId),
        eq(reviewAnswers.lessonId, lessonId),
        eq(reviewAnswers.version, version),
      ),
    );
  if (!before && found.item.version !== version) throw movedOn();
  if (!before && found.item.due.getTime() > found.now.getTime() + EARLY_MS) {
    throw new AppError('conflict', 'This review is not due yet. It comes back by itself.');
  }
  return { ...found, before };
}

type OpenReview = Awaited<ReturnType<typeof openReview>>;

/** An earlier answer stays. */
async function settle(tx: Tx, { item, type, now, before }: OpenReview, rating: ReviewRating) {
  if (before) return { recalled: before.recalled, due: item.due.toISOString() };
  const { userId, lessonId, version } = item;
  const next = afterReview(item, rating, now);
  const recalled = rating !== 'forgot';
  const seconds = secondsOf(type);
  const predicted = retrievability(item, now);
  await tx.insert(reviewAnswers).values({ userId, lessonId, version, rating, predicted, recalled, seconds });
  await tx
    .update(reviewItems)
    .set({ ...next, version: version + 1, failedRuns: 0 })
    .where(and(eq(reviewItems.userId, userId), eq(reviewItems.lessonId, lessonId)));
  // A review makes a day of study.
  await addStudy(tx, userId, { seconds, lessonsCompleted: 0 });
  return { recalled, due: next.due.toISOString() };
}

/**
 * Judges a program; a pass answers the review as good on the first run, else as hard. The lesson itself does not change.
 * @throws {AppError} as `answerReviewItem` and `executeCode`
 */
export async function runReview(
  user: SignedIn,
  lessonId: number,
  { version, code }: { version: number; code: string },
): Promise<ReviewRun> {
  await db().transaction((tx) => openReview(tx, user.id, lessonId, version));
  // Holds no connection while the judge works.
  const run = await judgeForReview(user, lessonId, code);
  const answered = await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const review = await openReview(tx, user.id, lessonId, version);
      const { failedRuns } = review.item;
      if (run.isCorrect || review.before) {
        return { ...(await settle(tx, review, failedRuns === 0 ? 'good' : 'hard')), marked: null };
      }
      await tx
        .update(reviewItems)
        .set({ failedRuns: failedRuns + 1 })
        .where(and(eq(reviewItems.userId, user.id), eq(reviewItems.lessonId, lessonId)));
      return null;
    }),
  );
  return { run, answered };
}

/** Answers to a question, or the rating of a program. */
type Reply = { answers?: Answers | undefined; rating?: ReviewRating | undefined };

/**
 * Answers a review; idempotent.
 * @param version as read
 * @throws {AppError} not_found, conflict, invalid_input
 */
export async function answerReviewItem(
  userId: number,
  lessonId: number,
  version: number,
  reply: Reply,
): Promise<AnsweredReview> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const review = await openReview(tx, userId, lessonId, version);
      const asked = review.type === quiz.name ? await questionFor(userId, lessonId, version, tx) : null;
      const { rating, marked } = judge(asked, reply);
      if (!asked && rating !== 'forgot' && !review.before && (await isPassedInstead(lessonId, tx))) {
        const message = 'Run your program: it shows how well you remembered it';
        throw new AppError('invalid_input', message, { fields: { rating: message } });
      }
      return { ...(await settle(tx, review, rating)), marked };
    }),
  );
}

/** Questions rate themselves, learners rate programs. */
function judge(
  asked: AskedQuestion | null,
  reply: Reply,
): { rating: ReviewRating; marked: AnsweredReview['marked'] } {
  if (!asked) {
    if (!reply.rating) {
      const message = 'Say how well you remembered it';
      throw new AppError('invalid_input', message, { fields: { rating: message } });
    }
    return { rating: reply.rating, marked: null };
  }
  const read = readAnswers([asked], reply.answers ?? {});
  const { score } = scoreOf([asked], read);
  return {
    rating: score >= 100 ? 'good' : score >= 50 ? 'hard' : 'forgot',
    marked: markedAnswer(asked, read[asked.kept.id] ?? null),
  };
}

/**
 * Until tomorrow or for a week; memory and the day's time stay.
 * @throws {AppError} not_found
 */
export async function putOffReview(
  userId: number,
  lessonId: number,
  version: number,
  until: 'tomorrow' | 'next-week',
): Promise<{ due: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const { item } = await lockItem(tx, userId, lessonId);
      // Another tab was faster.
      if (item.version !== version) return { due: item.due.toISOString() };
      const days = until === 'tomorrow' ? 1 : SNOOZE_DAYS;
      const [moved] = await tx
        .update(reviewItems)
        .set({
          due: sql`greatest(${reviewItems.due}, ${today} + make_interval(days => ${days}))`,
          version: version + 1,
          failedRuns: 0,
        })
        .where(and(eq(reviewItems.userId, userId), eq(reviewItems.lessonId, lessonId)))
        .returning({ due: reviewItems.due });
      return { due: moved!.due.toISOString() };
    }),
  );
}

/** Answers by expected recall. */
export async function reviewRecord(userId: number): Promise<ReviewRange[]> {
  const from = sql<number>`case when ${reviewAnswers.predicted} >= 0.9 then 90
    when ${reviewAnswers.predicted} >= 0.8 then 80 when ${reviewAnswers.predicted} >= 0.6 then 60 else 0 end`;
  return db()
    .select({
      from: sql<number>`${from}::int`.as('from'),
      answers: count(),
      predicted: sql<number>`round(100 * avg(${reviewAnswers.predicted}))::int`,
      recalled: sql<number>`round(100 * avg(${reviewAnswers.recalled}::int))::int`,
    })
    .from(reviewAnswers)
    .where(
      and(
        eq(reviewAnswers.userId, userId),
        gte(reviewAnswers.answeredAt, sql`now() - make_interval(days => ${sql.raw(String(RECORD_DAYS))})`),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(desc(sql`1`));
}
