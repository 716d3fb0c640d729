import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { jsonArray, jsonFields, jsonTime } from '#db/json.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { lessonProgress, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import type { KeptQuestion } from './marking.server.ts';
import { questionOfRow } from './question.ts';

export type Attempt = typeof quizAttempts.$inferSelect;
type Row = typeof quizQuestions.$inferSelect;

const HISTORY = 20;

const rows = (which: SQL) =>
  jsonArray(
    sql`select ${jsonFields(getTableColumns(quizQuestions))} from ${quizQuestions} ${which} ${quizQuestions.order}, ${quizQuestions.id}`,
  ) as SQL<Row[]>;

const kept = (row: Row): KeptQuestion => ({
  ...questionOfRow(row),
  id: row.draftOf ?? row.id,
  html: row.html,
});

/**
 * A quiz with the other quizzes' questions that it draws from, and what a learner did of it.
 * @param userId absent for nobody's
 */
export async function findQuiz(lessonId: number, executor: Executor, userId = 0) {
  // No account has id 0.
  const ofLearner = sql`${quizAttempts.userId} = ${userId} and ${quizAttempts.lessonId} = ${lessons.id}`;
  const [row] = await executor
    .select({
      settings: lessons.quizSettings,
      questions: rows(sql`where ${quizQuestions.lessonId} = ${lessons.id} order by`),
      bank: rows(sql`
        inner join ${lessons} other on other.id = ${quizQuestions.lessonId}
        where ${lessons.quizSettings} ? 'draw' and other.course_id = ${lessons.courseId} and other.id <> ${lessons.id}
          and exists (select from jsonb_array_elements(${lessons.quizSettings} -> 'draw') drawn
            where drawn ->> 'from' = 'course' and ${quizQuestions.details} -> 'tags' ? (drawn ->> 'tag'))
        order by other."order", other.id,`),
      attempts: jsonArray(sql`
        select ${jsonFields({ ...getTableColumns(quizAttempts), submittedAt: jsonTime(quizAttempts.submittedAt) })}
        from ${quizAttempts} where ${ofLearner}
        order by ${quizAttempts.submittedAt} desc, ${quizAttempts.id} desc limit ${sql.raw(String(HISTORY))}`) as SQL<
        (Omit<Attempt, 'submittedAt'> & { submittedAt: string })[]
      >,
      made: sql<number>`(select count(*)::int from ${quizAttempts} where ${ofLearner})`,
      now: sql<Date>`clock_timestamp()`,
      progress: {
        completed: lessonProgress.completed,
        score: lessonProgress.score,
        checked: lessonProgress.quizChecked,
        extraAttempts: lessonProgress.extraAttempts,
      },
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .where(eq(lessons.id, lessonId));
  return (
    row && {
      ...row,
      questions: row.questions.map(kept),
      bank: row.bank.map((question) => ({ ...kept(question), id: question.id })),
      /** Newest first. */
      attempts: row.attempts.map((one): Attempt => ({ ...one, submittedAt: new Date(one.submittedAt) })),
      now: new Date(row.now),
    }
  );
}
