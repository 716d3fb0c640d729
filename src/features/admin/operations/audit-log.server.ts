import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { auditLog } from '#db/schema/account.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import type { Change } from '#src/features/admin/shell/admin.ts';

function toChange({ at, actorId: _, ...entry }: typeof auditLog.$inferSelect): Change {
  return { ...entry, at: at.toISOString() };
}

/** Newest first (decision 10). */
export async function lastChanges(actions: readonly string[], limit = 10): Promise<Change[]> {
  const rows = await db()
    .select()
    .from(auditLog)
    .where(inArray(auditLog.action, [...actions]))
    .orderBy(desc(auditLog.id))
    .limit(limit);
  return rows.map(toChange);
}

/** Newest first. */
export async function changesAbout(subjectType: string, subjectId: number, limit: number): Promise<Change[]> {
  const rows = await db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, subjectType), eq(auditLog.subjectId, String(subjectId))))
    .orderBy(desc(auditLog.id))
    .limit(limit);
  return rows.map(toChange);
}

/**
 * Newest first; a page past the end is the last.
 * @param query `search` matches actors and reasons; `subject` null for all
 */
export async function listChanges({
  search,
  subject,
  page: asked,
}: ListQuery & { subject: string | null }): Promise<{ changes: Change[]; total: number; page: number }> {
  const text = search.toLowerCase();
  const matching = and(
    subject ? eq(auditLog.subjectType, subject) : undefined,
    search
      ? sql`(strpos(lower(${auditLog.actorName}), ${text}) > 0 or strpos(lower(${auditLog.reason}), ${text}) > 0)`
      : undefined,
  );
  const total = await db().$count(auditLog, matching);
  const page = Math.min(asked, pageCount(total));
  const ids = db()
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(matching)
    .orderBy(desc(auditLog.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE)
    .as('page');
  const rows = await db()
    .select({ entry: auditLog })
    .from(auditLog)
    .innerJoin(ids, eq(ids.id, auditLog.id))
    .orderBy(desc(auditLog.id));
  return { total, page, changes: rows.map(({ entry }) => toChange(entry)) };
}
