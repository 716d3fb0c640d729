import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { lessonQuestionReplies, lessonQuestionReports, lessonQuestions } from '#db/schema/questions.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { renderUserMarkdown, requireRenderable } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE } from '#src/shared/list-query.ts';
import { mailAnswer } from './question-mails.server.ts';
import { newestReplies, noQuestion, renderQuestions, stateOf } from './questions.server.ts';
import type { QUESTION_STATES } from './schema.ts';

export const LISTED_STATES = ['waiting', 'answered', 'solved', 'reported', 'hidden', 'all'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** Days whose questions count for the time to an answer. */
export const ANSWER_TIME_DAYS = 90;

/** Characters where a page has no room for all. */
const SHORTENED_TO = 500;

export interface TeamQuestion {
  id: number;
  html: string;
  /** Without replies and attempt: the page has no room. */
  isShortened: boolean;
  line: number | null;
  quote: string;
  attempt: {
    number: number;
    verdict: (typeof codeSubmissions.verdict.enumValues)[number];
    code: string;
  } | null;
  state: (typeof QUESTION_STATES)[number];
  sharedByAsker: boolean;
  sharedByTeam: boolean;
  version: number;
  createdAt: string;
  editedAt: string | null;
  hiddenAt: string | null;
  hiddenByName: string | null;
  hiddenReason: string | null;
  lesson: { id: number; title: string };
  course: { id: number; title: string };
  asker: { id: number; username: string };
  replies: { id: number; byTeam: boolean; name: string | null; html: string; createdAt: string }[];
  hasOlderReplies: boolean;
  reports: { userId: number; username: string; reason: string }[];
}

const CONDITIONS: Record<ListedState, SQL | undefined> = {
  waiting: and(isNotNull(lessonQuestions.waitingSince), isNull(lessonQuestions.hiddenAt)),
  answered: and(isNull(lessonQuestions.waitingSince), isNull(lessonQuestions.solvedAt)),
  solved: isNotNull(lessonQuestions.solvedAt),
  reported: sql`exists (select from ${lessonQuestionReports} where ${lessonQuestionReports.questionId} = ${lessonQuestions.id})`,
  hidden: isNotNull(lessonQuestions.hiddenAt),
  all: undefined,
};

/**
 * Waiting ones first, longest waiting on top, then the newest; a page past the end is the last.
 * @param query `search` also matches titles and askers; `courseIds` null for all
 */
export async function listTeamQuestions({
  search = '',
  state = 'all',
  questionId = null,
  courseIds = null,
  page: asked = 1,
}: {
  search?: string;
  state?: ListedState;
  questionId?: number | null;
  courseIds?: number[] | null;
  page?: number;
}): Promise<{ questions: TeamQuestion[]; total: number; page: number }> {
  const text = search.toLowerCase();
  const holds = (column: SQL) => sql`strpos(lower(${column}), ${text}) > 0`;
  const matching = and(
    isPerson(lessonQuestions.userId),
    CONDITIONS[state],
    courseIds ? inArray(lessons.courseId, courseIds) : undefined,
    questionId === null ? undefined : eq(lessonQuestions.id, questionId),
    search
      ? sql`(${sql.join(
          [lessonQuestions.body, lessons.title, courses.title, users.username].map((column) =>
            holds(sql`${column}`),
          ),
          sql` or `,
        )})`
      : undefined,
  );
  const [found] = await db()
    .select({ total: count() })
    .from(lessonQuestions)
    .innerJoin(users, eq(users.id, lessonQuestions.userId))
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(matching);
  const total = found!.total;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE)));
  const rows = await db()
    .select({
      question: lessonQuestions,
      lesson: { id: lessons.id, title: lessons.title },
      course: { id: courses.id, title: courses.title },
      asker: { id: users.id, username: users.username },
      hiddenByName: sql<
        string | null
      >`(select h.username from users h where h.id = ${lessonQuestions.hiddenBy})`,
      attempt: {
        number: codeSubmissions.attempts,
        verdict: codeSubmissions.verdict,
        code: codeSubmissions.submittedCode,
      },
    })
    .from(lessonQuestions)
    .innerJoin(users, eq(users.id, lessonQuestions.userId))
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(codeSubmissions, eq(codeSubmissions.id, lessonQuestions.submissionId))
    .where(matching)
    .orderBy(
      sql`case when ${lessonQuestions.hiddenAt} is null then ${lessonQuestions.waitingSince} end asc nulls last`,
      desc(lessonQuestions.id),
    )
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  const ids = rows.map(({ question }) => question.id);
  const newest = await newestReplies(db(), ids);
  const reports = await db()
    .select({
      questionId: lessonQuestionReports.questionId,
      userId: users.id,
      username: users.username,
      reason: lessonQuestionReports.reason,
    })
    .from(lessonQuestionReports)
    .innerJoin(users, eq(users.id, lessonQuestionReports.userId))
    .where(inArray(lessonQuestionReports.questionId, ids))
    .orderBy(asc(lessonQuestionReports.createdAt));
  const rendered = await renderQuestions(
    rows.map(({ question, attempt }) => ({ id: question.id, body: question.body, code: attempt?.code })),
    newest.map(({ reply, name }) => ({ ...reply, name })),
  );
  // Past the page's limit; each alone is shown whole.
  const shortened = (body: string) => ({
    html: renderUserMarkdown(`${body.slice(0, SHORTENED_TO).toWellFormed()}…`),
    replies: [],
    hasOlderReplies: false,
  });
  const questions = rows.map(({ question, attempt, ...beside }, index) => ({
    ...beside,
    id: question.id,
    isShortened: index >= rendered.length,
    attempt: index < rendered.length ? attempt : null,
    ...withReplies(rendered[index] ?? shortened(question.body)),
    line: question.line,
    quote: question.quote,
    state: stateOf(question),
    sharedByAsker: question.sharedByAsker,
    sharedByTeam: question.sharedByTeam,
    version: question.version,
    createdAt: question.createdAt.toISOString(),
    editedAt: question.editedAt?.toISOString() ?? null,
    hiddenAt: question.hiddenAt?.toISOString() ?? null,
    hiddenReason: question.hiddenReason,
    reports: reports.flatMap(({ questionId: of, ...report }) => (of === question.id ? report : [])),
  }));
  return { questions, total, page };
}

