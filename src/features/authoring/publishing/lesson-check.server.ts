import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { type CheckFacts, lessons, type PublishFinding } from '#db/schema/catalogue.ts';
import { partsOf } from '#src/features/lessons/lesson-store.server.ts';
import { findQuiz } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import type { Question, QuestionFields } from '#src/features/lessons/types/quiz/question.ts';
import type { WrongProgram } from '#src/features/practice/groups/groups.server.ts';

export interface CheckedLesson {
  lesson: typeof lessons.$inferSelect;
  questions: QuestionFields[];
  bank: readonly Question[];
  scenario: Record<string, unknown> | null;
}

export type Proof = {
  findings: PublishFinding[];
  facts: CheckFacts;
  wrongPrograms?: WrongProgram[];
};

export interface CheckRun {
  /** Lessons that share the time for changed programs; null tries every change, so that two runs find the same. */
  lessonCount: number | null;
  busyMs?: number;
}

/** Findings that only a type's lessons have; required fields are the definition's part. */
export type LessonCheck = (lesson: CheckedLesson, run: CheckRun) => Proof | Promise<Proof>;

/** Its key is made of problem and place, so that a repeated run finds "the same". */
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

/** A lesson in one snapshot, or null. */
export async function readLesson(lessonId: number): Promise<CheckedLesson | null> {
  return db().transaction(
    async (tx) => {
      const [lesson] = await tx.select().from(lessons).where(eq(lessons.id, lessonId));
      if (!lesson) return null;
      const { bank } = (await findQuiz(lessonId, tx))!;
      return { lesson, ...(await partsOf(lesson, tx)), bank };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
