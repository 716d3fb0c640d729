import type { ComponentType } from 'react';
import {
  assignment,
  coding,
  document,
  type LessonType,
  quiz,
  scenario,
  video,
} from '#src/features/lessons/registry.ts';
import { AssignmentEditor } from '#src/features/lessons/types/assignment/EditorPart.tsx';
import { CodingPart } from '#src/features/lessons/types/coding/EditorPart.tsx';
import { DocumentPart } from '#src/features/lessons/types/document/EditorPart.tsx';
import { QuizPart } from '#src/features/lessons/types/quiz/EditorPart.tsx';
import { ScenarioPart } from '#src/features/lessons/types/scenario/EditorPart.tsx';
import { VideoPart } from '#src/features/lessons/types/video/EditorPart.tsx';
import type { EditorPartProps } from './lessons.ts';

export const EDITOR_PARTS: Partial<
  Record<LessonType, { Part: ComponentType<EditorPartProps>; isAboveText?: boolean; hasLongText?: boolean }>
> = {
  [video.name]: { Part: VideoPart, isAboveText: true },
  [document.name]: { Part: DocumentPart, isAboveText: true },
  [quiz.name]: { Part: QuizPart },
  [coding.name]: { Part: CodingPart },
  [scenario.name]: { Part: ScenarioPart },
  [assignment.name]: { Part: AssignmentEditor, hasLongText: true },
};
