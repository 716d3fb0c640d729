import { desc, eq, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { db } from '#db/client.ts';
import { sessions } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';

/** Mails to an address, newest first. */
export function mailsTo(email: string) {
  return db().select().from(mailOutbox).where(eq(mailOutbox.recipient, email)).orderBy(desc(mailOutbox.id));
}

/** The secret in the link of the newest mail of a kind to an address. */
export async function mailedToken(email: string, template: string): Promise<string> {
  const mail = (await mailsTo(email)).find((one) => one.template === template);
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`No ${template} mail with a link to ${email}.`);
  return token;
}

/** Waits until no job of a queue is waiting or running. */
export async function jobsDone(name: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await db().execute<{ open: number }>(
        sql`select count(*)::int as open from pgboss.job where name = ${name} and state < 'completed'`,
      );
      expect(row!.open).toBe(0);
    },
    { timeout: 15_000, interval: 50 },
  );
}

/** Secrets of a user's open sessions, as the database keeps them. */
export async function sessionCount(userId: number): Promise<number> {
  return (await db().select().from(sessions).where(eq(sessions.userId, userId))).length;
}
