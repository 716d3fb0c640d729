import type { Executor } from '#db/client.ts';
import { auditLog } from '#db/schema/account.ts';
import type { AuditEntry } from './audit.ts';

/** Who did something: a user, or the command line (`id` null). */
export type Actor = { id: number | null; name: string };

/**
 * Writes to the audit log in the transaction of what it tells about, so that neither exists without the other
 * (decision 10). Details hold no secrets.
 */
export async function recordAudit(executor: Executor, actor: Actor, entry: AuditEntry): Promise<void> {
  await executor.insert(auditLog).values({
    actorId: actor.id,
    actorName: actor.name,
    action: entry.action,
    subjectType: entry.subjectType,
    subjectId: entry.subjectId === undefined ? null : String(entry.subjectId),
    reason: entry.reason || null,
    details: { ...entry.details },
  });
}
