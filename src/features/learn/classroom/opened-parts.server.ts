import { findRuling } from '#src/features/learn/progress/rulings.server.ts';
import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { shownAddress } from '#src/features/lessons/addresses.ts';
import { isPassedInstead } from '#src/features/learn/progress/completion.server.ts';
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
import { getQuiz } from './quiz.server.ts';

type Opened = LessonParts['own'] | Promise<LessonParts['own']>;

const OPENED: Partial<Record<LessonType, (lesson: OpenedLesson, userId: number) => Opened>> = {
  [video.name]: openedVideo,
  [document.name]: openedDocument,
  [quiz.name]: (lesson, userId) => getQuiz(userId, lesson.id),
  [assignment.name]: openedAssignment,
};

export async function openedParts(userId: number, lesson: OpenedLesson): Promise<LessonParts> {
  const isPassed = await isPassedInstead(lesson.id);
  const [own, exercise, ruling] = await Promise.all([
    // A quiz without questions is a text.
    lesson.type === quiz.name && !isPassed ? null : (OPENED[lesson.type]?.(lesson, userId) ?? null),
    exerciseOf(lesson),
    findRuling(userId, lesson.id),
  ]);
  // Only the other site knows how much of its video was watched.
  const hasVideo =
    has(lesson.type, 'watchRequired') && shownAddress(lesson.fileUrl) !== null && !embedOf(lesson.fileUrl);
  return {
    own,
    watching: hasVideo ? { percent: lesson.watchedPercent, isRequired: lesson.watchRequired } : null,
    exercise,
    ruling,
    completedBy: isPassed ? passingOf(lesson.type, lesson).promise : null,
    notes: { text: lesson.notes, version: lesson.notesVersion },
  };
}

/** Null for types without a screen, and before there is work. */
export async function exerciseOf(
  lesson: Pick<OpenedLesson, 'id' | 'type'>,
): Promise<LessonParts['exercise']> {
  const screen = lessonType(lesson.type).ownScreen;
  if (!screen || !(await isPassedInstead(lesson.id))) return null;
  const [scenario] = has(lesson.type, 'scenario')
    ? await db().select({ id: scenarios.id }).from(scenarios).where(eq(scenarios.lessonId, lesson.id))
    : [];
  const href = screen.path({ id: lesson.id, scenarioId: scenario?.id ?? null });
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
