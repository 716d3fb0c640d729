import { createHash } from 'node:crypto';
import type { CheckFacts, PublishFinding, lessons } from '#db/schema/catalogue.ts';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import type { QuestionFields } from '#src/features/authoring/lesson-editor/lessons.ts';

/** A lesson with all that the publish check looks at. */
export interface CheckedLesson {
  lesson: typeof lessons.$inferSelect;
  questions: QuestionFields[];
  /** What a quiz may draw from the other quizzes of its course. */
  bank: readonly Question[];
  scenario: Record<string, unknown> | null;
}

export type Proof = { findings: PublishFinding[]; facts: CheckFacts };

/** What the publish check has to say about a lesson for its type; what is missing is said by the type's definition. */
export type LessonCheck = (lesson: CheckedLesson, run: { lessonCount: number }) => Proof | Promise<Proof>;

/** A finding; its key is made of what is wrong and where, so that a repeated run finds "the same". */
export function finding(
  severity: PublishFinding['severity'],
  field: string,
  message: string,
  { mutation, about = message }: { mutation?: NonNullable<PublishFinding['mutation']>; about?: string } = {},
): PublishFinding {
  const key = createHash('sha256')
    .update(JSON.stringify([field, about, mutation]))
    .digest('hex')
    .slice(0, 24);
  return { key, severity, field, message, ...(mutation ? { mutation } : {}) };
}
