import { and, asc, desc, eq, inArray, isNull, max, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courses, findingOverrides, lessons, publishChecks } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import type { LetPass } from '#src/features/lessons/lesson-format.server.ts';
import { setProven } from '#src/features/lessons/lesson-store.server.ts';
import { learnedId } from '#src/features/lessons/working-copy.server.ts';
import { env } from '#src/server/start/env.ts';
import { followProof } from './store-wish.server.ts';

/** Overrides for the lessons' present content, oldest first. */
export async function countingOverrides(
  executor: Executor,
  lessonIds: readonly number[],
): Promise<(typeof findingOverrides.$inferSelect)[]> {
  if (lessonIds.length === 0) return [];
  const rows = await executor
    .select({ override: findingOverrides })
    .from(findingOverrides)
    .innerJoin(
      lessons,
      and(eq(lessons.id, findingOverrides.lessonId), eq(lessons.revision, findingOverrides.revision)),
    )
    .where(and(inArray(lessons.id, [...lessonIds]), isNull(findingOverrides.withdrawnAt)))
    .orderBy(asc(findingOverrides.id));
  return rows.map(({ override }) => override);
}

/** Not on a site that sells nothing unproven. */
export const mayLetPass = () => env().publishCheck !== 'required';

/** Applies the overrides in a course's files; audited. The caller locks the course. */
export async function letPassAgain(
  tx: Tx,
  actor: Actor,
  lessonId: number,
  findings: readonly LetPass[],
): Promise<void> {
  if (findings.length === 0) return;
  const [lesson] = await tx
    .select({
      ...{ id: lessons.id, title: lessons.title, revision: lessons.revision },
      shown: sql<number>`coalesce(${lessons.draftOf}, ${lessons.id})`,
      ...{ courseId: learnedId(courses.id), course: courses.title },
    })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(eq(lessons.id, lessonId));
  const counting = await countingOverrides(tx, [lessonId]);
  for (const { finding, message = finding, reason } of findings) {
    if (counting.some((one) => one.findingKey === finding && one.reason === reason)) continue;
    await writeOverride(tx, actor, lesson!, { key: finding, message }, reason);
  }
}

/** Lets a finding pass, or takes that back where the reason is null; audited. The caller locks the course. */
export async function writeOverride(
  tx: Tx,
  actor: Actor,
  lesson: {
    id: number;
    shown: number;
    title: string;
    revision: number;
    course: string;
    courseId: number;
  },
  { key, message }: { key: string; message: string },
  reason: string | null,
): Promise<void> {
  const { id: lessonId, shown, title, revision, course, courseId } = lesson;
  const before = await tx
    .update(findingOverrides)
    .set({ withdrawnAt: sql`now()` })
    .where(
      and(
        eq(findingOverrides.lessonId, lessonId),
        eq(findingOverrides.findingKey, key),
        isNull(findingOverrides.withdrawnAt),
      ),
    )
    .returning({ id: findingOverrides.id });
  if (reason === null && before.length === 0) return;
  if (reason !== null) {
    await tx.insert(findingOverrides).values({
      ...{ lessonId, revision, findingKey: key, message, reason },
      ...{ userId: actor.id, userName: actor.name },
    });
  }
  await settleLesson(tx, lessonId);
  await recordAudit(tx, actor, {
    action: reason === null ? 'lesson.override_withdrawn' : 'lesson.finding_overridden',
    subjectType: 'lesson',
    subjectId: shown,
    ...(reason === null ? {} : { reason }),
    details: { title, course, courseId, finding: message },
  });
}

/** Makes the last overrides of these findings count for the lesson's present content. */
export async function renewOverrides(
  tx: Tx,
  { id, revision }: { id: number; revision: number },
  keys: readonly string[],
): Promise<void> {
  const last = tx
    .select({ id: max(findingOverrides.id) })
    .from(findingOverrides)
    .where(
      and(
        eq(findingOverrides.lessonId, id),
        inArray(findingOverrides.findingKey, [...keys]),
        isNull(findingOverrides.withdrawnAt),
      ),
    )
    .groupBy(findingOverrides.findingKey);
  await tx.update(findingOverrides).set({ revision }).where(inArray(findingOverrides.id, last));
}

/** Records whether the lesson is proven, from its last check and its overrides. */
export async function settleLesson(tx: Tx, lessonId: number): Promise<void> {
  const [lesson] = await tx
    .select({ revision: lessons.revision, courseId: lessons.courseId })
    .from(lessons)
    .where(eq(lessons.id, lessonId))
    .for('no key update');
  const [check] = await tx
    .select({ revision: publishChecks.revision, findings: publishChecks.findings })
    .from(publishChecks)
    .where(and(eq(publishChecks.lessonId, lessonId), eq(publishChecks.status, 'done')))
    .orderBy(desc(publishChecks.runId))
    .limit(1);
  if (!lesson || check?.revision !== lesson.revision) return;
  const passed = new Set((await countingOverrides(tx, [lessonId])).map(({ findingKey }) => findingKey));
  const isProven = check.findings.every(({ severity, key }) => severity !== 'error' || passed.has(key));
  await setProven(tx, [lessonId], isProven);
  await followProof(tx, lesson.courseId);
}
