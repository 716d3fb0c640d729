import type { Fragment } from 'postgres';
import { sqlClient } from '#db/client.ts';
import type { CourseCount, Level, Sort } from '#src/features/catalogue/catalogue.ts';
import {
  type Asked,
  type Concept,
  type KnownWord,
  readQuestion,
  understand,
  type Way,
  wordsToLookUp,
} from './search-question.ts';
import { searchWordsOfFile } from './search-words.server.ts';
import { type SearchWords, withAdditions } from './search-words.ts';

interface Narrowing {
  search: string;
  category: number | null;
  level: Level | null;
  sort: Sort;
  page: number;
  pageSize: number;
  includeHidden: boolean;
}

interface Matches<T> {
  /** The asked columns; null where nothing matches. */
  shown: T | null;
  counts: CourseCount[];
  /** Below the total where the closest are listed too. */
  withAll: number;
}

/** With fewer full matches the closest follow. */
const FEW = 3;
const CLOSEST_MAX = 24;
const RANKED_MAX = 96;
/** Bounds the work for partial matches. */
const HITS_MAX = 2000;
/** Subjects weigh more, levels and kinds of lesson less. */
const MASS = { subject: 2, word: 1, aside: 0.35 } as const;
const UNKNOWN_SHARE = 0.6;
/** For the exact word, not only its meaning. */
const EXACT_BONUS = 0.2;
/** The least share, by mass, to count as close. */
const CLOSE_SHARE = 0.4;
/** Words without a subject say less. */
const CLOSE_SHARE_WITHOUT_SUBJECT = 0.6;

let additions: { version: number; words: SearchWords } | undefined;

async function wordsAt(version: number): Promise<SearchWords> {
  if (additions?.version !== version) {
    const rows = await sqlClient()<
      { typed: string; means: string }[]
    >`select typed, means from search_synonyms`;
    additions = { version, words: withAdditions(searchWordsOfFile(), rows) };
  }
  return additions.words;
}

export async function readSearch(search: string): Promise<Asked> {
  let words = additions?.words ?? searchWordsOfFile();
  for (;;) {
    const question = readQuestion(search, words);
    const { version, known } = await lookUpWords(wordsToLookUp(question, words));
    const current = await wordsAt(version);
    if (current === words) return understand(question, words, known);
    words = current;
  }
}

type FoundWord = { word: string; stem: string; known?: boolean; forms?: string[] | null };

const FORMS_MAX = 24;

const LONGER_MAX = 8;

async function lookUpWords({ typed, others }: { typed: string[]; others: string[] }) {
  const [row] = await sqlClient()<
    {
      version: number;
      found: FoundWord[] | null;
      near: (FoundWord & { typed: string })[] | null;
      longer: (FoundWord & { typed: string })[] | null;
    }[]
  >`
    with asked as materialized (
      select word, is_typed, coalesce((ts_lexize('english_stem', word))[1], '') as stem
      from (
        select word, true as is_typed from unnest(${typed}::text[]) as one(word)
        union all select word, false from unnest(${others}::text[]) as one(word)
      ) as one
    ), found as materialized (
      select *, length(stem) = 1
        or exists (select from search_words s where s.stem = asked.stem collate "C" and s.stem <> '') as known from asked
    ), near as materialized (
      select * from near_search_words((select array_agg(word) from found where is_typed and not known and stem <> ''))
    )
    select (select version::float8 from catalogue_version) as version,
      (select json_agg(json_build_object('word', word, 'stem', stem, 'known', known, 'forms', case when is_typed and known then (
          select json_agg(form) from (
            select word as form from search_words s where s.stem = found.stem collate "C"
            order by word <> found.word, word limit ${FORMS_MAX}::int
          ) as one) end)) from found) as found,
      (select json_agg(json_build_object('typed', near.word, 'word', s.word, 'stem', s.stem))
        from near join search_words s on s.word = near.near collate "C") as near,
      (select json_agg(json_build_object('typed', found.word, 'word', longer.word, 'stem', longer.stem))
        from found cross join lateral (
          select word, stem from search_words s where s.word ^@ found.word order by length(s.word), s.word limit ${LONGER_MAX}::int
        ) as longer
        where is_typed and not known and length(found.word) > 2) as longer`;
  const { version, found, near, longer } = row!;
  const known = new Map<string, KnownWord>();
  const learn = ({ word, stem, known: isKnown = true, forms }: FoundWord) =>
    known.get(word) ??
    known.set(word, { stem, known: isKnown, forms: forms ?? [], near: [], longer: [] }).get(word)!;
  for (const one of found ?? []) learn(one);
  for (const one of near ?? []) {
    learn(one);
    known.get(one.typed)!.near.push(one.word);
  }
  for (const one of longer ?? []) {
    learn(one);
    known.get(one.typed)!.longer.push(one.word);
  }
  return { version, known };
}

