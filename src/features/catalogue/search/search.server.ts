import { coding } from '#src/features/lessons/registry.ts';
import type { Fragment } from 'postgres';
import { sqlClient } from '#db/client.ts';
import type {
  Category,
  CourseCard,
  CourseCount,
  Level,
  Reading,
  Sort,
} from '#src/features/catalogue/catalogue.ts';
import { cleanSearch } from '#src/shared/list-query.ts';
import { noteMissedSearch } from './missed-searches.server.ts';
import { marksPattern } from './search-marks.ts';
import { findMatches, narrowedTo, orderBy, readSearch } from './search-match.server.ts';

export interface CourseFilter {
  search?: string;
  category?: number | null;
  level?: Level | null;
  sort?: Sort;
  page?: number;
  pageSize: number;
  includeHidden?: boolean;
}

export interface CourseList {
  rows: CourseCard[];
  total: number;
  counts: CourseCount[];
  reading: Reading;
  categories: Category[];
}

const NO_SEARCH: Reading = { corrected: null, withAll: null, marks: [] };

type Asked = Required<CourseFilter>;

const withDefaults = (filter: CourseFilter): Asked => ({
  category: null,
  level: null,
  sort: 'popular',
  page: 1,
  includeHidden: false,
  ...filter,
  search: cleanSearch(filter.search ?? ''),
});

/** SQL: columns made of rows of `id` and `place`, such as `(select …)`. */
type Show = (page: Fragment, marks: readonly string[]) => Fragment;

export async function listCourses(filter: CourseFilter): Promise<CourseList> {
  const sql = sqlClient();
  const { shown, ...found } = await findPage<Pick<CourseList, 'rows' | 'categories'>>(
    filter,
    (page, marks) =>
      sql`${cardsAsJson(page, filter.includeHidden, marks)} as rows, ${categoriesAsJson()} as categories`,
  );
  if (shown) return { rows: shown.rows, categories: shown.categories, ...found };
  const [row] = await sql<Pick<CourseList, 'categories'>[]>`select ${categoriesAsJson()} as categories`;
  return { ...found, ...row!, rows: [] };
}

/**
 * Searches title, category, facts, lessons and description, in any form and by synonyms; the closest follow where few
 * match. Past the end a page is empty; null where nothing matches.
 */
export async function findPage<T extends object>(
  filter: CourseFilter,
  show: Show,
): Promise<{ shown: T | null; total: number; counts: CourseCount[]; reading: Reading }> {
  const asked = withDefaults(filter);
  if (asked.search !== '') {
    const { counts, ...found } = await lookUp<T>(asked, show);
    return { ...found, counts, total: totalOf(counts, asked) };
  }
  const sql = sqlClient();
  const [row] = await sql<(T & { counts: CourseCount[] })[]>`
    with page as materialized (select id, row_number() over () as place from (${pageOfCourses(asked)}) as ordered)
    select ${show(sql`page`, [])},
      (select coalesce(json_agg(one), '[]') from (${courseCounts(asked.includeHidden)}) as one) as counts`;
  const { counts } = row!;
  return { shown: row!, total: totalOf(counts, asked), counts, reading: NO_SEARCH };
}

function totalOf(counts: readonly CourseCount[], { category, level }: Pick<Asked, 'category' | 'level'>) {
  return counts
    .filter((one) => category === null || one.categoryId === category)
    .filter((one) => level === null || one.level === level)
    .reduce((sum, one) => sum + one.courses, 0);
}

const MARKDOWN_SIGNS = '[*_`#>\\[\\]]+';

/** JSON of rows of `id` and `place`. @param marks stems; a title without them adds the lesson or sentence */
export function cardsAsJson(asked: Fragment, includeHidden = false, marks: readonly string[] = []): Fragment {
  const sql = sqlClient();
  const pattern = marksPattern(marks);
  const foundIn = sql`case when unaccent(lower(c.title)) !~ ${pattern} then coalesce(
    (select 'Lesson: ' || title from lessons where course_id = c.id and unaccent(lower(title)) ~ ${pattern} order by "order", id limit 1),
    btrim(regexp_replace(substring(c.description from ${`(?i)[^.\\n:;]*${pattern}[^.\\n:;]*`}), ${MARKDOWN_SIGNS}, '', 'g'))) end`;
  return sql`(
    select coalesce(json_agg(card), '[]') from (
      select c.id, c.title, c.thumbnail, c.price_cents as "priceCents",
        c.original_price_cents as "originalPriceCents", c.duration, c.level, c.rating::float8 as rating,
        c.review_count as "reviewCount", c.students_count as "studentsCount", c.category_id as "categoryId",
        g.name as "categoryName", c.is_active as "isActive", split_part(c.outcomes, chr(10), 1) as outcome,
        own.lessons as "lessonCount", own.exercises as "exerciseCount"${marks.length > 0 ? sql`, ${foundIn} as "foundIn"` : sql``}
      from ${asked} as asked join courses c on c.id = asked.id join categories g on g.id = c.category_id
        cross join lateral (select count(*)::int as lessons,
            count(*) filter (where type = ${coding.name})::int as exercises from lessons where course_id = c.id) as own
      where c.is_active or ${includeHidden}::boolean
      order by asked.place
    ) as card)`;
}

const categoriesAsJson = (): Fragment => sqlClient()`(
  select coalesce(json_agg(one order by id), '[]') from (select id, name, description, icon from categories) as one)`;

async function lookUp<T extends object>(
  asked: Asked,
  show: Show,
): Promise<{ shown: T | null; counts: CourseCount[]; reading: Reading }> {
  const { concepts, corrected } = await readSearch(asked.search);
  const marks = [...new Set(concepts.flatMap(({ ways }) => ways.flatMap(({ stems }) => stems)))];
  const page = sqlClient()`(select id, row_number() over () as place from page)`;
  const { shown, counts, withAll } = await findMatches<T>(concepts, asked, show(page, marks));
  const found = counts.reduce((sum, { courses }) => sum + courses, 0);
  const isFirstLook =
    asked.page === 1 && asked.category === null && asked.level === null && !asked.includeHidden;
  if (withAll === 0 && isFirstLook && concepts.length > 0) noteMissedSearch(asked.search, found);
  return {
    shown,
    counts,
    reading: {
      corrected: found > 0 ? corrected : null,
      withAll: withAll < found ? withAll : null,
      marks,
    },
  };
}

/** Answered by the order's index alone. */
export function pageOfCourses(asked: Omit<Asked, 'search'>) {
  const sql = sqlClient();
  return sql<{ id: number }[]>`
    select id from courses where ${asked.includeHidden ? sql`draft_of is null` : sql`is_active`} ${narrowedTo(asked)}
    order by ${orderBy(asked.sort)}
    limit ${asked.pageSize}::int offset ${(asked.page - 1) * asked.pageSize}::bigint`;
}

function courseCounts(includeHidden = false) {
  const sql = sqlClient();
  const columns = sql`category_id as "categoryId", level`;
  return includeHidden
    ? sql<
        CourseCount[]
      >`select ${columns}, count(*)::int as courses from courses where draft_of is null group by 1, 2`
    : sql<CourseCount[]>`select ${columns}, courses from course_counts where courses > 0`;
}
