import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { and, eq, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor, Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { lessonProgress, quizAttempts, quizQuestions, regrades } from '#db/schema/learn.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { lockEnrollment, recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import type { Answer } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { graderOf, type KeptQuestion, scoreOf } from '#src/features/lessons/types/quiz/marking.server.ts';
import { questionOfRow } from '#src/features/lessons/types/quiz/question.ts';
import { QUIZ_PASS_PERCENT } from '#src/features/lessons/types/quiz/settings.ts';
import type { WorkingCourse } from '#src/features/lessons/working-copy.server.ts';

type Mark = typeof quizAttempts.$inferSelect & { gain: number };

const marking = (one: KeptQuestion) => ({
  ...one,
  ...{ question: '', explanation: '', feedback: [], tags: [], format: null },
});

/** Null where it cannot be given any more. A single choice is stored by place: its option may have moved. */
function readNow(old: KeptQuestion, now: KeptQuestion, answer: Answer): Answer | null {
  let given = answer;
  if (typeof answer === 'number' && 'options' in old && 'options' in now) {
    const at = now.options.indexOf(old.options[answer]!);
    if (at < 0 && old.options.includes(now.options[answer]!)) return null;
    if (at >= 0) given = at;
  }
  return graderOf(now).read(now, given);
}

/**
 * The attempts that a course's copy marks otherwise (decision 119), without those that a person graded.
 * @param bothWays also where an answer then counts for less
 */
export async function marksAgain(
  { id: copyId, courseId }: WorkingCourse,
  bothWays: boolean,
  executor: Executor,
): Promise<Mark[]> {
  const draft = alias(quizQuestions, 'draft');
  const rows = await executor
    .select({ row: quizQuestions, draft })
    .from(quizQuestions)
    .innerJoin(lessons, eq(lessons.id, quizQuestions.lessonId))
    .leftJoin(draft, eq(draft.draftOf, quizQuestions.id))
    .where(eq(lessons.courseId, courseId));
  const questions = rows.map(({ row, draft }) => ({
    old: { ...questionOfRow(row), id: row.id },
    // The copy of a course has every question that was not removed.
    now: draft && { ...questionOfRow(draft), id: row.id },
  }));
  const corrected = questions.filter(
    ({ old, now }) => !now || !isDeepStrictEqual(marking(old), marking(now)),
  );
  if (corrected.length === 0) return [];
  const ids = sql.param(corrected.map(({ old }) => String(old.id)));
  const attempts = await executor
    .select({ attempt: quizAttempts, settings: lessons.quizSettings })
    .from(quizAttempts)
    .innerJoin(lessons, and(eq(lessons.draftOf, quizAttempts.lessonId), eq(lessons.courseId, copyId)))
    .where(
      and(
        sql`jsonb_exists_any(${quizAttempts.answers}, ${ids}::text[])`,
        isPerson(quizAttempts.userId),
        notExists(executor.select().from(regrades).where(eq(regrades.attemptId, quizAttempts.id))),
      ),
    );
  const marks: Mark[] = [];
  for (const { attempt, settings } of attempts) {
    // Marking many attempts blocks the process.
    await nextTurn();
    const [answers, credits] = [{ ...attempt.answers }, { ...attempt.credits }];
    for (const { old, now } of corrected) {
      const given = answers[old.id];
      if (given === undefined || !now) continue;
      const marked = graderOf(old).credit(old, given);
      const counted = credits[old.id] ?? marked;
      const read = readNow(old, now, given);
      const fresh = read === null ? counted : graderOf(now).credit(now, read);
      answers[old.id] = read ?? given;
      if (read === null || fresh !== marked) credits[old.id] = bothWays ? fresh : Math.max(counted, fresh);
    }
    const asked = questions.flatMap(({ now }) =>
      now && answers[now.id] !== undefined ? [{ kept: now }] : [],
    );
    const score = Math.max(scoreOf(asked, answers, credits).score, bothWays ? 0 : attempt.score);
    const passed = score >= (settings.passPercent ?? QUIZ_PASS_PERCENT) || (!bothWays && attempt.passed);
    const gain = score - attempt.score || Number(passed) - Number(attempt.passed);
    const mark = { ...attempt, answers, credits, score, passed };
    if (!isDeepStrictEqual(mark, attempt)) marks.push({ ...mark, gain });
  }
  return marks;
}

/** Passing completes the lesson. The caller locks the enrollments before it reads the marks. */
export async function writeMarks(tx: Tx, courseId: number, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  await tx.execute(sql`
    update ${quizAttempts} set answers = m.answers, credits = m.credits, score = m.score, passed = m.passed
    from jsonb_populate_recordset(null::${quizAttempts}, ${JSON.stringify(marks)}::jsonb) m
    where ${quizAttempts.id} = m.id`);
  const { userId, lessonId, completed } = lessonProgress;
  const own = sql`${quizAttempts} a where (a.user_id, a.lesson_id) = (${userId}, ${lessonId})`;
  const learners = await tx
    .update(lessonProgress)
    .set({ score: sql`(select max(a.score) from ${own})`, updatedAt: sql`now()` })
    .where(
      sql`(${userId}, ${lessonId}) in (select user_id, lesson_id from ${quizAttempts}
        where id = any(${sql.param(marks.map(({ id }) => id))}::int[]))`,
    )
    .returning({
      ...{ userId, lessonId },
      passes: sql<boolean>`not ${completed} and exists (select from ${own} and a.passed)`,
    });
  for (const { passes, ...one } of learners) {
    if (passes && (await lockEnrollment(tx, one.userId, courseId)))
      await recordCompletion(tx, { ...one, courseId });
  }
}
