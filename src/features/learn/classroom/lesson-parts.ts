import type { Ruling } from '#src/features/learn/progress/learn.ts';

/** What the open lesson holds beside its text; null for what it does not have. */
export interface LessonParts {
  /** What only its type has, as its `opened.server.ts` gives it and its `PlayerPart.tsx` takes it. */
  own: object | null;
  /** Of a lesson with a video: how much of it was watched, and whether that is asked for. */
  watching: { percent: number | null; isRequired: boolean } | null;
  exercise: { href: string } | null;
  /** What completes a lesson that its learner does not mark as complete. */
  completedBy: string | null;
  /** What was decided for this learner alone; null for nothing. */
  ruling: Ruling | null;
  notes: { text: string; version: number };
}
