import type { Executor } from '#db/client.ts';
import { auditLog } from '#db/schema/account.ts';
import type { AuditEntry } from './audit.ts';

/** `id` is null for the command line. */
export type Actor = { id: number | null; name: string };

/** In the transaction of the action (decision 10); details hold no secrets. */
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
