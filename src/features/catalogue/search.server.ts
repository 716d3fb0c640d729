import { distance } from 'fastest-levenshtein';
import { LRUCache } from 'lru-cache';
import type { Fragment } from 'postgres';
import { sqlClient } from '#db/client.ts';
import {
  type Category,
  type CourseCard,
  type CourseCount,
  cleanSearch,
  type Level,
  type Sort,
  type Suggestions,
} from './catalogue.ts';

/** Which courses a list is about. */
export interface CourseFilter {
  search?: string;
  category?: number | null;
  level?: Level | null;
  sort?: Sort;
  /** From 1. */
  page?: number;
  pageSize: number;
  /** Lists hidden courses too. */
  includeHidden?: boolean;
}

/** One page of a list of courses. */
export interface CourseList {
  rows: CourseCard[];
  /** On all pages. */
  total: number;
  /** How many match the search, by category and level, whatever category and level the filter asks for. */
  counts: CourseCount[];
  /** What was searched for instead, where nothing has a word as it was typed; else null. */
  corrected: string | null;
  /** All of them, by id, whatever the filter says. */
  categories: Category[];
}

/** What makes a list, with every default filled in. */
type Asked = Required<CourseFilter>;

/** A list before its cards are read: which courses, in order, and how many there are. */
type Found = { ids: number[]; counts: CourseCount[]; corrected: string | null };

/**
 * Milliseconds for which an order is kept. Which courses match, and their prices, are as fresh as the catalogue's
 * version; learners and ratings move a course up or down without raising it.
 */
const REMEMBERED_MS = 5000;
/** Rows to skip from which a list is worth remembering. */
const DEEP_OFFSET = 1000;
const remembered = new LRUCache<string, { version: number; found: Promise<Found> }>({
  max: 500,
  ttl: REMEMBERED_MS,
});

/**
 * One page of courses, how many there are on all pages, and how many of each category and level match the search. A
 * page past the end is empty.
 *
 * A search finds the courses that have all of its words, in any form and without regard to case and accents, in title,
 * category or description; those with all of them in the title come first, then the popular ones. Where that finds
 * nothing, words that no title has are taken for mistyped.
 *
 * @param filter what to list; absent filters do not narrow
 */
export async function listCourses(filter: CourseFilter): Promise<CourseList> {
  const asked: Asked = {
    category: null,
    level: null,
    sort: 'popular',
    page: 1,
    includeHidden: false,
    ...filter,
    search: cleanSearch(filter.search ?? ''),
  };
  const isDeep = asked.search !== '' || (asked.page - 1) * asked.pageSize >= DEEP_OFFSET;
  if (asked.includeHidden) return withCards(asked, await lookUp(asked));
  return isDeep ? rememberedList(asked) : listAtOnce(asked);
}

function totalOf(counts: readonly CourseCount[], { category, level }: Pick<Asked, 'category' | 'level'>) {
  return counts
    .filter((one) => category === null || one.categoryId === category)
    .filter((one) => level === null || one.level === level)
    .reduce((sum, one) => sum + one.courses, 0);
}

/** A list of the first pages without a search, in one query. */
async function listAtOnce(asked: Asked): Promise<CourseList> {
  const sql = sqlClient();
  const [row] = await sql<Pick<CourseList, 'rows' | 'counts' | 'categories'>[]>`
    with page as materialized (select id, row_number() over () as place from (${pageOfCourses(asked)}) as ordered)
    select ${cardsAsJson(sql`page`)} as rows, ${categoriesAsJson()} as categories,
      (select coalesce(json_agg(one), '[]') from (${courseCounts()}) as one) as counts`;
  const { rows, counts, categories } = row!;
  return { rows, total: totalOf(counts, asked), counts, corrected: null, categories };
}

