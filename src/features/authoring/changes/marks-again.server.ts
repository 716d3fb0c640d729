import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, notExists, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizAttempts, quizQuestions, regrades } from '#db/schema/learn.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { lockEnrollment, recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import type { Answer } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { graderOf, type KeptQuestion, scoreOf } from '#src/features/lessons/types/quiz/marking.server.ts';
import { questionOfRow } from '#src/features/lessons/types/quiz/question.ts';
import { QUIZ_PASS_PERCENT } from '#src/features/lessons/types/quiz/settings.ts';
import type { WorkingCourse } from '#src/features/lessons/working-copy.server.ts';

type Mark = Pick<
  typeof quizAttempts.$inferSelect,
  'id' | 'userId' | 'lessonId' | 'answers' | 'credits' | 'score' | 'passed'
>;

/** The answer to a single choice is the place of an option, which may be another one now; null where the option is gone. */
function movedAnswer(before: KeptQuestion, now: KeptQuestion, answer: Answer): Answer | null {
  if (typeof answer !== 'number' || !('options' in before && 'options' in now)) return answer;
  const at = now.options.indexOf(before.options[answer]!);
  if (at >= 0) return at;
  const reworded = now.options[answer];
  return reworded === undefined || before.options.includes(reworded) ? null : answer;
}

/** Attempts that the copy's questions mark otherwise, without those that a person graded. */
async function marksAgain({ id: copyId, courseId }: WorkingCourse, bothWays: boolean, executor: Executor) {
  const rows = await executor
    .select({ question: quizQuestions, course: lessons.courseId })
    .from(quizQuestions)
    .innerJoin(lessons, eq(lessons.id, quizQuestions.lessonId))
    .where(inArray(lessons.courseId, [courseId, copyId]));
  const questionsIn = (wanted: number) =>
    new Map(
      rows.flatMap(({ question, course }) => {
        const id = question.draftOf ?? question.id;
        return course === wanted ? [[id, { ...questionOfRow(question), id }] as const] : [];
      }),
    );
  const [before, now] = [questionsIn(courseId), questionsIn(copyId)];
  const corrected = [...before.values()].flatMap((old) => {
    const question = now.get(old.id);
    return question && !isDeepStrictEqual(old, question) ? [{ old, question }] : [];
  });
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
    )
    .orderBy(asc(quizAttempts.id));
  return attempts.flatMap(({ attempt, settings }) => {
    const [answers, credits] = [{ ...attempt.answers }, { ...attempt.credits }];
    let { score, passed } = attempt;
    let isOther = false;
    for (const { old, question } of corrected) {
      const given = answers[old.id];
      if (given === undefined) continue;
      isOther ||= old.points !== question.points;
      const marked = graderOf(old).credit(old, given);
      const counted = credits[old.id] ?? marked;
      const moved = movedAnswer(old, question, given);
      const read = moved === null ? null : graderOf(question).read(question, moved);
      const fresh = read === null ? counted : graderOf(question).credit(question, read);
      if (read !== null) answers[old.id] = read;
      if (read === null || fresh !== marked) credits[old.id] = bothWays ? fresh : Math.max(counted, fresh);
    }
    isOther ||= !isDeepStrictEqual(credits, attempt.credits);
    if (!isOther && isDeepStrictEqual(answers, attempt.answers)) return [];
    if (isOther) {
      const asked = [...before.values()].flatMap((old) =>
        answers[old.id] === undefined ? [] : [{ kept: now.get(old.id) ?? old }],
      );
      score = Math.max(scoreOf(asked, answers, credits).score, bothWays ? 0 : score);
      passed = score >= (settings.passPercent ?? QUIZ_PASS_PERCENT) || (!bothWays && passed);
    }
    const gain = score - attempt.score || Number(passed) - Number(attempt.passed);
    return [{ mark: { ...attempt, answers, credits, score, passed }, gain }];
  });
}

/** How many attempts would be better or worse. */
export async function countMarks(
  working: WorkingCourse,
  executor: Executor,
): Promise<{ better: number; worse: number }> {
  const marks = await marksAgain(working, true, executor);
  return {
    better: marks.filter(({ gain }) => gain > 0).length,
    worse: marks.filter(({ gain }) => gain < 0).length,
  };
}

/**
 * The attempts as the copy marks them (decision 119). Locks the enrollments, so that no attempt comes between.
 * @param bothWays also where an answer then counts for less
 */
export async function lockMarks(tx: Tx, working: WorkingCourse, bothWays: boolean): Promise<Mark[]> {
  await tx
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(eq(enrollments.courseId, working.courseId))
    .orderBy(asc(enrollments.id))
    .for('update');
  return (await marksAgain(working, bothWays, tx)).map(({ mark }) => mark);
}

/** Writes them; passing completes the lesson. */
export async function writeMarks(tx: Tx, courseId: number, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  await tx.execute(sql`
    update ${quizAttempts} set answers = m.answers, credits = m.credits, score = m.score, passed = m.passed
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
      as m(id int, answers jsonb, credits jsonb, score int, passed boolean)
    where ${quizAttempts.id} = m.id`);
  const attempt = sql`${quizAttempts} a where a.user_id = ${lessonProgress.userId} and a.lesson_id = ${lessonProgress.lessonId}`;
  const bests = await tx
    .update(lessonProgress)
    .set({ score: sql`(select max(a.score) from ${attempt})`, updatedAt: sql`now()` })
    .where(
      sql`(${lessonProgress.userId}, ${lessonProgress.lessonId}) in (select user_id, lesson_id from ${quizAttempts}
        where id = any(${sql.param(marks.map(({ id }) => id))}::int[]))`,
    )
    .returning({
      userId: lessonProgress.userId,
      lessonId: lessonProgress.lessonId,
      passes: sql<boolean>`not ${lessonProgress.completed} and exists (select from ${attempt} and a.passed)`,
    });
  for (const { userId, lessonId, passes } of bests) {
    if (passes && (await lockEnrollment(tx, userId, courseId)))
      await recordCompletion(tx, { userId, courseId, lessonId });
  }
}
