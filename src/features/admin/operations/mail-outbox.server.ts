import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { sendJob } from '#src/server/jobs.ts';
import { deliverMail } from '#src/server/mail/mail.ts';
import { AppError } from '#src/shared/errors.ts';
import { normaliseEmail } from '#src/shared/fields.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import type { ListedMail, MailStatus } from './mail-outbox.ts';

// Such a mail has no link any more (see `server/mail.ts`).
const hasNoLink = sql<boolean>`(${mailOutbox.text} ~* 'token(=|%3D)removed')`;

/**
 * Newest first; a page past the end is the last.
 * @param query `search` is a whole address; `status` null for all
 * @returns the page, the matches, and all failed or waiting ones
 */
export async function listMails({
  search,
  status,
  page: asked,
}: ListQuery & { status: MailStatus | null }): Promise<{
  mails: ListedMail[];
  total: number;
  page: number;
  counts: { failed: number; queued: number };
}> {
  const matching = and(
    inState(status),
    search ? eq(mailOutbox.recipient, normaliseEmail(search)) : undefined,
  );
  const [total, failed, queued] = await Promise.all([
    db().$count(mailOutbox, matching),
    db().$count(mailOutbox, inState('failed')),
    db().$count(mailOutbox, inState('queued')),
  ]);
  const page = Math.min(asked, pageCount(total));
  const ids = db()
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(matching)
    .orderBy(desc(mailOutbox.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE)
    .as('page');
  const rows = await db()
    .select({
      id: mailOutbox.id,
      template: mailOutbox.template,
      recipient: mailOutbox.recipient,
      subject: mailOutbox.subject,
      status: mailOutbox.status,
      attempts: mailOutbox.attempts,
      error: mailOutbox.lastError,
      createdAt: mailOutbox.createdAt,
      sentAt: mailOutbox.sentAt,
      text: sql<
        string | null
      >`case when ${mailOutbox.status} = 'sent' and ${mailOutbox.sentAt} is null then ${mailOutbox.text} end`,
      hasNoLink,
    })
    .from(mailOutbox)
    .innerJoin(ids, eq(ids.id, mailOutbox.id))
    .orderBy(desc(mailOutbox.id));
  return {
    total,
    page,
    counts: { failed, queued },
    mails: rows.map(({ hasNoLink: isStripped, createdAt, sentAt, ...mail }) => ({
      ...mail,
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
      canRetry: mail.status === 'failed' && !isStripped,
    })),
  };
}

// Literals, so that partial indexes apply.
function inState(status: MailStatus | null): SQL | undefined {
  return status === null ? undefined : sql`${mailOutbox.status} = ${sql.raw(`'${status}'`)}`;
}

/**
 * Audited.
 * @throws {AppError} not_found, conflict
 */
export async function retryMail(actor: Actor, id: number): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const [mail] = await tx
      .select({
        status: mailOutbox.status,
        recipient: mailOutbox.recipient,
        subject: mailOutbox.subject,
        hasNoLink,
      })
      .from(mailOutbox)
      .where(eq(mailOutbox.id, id))
      .for('update');
    if (!mail) throw new AppError('not_found', 'There is no such mail.');
    if (mail.status !== 'failed') throw new AppError('conflict', 'This mail was not given up.');
    if (mail.hasNoLink) {
      throw new AppError(
        'conflict',
        'The link in this mail was taken out when it was given up. Have a new one sent instead.',
      );
    }
    await tx
      .update(mailOutbox)
      .set({ status: 'queued', attempts: 0, dueAt: sql`now()` })
      .where(eq(mailOutbox.id, id));
    await sendJob(tx, deliverMail, { outboxId: id });
    await recordAudit(tx, actor, {
      action: 'mail.retried',
      subjectType: 'mail',
      subjectId: id,
      details: { subject: mail.subject, email: mail.recipient },
    });
    return { message: `The mail to ${mail.recipient} is on its way again.` };
  });
}
