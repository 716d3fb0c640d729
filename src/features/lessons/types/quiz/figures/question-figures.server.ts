import { type SQL, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import type { quizQuestions } from '#db/schema/learn.ts';
import type { Answer } from '../kinds/kind.ts';
import { graderOf } from '../marking.server.ts';
import { type Question, questionOfRow } from '../question.ts';
import { type AnswerSums, NO_ANSWERS } from './question-figures.ts';

interface GivenAnswer {
  id: number;
  lessonId: number;
  lesson: string;
  place: number;
  kind: string;
  question: Question;
  answer: Answer;
  isRight: boolean;
  sums: AnswerSums;
}

type Row = typeof quizQuestions.$inferSelect & {
  lesson: string;
  place: number;
  answer: Answer;
} & Record<'times' | 'score' | 'scoreSquared' | 'share' | 'shareSquared' | 'shareScore', number>;

/** Each answer once, the commonest first. */
export async function givenAnswers(courseId: number, during: SQL): Promise<GivenAnswer[]> {
  // Of an attempt the score is known as a percentage: what a question adds to it is its share of the points.
  const rows = await db().execute<Row>(sql`
    with points as materialized (
      select q.id, coalesce((q.details ->> 'points')::float, 1) as points
      from quiz_questions q join lessons l on l.id = q.lesson_id where l.course_id = ${courseId}
    ), asked as (
      select t.id, t.score::float as score, a.key::int as question_id, a.value as answer, p.points,
        sum(p.points) over (partition by t.id) as possible
      from lessons l
      join quiz_attempts t on t.lesson_id = l.id and ${during}
      cross join lateral jsonb_each(t.answers) a
      join points p on p.id = a.key::int
      where l.course_id = ${courseId}
    ), given as (
      select question_id, answer, count(*)::int as times, sum(score) as score, sum(score * score) as score_squared,
        sum(100 * points / possible) as share, sum((100 * points / possible) ^ 2) as share_squared,
        sum(100 * points / possible * score) as share_score
      from asked group by 1, 2
    )
    select q.id, q.lesson_id as "lessonId", q.question, q.kind, q.options, q.correct_answer as "correctAnswer",
      q.explanation, q.details, l.title as lesson, g.answer, g.times, g.score, g.score_squared as "scoreSquared",
      g.share, g.share_squared as "shareSquared", g.share_score as "shareScore", e.place
    from given g
    join (
      select id, row_number() over (partition by lesson_id order by "order", id)::int as place from quiz_questions
      where id in (select id from points)
    ) e on e.id = g.question_id
    join quiz_questions q on q.id = e.id
    join lessons l on l.id = q.lesson_id
    order by l."order", l.id, q."order", q.id, g.times desc, g.answer`);
  return rows.flatMap((row) => {
    const { id, lessonId, lesson, place, kind, answer } = row;
    const question = questionOfRow(row);
    const grader = graderOf(question);
    const read = grader.read(question, answer);
    if (read === null) return [];
    const credit = grader.credit(question, read);
    const rest = row.score - credit * row.share;
    const sums: AnswerSums = {
      answered: row.times,
      right: credit === 1 ? row.times : 0,
      credit: credit * row.times,
      creditSquared: credit ** 2 * row.times,
      rest,
      restSquared: row.scoreSquared - 2 * credit * row.shareScore + credit ** 2 * row.shareSquared,
      both: credit * rest,
    };
    return [{ id, lessonId, lesson, place, kind, question, answer: read, isRight: credit === 1, sums }];
  });
}

export async function questionSums(courseId: number, during: SQL): Promise<Map<number, AnswerSums>> {
  const all = new Map<number, AnswerSums>();
  for (const { id, sums } of await givenAnswers(courseId, during)) {
    const known = all.get(id) ?? NO_ANSWERS;
    const added = Object.entries(sums).map(([name, value]) => [
      name,
      known[name as keyof AnswerSums] + value,
    ]);
    all.set(id, Object.fromEntries(added) as unknown as AnswerSums);
  }
  return all;
}
