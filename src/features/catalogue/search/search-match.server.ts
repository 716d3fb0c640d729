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

/** Which part of what a search finds is asked for, and in which order. */
export interface Narrowing {
  search: string;
  category: number | null;
  level: Level | null;
  sort: Sort;
  /** From 1. */
  page: number;
  pageSize: number;
  includeHidden: boolean;
}

/** One page of what a search finds. */
export interface Matches {
  ids: number[];
  counts: CourseCount[];
  /** How many of the courses answer all of it; fewer than there are where the closest are listed too. */
  withAll: number;
}

/** With fewer courses than this that have all of the words, the closest are listed too. */
const FEW = 3;
/** The closest that are listed at most: what comes after is not close. */
const CLOSEST_MAX = 24;
const RANKED_MAX = 96;
/** Courses with one word that are looked at where none has all. */
const HITS_MAX = 2000;
/**
 * How much a word counts: one that names a subject more than another, a level or a kind of lesson less. What no course
 * has at all weighs against the courses that have the rest, though less: people type many words.
 */
const MASS = { subject: 2, word: 1, aside: 0.35 } as const;
const UNKNOWN_SHARE = 0.6;
/** What is added where a course has the very word, and not only what it means. */
const EXACT_BONUS = 0.2;
/** The share of what was asked for, by mass, that a course must have to be close. */
const CLOSE_SHARE = 0.4;
/** The same where none of its words is a subject: such words say less, and one of them says nothing. */
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

/** Reads a search: its words, what they mean, and what they were probably meant to be. */
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
      select *, exists (select from search_words s where s.stem = asked.stem collate "C" and s.stem <> '') as known from asked
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

/** A part of a course: A its title, B category and facts, C lessons' titles, none for anywhere. */
type Place = '' | 'A' | 'B' | 'C';

// A stem holds letters and digits alone, so that nothing in it can be taken for an operator.
export const lexeme = (stem: string, place: Place, mark = '') =>
  `'${mark}${stem.replaceAll("'", '').replaceAll('\\', '')}'${place && `:${place}`}`;
// A marked stem is of a title, without its place there.
const queryOf = ({ stems, isPhrase }: Way, place: Place, mark = '') =>
  stems.map((stem) => lexeme(stem, place, mark)).join(isPhrase && !mark ? ' <-> ' : ' & ');
/** Finds what has a concept in any of its ways. */
export const anyWay = ({ ways }: Concept, mark = '') =>
  `(${ways.map((way) => queryOf(way, '', mark)).join(' | ')})`;
const allOf = (concepts: readonly Concept[], mark = '') =>
  concepts.map((concept) => anyWay(concept, mark)).join(' & ');

/** Finds what answers all of it; null where everything that has it does, false where nothing can. */
function answering(concepts: readonly Concept[]): string | null | false {
  const ways = concepts.map((one) => one.ways.filter(({ answers }) => answers !== 'nowhere'));
  if (ways.some((some) => some.length === 0)) return false;
  if (concepts.every((one) => one.ways.every(({ answers }) => answers === 'anywhere'))) return null;
  return ways
    .map((some) => some.map((way) => queryOf(way, '', way.answers === 'anywhere' ? '' : '^')).join(' | '))
    .map((one) => `(${one})`)
    .join(' & ');
}

/** The order that was asked for; the id breaks ties, so that a course never stands on two pages. */
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

/** Conditions for the category and level that were asked for. */
export function narrowedTo({ category, level }: Pick<Narrowing, 'category' | 'level'>): Fragment {
  const sql = sqlClient();
  return sql`
    ${category === null ? sql`` : sql`and category_id = ${category}::int`}
    ${level === null ? sql`` : sql`and level = ${level}`}`;
}

const listed = (includeHidden: boolean): Fragment =>
  includeHidden ? sqlClient()`draft_of is null` : sqlClient()`is_active`;

/** What decides: everything but levels and kinds of lessons, unless there is nothing else. */
function telling(concepts: readonly Concept[]): { decisive: Concept[]; aside: Concept[] } {
  const decisive = concepts.filter(({ isAside }) => !isAside);
  return decisive.length > 0
    ? { decisive, aside: concepts.filter(({ isAside }) => isAside) }
    : { decisive: [...concepts], aside: [] };
}

/**
 * One page of what a search finds: the courses that have all that was asked for, in any form and place; where they are
 * few, also those that have the best part of it. Best first, by how rare the words are and where they stand.
 */
