import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { type Question, questionOfRow } from './types/quiz/question.ts';
import { courseTags, type QuizSettings } from './types/quiz/settings.ts';

/** What a quiz may draw from the other quizzes of its course, in the order of lessons and questions. */
export async function bankOf(
  { id, courseId, settings }: { id: number; courseId: number; settings: QuizSettings },
  executor: Executor,
): Promise<(Question & { id: number })[]> {
  const tags = courseTags(settings);
  if (tags.length === 0) return [];
  const tag = sql`jsonb_array_elements_text(coalesce(${quizQuestions.details} -> 'tags', '[]'))`;
  const rows = await executor
    .select({ question: quizQuestions })
    .from(quizQuestions)
    .innerJoin(lessons, eq(lessons.id, quizQuestions.lessonId))
    .where(
      and(
        eq(lessons.courseId, courseId),
        ne(lessons.id, id),
        sql`exists (select from ${tag} tag where ${inArray(sql`tag`, tags)})`,
      ),
    )
    .orderBy(asc(lessons.order), asc(lessons.id), asc(quizQuestions.order), asc(quizQuestions.id));
  return rows.map(({ question }) => ({ ...questionOfRow(question), id: question.id }));
}