/** A list whose order takes long to find, which is why it is known for a while: in one query where it is. */
async function rememberedList(asked: Asked): Promise<CourseList> {
  const { search, category, level, sort, page, pageSize } = asked;
  const key = JSON.stringify([search, category, level, sort, page, pageSize]);
  const known = remembered.get(key);
  const ids = known ? (await known.found).ids : [];
  const list = await cardsAndVersion(ids);
  if (known?.version === list.version) return assembled(asked, await known.found, list);
  const meanwhile = remembered.get(key);
  if (meanwhile?.version === list.version) return withCards(asked, await meanwhile.found);
  const found = lookUp(asked);
  remembered.set(key, { version: list.version, found });
  found.catch(() => remembered.delete(key));
  return withCards(asked, await found);
}

type Cards = Pick<CourseList, 'rows' | 'categories'>;

/** A list whose order has just been found. */
async function withCards(asked: Asked, found: Found): Promise<CourseList> {
  return assembled(asked, found, await cardsAndVersion(found.ids, asked.includeHidden));
}

const assembled = (asked: Asked, { counts, corrected }: Found, { rows, categories }: Cards): CourseList => ({
  rows,
  total: totalOf(counts, asked),
  counts,
  corrected,
  categories,
});

async function cardsAndVersion(
  ids: readonly number[],
  includeHidden = false,
): Promise<Cards & { version: number }> {
  const sql = sqlClient();
  const asked = sql`(select id, place from unnest(${ids as number[]}::int[]) with ordinality as one(id, place))`;
  const [row] = await sql<(Cards & { version: number })[]>`
    select ${cardsAsJson(asked, includeHidden)} as rows, ${categoriesAsJson()} as categories,
      (select version::float8 from catalogue_version) as version`;
  return row!;
}

/** The cards of courses, given as rows of `id` and `place`, as an expression that gives JSON. */
export function cardsAsJson(asked: Fragment, includeHidden = false): Fragment {
  return sqlClient()`(
    select coalesce(json_agg(card), '[]') from (
      select c.id, c.title, c.thumbnail, c.price_cents as "priceCents",
        c.original_price_cents as "originalPriceCents", c.duration, c.level, c.rating::float8 as rating,
        c.review_count as "reviewCount", c.students_count as "studentsCount", c.category_id as "categoryId",
        g.name as "categoryName", c.listed
      from ${asked} as asked join courses c on c.id = asked.id join categories g on g.id = c.category_id
      where c.listed or ${includeHidden}::boolean
      order by asked.place
    ) as card)`;
}

const categoriesAsJson = (): Fragment => sqlClient()`(
  select coalesce(json_agg(one order by id), '[]') from (select id, name, description, icon from categories) as one)`;

async function lookUp(asked: Asked): Promise<Found> {
  if (asked.search === '') {
    const [ids, counts] = await Promise.all([pageOfCourses(asked), courseCounts(asked.includeHidden)]);
    return { ids: ids.map(({ id }) => id), counts, corrected: null };
  }
  const found = await matches(asked, null);
  if (found.counts.length > 0) return { ...found, corrected: null };
  const words = await correctedWords(asked.search);
  if (!words) return { ...found, corrected: null };
  const second = await matches(
    asked,
    words.map(({ word, meant }) => [word, ...meant].join('|')),
  );
  if (second.counts.length === 0) return { ...found, corrected: null };
  return { ...second, corrected: words.map(({ word, meant }) => meant[0] ?? word).join(' ') };
}

const orderBy = (sort: Sort): Fragment => {
  const sql = sqlClient();
  // The id breaks ties, so that a course never stands on two pages.
  switch (sort) {
    case 'popular':
      return sql`students_count desc, id desc`;
    case 'rating':
      return sql`rating desc, review_count desc, id desc`;
    case 'newest':
      return sql`id desc`;
    case 'price-low':
      return sql`price_cents, id`;
    case 'price-high':
      return sql`price_cents desc, id desc`;
  }
};

