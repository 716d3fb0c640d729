import { setImmediate } from 'node:timers/promises';
import { and, desc, eq, inArray, isNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { lessonQuestionReplies, lessonQuestionReports, lessonQuestions } from '#db/schema/questions.ts';
import { givesAccess, requireReadable } from '#src/features/catalogue/access.server.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { getLearnersLesson } from '#src/features/learn/progress/completion.server.ts';
import { renderUserMarkdown, requireRenderable } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import { tellTeam } from './question-mails.server.ts';
import { type askQuestionCall, LISTED_MAX, type QuestionModel } from './schema.ts';

/** The newest ones below a question. */
const REPLIES_MAX = 30;
/** Bytes of texts in one answer, except its first question. */
const LISTED_MAX_BYTES = 1_000_000;
/** Bytes below a question, except its newest reply. */
const REPLIES_MAX_BYTES = 400_000;
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text));

/** SQL: readable for other learners. */
const isShared: SQL = and(
  eq(lessonQuestions.sharedByAsker, true),
  eq(lessonQuestions.sharedByTeam, true),
  isNull(lessonQuestions.hiddenAt),
)!;

export const noQuestion = () => new AppError('not_found', 'There is no such question.');

type Row = typeof lessonQuestions.$inferSelect;

export function stateOf({
  waitingSince,
  solvedAt,
}: Pick<Row, 'waitingSince' | 'solvedAt'>): QuestionModel['state'] {
  return solvedAt ? 'solved' : waitingSince ? 'waiting' : 'answered';
}

/**
 * The viewer's own, then shared ones.
 * @param after `more` of the answer before
 * @throws {AppError} not_found, forbidden for a closed lesson
 */
export async function listQuestions(
  viewer: Viewer,
  lessonId: number,
  after = 'own-0',
): Promise<{ own: QuestionModel[]; shared: QuestionModel[]; more: string | null; mayAsk: boolean }> {
  const { isEnrolled: mayAsk } = await requireReadable(db(), lessonId, viewer);
  const viewerId = viewer?.id ?? 0;
  const [kind, from] = after.split('-') as ['own' | 'shared', string];
  // Own-0 and shared-0 are the starts.
  const page = (condition: SQL, before: number, count: number) =>
    db()
      .select()
      .from(lessonQuestions)
      .where(
        and(
          eq(lessonQuestions.lessonId, lessonId),
          condition,
          before > 0 ? lt(lessonQuestions.id, before) : undefined,
        ),
      )
      .orderBy(desc(lessonQuestions.id))
      .limit(count);
  // One more shows whether there are more.
  const own =
    kind === 'own' ? await page(eq(lessonQuestions.userId, viewerId), Number(from), LISTED_MAX + 1) : [];
  const shared = await page(
    and(isShared, ne(lessonQuestions.userId, viewerId))!,
    kind === 'shared' ? Number(from) : 0,
    LISTED_MAX + 1 - own.length,
  );
  await seeAnswers(own.filter((row) => row.answeredAt && !row.answerSeenAt).map(({ id }) => id));
  const rows = [...own, ...shared];
  const models = await toModels(db(), rows.slice(0, LISTED_MAX), viewerId);
  const isMore = models.length < rows.length;
  const last = models.at(-1);
  return {
    own: models.filter(({ isOwn }) => isOwn),
    shared: models.filter(({ isOwn }) => !isOwn),
    more: isMore && last ? `${last.isOwn ? 'own' : 'shared'}-${last.id}` : null,
    mayAsk,
  };
}

/** Shown answers do not wait any more. */
async function seeAnswers(ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db()
    .update(lessonQuestions)
    .set({ answerSeenAt: sql`now()` })
    .where(inArray(lessonQuestions.id, ids));
}

/** SQL: unseen answers of the placeholder `userId`. */
export const unseenAnswers = sql`(
  select count(*)::int from ${lessonQuestions}
  inner join ${lessons} on ${lessons.id} = ${lessonQuestions.lessonId}
  inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
  where ${lessonQuestions.userId} = ${sql.placeholder('userId')} and ${lessonQuestions.answeredAt} is not null
    and ${lessonQuestions.answerSeenAt} is null and ${lessonQuestions.hiddenAt} is null)`;

/** One more shows whether there are older ones. */
export async function newestReplies(executor: Executor, questionIds: number[]) {
  const numbered = executor
    .select({
      id: lessonQuestionReplies.id,
      fromNewest: sql<number>`row_number() over (partition by ${lessonQuestionReplies.questionId}
        order by ${lessonQuestionReplies.id} desc)`.as('from_newest'),
    })
    .from(lessonQuestionReplies)
    .where(inArray(lessonQuestionReplies.questionId, questionIds))
    .as('numbered');
  return executor
    .select({ reply: lessonQuestionReplies, name: users.username })
    .from(numbered)
    .innerJoin(lessonQuestionReplies, eq(lessonQuestionReplies.id, numbered.id))
    .leftJoin(users, eq(users.id, lessonQuestionReplies.writtenBy))
    .where(lte(numbered.fromNewest, REPLIES_MAX + 1))
    .orderBy(desc(lessonQuestionReplies.id));
}

