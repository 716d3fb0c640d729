import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { adminRequests, auditLog } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';
import { factorsOf } from './second-factor/factors.server.ts';
import { listSignIns } from './session.server.ts';

// The file's reader may not be the mailbox's reader.
const withoutLinks = sql<string>`regexp_replace(${mailOutbox.text}, '((token|key)(=|%3D))[A-Za-z0-9_-]+', '\\1removed', 'gi')`;

async function rows(tx: Executor, { id, email, ownsEmail }: Person) {
  const signIns = (await listSignIns(id, tx)).map(({ id: _, ...signIn }) => signIn);
  const requests = await tx
    .select({
      status: adminRequests.status,
      createdAt: adminRequests.createdAt,
      decidedAt: adminRequests.decidedAt,
    })
    .from(adminRequests)
    .where(eq(adminRequests.userId, id))
    .orderBy(asc(adminRequests.id));
  const changes = await tx
    .select({
      action: auditLog.action,
      byThisPerson: sql<boolean>`${auditLog.actorId} is not distinct from ${id}`,
      reason: auditLog.reason,
      details: auditLog.details,
      at: auditLog.at,
    })
    .from(auditLog)
    .where(
      or(eq(auditLog.actorId, id), and(eq(auditLog.subjectType, 'user'), eq(auditLog.subjectId, String(id)))),
    )
    .orderBy(asc(auditLog.id));
  const mails = await tx
    .select({
      subject: mailOutbox.subject,
      text: withoutLinks,
      status: mailOutbox.status,
      createdAt: mailOutbox.createdAt,
      sentAt: mailOutbox.sentAt,
    })
    .from(mailOutbox)
    .where(sql`${ownsEmail} and ${mailOutbox.recipient} = ${email}`)
    .orderBy(asc(mailOutbox.id));
  const { passkeys, ...otherFactors } = await factorsOf(id, tx);
  return {
    signIns,
    secondFactors: { ...otherFactors, passkeys: passkeys.map(({ id: _, ...passkey }) => passkey) },
    administratorRequests: requests,
    changes: changes.map(({ details, byThisPerson, ...change }) => ({
      ...change,
      byThisPerson,
      // An administrator's entries describe others: their details are left out.
      ...(byThisPerson ? {} : { details }),
    })),
    mails,
  };
}

// Mails to typed addresses say nothing about their account.
const TO_TYPED_ADDRESSES = sql`('receipt', 'refund', 'claim-link', 'contact-message')`;

async function erase(tx: Tx, person: Person): Promise<void> {
  const { id, email, ownsEmail } = person;
  await anonymiseMails(
    tx,
    sql`${mailOutbox.recipient} = ${email} and (${ownsEmail} or ${mailOutbox.template} not in ${TO_TYPED_ADDRESSES})`,
  );
  await tx
    .update(auditLog)
    .set({ actorName: deletedName(person) })
    .where(eq(auditLog.actorId, id));
  await anonymiseAuditDetails(
    tx,
    person,
    sql`${auditLog.details} ->> 'email' = ${email}
      and (${ownsEmail} or (${auditLog.subjectType} = 'user' and ${auditLog.subjectId} = ${String(id)}))`,
  );
}

export const deletedName = ({ id }: Pick<Person, 'id'>): string => `Deleted user ${id}`;

export async function anonymiseAuditDetails(tx: Executor, { id }: Person, which: SQL): Promise<void> {
  await tx
    .update(auditLog)
    .set({ details: sql`jsonb_set(${auditLog.details}, '{email}', to_jsonb(${`deleted user ${id}`}::text))` })
    .where(which);
}

/** The books count one receipt per order, so the row stays without recipient and text. */
export async function anonymiseMails(tx: Executor, which: SQL): Promise<void> {
  await tx
    .delete(mailOutbox)
    .where(and(which, sql`coalesce(${mailOutbox.dedupeKey}, '') not like 'receipt:%'`));
  await tx
    .update(mailOutbox)
    .set({
      recipient: '',
      subject: 'Receipt of a deleted customer',
      text: '',
      html: null,
      status: sql`case when ${mailOutbox.status} = 'queued' then 'sent' else ${mailOutbox.status} end`,
      lastError: null,
    })
    .where(which);
}

export const accountData: PersonalDataPart = { rows, erase };
