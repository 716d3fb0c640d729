import { type SQLWrapper, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { jsonFields } from '#db/json.ts';
import { type Cue, courses, lessons, lessonTexts } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import { readSearch } from '#src/features/catalogue/search/search-match.server.ts';
import { searchForm } from '#src/features/catalogue/search/search-words.ts';
import { clockText } from '#src/features/lessons/types/video/watching.ts';
import { courseViewHref } from '#src/features/learn/progress/lesson-place.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { plainParagraphs } from '#src/server/markdown.ts';
import { cleanSearch } from '#src/shared/list-query.ts';
import { bestCue, bestPlace, countWords, passageOf } from './passages.server.ts';

export const SHOWN_MAX = 20;
/** All matches, unless a word is nearly everywhere. */
const RANKED_MAX = 150;
const TITLES_MAX = 50;
const WORDS_MAX = 12;
/** Above it, only whole words match, not their beginnings. */
const NAMED_COURSES_MAX = 200;
/** Characters around a match that are read as Markdown. */
const MARKDOWN_AROUND = 600;

export interface FoundPlace {
  lessonId: number;
  lessonTitle: string;
  lessonType: LessonType;
  kind: 'text' | 'questions' | 'captions' | 'notes';
  /** Of a video, as "1:15". */
  clock: string | null;
  passage: string;
  href: string;
}

export interface FoundInOwned {
  courses: { id: number; title: string; places: FoundPlace[] }[];
  count: number;
  isMore: boolean;
  /** The corrected search, where it was used. */
  corrected: string | null;
  stems: string[];
}

interface Row {
  kind: FoundPlace['kind'];
  lessonId: number;
  title: string;
  type: LessonType;
  courseId: number;
  courseTitle: string;
  text: string | null;
  questions: string[] | null;
  cues: Cue[] | null;
}

/**
 * Lessons, captions, quiz questions and notes of accessible courses that have all words; closed lessons count for nothing. The
 * store's words correct typos, so that closed text lends none.
 */
export async function searchOwned(userId: number, search: string): Promise<FoundInOwned> {
  const asked = cleanSearch(search);
  const found = await find(userId, asked);
  if (found.rows.length > 0) return { ...shown(found), corrected: null };
  // Slow, and rarely meant.
  const begun = await find(userId, asked, true);
  if (begun.rows.length > 0) return { ...shown(begun), corrected: null };
  const { corrected } = await readSearch(asked);
  const again = corrected === null ? found : await find(userId, corrected);
  return { ...shown(again), corrected: again.rows.length > 0 ? corrected : null };
}

/** @param asBeginnings matches beginnings of words too */
async function find(
  userId: number,
  search: string,
  asBeginnings = false,
): Promise<{ rows: Row[]; stems: string[] }> {
  const words = searchForm(search).split(' ').filter(Boolean).slice(0, WORDS_MAX);
  if (words.length === 0) return { rows: [], stems: [] };
  const texts = sql`${sql.param(words)}::text[]`;
  const ofOpenLessons = (lessonId: SQLWrapper) => sql`
    inner join ${lessons} on ${lessons.id} = ${lessonId}
    inner join ${enrollments} on ${givesAccess(userId, lessons.courseId)}
    where ${closedLesson} is null`;
  const isAsked = (of: SQLWrapper) => sql`${of} @@ (select query from looked)`;
  // Beginnings are compared after the join: the index would gather texts of all courses.
  const textsOf = (entry: string) => sql`(
    select ${lessonTexts.lessonId}, ${lessonTexts.kind}, ${lessonTexts.words} from ${lessonTexts}
    where ${lessonTexts.words} @@ (select ${sql.identifier(entry)} from looked) offset 0) as lesson_texts`;
  const all = (mark: '' | '^') =>
    sql`coalesce(string_agg(${`'${mark}`} || stem || '''', ' & '), '')::tsquery`;
  const [row] = await db().execute<{ rows: Row[] | null; stems: string[] | null }>(sql`
    with stems as materialized (
      select distinct (ts_lexize('english_stem', word))[1] as stem from unnest(${texts}) as one(word)
      where (ts_lexize('english_stem', word))[1] is not null
    ), owned as materialized (
      select (case when count(*) = 0 then '''@0'''
        when count(*) <= ${NAMED_COURSES_MAX} then string_agg('''@' || ${enrollments.courseId} || '''', ' | ') end)::tsquery as within
      from ${enrollments} where ${givesAccess(userId)}
    ), asked as materialized (
      select (select within from owned) as within, ${asBeginnings ? sql`course_query(${texts})` : all('')} as query, ${all('^')} as title
      from stems
    ), looked as materialized (
      select query,
        ${asBeginnings ? sql`coalesce(within, '')` : sql`case when numnode(query) = 0 then query else coalesce(within && query, query) end`} as entry,
        case when numnode(title) = 0 then title else coalesce(within && title, title) end as title_entry
      from asked
    ), hits as materialized (
      (select ${lessonTexts.lessonId}, ${lessonTexts.kind}, ${lessonTexts.words}, true as is_title
        from ${textsOf('title_entry')} ${ofOpenLessons(lessonTexts.lessonId)} and ${lessonTexts.kind} = 'text'
        limit ${TITLES_MAX})
      union all
      (select ${lessonTexts.lessonId}, ${lessonTexts.kind}, ${lessonTexts.words}, false as is_title
        from ${textsOf('entry')} ${ofOpenLessons(lessonTexts.lessonId)} ${asBeginnings ? sql`and ${isAsked(lessonTexts.words)}` : sql``}
        limit ${RANKED_MAX})
      union all
      (select ${lessonProgress.lessonId}, 'notes', ${lessonProgress.notesWords}, false as is_title
        from ${lessonProgress} ${ofOpenLessons(lessonProgress.lessonId)}
          and ${lessonProgress.userId} = ${userId} and ${lessonProgress.notes} <> '' and ${isAsked(lessonProgress.notesWords)}
        limit ${RANKED_MAX})
    ), best as materialized (
      select lesson_id, kind,
        max(ts_rank(words, (select query from looked)) + is_title::int + case when kind = 'notes' then 0.5 else 0 end) as score
      from hits group by lesson_id, kind
      order by score desc, lesson_id, kind limit ${SHOWN_MAX + 1}
    )
    select (select array_agg(stem) from stems) as stems, (
      select json_agg(one order by one.score desc, one."lessonId", one.kind) from (
        select ${jsonFields({
          score: sql`best.score`,
          kind: sql`best.kind`,
          lessonId: lessons.id,
          title: lessons.title,
          type: lessons.type,
          courseId: courses.id,
          courseTitle: courses.title,
          ...shownTexts(userId),
        })}
        from best
        inner join ${lessons} on ${lessons.id} = best.lesson_id
        inner join ${courses} on ${courses.id} = ${lessons.courseId}
      ) as one) as rows`);
  return { rows: row?.rows ?? [], stems: row?.stems ?? [] };
}

/** SQL: the text of a match by its kind. */
const shownTexts = (userId: number) => ({
  text: sql`case best.kind
    when 'text' then case when ${lessons.type} = 'scenario'
      then (select ${scenarios.description} from ${scenarios} where ${scenarios.lessonId} = ${lessons.id})
      else concat_ws(E'\\n\\n', ${lessons.instructions}, ${lessons.content}) end
    when 'notes' then (
      select ${lessonProgress.notes} from ${lessonProgress}
      where ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${userId}) end`,
  questions: sql`case when best.kind = 'questions' then (
    select json_agg(${quizQuestions.question} order by ${quizQuestions.order}, ${quizQuestions.id})
    from ${quizQuestions} where ${quizQuestions.lessonId} = ${lessons.id}) end`,
  cues: sql`case when best.kind = 'captions' then (
    select ${lessonTexts.cues} from ${lessonTexts}
    where ${lessonTexts.lessonId} = ${lessons.id} and ${lessonTexts.kind} = 'captions') end`,
});

/** By course, the best match first. */
function shown({ rows, stems }: { rows: Row[]; stems: string[] }): Omit<FoundInOwned, 'corrected'> {
  const found = new Map<number, FoundInOwned['courses'][number]>();
  const best = rows.slice(0, SHOWN_MAX);
  for (const row of best) {
    const course = found.get(row.courseId) ?? { id: row.courseId, title: row.courseTitle, places: [] };
    course.places.push(placeOf(row, stems));
    found.set(row.courseId, course);
  }
  return { courses: [...found.values()], count: best.length, isMore: rows.length > SHOWN_MAX, stems };
}

function placeOf(row: Row, stems: readonly string[]): FoundPlace {
  const { kind, lessonId, courseId } = row;
  const lesson = `/learn/${courseId}?lesson=${lessonId}`;
  const place = { lessonId, lessonTitle: row.title, lessonType: row.type, kind, clock: null };
  if (kind === 'captions') {
    const cue = bestCue(row.cues ?? [], stems) ?? row.cues?.[0];
    const seconds = Math.floor(cue?.start ?? 0);
    const href = seconds > 0 ? `${lesson}&t=${seconds}` : lesson;
    return { ...place, clock: clockText(seconds), passage: passageOf(cue?.text ?? '', stems), href };
  }
  if (kind === 'notes') {
    const href = `${courseViewHref(courseId, lessonId)}#notes-heading`;
    return { ...place, passage: passageOf(row.text ?? '', stems), href };
  }
  const text =
    kind === 'questions'
      ? (row.questions ?? []).toSorted((a, b) => countWords(b, stems) - countWords(a, stems))[0]
      : row.text;
  return { ...place, passage: passageOf(plainAround(text ?? '', stems), stems), href: lesson };
}

/** Only around the match: long texts take long to parse. */
function plainAround(source: string, stems: readonly string[]): string {
  const place = bestPlace(source, stems);
  const from = place <= MARKDOWN_AROUND ? 0 : source.indexOf(' ', place - MARKDOWN_AROUND);
  return plainParagraphs(source.slice(from, place + MARKDOWN_AROUND)).join(' ');
}
