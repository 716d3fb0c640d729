import { db } from '#db/client.ts';
import { sql } from 'drizzle-orm';
import { dueFor } from '#src/features/learn/assignments/due.server.ts';
import { getAssignment } from '#src/features/learn/assignments/assignments.server.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import { openedDocument } from '#src/features/lessons/types/document/opened.server.ts';
import type { OpenedAssignment } from './PlayerPart.tsx';

export async function openedAssignment(
  lesson: Pick<LessonRow, 'id' | 'assignmentSettings' | 'fileUrl' | 'fileSize' | 'mimeType'>,
  userId: number,
): Promise<OpenedAssignment> {
  const [row] = await db().execute<{ dueAt: string | null }>(
    sql`select ${dueFor(userId, lesson.id)} as "dueAt"`,
  );
  return {
    ...row!,
    lessonId: lesson.id,
    settings: lesson.assignmentSettings,
    file: openedDocument(lesson),
    present: await getAssignment(userId, lesson.id),
  };
}
