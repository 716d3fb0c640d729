import { shownAddress } from '#src/features/lessons/addresses.ts';
import type { OpenedLesson } from '#src/features/learn/classroom/classroom.server.ts';
import {
  assignment,
  document,
  has,
  type LessonType,
  lessonType,
  passingOf,
  quiz,
  video,
} from '#src/features/lessons/registry.ts';
import { openedAssignment } from '#src/features/lessons/types/assignment/opened.server.ts';
import { openedDocument } from '#src/features/lessons/types/document/opened.server.ts';
import { embedOf } from '#src/features/lessons/types/video/embed.ts';
import { openedVideo } from '#src/features/lessons/types/video/opened.server.ts';
import { renderMarkdown } from '#src/server/markdown.ts';
import type { LessonParts } from './lesson-parts.ts';
import { openedQuiz } from './quiz.server.ts';

type Opened = LessonParts['own'] | Promise<LessonParts['own']>;

const OPENED: Partial<Record<LessonType, (lesson: OpenedLesson, userId: number) => Opened>> = {
  [video.name]: openedVideo,
  [document.name]: openedDocument,
  [quiz.name]: (lesson, userId) => openedQuiz(userId, lesson),
  [assignment.name]: openedAssignment,
};

export async function openedParts(userId: number, lesson: OpenedLesson): Promise<LessonParts> {
  const { isPassed, ruling } = lesson;
  // Only the other site knows how much of its video was watched.
  const hasVideo =
    has(lesson.type, 'watchRequired') && shownAddress(lesson.fileUrl) !== null && !embedOf(lesson.fileUrl);
  return {
    // A quiz without questions is a text.
    own:
      lesson.type === quiz.name && !isPassed ? null : ((await OPENED[lesson.type]?.(lesson, userId)) ?? null),
    watching: hasVideo ? { percent: lesson.watchedPercent, isRequired: lesson.watchRequired } : null,
    exercise: exerciseOf(lesson),
    ruling,
    completedBy: isPassed ? passingOf(lesson.type, lesson).promise : null,
    notes: { text: lesson.notes, version: lesson.notesVersion },
  };
}

/** Null for types without a screen, and before there is work. */
export function exerciseOf({ id, type, isPassed, scenarioId }: OpenedLesson): LessonParts['exercise'] {
  const href = isPassed ? lessonType(type).ownScreen?.path({ id, scenarioId }) : null;
  return href ? { href } : null;
}

/** Sanitized HTML; '' for nothing. */
export function readingOf(lesson: OpenedLesson, { exercise }: LessonParts): string {
  // The exercise's screen shows it.
  if (exercise) return '';
  const text = [lesson.instructions, lessonType(lesson.type).text.field === 'content' && lesson.content];
  const shown = text.filter(Boolean).join('\n\n');
  return shown ? renderMarkdown(shown) : '';
}
