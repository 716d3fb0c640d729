import type { Fragment } from 'postgres';
import { sqlClient } from '#db/client.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { isPlayedInSteps } from './catalogue.ts';

type FreeCourse = {
  id: number;
  title: string;
  steps: number;
  isActive: boolean;
  priceCents: number;
  kinds: { type: LessonType; isPreview: boolean }[];
};

/** SQL: a JSON list that `firstStepped` reads; JavaScript first. @param leadsTo a course in the same languages */
export function freeCourses(leadsTo?: number): Fragment {
  const sql = sqlClient();
  const languages = sql`array_agg(distinct l.coding_language) filter (where l.coding_language is not null)`;
  // One cheap look; without it each page would read the lessons of all free courses.
  const [isAny, isSame] =
    leadsTo === undefined
      ? [sql``, sql``]
      : [
          sql`and exists (select from lessons where course_id = ${leadsTo} and coding_language is not null)`,
          sql`having c.id <> ${leadsTo} and ${languages} = (select ${languages} from lessons l where l.course_id = ${leadsTo})`,
        ];
  return sql`(select coalesce(json_agg(one), '[]') from (
    select c.id, c.title, c.is_active as "isActive", 0 as "priceCents", count(*)::int as steps,
      jsonb_agg(distinct jsonb_build_object('type', l.type, 'isPreview', l.is_preview)) as kinds
    from courses c join lessons l on l.course_id = c.id
    where c.is_active and c.price_cents = 0 ${isAny}
    group by c.id ${isSame}
    order by bool_or(l.coding_language = 'javascript') desc nulls last, c.id) one)`;
}

export function firstStepped(
  free: readonly FreeCourse[],
): { id: number; title: string; steps: number } | null {
  const first = free.find((course) => isPlayedInSteps(course, course.kinds));
  return first ? { id: first.id, title: first.title, steps: first.steps } : null;
}

export async function firstSteppedCourse(): Promise<ReturnType<typeof firstStepped>> {
  const [row] = await sqlClient()<{ free: FreeCourse[] }[]>`select ${freeCourses()} as free`;
  return firstStepped(row!.free);
}