function narrowed({ category, level }: Pick<Asked, 'category' | 'level'>): Fragment {
  const sql = sqlClient();
  return sql`
    ${category === null ? sql`` : sql`and category_id = ${category}::int`}
    ${level === null ? sql`` : sql`and level = ${level}::course_level`}`;
}

/** The ids of one page without a search; answered by the index of its order alone. */
export function pageOfCourses(asked: Omit<Asked, 'search'>) {
  const sql = sqlClient();
  return sql<{ id: number }[]>`
    select id from courses where ${asked.includeHidden ? sql`true` : sql`listed`} ${narrowed(asked)}
    order by ${orderBy(asked.sort)}
    limit ${asked.pageSize}::int offset ${(asked.page - 1) * asked.pageSize}::bigint`;
}

function courseCounts(includeHidden = false) {
  const sql = sqlClient();
  const columns = sql`category_id as "categoryId", level`;
  return includeHidden
    ? sql<CourseCount[]>`select ${columns}, count(*)::int as courses from courses group by 1, 2`
    : sql<CourseCount[]>`select ${columns}, courses from course_counts where courses > 0`;
}

/**
 * The counts of what a search matches, and one page of it.
 *
 * @param words each must be found: a word, or several that will do, separated by |. Null for the words of the search
 */
export function matchingCourses(asked: Asked, words: string[] | null) {
  const sql = sqlClient();
  const sought = words
    ? sql`${words}::text[]`
    : sql`string_to_array(search_form(${asked.search}::text), ' ')`;
  return sql<{ counts: CourseCount[] | null; ids: number[] | null }[]>`
    with matching as materialized (
      select id, category_id, level, students_count, rating, review_count, price_cents,
        ${asked.sort === 'popular' ? sql`search_text @@ (select course_query(${sought}, 'A'))` : sql`false`} as in_title
      from courses
      where ${asked.includeHidden ? sql`true` : sql`listed`} and search_text @@ (select course_query(${sought}))
    ), page as (
      select id, row_number() over () as place from (
        select id from matching where true ${narrowed(asked)}
        order by in_title desc, ${orderBy(asked.sort)}
        limit ${asked.pageSize}::int offset ${(asked.page - 1) * asked.pageSize}::bigint
      ) as ordered
    )
    select
      (select json_agg(one) from (
        select category_id as "categoryId", level, count(*)::int as courses from matching group by 1, 2
      ) as one) as counts,
      (select array_agg(id order by place) from page) as ids`;
}

async function matches(asked: Asked, words: string[] | null): Promise<Omit<Found, 'corrected'>> {
  const [row] = await matchingCourses(asked, words);
  return { ids: row?.ids ?? [], counts: row?.counts ?? [] };
}

/** Words that mean one mistyped word at most: the nearest, where several are equally near. */
const MEANT_MAX = 3;

/** Wrong letters at most in a word of this length for it to count as mistyped; two letters that changed places are two. */
const wrongLettersIn = (word: string) => (word.length <= 4 ? 1 : 2);

/** The words of a search, each with the words it may mean; null where none of them looks mistyped. */
async function correctedWords(search: string): Promise<{ word: string; meant: string[] }[] | null> {
  const rows = await sqlClient()<{ word: string; near: string[] }[]>`
    with typed as (select string_to_array(search_form(${search}::text), ' ') as words),
    known as materialized (select near.* from typed, near_search_words(typed.words) as near)
    select one.word, array(select near from known where known.word = one.word) as near
    from typed, unnest(typed.words) with ordinality as one(word, place) order by place`;
  const words = rows.map(({ word, near }) => {
    const distances = near.map((other) => ({ other, wrong: distance(word, other) }));
    const least = Math.min(...distances.map(({ wrong }) => wrong));
    const meant = distances.filter(({ wrong }) => wrong === least && wrong <= wrongLettersIn(word));
    return { word, meant: meant.slice(0, MEANT_MAX).map(({ other }) => other) };
  });
  return words.some(({ meant }) => meant.length > 0) ? words : null;
}

