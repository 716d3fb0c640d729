import { answerByRun, requireOpenReview } from '#src/features/learn/recall/recall.server.ts';
import type { SignedIn } from '#src/features/practice/practice.server.ts';
import { judgeForReview } from '#src/features/practice/run-code.server.ts';
import type { RanRecall } from '#src/features/practice/schema.ts';

/**
 * Judges the program of a review, by the lesson as it is now; passing answers the review. The lesson's own runs, attempts and
 * points stay as they are, and a run without a verdict counts for nothing.
 *
 * @throws {AppError} not_found and conflict where the review cannot be answered; as `executeCode` of the run
 */
export async function runRecall(
  user: SignedIn,
  lessonId: number,
  { version, code }: { version: number; code: string },
): Promise<RanRecall> {
  await requireOpenReview(user.id, lessonId, version);
  // No connection is held while the judge works.
  const run = await judgeForReview(user, lessonId, code);
  return { run, answered: await answerByRun(user.id, lessonId, version, run.isCorrect) };
}
