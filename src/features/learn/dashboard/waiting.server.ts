import { sql } from 'drizzle-orm';
import { jsonFields, preparedJson } from '#db/json.ts';
import { unseenAnswers } from '#src/features/learn/questions/questions.server.ts';
import { countReviewQueue } from '#src/features/review/due/due.server.ts';

const waitingAnswers = preparedJson<{ count: number }>(
  'waiting_answers',
  sql`select ${jsonFields({ count: unseenAnswers })}`,
);

/** What waits for a learner today: reviews of their queue, and questions with an answer that they have not seen. */
export async function countWaiting(userId: number): Promise<{ reviewsDue: number; answersWaiting: number }> {
  const [{ queueCount }, [row]] = await Promise.all([countReviewQueue(userId), waitingAnswers({ userId })]);
  return { reviewsDue: queueCount, answersWaiting: row!.count };
}
