import { sqlClient } from '#db/client.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { isPlayedInSteps } from './catalogue.ts';

/** JavaScript first; null for none. @param leadsTo a course in the same languages */
export async function firstSteppedCourse(
  leadsTo?: number,
): Promise<{ id: number; title: string; steps: number } | null> {
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
  const free = await sql<
    {
      id: number;
      title: string;
      steps: number;
      isActive: boolean;
      priceCents: number;
      kinds: { type: LessonType; isPreview: boolean }[];
    }[]
  >`
    select c.id, c.title, c.is_active as "isActive", 0 as "priceCents", count(*)::int as steps,
      jsonb_agg(distinct jsonb_build_object('type', l.type, 'isPreview', l.is_preview)) as kinds
    from courses c join lessons l on l.course_id = c.id
    where c.is_active and c.price_cents = 0 ${isAny}
    group by c.id ${isSame}
    order by bool_or(l.coding_language = 'javascript') desc nulls last, c.id`;
  const first = free.find((course) => isPlayedInSteps(course, course.kinds));
  return first ? { id: first.id, title: first.title, steps: first.steps } : null;
}
