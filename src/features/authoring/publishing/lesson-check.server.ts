import { createHash } from 'node:crypto';
import type { GateFacts, GateFinding, lessons } from '#db/schema/catalogue.ts';
import type { QuestionFields } from '#src/features/authoring/lesson-editor/lessons.ts';

/** A lesson with all that the gate looks at. */
export interface GateLesson {
  lesson: typeof lessons.$inferSelect;
  questions: QuestionFields[];
  scenario: Record<string, unknown> | null;
}

export type Proof = { findings: GateFinding[]; facts: GateFacts };

/** What the gate has to say about a lesson for its type; what is missing is said by the type's definition. */
export type LessonCheck = (lesson: GateLesson, run: { lessonCount: number }) => Proof | Promise<Proof>;

/** A finding; its key is made of what is wrong and where, so that a repeated run finds "the same". */
export function finding(
  severity: GateFinding['severity'],
  field: string,
  message: string,
  { mutation, about = message }: { mutation?: NonNullable<GateFinding['mutation']>; about?: string } = {},
): GateFinding {
  const key = createHash('sha256')
    .update(JSON.stringify([field, about, mutation]))
    .digest('hex')
    .slice(0, 24);
  return { key, severity, field, message, ...(mutation ? { mutation } : {}) };
}
