import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { publishChecks } from '#db/schema/catalogue.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { lessonJob } from '#src/features/authoring/publishing/publish-check.server.ts';
import { PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { callRoute, type signIn } from './api.ts';

/** Does what the workers would do with the lessons that wait. */
export async function work(runId: number): Promise<void> {
  const waiting = await db().select().from(publishChecks).where(eq(publishChecks.runId, runId));
  for (const { lessonId, status } of waiting) {
    if (status !== 'done') await lessonJob.run({ runId, lessonId }, { isLast: true });
  }
}

/** Saves a text lesson with other words, as its form sends it. */
export async function saveText(
  as: Awaited<ReturnType<typeof signIn>>,
  [courseId, lessonId]: [courseId: number, lessonId: number],
  fields: Record<string, unknown>,
) {
  const { version, type, title, content, section, duration } = (await findLessonFields(courseId, lessonId))!;
  const body = { version, type, title, content, section, duration, ...fields };
  return callRoute(update, { method: 'PUT', params: { id: String(lessonId) }, as, body });
}
