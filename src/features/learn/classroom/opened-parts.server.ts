import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { fileName, isSafeAddress } from '#src/features/catalogue/catalogue.ts';
import { getAssignment } from '#src/features/learn/assignments/assignments.server.ts';
import { isAssignment } from '#src/features/learn/progress/learn.ts';
import type { LessonParts } from './lesson-parts.ts';
import type { OpenedLesson } from '#src/features/learn/progress/learn.server.ts';
import { has, lessonType } from '#src/features/lessons/registry.ts';
import { getQuiz } from './quiz.server.ts';

/** What a lesson that its learner has opened holds beside its text, as the viewer shows it. */
export async function openedParts(userId: number, lesson: OpenedLesson): Promise<LessonParts> {
  const file = lesson.fileUrl && isSafeAddress(lesson.fileUrl) ? lesson.fileUrl : null;
  const captions = lesson.captionsUrl && isSafeAddress(lesson.captionsUrl) ? lesson.captionsUrl : null;
  const [quiz, exercise, assignment] = await Promise.all([
    has(lesson.type, 'questions') ? getQuiz(userId, lesson.id) : null,
    exerciseOf(lesson),
    isAssignment(lesson) ? getAssignment(userId, lesson.id).then((present) => ({ present })) : null,
  ]);
  return {
    video:
      lesson.type === 'video' && file
        ? {
            src: file,
            mimeType: lesson.mimeType,
            captions,
            duration: lesson.durationSeconds,
            position: lesson.videoPosition,
            watchedPercent: lesson.watchedPercent,
            watchRequired: lesson.watchRequired,
          }
        : null,
    document:
      lesson.type === 'document' && file
        ? {
            src: file,
            name: fileName(file),
            size: lesson.fileSize,
            isPdf: lesson.mimeType === 'application/pdf' && file.startsWith('/'),
          }
        : null,
    quiz,
    assignment,
    exercise,
    notes: { text: lesson.notes, version: lesson.notesVersion },
  };
}

async function exerciseOf(lesson: OpenedLesson): Promise<LessonParts['exercise']> {
  const screen = lessonType(lesson.type).ownScreen;
  if (!screen) return null;
  const [scenario] = has(lesson.type, 'scenario')
    ? await db().select({ id: scenarios.id }).from(scenarios).where(eq(scenarios.lessonId, lesson.id))
    : [];
  const href = screen.path({ id: lesson.id, scenarioId: scenario?.id ?? null });
  return href ? { href } : null;
}
