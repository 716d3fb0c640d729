import { LRUCache } from 'lru-cache';
import { sqlClient } from '#db/client.ts';
import type { CourseCard } from '#src/features/catalogue/catalogue.ts';
import { courseCards } from '#src/features/catalogue/search/search.server.ts';

/** Cards beside a course. */
const RELATED_COURSES = 3;
/** Candidates that are kept: some may be hidden, or owned by who looks, when their turn comes. */
const CANDIDATES = 12;
/** The last learners of a course whose other courses count. */
const LEARNERS_ASKED = 300;

// Which courses go together changes slowly; what their cards say is read each time.
const remembered = new LRUCache<number, Promise<number[]>>({ max: 1000, ttl: 60_000 });

/**
 * The courses that learners of this one also have, most of them first, filled up with the most popular ones of its
 * category. Never the course itself, a hidden one, or one that the viewer has.
 */
export async function relatedCourses(
  course: { id: number; categoryId: number },
  viewerId: number | null,
): Promise<CourseCard[]> {
  let known = remembered.get(course.id);
  if (!known) {
    known = candidates(course.id, course.categoryId);
    remembered.set(course.id, known);
    known.catch(() => remembered.delete(course.id));
  }
  return fewRelated(await courseCards(await known), viewerId);
}

/** Ids of the candidates for `fewRelated` where they are known, so that their cards can be read with something else. */
export async function knownRelated(courseId: number): Promise<number[] | null> {
  return (await remembered.get(courseId)) ?? null;
}

/** The first few of the candidates that the viewer does not have. */
export async function fewRelated(
  cards: readonly CourseCard[],
  viewerId: number | null,
): Promise<CourseCard[]> {
  const owned = await ownedAmong(
    cards.map(({ id }) => id),
    viewerId,
  );
  return cards.filter(({ id }) => !owned.has(id)).slice(0, RELATED_COURSES);
}

async function candidates(courseId: number, categoryId: number): Promise<number[]> {
  const rows = await sqlClient()<{ id: number }[]>`
    with learners as (
      select user_id from enrollments where course_id = ${courseId}::int order by enrolled_at desc limit ${LEARNERS_ASKED}::int
    ), together as (
      select c.id, count(*) as learners, c.students_count
      from learners join enrollments e using (user_id) join courses c on c.id = e.course_id
      where c.id <> ${courseId}::int and c.listed
      group by c.id order by learners desc, c.students_count desc, c.id desc limit ${CANDIDATES}::int
    ), alike as (
      select id, students_count from courses
      where listed and category_id = ${categoryId}::int and id <> ${courseId}::int
      order by students_count desc, id desc limit ${CANDIDATES}::int
    )
    select id from (
      select id, learners, students_count from together
      union all select id, 0, students_count from alike where id not in (select id from together)
    ) as candidate
    order by learners desc, students_count desc, id desc limit ${CANDIDATES}::int`;
  return rows.map(({ id }) => id);
}

async function ownedAmong(ids: number[], viewerId: number | null): Promise<Set<number>> {
  if (viewerId === null || ids.length === 0) return new Set();
  const rows = await sqlClient()<{ id: number }[]>`
    select course_id as id from enrollments
    where user_id = ${viewerId}::int and course_id = any (${ids}::int[]) and status = 'active'`;
  return new Set(rows.map(({ id }) => id));
}
