import { count, desc, eq, ne } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { contactMessages } from '#db/schema/company.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, pageCount } from '#src/shared/list-query.ts';
import type { InboxMessage } from '#src/features/admin/shell/admin.ts';
import { MESSAGE_STATUSES, type MessageStatus } from './schema.ts';

/**
 * Newest first (decision 5); a page past the end is the last.
 * @param query `status` null for all but spam
 * @returns the page, and the count of each state
 */
export async function listMessages({
  status,
  page: asked,
}: {
  status: MessageStatus | null;
  page: number;
}): Promise<{
  messages: InboxMessage[];
  counts: Record<MessageStatus, number>;
  page: number;
  pages: number;
}> {
  const { status: column } = contactMessages;
  const rows = await db().select({ status: column, total: count() }).from(contactMessages).groupBy(column);
  const counts = Object.fromEntries(
    MESSAGE_STATUSES.map((name) => [name, rows.find((row) => row.status === name)?.total ?? 0]),
  ) as Record<MessageStatus, number>;
  const pages = pageCount(status ? counts[status] : counts.new + counts.read + counts.replied);
  const page = Math.min(asked, pages);
  const found = await db()
    .select()
    .from(contactMessages)
    .where(status ? eq(column, status) : ne(column, 'spam'))
    .orderBy(desc(contactMessages.createdAt), desc(contactMessages.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return {
    counts,
    page,
    pages,
    messages: found.map(({ firstName, lastName, createdAt, ...message }) => ({
      ...message,
      name: `${firstName} ${lastName}`,
      receivedAt: createdAt.toISOString(),
    })),
  };
}

/**
 * Audited, except for the same state.
 * @throws {AppError} not_found
 */
export async function setMessageStatus(
  actor: Actor,
  id: number,
  status: MessageStatus,
): Promise<{ id: number; status: MessageStatus }> {
  return db().transaction(async (tx) => {
    const [message] = await tx
      .select({ subject: contactMessages.subject, status: contactMessages.status })
      .from(contactMessages)
      .where(eq(contactMessages.id, id))
      .for('update');
    if (!message) throw new AppError('not_found', 'There is no such message.');
    if (message.status === status) return { id, status };
    await tx.update(contactMessages).set({ status }).where(eq(contactMessages.id, id));
    await recordAudit(tx, actor, {
      action: 'message.status_changed',
      subjectType: 'contact_message',
      subjectId: id,
      details: { subject: message.subject, from: message.status, to: status },
    });
    return { id, status };
  });
}