/** A title, B category and facts, C lessons' titles, '' anywhere. */
type Place = '' | 'A' | 'B' | 'C';

// Stems hold only letters and digits: no operator can get in.
export const lexeme = (stem: string, place: Place, mark = '') =>
  `'${mark}${stem.replaceAll("'", '').replaceAll('\\', '')}'${place && `:${place}`}`;
// A marked stem is of a title and has no place. One letter counts in titles alone: "R for Statistics".
const queryOf = ({ stems, isPhrase }: Way, place: Place, mark = '') =>
  stems
    .map((stem) => (stem.length === 1 ? lexeme(stem, '', '^') : lexeme(stem, place, mark)))
    .join(isPhrase && !mark ? ' <-> ' : ' & ');
export const anyWay = ({ ways }: Concept, mark = '') =>
  `(${ways.map((way) => queryOf(way, '', mark)).join(' | ')})`;
const allOf = (concepts: readonly Concept[], mark = '') =>
  concepts.map((concept) => anyWay(concept, mark)).join(' & ');

/** Null where everything matches, false where nothing can. */
function answering(concepts: readonly Concept[]): string | null | false {
  const ways = concepts.map((one) => one.ways.filter(({ answers }) => answers !== 'nowhere'));
  if (ways.some((some) => some.length === 0)) return false;
  if (concepts.every((one) => one.ways.every(({ answers }) => answers === 'anywhere'))) return null;
  return ways
    .map((some) => some.map((way) => queryOf(way, '', way.answers === 'anywhere' ? '' : '^')).join(' | '))
    .map((one) => `(${one})`)
    .join(' & ');
}