function withReplies({
  replies,
  ...beside
}: {
  html: string;
  replies: { id: number; byTeam: boolean; name: string | null; html: string; createdAt: Date }[];
  hasOlderReplies: boolean;
}): Pick<TeamQuestion, 'html' | 'replies' | 'hasOlderReplies'> {
  return {
    ...beside,
    replies: replies.map(({ id, byTeam, name, html, createdAt }) => ({
      id,
      byTeam,
      name,
      html,
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** Also as a part of another query. */
export const countWaiting = (): Promise<number> & SQL<number> =>
  db().$count(lessonQuestions, and(CONDITIONS.waiting, isPerson(lessonQuestions.userId)));

/** The time to an answer is a median. */
export async function questionFigures(courseIds: number[] | null = null): Promise<{
  waiting: number;
  reported: number;
  /** Null without recent answers. */
  medianSeconds: number | null;
}> {
  const [row] = await db()
    .select({
      waiting: sql<number>`count(*) filter (where ${CONDITIONS.waiting})`.mapWith(Number),
      reported: sql<number>`count(*) filter (where ${CONDITIONS.reported})`.mapWith(Number),
      medianSeconds: sql<number | null>`percentile_cont(0.5) within group (order by
        extract(epoch from ${lessonQuestions.answeredAt} - ${lessonQuestions.createdAt})::float)
        filter (where ${lessonQuestions.answeredAt} is not null
          and ${lessonQuestions.createdAt} > now() - make_interval(days => ${ANSWER_TIME_DAYS}))`,
    })
    .from(lessonQuestions)
    .innerJoin(lessons, eq(lessons.id, lessonQuestions.lessonId))
    .where(
      and(isPerson(lessonQuestions.userId), courseIds ? inArray(lessons.courseId, courseIds) : undefined),
    );
  return row!;
}

/** @throws {AppError} not_found */
async function lock(tx: Tx, id: number) {
  const [row] = await tx.select().from(lessonQuestions).where(eq(lessonQuestions.id, id)).for('update');
  if (!row) throw noQuestion();
  return row;
}

/**
 * Answers and mails the asker; one key answers once.
 * @throws {AppError} not_found, conflict
 */
export async function answerQuestion(
  actor: { id: number },
  id: number,
  { key, body, version }: { key: string; body: string; version: number },
): Promise<{ version: number }> {
  requireRenderable('body', 'Text', body, 'user');
  return db().transaction(async (tx) => {
    const row = await lock(tx, id);
    const [known] = await tx
      .select({ id: lessonQuestionReplies.id })
      .from(lessonQuestionReplies)
      .where(and(eq(lessonQuestionReplies.questionId, id), eq(lessonQuestionReplies.key, key)));
    if (known) return { version: row.version };
    if (row.hiddenAt) throw new AppError('conflict', 'This question is hidden. Show it again first.');
    if (row.version !== version) {
      throw new AppError(
        'conflict',
        'This question was changed or answered meanwhile. Copy your answer and look at it again.',
      );
    }
    const [reply] = await tx
      .insert(lessonQuestionReplies)
      .values({ questionId: id, writtenBy: actor.id, byTeam: true, key, body })
      .returning({ id: lessonQuestionReplies.id });
    await tx
      .update(lessonQuestions)
      .set({
        answeredAt: sql`coalesce(${lessonQuestions.answeredAt}, now())`,
        answerSeenAt: null,
        waitingSince: null,
        version: version + 1,
      })
      .where(eq(lessonQuestions.id, id));
    await mailAnswer(tx, { replyId: reply!.id, questionId: id, body });
    return { version: version + 1 };
  });
}

/**
 * Takes effect where the asker shares it too.
 * @throws {AppError} not_found
 */
export async function shareAsTeam(id: number, shared: boolean): Promise<{ version: number }> {
  return db().transaction(async (tx) => {
    const row = await lock(tx, id);
    if (row.sharedByTeam === shared) return { version: row.version };
    await tx
      .update(lessonQuestions)
      .set({ sharedByTeam: shared, version: row.version + 1 })
      .where(eq(lessonQuestions.id, id));
    return { version: row.version + 1 };
  });
}

/**
 * Only the asker sees it then, with the reason; settles reports. Audited.
 * @throws {AppError} not_found
 */
export function hideQuestion(actor: Actor, id: number, reason: string): Promise<void> {
  return moderate(id, async (tx, row, about) => {
    await tx
      .update(lessonQuestions)
      .set({
        hiddenAt: row.hiddenAt ?? new Date(),
        hiddenBy: actor.id,
        hiddenReason: reason,
        version: row.version + 1,
      })
      .where(eq(lessonQuestions.id, id));
    await recordAudit(tx, actor, { ...about, action: 'question.hidden', reason });
  });
}

/**
 * Shows it again and settles reports. Audited; idempotent.
 * @throws {AppError} not_found
 */
export function showQuestion(actor: Actor, id: number): Promise<void> {
  return moderate(id, async (tx, row, about, reports) => {
    if (!row.hiddenAt && reports === 0) return;
    await tx
      .update(lessonQuestions)
      .set({ hiddenAt: null, hiddenBy: null, hiddenReason: null, version: row.version + 1 })
      .where(eq(lessonQuestions.id, id));
    await recordAudit(tx, actor, { ...about, action: 'question.shown' });
  });
}

async function moderate(
  id: number,
  change: (
    tx: Tx,
    row: Awaited<ReturnType<typeof lock>>,
    about: { subjectType: 'lesson_question'; subjectId: number; details: { lesson: string; userId: number } },
    reports: number,
  ) => Promise<void>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lock(tx, id);
    const [lesson] = await tx
      .select({ title: lessons.title })
      .from(lessons)
      .where(eq(lessons.id, row.lessonId));
    const settled = await tx
      .delete(lessonQuestionReports)
      .where(eq(lessonQuestionReports.questionId, id))
      .returning({ userId: lessonQuestionReports.userId });
    const details = { lesson: lesson!.title, userId: row.userId };
    await change(tx, row, { subjectType: 'lesson_question', subjectId: id, details }, settled.length);
  });
}
