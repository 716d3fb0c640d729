import type { Ruling } from '#src/features/learn/progress/learn.ts';

/** Null for what the lesson does not have. */
export interface LessonParts {
  /** From its type's `opened.server.ts` for its `PlayerPart.tsx`. */
  own: object | null;
  watching: { percent: number | null; isRequired: boolean } | null;
  exercise: { href: string } | null;
  /** What completes it instead of Mark Complete. */
  completedBy: string | null;
  /** Of this learner alone. */
  ruling: Ruling | null;
  notes: { text: string; version: number };
}
