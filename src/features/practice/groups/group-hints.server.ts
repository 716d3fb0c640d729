import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { readableLesson } from '#src/features/practice/practice.server.ts';
import { groupSubmission } from './groups.server.ts';
import { groupHintHtml, hintsOffered, offeredHints } from './offered-hints.server.ts';
import type { OfferedHint } from './schema.ts';

type SignedIn = NonNullable<Viewer>;

/** Hints for who failed as this run did. @throws {AppError} not_found */
export async function askGroupHint(user: SignedIn, submissionId: number): Promise<{ hints: OfferedHint[] }> {
  const [run] = await db()
    .select({ lessonId: codeSubmissions.lessonId })
    .from(codeSubmissions)
    .where(and(eq(codeSubmissions.id, submissionId), eq(codeSubmissions.userId, user.id)));
  if (!run) throw new AppError('not_found', 'Submission not found');
  await readableLesson(run.lessonId, user);
  await groupSubmission(submissionId);
  const [row] = await db()
    .select({ hints: hintsOffered(user.id) })
    .from(lessons)
    .where(eq(lessons.id, run.lessonId));
  return { hints: offeredHints(row!.hints) };
}

/** @throws {AppError} not_found */
export async function openGroupHint(
  user: SignedIn,
  groupId: number,
): Promise<{ html: string; hintsUsed: number }> {
  const [offer] = await db()
    .select({ hint: mistakeGroups.hint, lessonId: mistakeGroups.lessonId })
    .from(groupHintOffers)
    .innerJoin(mistakeGroups, eq(mistakeGroups.id, groupHintOffers.groupId))
    .where(
      and(
        eq(groupHintOffers.groupId, groupId),
        eq(groupHintOffers.userId, user.id),
        isNotNull(mistakeGroups.hint),
      ),
    );
  if (!offer) throw new AppError('not_found', 'This hint is not there any more.');
  const lesson = await readableLesson(offer.lessonId, user);
  const html = groupHintHtml(offer.hint!);
  const hintsUsed = await db().transaction(async (tx) => {
    const opened = await tx
      .update(groupHintOffers)
      .set({ shownAt: sql`now()` })
      .where(
        and(
          eq(groupHintOffers.groupId, groupId),
          eq(groupHintOffers.userId, user.id),
          isNull(groupHintOffers.shownAt),
        ),
      )
      .returning({ groupId: groupHintOffers.groupId });
    if (lesson.enrollmentId === null) return 0;
    const [row] = await tx
      .insert(lessonProgress)
      .values({
        userId: user.id,
        lessonId: lesson.id,
        courseId: lesson.courseId,
        hintsUsed: opened.length,
      })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: {
          hintsUsed: sql`${lessonProgress.hintsUsed} + excluded.hints_used`,
          updatedAt: sql`now()`,
        },
      })
      .returning({ hintsUsed: lessonProgress.hintsUsed });
    return row!.hintsUsed;
  });
  return { html, hintsUsed };
}
