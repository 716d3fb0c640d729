import { sql } from 'drizzle-orm';
import { jsonFields, preparedJson } from '#db/json.ts';
import { organisationMembers } from '#db/schema/organisations.ts';
import { seats } from '#db/schema/store.ts';
import { unseenAnswers } from '#src/features/learn/questions/questions.server.ts';
import { countReviewQueue } from '#src/features/review/due/due.server.ts';

const waitingFor = preparedJson<{ answersWaiting: number; inOrganisation: boolean }>(
  'waiting_for',
  sql`select ${jsonFields({
    answersWaiting: unseenAnswers,
    inOrganisation: sql`(exists (select from ${organisationMembers} where ${organisationMembers.userId} = ${sql.placeholder('userId')})
      or exists (select from ${seats} where ${seats.userId} = ${sql.placeholder('userId')}))`,
  })}`,
);

/**
 * What waits for a learner today: reviews of their queue, and questions with an answer that they have not seen; and
 * whether they run an organization or have a seat of one.
 */
export async function countWaiting(
  userId: number,
): Promise<{ reviewsDue: number; answersWaiting: number; inOrganisation: boolean }> {
  const [{ queueCount }, [row]] = await Promise.all([countReviewQueue(userId), waitingFor({ userId })]);
  return { reviewsDue: queueCount, ...row! };
}