interface RenderedQuestion<T> {
  html: string;
  replies: (T & { html: string })[];
  hasOlderReplies: boolean;
}

/** Renders questions and their newest replies up to the size limit, at least the first. Yields between questions. */
export async function renderQuestions<T extends { questionId: number; body: string }>(
  questions: { id: number; body: string; code: string | undefined }[],
  newest: T[],
): Promise<RenderedQuestion<T>[]> {
  const done: RenderedQuestion<T>[] = [];
  let bytes = 0;
  for (const { id, body, code = '' } of questions) {
    const html = renderUserMarkdown(body);
    const all = newest.filter(({ questionId }) => questionId === id);
    const replies: (T & { html: string })[] = [];
    let below = 0;
    for (const reply of all.slice(0, REPLIES_MAX)) {
      const shown = renderUserMarkdown(reply.body);
      below += bytesOf(shown);
      if (replies.length > 0 && below > REPLIES_MAX_BYTES) break;
      replies.unshift({ ...reply, html: shown });
    }
    bytes += bytesOf(html) + bytesOf(body) + bytesOf(code) + below;
    if (done.length > 0 && bytes > LISTED_MAX_BYTES) break;
    done.push({ html, replies, hasOlderReplies: replies.length < all.length });
    await setImmediate();
  }
  return done;
}

async function toModels(executor: Executor, rows: Row[], viewerId: number): Promise<QuestionModel[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const replies = (await newestReplies(executor, ids)).map(({ reply }) => reply);
  const reports = await executor
    .select({ questionId: lessonQuestionReports.questionId })
    .from(lessonQuestionReports)
    .where(and(inArray(lessonQuestionReports.questionId, ids), eq(lessonQuestionReports.userId, viewerId)));
  const runs = rows.flatMap(({ submissionId, userId }) => (userId === viewerId && submissionId) || []);
  const attempts = await executor
    .select({
      id: codeSubmissions.id,
      number: codeSubmissions.attempts,
      passed: codeSubmissions.isCorrect,
      code: codeSubmissions.submittedCode,
    })
    .from(codeSubmissions)
    .where(inArray(codeSubmissions.id, runs));
  const attemptOf = ({ userId, submissionId }: Row) =>
    (userId === viewerId && attempts.find(({ id }) => id === submissionId)) || null;
  const rendered = await renderQuestions(
    rows.map((row) => ({ id: row.id, body: row.body, code: attemptOf(row)?.code })),
    replies,
  );
  return rendered.map(({ html, replies: below, hasOlderReplies }, index) => {
    const row = rows[index]!;
    const isOwn = row.userId === viewerId;
    return {
      id: row.id,
      lessonId: row.lessonId,
      isOwn,
      body: isOwn ? row.body : '',
      html,
      line: row.line,
      quote: row.quote,
      attempt: attemptOf(row),
      state: stateOf(row),
      sharedByAsker: row.sharedByAsker,
      sharedByTeam: row.sharedByTeam,
      version: row.version,
      createdAt: row.createdAt.toISOString(),
      editedAt: row.editedAt?.toISOString() ?? null,
      hiddenReason: isOwn && row.hiddenAt ? (row.hiddenReason ?? '') : null,
      reported: reports.some(({ questionId }) => questionId === row.id),
      mayChange: isOwn && row.answeredAt === null,
      replies: below.map((reply) => ({
        id: reply.id,
        byTeam: reply.byTeam,
        html: reply.html,
        createdAt: reply.createdAt.toISOString(),
      })),
      hasOlderReplies,
    };
  });
}

async function ownModel(tx: Tx, row: Row): Promise<QuestionModel> {
  const [model] = await toModels(tx, [row], row.userId);
  return model!;
}

/**
 * One key asks once.
 * @throws {AppError} not_found, forbidden, conflict
 */
export async function askQuestion(
  userId: number,
  lessonId: number,
  { key, submissionId, body, line, quote, shared }: z.output<NonNullable<typeof askQuestionCall.input>>,
): Promise<QuestionModel> {
  requireRenderable('body', 'Text', body, 'user');
  return db().transaction(async (tx) => {
    const lesson = await getLearnersLesson(userId, lessonId, tx);
    if (submissionId !== null) {
      const [run] = await tx
        .select({ id: codeSubmissions.id })
        .from(codeSubmissions)
        .where(
          and(
            eq(codeSubmissions.id, submissionId),
            eq(codeSubmissions.userId, userId),
            eq(codeSubmissions.lessonId, lessonId),
          ),
        )
        .for('key share');
      if (!run) throw new AppError('not_found', 'You have no such attempt at this lesson.');
    }
    const values = { userId, lessonId, key, body, line, quote, submissionId, sharedByAsker: shared };
    const [asked] = await tx
      .insert(lessonQuestions)
      .values(values)
      .onConflictDoNothing({ target: [lessonQuestions.userId, lessonQuestions.key] })
      .returning();
    if (asked) {
      await tellTeam(tx, lesson.courseId);
      return ownModel(tx, asked);
    }
    const [known] = await tx
      .select()
      .from(lessonQuestions)
      .where(and(eq(lessonQuestions.userId, userId), eq(lessonQuestions.key, key)));
    if (known?.lessonId !== lessonId)
      throw new AppError('conflict', 'This was asked somewhere else already.');
    return ownModel(tx, known);
  });
}

