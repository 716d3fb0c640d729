import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import type { ListedUser } from '#src/features/admin/shell/admin.ts';
import { containing, countFound } from '#src/features/admin/shell/list-search.server.ts';
import type { UserSort } from './people.ts';

const lowerName = sql`lower(${users.username})`;

const ORDER: Record<UserSort, SQL[]> = {
  newest: [desc(users.createdAt), desc(users.id)],
  oldest: [asc(users.createdAt), asc(users.id)],
  name: [sql`${lowerName} asc`, asc(users.id)],
  email: [asc(users.email)],
};

/**
 * Newest first by default; a page past the end is the last.
 * @param query `search` matches names and addresses; `role` null for both
 * @returns the page and the matches, `isMore` past the count's limit
 */
export async function listUsers({
  search,
  role,
  sort = 'newest',
  page: asked,
}: ListQuery & { role: 'student' | 'admin' | null; sort?: UserSort }): Promise<{
  users: ListedUser[];
  total: number;
  isMore: boolean;
  page: number;
}> {
  const matching = and(
    isPerson(users.id),
    role ? eq(users.role, role) : undefined,
    search ? sql`(${containing(lowerName, search)} or ${containing(users.email, search)})` : undefined,
  );
  const { total, isMore } = await countFound(users, matching, search !== '');
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
    .orderBy(...ORDER[sort])
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return {
    total,
    isMore,
    page,
    users: rows.map(({ emailVerifiedAt, createdAt, ...user }) => ({
      ...user,
      emailVerified: emailVerifiedAt !== null,
      joinedAt: createdAt.toISOString(),
    })),
  };
}
