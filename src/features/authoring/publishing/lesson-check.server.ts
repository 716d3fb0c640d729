import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { type CheckFacts, lessons, type PublishFinding } from '#db/schema/catalogue.ts';
import { partsOf } from '#src/features/lessons/lesson-store.server.ts';
import { bankOf } from '#src/features/lessons/types/quiz/question-bank.server.ts';
import type { Question, QuestionFields } from '#src/features/lessons/types/quiz/question.ts';
import type { WrongProgram } from '#src/features/practice/groups/groups.server.ts';

/** A lesson with all that the publish check looks at. */
export interface CheckedLesson {
  lesson: typeof lessons.$inferSelect;
  questions: QuestionFields[];
  /** What a quiz may draw from the other quizzes of its course. */
  bank: readonly Question[];
  scenario: Record<string, unknown> | null;
}

export type Proof = {
  findings: PublishFinding[];
  facts: CheckFacts;
  /** Programs that did not pass, as they should not: the first groups of learners' mistakes. */
  wrongPrograms?: WrongProgram[];
};

/** The run that a lesson is checked in. */
export interface CheckRun {
  /** Lessons that are checked in the same run. */
  lessonCount: number;
  /** Milliseconds to wait for a judge without a free place. A command that nobody else waits for has more patience. */
  busyMs?: number;
}

/** What the publish check has to say about a lesson for its type; what is missing is said by the type's definition. */
export type LessonCheck = (lesson: CheckedLesson, run: CheckRun) => Proof | Promise<Proof>;

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

/** All of a lesson at one moment; null where it is gone. */
export async function readLesson(lessonId: number): Promise<CheckedLesson | null> {
  return db().transaction(
    async (tx) => {
      const [lesson] = await tx.select().from(lessons).where(eq(lessons.id, lessonId));
      if (!lesson) return null;
      const bank = await bankOf(lesson, tx);
      return { lesson, ...(await partsOf(lesson, tx)), bank };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
