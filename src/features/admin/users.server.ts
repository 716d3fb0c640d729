import { and, count, desc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { ADMIN_PAGE_SIZE, type ListedUser, type ListQuery, pageCount } from './admin.ts';

/**
 * One page of the accounts, newest first. A page past the end counts as the last.
 *
 * @param query `search` is looked for in names and addresses, in any case; `role` null lists both
 * @returns the page that is shown with the rows, and how many accounts match on all pages
 */
export async function listUsers({
  search,
  role,
  page: asked,
}: ListQuery & { role: 'student' | 'admin' | null }): Promise<{
  users: ListedUser[];
  total: number;
  page: number;
}> {
  const matching = and(
    role ? eq(users.role, role) : undefined,
    search
      ? sql`(strpos(lower(${users.username}), lower(${search})) > 0 or strpos(${users.email}, lower(${search})) > 0)`
      : undefined,
  );
  const [found] = await db().select({ total: count() }).from(users).where(matching);
  const total = found!.total;
  const page = Math.min(asked, pageCount(total));
  const rows = await db()
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      role: users.role,
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(matching)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return {
    total,
    page,
    users: rows.map(({ emailVerifiedAt, createdAt, ...user }) => ({
      ...user,
      emailVerified: emailVerifiedAt !== null,
      joinedAt: createdAt.toISOString(),
    })),
  };
}
