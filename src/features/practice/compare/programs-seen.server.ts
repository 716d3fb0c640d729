import { eq, type SQLWrapper, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';

/** SQL for rows of `lessons`: null where the lesson shows no programs. */
export const programsSeenBy = (userId: SQLWrapper) =>
  sql<{ hidden: boolean } | null>`(
    select json_build_object('hidden', ${users.hidesPrograms}) from ${users}
    where ${users.id} = ${userId} and ${lessons.showsPrograms})`;

export async function hidePrograms(userId: number, hidden: boolean): Promise<{ hidden: boolean }> {
  await db().update(users).set({ hidesPrograms: hidden }).where(eq(users.id, userId));
  return { hidden };
}
