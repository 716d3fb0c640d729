import type { ComponentType } from 'react';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { coding } from '#src/features/lessons/types/coding/definition.ts';
import { CodingPart } from '#src/features/lessons/types/coding/EditorPart.tsx';
import { document } from '#src/features/lessons/types/document/definition.ts';
import { DocumentPart } from '#src/features/lessons/types/document/EditorPart.tsx';
import { quiz } from '#src/features/lessons/types/quiz/definition.ts';
import { QuizPart } from '#src/features/lessons/types/quiz/EditorPart.tsx';
import { scenario } from '#src/features/lessons/types/scenario/definition.ts';
import { ScenarioPart } from '#src/features/lessons/types/scenario/EditorPart.tsx';
import { video } from '#src/features/lessons/types/video/definition.ts';
import { VideoPart } from '#src/features/lessons/types/video/EditorPart.tsx';
import type { EditorPartProps } from './editor-part.ts';

/** The part of a lesson's form that only its type has, and whether it stands above the text. */
export const EDITOR_PARTS: Partial<
  Record<LessonType, { Part: ComponentType<EditorPartProps>; isAboveText?: boolean }>
> = {
  [video.name]: { Part: VideoPart, isAboveText: true },
  [document.name]: { Part: DocumentPart, isAboveText: true },
  [quiz.name]: { Part: QuizPart },
  [coding.name]: { Part: CodingPart },
  [scenario.name]: { Part: ScenarioPart },
};
