import { sqlClient } from '#db/client.ts';
import { cleanSearch } from '#src/shared/list-query.ts';
import { type Suggestions, toldApart } from '#src/features/catalogue/catalogue.ts';
import { anyWay, findMatches, lexeme, readSearch } from './search-match.server.ts';
import { searchForm } from './search-words.ts';

const SUGGESTED_COURSES = 6;
/** Most typed texts match among these. */
const POPULAR_ENOUGH = 1500;

/** Popular courses whose titles have all words, the last as a prefix, and categories; otherwise search results. */
export async function suggest(typed: string): Promise<Suggestions> {
  const search = cleanSearch(typed);
  if (search === '') return { courses: [], categories: [] };
  const { concepts } = await readSearch(search);
  const tokens = searchForm(search).split(' ').filter(Boolean);
  const last = tokens.at(-1);
  if (!last) return { courses: [], categories: [] };
  const before = concepts.filter(({ to }) => to < tokens.length);
  const ending = concepts.filter(({ to }) => to === tokens.length);
  // The typed part may be empty, as in "react for".
  const isTelling = ending.length > 0 || before.length === 0;
  const queryIn = (place: 'A' | '', mark: string) =>
    [
      ...before.map((concept) =>
        concept.ways.length > 0 ? anyWay(concept, mark) : lexeme(concept.typed, place),
      ),
      ...(isTelling
        ? [
            [
              begun(last, place),
              ...ending.filter(({ ways }) => ways.length > 0).map((one) => anyWay(one, mark)),
            ].join(' | '),
          ]
        : []),
    ]
      .map((part) => `(${part})`)
      .join(' & ');
  const [courses, categories] = await Promise.all([
    suggestedCourses(queryIn('A', '^')),
    suggestedCategories(queryIn('', '')),
  ]);
  if (courses.length > 0 || categories.length > 0)
    return { courses: toldApart(courses), categories: [...categories] };
  const { shown } = await findMatches<{ found: Suggestions['courses'] | null }>(
    concepts,
    {
      search,
      category: null,
      level: null,
      sort: 'popular',
      page: 1,
      pageSize: SUGGESTED_COURSES,
      includeHidden: false,
    },
    sqlClient()`(
      select json_agg(json_build_object('id', c.id, 'title', c.title) order by place)
      from (select id, row_number() over () as place from page) one join courses c using (id)) as found`,
  );
  return { courses: toldApart(shown?.found ?? []), categories: [] };
}

const begun = (word: string, place: 'A' | '') => `${lexeme(word, '')}:*${place}`;

/** Exported for the test of its plan. */
export function suggestedCourses(query: string) {
  // Frequent words are found among the popular, rare ones by the index: both read few rows.
  return sqlClient()<Suggestions['courses']>`
    with popular as materialized (
      select id, title from (
        select id, title, search_text, students_count from courses where is_active
        order by students_count desc, id desc limit ${POPULAR_ENOUGH}::int
      ) as first
      where search_text @@ ${query}::tsquery
      order by students_count desc, id desc limit ${SUGGESTED_COURSES}::int
    ), rare as materialized (
      select id, title, students_count from courses
      where (select count(*) from popular) < ${SUGGESTED_COURSES}::int
        and is_active and search_text @@ ${query}::tsquery
    )
    select id, title from popular where (select count(*) from popular) >= ${SUGGESTED_COURSES}::int
    union all (select id, title from rare order by students_count desc, id desc limit ${SUGGESTED_COURSES}::int)`;
}

function suggestedCategories(query: string) {
  return sqlClient()<Suggestions['categories']>`
    select g.id, g.name, coalesce((select sum(courses) from course_counts where category_id = g.id), 0)::int as courses
    from categories g
    where to_tsvector('simple', search_form(g.name)) || to_tsvector('english', search_form(g.name)) @@ ${query}::tsquery
    order by g.id`;
}
