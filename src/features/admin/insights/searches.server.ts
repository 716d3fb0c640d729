import { desc, eq } from 'drizzle-orm';
import { db, sqlClient } from '#db/client.ts';
import { searchSynonyms } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { findMatches, readSearch } from '#src/features/catalogue/search/search-match.server.ts';
import { searchWordsOfFile } from '#src/features/catalogue/search/search-words.server.ts';
import { phraseKey, searchForm } from '#src/features/catalogue/search/search-words.ts';
import { isUniqueViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, pageCount } from '#src/shared/list-query.ts';

export const SEARCH_DAYS = 30;

/** Without a result. */
export interface MissedSearch {
  /** UTC. */
  day: string;
  typed: string;
  searches: number;
  /** Closest courses shown. */
  closest: number;
  /** Its synonym since. */
  means: string | null;
}

export interface AddedSynonym {
  id: number;
  typed: string;
  means: string;
  createdByName: string;
  createdAt: string;
}

/** Newest day first, then by frequency. */
export async function listMissedSearches(
  asked: number,
): Promise<{ searches: MissedSearch[]; total: number; page: number }> {
  const sql = sqlClient();
  const recent = sql`day > (now() at time zone 'UTC')::date - ${SEARCH_DAYS}::int`;
  const [found] = await sql<
    { total: number }[]
  >`select count(*)::int as total from missed_searches where ${recent}`;
  const page = Math.min(asked, pageCount(found!.total));
  const searches = await sql<MissedSearch[]>`
    select day::text, m.typed, searches, closest, s.means
    from missed_searches m left join search_synonyms s using (typed)
    where ${recent} order by day desc, searches desc, typed
    limit ${ADMIN_PAGE_SIZE}::int offset ${(page - 1) * ADMIN_PAGE_SIZE}::int`;
  return { searches: [...searches], total: found!.total, page };
}

/** Newest first. */
export async function listSynonyms(): Promise<AddedSynonym[]> {
  const rows = await db().select().from(searchSynonyms).orderBy(desc(searchSynonyms.id));
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
}

/**
 * Audited; all instances know it within a second.
 * @throws {AppError} invalid_input, conflict
 */
export async function addSynonym(
  actor: Actor,
  input: { typed: string; means: string },
): Promise<{ message: string }> {
  const typed = searchForm(input.typed);
  const means = searchForm(input.means);
  const wrong = (field: 'typed' | 'means', message: string) =>
    new AppError('invalid_input', message, { fields: { [field]: message } });
  const { noise, meanings } = searchWordsOfFile();
  if (typed.split(' ').every((word) => noise.has(word)))
    throw wrong('typed', 'This text says nothing about a subject.');
  if (phraseKey(typed) === phraseKey(means)) throw wrong('means', 'This is the same text in another form.');
  if (meanings.get(phraseKey(typed))?.some((target) => phraseKey(target) === phraseKey(means)))
    throw wrong('means', 'The editors’ file of search words says so already.');
  const { concepts } = await readSearch(means);
  const first = {
    search: means,
    category: null,
    level: null,
    sort: 'popular',
    page: 1,
    pageSize: 1,
    includeHidden: false,
  } as const;
  if ((await findMatches(concepts, first, sqlClient()`1`)).withAll === 0)
    throw wrong('means', `No course has “${means}”. A synonym leads to words that a course uses.`);
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(searchSynonyms)
      .values({ typed, means, createdByName: actor.name })
      .returning({ id: searchSynonyms.id })
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        const message = `“${typed}” has a meaning already. Remove that one first.`;
        throw new AppError('conflict', message, { fields: { typed: message } });
      });
    await recordAudit(tx, actor, {
      action: 'search_synonym.added',
      subjectType: 'search_synonym',
      subjectId: row!.id,
      details: { typed, means },
    });
    return { message: `“${typed}” now finds “${means}”.` };
  });
}

/**
 * Audited.
 * @throws {AppError} not_found
 */
export async function removeSynonym(actor: Actor, id: number): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const [gone] = await tx.delete(searchSynonyms).where(eq(searchSynonyms.id, id)).returning();
    if (!gone) throw new AppError('not_found', 'There is no such synonym.');
    await recordAudit(tx, actor, {
      action: 'search_synonym.removed',
      subjectType: 'search_synonym',
      subjectId: id,
      details: { typed: gone.typed, means: gone.means },
    });
    return { message: `“${gone.typed}” no longer finds “${gone.means}”.` };
  });
}
