import type { RefObject } from 'react';
import type { LessonCompletion } from '#src/features/learn/schema.ts';

/** What the open lesson holds beside its text; null for what it does not have. */
export interface LessonParts {
  /** What only its type has, as its `opened.server.ts` gives it and its `PlayerPart.tsx` takes it. */
  own: object | null;
  /** Of a lesson with a video: how much of it was watched, and whether that is asked for. */
  watching: { percent: number | null; isRequired: boolean } | null;
  /** The screen on which a coding lesson or scenario is worked on. */
  exercise: { href: string } | null;
  /** What completes a lesson that its learner does not mark as complete. */
  completedBy: string | null;
  notes: { text: string; version: number };
}

/** What the part of the player that only one type of lesson has is given. */
export interface PlayerPartProps<Own> {
  own: Own;
  title: string;
  userId: number;
  /** Where the address says that a video starts, in seconds; else it goes on where it stopped. */
  startAt: number | null;
  /** The browser's player, for what counts and notes beside it. */
  player: RefObject<HTMLVideoElement | null>;
  onPassed: (completion: LessonCompletion) => void;
}