export async function findMatches(concepts: readonly Concept[], narrowing: Narrowing): Promise<Matches> {
  const { decisive, aside } = telling(concepts);
  const found = decisive.filter(({ ways }) => ways.length > 0);
  const none: Matches = { ids: [], counts: [], withAll: 0 };
  if (found.length === 0) return none;
  const hasAll = found.length === decisive.length;
  const all = hasAll ? await matchesOfAll(found, aside, narrowing) : none;
  if (decisive.length === 1 || totalOf(all.counts) >= FEW) return all;
  const closest = await closestMatches(decisive, aside, narrowing);
  return closest.ids.length > 0 || closest.counts.length > 0 ? { ...closest, withAll: all.withAll } : all;
}

const totalOf = (counts: readonly CourseCount[]) => counts.reduce((sum, { courses }) => sum + courses, 0);

const massOf = ({ isAside, isSubject }: Concept): number =>
  isAside ? MASS.aside : isSubject ? MASS.subject : MASS.word;

/** Every way to find every concept, as rows: how much it counts, and the query for each place. */
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

/** How well a course has what was asked for: the best place of each concept, each by its mass. */
const scoreOf = (): Fragment => sqlClient()`(
  select sum(best) from (
    select max(way.mass * case
      when search_text @@ way.title then 1.0 when search_text @@ way.about then 0.7
      when search_text @@ way.lesson then 0.5 when search_text @@ way.anywhere then 0.3 else 0 end)
      + max(case when way.exact > 0 and search_text @@ way.anywhere then way.exact else 0 end) as best
    from way group by way.concept
  ) as concept)`;

/**
 * Whether a course is called what was typed: that one is meant, however well others fit. Asked of every match, so that it
 * may cost little: accents count.
 */
const isTitle = (search: string): Fragment => sqlClient()`(lower(title) = ${search.toLowerCase()}::text)`;

/** The courses that have all of these concepts; exported for the test of its plan. */
export function coursesWithAll(decisive: readonly Concept[], aside: readonly Concept[], asked: Narrowing) {
  const sql = sqlClient();
  const all = allOf(decisive);
  const byFit = asked.sort === 'popular';
  const fittingAside = aside.filter(({ ways }) => ways.length > 0);
  // Of rows that are read anyway: the index would have them read again.
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
  return sql<{ counts: CourseCount[] | null; ids: number[] | null; answers: number | null }[]>`
    with matching as materialized (
      select id, category_id, level, students_count, rating, review_count, price_cents${byFit ? sql`, ${tier} as tier, ${isTitle(asked.search)} as titled` : sql``}
      from courses where ${listed(asked.includeHidden)} and search_text @@ ${all}::tsquery
    ), ${page}
    select (
      select json_agg(one) from (
        select category_id as "categoryId", level, count(*)::int as courses from matching group by 1, 2
      ) as one) as counts,
      ${answer ? sql`(select count(*)::int from matching join courses using (id) where search_text @@ ${answer}::tsquery)` : sql`${answer === null ? null : 0}::int`} as answers,
      (select array_agg(id) from page) as ids`;
}

async function matchesOfAll(decisive: Concept[], aside: Concept[], asked: Narrowing): Promise<Matches> {
  const [row] = await coursesWithAll(decisive, aside, asked);
  const counts = row?.counts ?? [];
  return { ids: row?.ids ?? [], counts, withAll: row?.answers ?? totalOf(counts) };
}

/**
 * The courses that come closest: those with a good part of what was asked for, where a rare word counts more than a
 * frequent one, and a word that nobody teaches as much as the others do.
 */
async function closestMatches(decisive: Concept[], aside: Concept[], asked: Narrowing): Promise<Matches> {
  const sql = sqlClient();
  const known = decisive.filter(({ ways }) => ways.length > 0);
  const unknownMass = decisive
    .filter(({ ways }) => ways.length === 0)
    .reduce((sum, concept) => sum + massOf(concept) * UNKNOWN_SHARE, 0);
  const order =
    asked.sort === 'popular' ? sql`titled desc, score desc, ${orderBy('popular')}` : orderBy(asked.sort);
  const [row] = await sql<{ counts: CourseCount[] | null; ids: number[] | null }[]>`
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
      (select array_agg(id) from page) as ids`;
  return { ids: row?.ids ?? [], counts: row?.counts ?? [], withAll: 0 };
}