/** @throws {AppError} not_found */
async function lockOwn(tx: Tx, userId: number, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(lessonQuestions)
    .where(and(eq(lessonQuestions.id, id), eq(lessonQuestions.userId, userId)))
    .for('update');
  if (!row) throw noQuestion();
  return row;
}

async function save(tx: Tx, row: Row, values: Partial<Row>): Promise<QuestionModel> {
  const [saved] = await tx
    .update(lessonQuestions)
    .set({ ...values, version: row.version + 1 })
    .where(eq(lessonQuestions.id, row.id))
    .returning();
  return ownModel(tx, saved!);
}

function requireUnanswered({ answeredAt }: Row): void {
  if (answeredAt) {
    throw new AppError('conflict', 'This question has been answered and stays as it is. Add to it instead.');
  }
}

/** @throws {AppError} not_found, conflict */
export async function changeQuestion(
  userId: number,
  id: number,
  { body, version }: { body: string; version: number },
): Promise<QuestionModel> {
  requireRenderable('body', 'Text', body, 'user');
  return db().transaction(async (tx) => {
    const row = await lockOwn(tx, userId, id);
    // A repeat after a lost answer.
    if (row.body === body) return ownModel(tx, row);
    requireUnanswered(row);
    await getLearnersLesson(userId, row.lessonId, tx);
    if (row.version !== version) {
      throw new AppError('conflict', 'This question was changed in another tab or on another device.', {
        extra: { body: row.body, version: row.version },
      });
    }
    return save(tx, row, { body, editedAt: new Date() });
  });
}

/** @throws {AppError} not_found; conflict once it is answered */
export async function deleteQuestion(userId: number, id: number): Promise<void> {
  await db().transaction(async (tx) => {
    requireUnanswered(await lockOwn(tx, userId, id));
    await tx.delete(lessonQuestions).where(eq(lessonQuestions.id, id));
  });
}

/**
 * The question waits for the team again.
 * @throws {AppError} not_found, conflict for a hidden one
 */
export async function addToQuestion(
  userId: number,
  id: number,
  { key, body }: { key: string; body: string },
): Promise<QuestionModel> {
  requireRenderable('body', 'Text', body, 'user');
  return db().transaction(async (tx) => {
    const row = await lockOwn(tx, userId, id);
    if (row.hiddenAt) throw new AppError('conflict', 'The team has closed this question. Ask a new one.');
    const { courseId } = await getLearnersLesson(userId, row.lessonId, tx);
    const added = await tx
      .insert(lessonQuestionReplies)
      .values({ questionId: id, writtenBy: userId, byTeam: false, key, body })
      .onConflictDoNothing({ target: [lessonQuestionReplies.questionId, lessonQuestionReplies.key] })
      .returning({ id: lessonQuestionReplies.id });
    if (added.length === 0) return ownModel(tx, row);
    if (row.waitingSince) return save(tx, row, {});
    await tellTeam(tx, courseId);
    return save(tx, row, { waitingSince: new Date(), solvedAt: null, mailedAt: null });
  });
}

/**
 * An unsolved one waits for the team again.
 * @throws {AppError} not_found
 */
export async function solveQuestion(userId: number, id: number, solved: boolean): Promise<QuestionModel> {
  return db().transaction(async (tx) => {
    const row = await lockOwn(tx, userId, id);
    if ((row.solvedAt !== null) === solved) return ownModel(tx, row);
    const now = new Date();
    return save(tx, row, { solvedAt: solved ? now : null, waitingSince: solved ? null : now });
  });
}

/**
 * Takes effect where the team shares it too.
 * @throws {AppError} not_found
 */
export async function shareQuestion(userId: number, id: number, shared: boolean): Promise<QuestionModel> {
  return db().transaction(async (tx) => {
    const row = await lockOwn(tx, userId, id);
    return row.sharedByAsker === shared ? ownModel(tx, row) : save(tx, row, { sharedByAsker: shared });
  });
}

/**
 * Once for each reader.
 * @throws {AppError} not_found for unreadable and own ones
 */
export async function reportQuestion(
  user: NonNullable<Viewer>,
  id: number,
  reason: string,
): Promise<{ reported: true }> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({ lessonId: lessonQuestions.lessonId })
      .from(lessonQuestions)
      .where(and(eq(lessonQuestions.id, id), isShared, ne(lessonQuestions.userId, user.id)))
      .for('key share');
    if (!row) throw noQuestion();
    await requireReadable(tx, row.lessonId, user);
    await tx
      .insert(lessonQuestionReports)
      .values({ questionId: id, userId: user.id, reason })
      .onConflictDoNothing();
    return { reported: true };
  });
}
