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

/** Due reviews, unread answers, and whether the user has an organization or a seat. */
export async function countWaiting(
  userId: number,
): Promise<{ reviewsDue: number; answersWaiting: number; inOrganisation: boolean }> {
  const [{ queueCount }, [row]] = await Promise.all([countReviewQueue(userId), waitingFor({ userId })]);
  return { reviewsDue: queueCount, ...row! };
}
