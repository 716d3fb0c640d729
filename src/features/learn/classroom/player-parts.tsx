import type { ComponentType } from 'react';
import { assignment, document, type LessonType, quiz, video } from '#src/features/lessons/registry.ts';
import { AssignmentPart } from '#src/features/lessons/types/assignment/PlayerPart.tsx';
import { DocumentPanel } from '#src/features/lessons/types/document/PlayerPart.tsx';
import { QuizPanel } from '#src/features/lessons/types/quiz/PlayerPart.tsx';
import { VideoPart } from '#src/features/lessons/types/video/PlayerPart.tsx';
import type { LessonCompletion } from '#src/features/learn/schema.ts';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';

interface PlayerPart {
  Part: ComponentType<PlayerPartProps<never, LessonCompletion>>;
  isAboveText?: boolean;
}

/** By type, and whether the part comes above the text. */
export const PLAYER_PARTS: Partial<Record<LessonType, PlayerPart>> = {
  [video.name]: { Part: VideoPart, isAboveText: true },
  [document.name]: { Part: DocumentPanel },
  [quiz.name]: { Part: QuizPanel },
  [assignment.name]: { Part: AssignmentPart },
};
