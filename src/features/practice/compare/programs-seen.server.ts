import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';

/** Null where nobody sees it. */
export async function programsSeen(userId: number, lessonId: number): Promise<{ hidden: boolean } | null> {
  const [row] = await db()
    .select({ hidden: users.hidesPrograms, shown: lessons.showsPrograms })
    .from(lessons)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(lessons.id, lessonId));
  return row?.shown ? { hidden: row.hidden } : null;
}

export async function hidePrograms(userId: number, hidden: boolean): Promise<{ hidden: boolean }> {
  await db().update(users).set({ hidesPrograms: hidden }).where(eq(users.id, userId));
  return { hidden };
}