/** What cards show of these courses, in the order of the ids; hidden ones are left out unless asked for. */
export async function courseCards(ids: readonly number[], includeHidden = false): Promise<CourseCard[]> {
  return ids.length === 0 ? [] : (await cardsAndVersion(ids, includeHidden)).rows;
}

/** Courses that a search box offers while one types. */
const SUGGESTED_COURSES = 6;
/** The most popular courses, among which most of what one types is found at once. */
const POPULAR_ENOUGH = 1500;

const suggested = new LRUCache<string, { version: number; found: Promise<Suggestions> }>({
  max: 500,
  ttl: REMEMBERED_MS,
});

/**
 * What a search may become while it is typed: the most popular courses whose titles have all of its words, the last one
 * as far as it goes, and the categories that it names. Mistyped words are made up for as in a search. As fresh as the
 * catalogue's version.
 */
export async function suggest(typed: string): Promise<Suggestions> {
  const search = cleanSearch(typed);
  if (search === '') return { courses: [], categories: [] };
  const [row] = await sqlClient()<
    { version: number }[]
  >`select version::float8 as version from catalogue_version`;
  const known = suggested.get(search);
  if (known && known.version === row!.version) return known.found;
  const found = lookUpSuggestions(search);
  suggested.set(search, { version: row!.version, found });
  found.catch(() => suggested.delete(search));
  return found;
}

async function lookUpSuggestions(search: string): Promise<Suggestions> {
  const [courses, categories] = await Promise.all([suggestedCourses(search), suggestedCategories(search)]);
  if (courses.length > 0 || categories.length > 0)
    return { courses: [...courses], categories: [...categories] };
  const words = await correctedWords(search);
  if (!words) return { courses: [], categories: [] };
  const meant = words.map((one) => one.meant[0] ?? one.word).join(' ');
  return {
    courses: [...(await suggestedCourses(meant))],
    categories: [...(await suggestedCategories(meant))],
  };
}

/** A search as it looks while its last word is being typed; "q" with the query for titles and for anything. */
const asTyped = (search: string): Fragment => sqlClient()`
  typed as (select string_to_array(search_form(${search}::text), ' ') as words),
  q as (
    select
      course_query(words[:cardinality(words) - 1], 'A') && (quote_literal(words[cardinality(words)]) || ':*A')::tsquery as title,
      course_query(words[:cardinality(words) - 1]) && (quote_literal(words[cardinality(words)]) || ':*')::tsquery as anything
    from typed where cardinality(words) > 0
  )`;

/** The most popular courses with all words of a search in their titles, the last one as far as it goes. */
export function suggestedCourses(search: string) {
  // A frequent word is found among the popular courses, a rare one by the index of words; neither looks at many rows.
  return sqlClient()<Suggestions['courses']>`
    with ${asTyped(search)}, popular as materialized (
      select id, title from (
        select id, title, search_text, students_count from courses where listed
        order by students_count desc, id desc limit ${POPULAR_ENOUGH}::int
      ) as first
      where search_text @@ (select title from q)
      order by students_count desc, id desc limit ${SUGGESTED_COURSES}::int
    ), rare as materialized (
      select id, title, students_count from courses
      where (select count(*) from popular) < ${SUGGESTED_COURSES}::int
        and listed and search_text @@ (select title from q)
    )
    select id, title from popular where (select count(*) from popular) >= ${SUGGESTED_COURSES}::int
    union all (select id, title from rare order by students_count desc, id desc limit ${SUGGESTED_COURSES}::int)`;
}

function suggestedCategories(search: string) {
  return sqlClient()<Suggestions['categories']>`
    with ${asTyped(search)}
    select g.id, g.name, coalesce((select sum(courses) from course_counts where category_id = g.id), 0)::int as courses
    from categories g
    where to_tsvector('simple', search_form(g.name)) @@ (select anything from q)
    order by g.id`;
}
