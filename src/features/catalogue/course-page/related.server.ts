import { ACCESS_STATUS } from '#src/features/catalogue/access.server.ts';
import type { Fragment } from 'postgres';
import { sqlClient } from '#db/client.ts';
import type { CourseCard } from '#src/features/catalogue/catalogue.ts';
import { cardsAsJson } from '#src/features/catalogue/search/search.server.ts';

const RELATED_COURSES = 3;
const LEARNERS_ASKED = 300;

/**
 * Co-owned courses first, then popular ones of the category; SQL rows of `id` and `place`.
 * @param viewerId 0 for visitors
 */
export function relatedCourses(courseId: number, viewerId: number): Fragment {
  const sql = sqlClient();
  const mayBeShown = sql`c.is_active and c.id <> ${courseId}::int and not exists (
    select from enrollments where user_id = ${viewerId}::int and course_id = c.id and status = ${ACCESS_STATUS})`;
  return sql`(
    with learners as (
      select user_id from enrollments where course_id = ${courseId}::int order by enrolled_at desc limit ${LEARNERS_ASKED}::int
    ), together as (
      select c.id, count(*) as learners, c.students_count
      from learners join enrollments e using (user_id) join courses c on c.id = e.course_id
      where ${mayBeShown}
      group by c.id order by learners desc, c.students_count desc, c.id desc limit ${RELATED_COURSES}::int
    ), alike as (
      select c.id, c.students_count from courses c
      where ${mayBeShown} and c.category_id = (select category_id from courses where id = ${courseId}::int)
      order by c.students_count desc, c.id desc limit ${2 * RELATED_COURSES}::int
    )
    select id, row_number() over (order by learners desc, students_count desc, id desc) as place from (
      select id, learners, students_count from together
      union all select id, 0, students_count from alike where id not in (select id from together)
    ) as candidate
    order by place limit ${RELATED_COURSES}::int)`;
}

export async function relatedCards(courseId: number, viewerId: number): Promise<CourseCard[]> {
  const [row] = await sqlClient()<{ cards: CourseCard[] }[]>`
    select ${cardsAsJson(relatedCourses(courseId, viewerId))} as cards`;
  return row!.cards;
}
