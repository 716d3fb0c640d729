import { and, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { AppError } from '#src/shared/errors.ts';
import { lockLearnersLesson } from '#src/features/learn/progress/completion.server.ts';

/**
 * @param version 0 before the first save
 * @throws {AppError} conflict
 */
export async function saveNotes(
  userId: number,
  lessonId: number,
  { notes, version }: { notes: string; version: number },
): Promise<{ version: number; savedAt: string }> {
  return db().transaction(async (tx) => {
    const { courseId } = await lockLearnersLesson(tx, userId, lessonId);
    const ofLearner = and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId));
    const [known] = await tx
      .select({ notes: lessonProgress.notes, version: lessonProgress.notesVersion })
      .from(lessonProgress)
      .where(ofLearner);
    const savedAt = new Date().toISOString();
    if (known?.notes === notes) return { version: known.version, savedAt };
    if ((known?.version ?? 0) !== version) {
      throw new AppError('conflict', 'These notes were changed in another tab or on another device.', {
        extra: { notes: known?.notes ?? '', version: known?.version ?? 0 },
      });
    }
    await tx
      .insert(lessonProgress)
      .values({ userId, lessonId, courseId, notes, notesVersion: version + 1 })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: { notes, notesVersion: version + 1, updatedAt: sql`now()` },
      });
    return { version: version + 1, savedAt };
  });
}
