import { sql } from 'drizzle-orm';
import { jsonFields, preparedJson } from '#db/json.ts';
import { organisationMembers } from '#db/schema/organisations.ts';
import { seats } from '#db/schema/store.ts';
import { unseenAnswers } from '#src/features/learn/questions/questions.server.ts';
import { countedQueue, dueFields, type DueRow } from '#src/features/review/due/due.server.ts';

const waitingFor = preparedJson<DueRow & { answersWaiting: number; inOrganisation: boolean }>(
  'waiting_for',
  sql`select ${jsonFields({
    ...dueFields,
    answersWaiting: unseenAnswers,
    inOrganisation: sql`(exists (select from ${organisationMembers} where ${organisationMembers.userId} = ${sql.placeholder('userId')})
      or exists (select from ${seats} where ${seats.userId} = ${sql.placeholder('userId')}))`,
  })}`,
);

/** Due reviews, unread answers, and whether the user has an organization or a seat. */
export async function countWaiting(
  userId: number,
): Promise<{ reviewsDue: number; answersWaiting: number; inOrganisation: boolean }> {
  const [row] = await waitingFor({ userId });
  const { answersWaiting, inOrganisation, ...due } = row!;
  return { reviewsDue: countedQueue(due).queueCount, answersWaiting, inOrganisation };
}
