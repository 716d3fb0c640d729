import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { keptQuestionsOf } from '#src/features/lessons/lesson-store.server.ts';
import type { KeptQuestion } from './marking.server.ts';
import { questionOfRow } from './question.ts';
import { courseTags, type QuizSettings } from './settings.ts';

export async function bankOf(
  { id, courseId, quizSettings }: { id: number; courseId: number; quizSettings: QuizSettings },
  executor: Executor,
): Promise<KeptQuestion[]> {
  const tags = courseTags(quizSettings);
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
  return rows.map(({ question }) => ({ ...questionOfRow(question), id: question.id, html: question.html }));
}

export async function findQuiz(
  lessonId: number,
  executor: Executor,
): Promise<{
  settings: QuizSettings;
  questions: KeptQuestion[];
  bank: KeptQuestion[];
} | null> {
  const [[lesson], questions] = await Promise.all([
    executor
      .select({ id: lessons.id, courseId: lessons.courseId, quizSettings: lessons.quizSettings })
      .from(lessons)
      .where(eq(lessons.id, lessonId)),
    keptQuestionsOf(lessonId, executor),
  ]);
  return lesson ? { settings: lesson.quizSettings, questions, bank: await bankOf(lesson, executor) } : null;
}