/** The id breaks ties, so that pages never overlap. */
export const orderBy = (sort: Sort): Fragment => {
  const sql = sqlClient();
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

export function narrowedTo({ category, level }: Pick<Narrowing, 'category' | 'level'>): Fragment {
  const sql = sqlClient();
  return sql`
    ${category === null ? sql`` : sql`and category_id = ${category}::int`}
    ${level === null ? sql`` : sql`and level = ${level}`}`;
}

const listed = (includeHidden: boolean): Fragment =>
  includeHidden ? sqlClient()`draft_of is null` : sqlClient()`is_active`;

/** Everything but levels and kinds of lessons, unless only these are asked for. */
function telling(concepts: readonly Concept[]): { decisive: Concept[]; aside: Concept[] } {
  const decisive = concepts.filter(({ isAside }) => !isAside);
  return decisive.length > 0
    ? { decisive, aside: concepts.filter(({ isAside }) => isAside) }
    : { decisive: [...concepts], aside: [] };
}

/**
 * Courses with all, then the closest; best first by rarity and place.
 * @param show SQL: columns made of the rows of `page`
 */
export async function findMatches<T extends object>(
  concepts: readonly Concept[],
  narrowing: Narrowing,
  show: Fragment,
): Promise<Matches<T>> {
  const { decisive, aside } = telling(concepts);
  const found = decisive.filter(({ ways }) => ways.length > 0);
  const none: Matches<T> = { shown: null, counts: [], withAll: 0 };
  if (found.length === 0) return none;
  const hasAll = found.length === decisive.length;
  const all = hasAll ? await matchesOfAll<T>(found, aside, narrowing, show) : none;
  if (decisive.length === 1 || totalOf(all.counts) >= FEW) return all;
  const closest = await closestMatches<T>(decisive, aside, narrowing, show);
  return closest.counts.length > 0 ? { ...closest, withAll: all.withAll } : all;
}

const totalOf = (counts: readonly CourseCount[]) => counts.reduce((sum, { courses }) => sum + courses, 0);

const massOf = ({ isAside, isSubject }: Concept): number =>
  isAside ? MASS.aside : isSubject ? MASS.subject : MASS.word;

/** Rows of weight and query per place. */
function waysAsRows(concepts: readonly Concept[]): Fragment {
  const rows = concepts.flatMap((concept, index) =>
    concept.ways.map((way) => ({
      index,
      mass: massOf(concept) * way.weight,
      exact: way.weight === 1 ? massOf(concept) * EXACT_BONUS : 0,
      way,
    })),
  );
  const texts = (place: Place) => rows.map(({ way }) => queryOf(way, place));
  return sqlClient()`
    select concept, mass, exact, title::tsquery as title, about::tsquery as about, lesson::tsquery as lesson, anywhere::tsquery as anywhere
    from unnest(${rows.map(({ index }) => index)}::int[], ${rows.map(({ mass }) => mass)}::float8[],
      ${rows.map(({ exact }) => exact)}::float8[], ${texts('A')}::text[],
      ${texts('B')}::text[], ${texts('C')}::text[], ${texts('')}::text[]) as way(concept, mass, exact, title, about, lesson, anywhere)`;
}

/** The best place of each concept, by its mass. */
const scoreOf = (): Fragment => sqlClient()`(
  select sum(best) from (
    select max(way.mass * case
      when search_text @@ way.title then 1.0 when search_text @@ way.about then 0.7
      when search_text @@ way.lesson then 0.5 when search_text @@ way.anywhere then 0.3 else 0 end)
      + max(case when way.exact > 0 and search_text @@ way.anywhere then way.exact else 0 end) as best
    from way group by way.concept
  ) as concept)`;

/** An exact title wins. Runs for every match, so it ignores no accents. */
const isTitle = (search: string): Fragment => sqlClient()`(lower(title) = ${search.toLowerCase()}::text)`;

/** Exported for the test of its plan. */
export function coursesWithAll<T extends object>(
  decisive: readonly Concept[],
  aside: readonly Concept[],
  asked: Narrowing,
  show: Fragment,
) {
  const sql = sqlClient();
  const all = allOf(decisive);
  const byFit = asked.sort === 'popular';
  const fittingAside = aside.filter(({ ways }) => ways.length > 0);
  // The rows are read anyway; the index would read them again.
  const tier = sql`(search_text @@ ${allOf(decisive, '^')}::tsquery)::int * 2
    ${fittingAside.length === 0 ? sql`` : sql`+ (search_text @@ ${allOf(fittingAside)}::tsquery)::int`}`;
  const order = sql`titled desc, tier desc, students_count desc, id desc`;
  const offset = (asked.page - 1) * asked.pageSize;
  const page = byFit
    ? sql`
      way as materialized (${waysAsRows([...decisive, ...fittingAside])}),
      ranked as materialized (
        select best.id, ${scoreOf()} as score
        from (select id from matching where true ${narrowedTo(asked)} order by ${order} limit ${RANKED_MAX}::int) as best join courses using (id)
      ),
      page as (
        select id from matching left join ranked using (id) where true ${narrowedTo(asked)}
        order by titled desc, score desc nulls last, ${order} limit ${asked.pageSize}::int offset ${offset}::bigint
      )`
    : sql`
      page as (
        select id from matching where true ${narrowedTo(asked)}
        order by ${orderBy(asked.sort)} limit ${asked.pageSize}::int offset ${offset}::bigint
      )`;
  const answer = answering(decisive);
  return sql<(T & { counts: CourseCount[] | null; answers: number | null })[]>`
    with matching as materialized (
      select id, category_id, level, students_count, rating, review_count, price_cents${byFit ? sql`, ${tier} as tier, ${isTitle(asked.search)} as titled` : sql``}
      from courses where ${listed(asked.includeHidden)} and search_text @@ ${all}::tsquery
    ), ${page}
    select (
      select json_agg(one) from (
        select category_id as "categoryId", level, count(*)::int as courses from matching group by 1, 2
      ) as one) as counts,
      ${answer ? sql`(select count(*)::int from matching join courses using (id) where search_text @@ ${answer}::tsquery)` : sql`${answer === null ? null : 0}::int`} as answers,
      ${show}`;
}

async function matchesOfAll<T extends object>(
  decisive: Concept[],
  aside: Concept[],
  asked: Narrowing,
  show: Fragment,
): Promise<Matches<T>> {
  const [row] = await coursesWithAll<T>(decisive, aside, asked, show);
  const counts = row?.counts ?? [];
  return { shown: row ?? null, counts, withAll: row?.answers ?? totalOf(counts) };
}

/** Rare words count more; an unknown word counts as much as the rest. */
async function closestMatches<T extends object>(
  decisive: Concept[],
  aside: Concept[],
  asked: Narrowing,
  show: Fragment,
): Promise<Matches<T>> {
  const sql = sqlClient();
  const known = decisive.filter(({ ways }) => ways.length > 0);
  const unknownMass = decisive
    .filter(({ ways }) => ways.length === 0)
    .reduce((sum, concept) => sum + massOf(concept) * UNKNOWN_SHARE, 0);
  const order =
    asked.sort === 'popular' ? sql`titled desc, score desc, ${orderBy('popular')}` : orderBy(asked.sort);
  const [row] = await sql<(T & { counts: CourseCount[] | null })[]>`
    with concepts as materialized (
      select concept - 1 as concept, query::tsquery as query, weight
      from unnest(${known.map((concept) => anyWay(concept))}::text[], ${known.map(massOf)}::float8[])
        with ordinality as one(query, weight, concept)
    ), hits as materialized (
      select concept, weight, id from concepts cross join lateral (
        select id from courses where ${listed(asked.includeHidden)} and search_text @@ query limit ${HITS_MAX}::int
      ) as hit
    ), masses as materialized (
      select concept, ln(1 + greatest((select sum(courses) from course_counts), 1) / count(*)::float8) as mass from hits group by concept
    ), close as materialized (
      select id from hits join masses using (concept)
      group by id
      having (count(*) > 1 or max(weight) >= ${MASS.subject}::float8) and sum(mass * weight) >= (
          (select sum(masses.mass * concepts.weight) from masses join concepts using (concept))
          + (select avg(mass) from masses) * ${unknownMass}::float8
        ) * case when max(weight) >= ${MASS.subject}::float8 then ${CLOSE_SHARE}::float8 else ${CLOSE_SHARE_WITHOUT_SUBJECT}::float8 end
      order by sum(mass * weight) desc, id desc limit ${RANKED_MAX * 2}::int
    ), way as materialized (
      select rows.concept, rows.mass * coalesce(masses.mass, (select avg(mass) from masses)) as mass,
        rows.exact * coalesce(masses.mass, (select avg(mass) from masses)) as exact, title, about, lesson, anywhere
      from (${waysAsRows([...known, ...aside.filter(({ ways }) => ways.length > 0)])}) as rows
      left join masses using (concept)
    ), scored as materialized (
      select id, category_id, level, students_count, rating, review_count, price_cents, ${scoreOf()} as score,
        ${isTitle(asked.search)} as titled
      from close join courses using (id)
      order by titled desc, score desc, students_count desc, id desc limit ${CLOSEST_MAX}::int
    ), page as (
      select id from scored where true ${narrowedTo(asked)}
      order by ${order} limit ${asked.pageSize}::int offset ${(asked.page - 1) * asked.pageSize}::bigint
    )
    select (
      select json_agg(one) from (
        select category_id as "categoryId", level, count(*)::int as courses from scored group by 1, 2
      ) as one) as counts,
      ${show}`;
  return { shown: row ?? null, counts: row?.counts ?? [], withAll: 0 };
}
