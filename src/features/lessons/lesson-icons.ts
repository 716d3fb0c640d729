import type { IconName } from '#src/components/icon-names.ts';
import { assignment, coding, document, type LessonType, quiz, scenario, text, video } from './registry.ts';

/** The sign of each type of lesson; the same as LessonTypeIcon.tsx draws. */
export const LESSON_ICONS: Record<LessonType, IconName> = {
  [text.name]: 'file-text',
  [video.name]: 'circle-play',
  [document.name]: 'file-down',
  [quiz.name]: 'circle-question-mark',
  [coding.name]: 'code-xml',
  [scenario.name]: 'waypoints',
  [assignment.name]: 'file-check',
};
