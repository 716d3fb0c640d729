import { desc, eq, inArray, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { seats } from '#db/schema/store.ts';
import { containing, countFound } from '#src/features/admin/shell/list-search.server.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';

export interface ListedOrganisation {
  id: number;
  name: string;
  createdAt: string;
  /** The longest first. */
  people: { userId: number; email: string; role: 'owner' | 'manager' }[];
  seats: number;
  free: number;
}

/** Newest first; searches parts of names. */
export async function findOrganisations({ search, page: asked }: ListQuery): Promise<{
  organisations: ListedOrganisation[];
  total: number;
  isMore: boolean;
  page: number;
}> {
  const where = search === '' ? undefined : containing(sql`lower(${organisations.name})`, search);
  const { total, isMore } = await countFound(organisations, where, search !== '');
  const page = Math.min(asked, pageCount(total));
  const rows = await db()
    .select()
    .from(organisations)
    .where(where)
    .orderBy(desc(organisations.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { organisations: [], total, isMore, page };
  const [people, counts] = await Promise.all([
    db()
      .select({
        organisationId: organisationMembers.organisationId,
        userId: users.id,
        email: users.email,
        role: organisationMembers.role,
      })
      .from(organisationMembers)
      .innerJoin(users, eq(users.id, organisationMembers.userId))
      .where(inArray(organisationMembers.organisationId, ids))
      .orderBy(organisationMembers.createdAt, users.id),
    db()
      .select({
        organisationId: seats.organisationId,
        seats: sql<number>`count(*)::int`,
        free: sql<number>`count(*) filter (where ${seats.email} is null)::int`,
      })
      .from(seats)
      .where(sql`${inArray(seats.organisationId, ids)} and ${seats.endedAt} is null`)
      .groupBy(seats.organisationId),
  ]);
  return {
    total,
    isMore,
    page,
    organisations: rows.map(({ id, name, createdAt }) => {
      const counted = counts.find(({ organisationId }) => organisationId === id);
      return {
        id,
        name,
        createdAt: createdAt.toISOString(),
        people: people.filter(({ organisationId }) => organisationId === id),
        seats: counted?.seats ?? 0,
        free: counted?.free ?? 0,
      };
    }),
  };
}
