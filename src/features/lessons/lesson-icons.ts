import type { IconName } from '#src/components/icon-names.ts';
import { assignment, coding, document, type LessonType, quiz, scenario, text, video } from './registry.ts';

/** The sign of each type of lesson. */
export const LESSON_ICONS: Record<LessonType, IconName> = {
  [text.name]: 'file-text',
  [video.name]: 'circle-play',
  [document.name]: 'file-down',
  [quiz.name]: 'circle-question-mark',
  [coding.name]: 'code-xml',
  [scenario.name]: 'waypoints',
  [assignment.name]: 'file-check',
};

/** The signs that differ in an author's list of a course's content. */
export const CONTENT_LIST_ICONS: Record<LessonType, IconName> = {
  ...LESSON_ICONS,
  [text.name]: 'type',
  [document.name]: 'file-text',
  [quiz.name]: 'list-checks',
  [coding.name]: 'code',
  [scenario.name]: 'route',
};
