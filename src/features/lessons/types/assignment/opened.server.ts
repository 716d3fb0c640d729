import { db } from '#db/client.ts';
import { findAssignment } from '#src/features/learn/assignments/assignments.server.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import { openedDocument } from '#src/features/lessons/types/document/opened.server.ts';
import type { OpenedAssignment } from './PlayerPart.tsx';

export async function openedAssignment(
  lesson: Pick<LessonRow, 'id' | 'assignmentSettings' | 'fileUrl' | 'fileSize' | 'mimeType'> &
    Pick<OpenedAssignment, 'dueAt'>,
  userId: number,
): Promise<OpenedAssignment> {
  return {
    lessonId: lesson.id,
    dueAt: lesson.dueAt,
    settings: lesson.assignmentSettings,
    file: openedDocument(lesson),
    present: await findAssignment(db(), userId, lesson.id),
  };
}
