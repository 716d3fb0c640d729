import { sqlClient } from '#db/client.ts';
import { findCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { isPlayedInSteps } from '#src/features/catalogue/catalogue.ts';
import { doneLessons } from '#src/features/learn/progress/enrollments.server.ts';
import { findWorkbench, type Workbench } from '../practice.server.ts';
import type { SteppedCourse } from './steps.ts';

interface ShownSteps {
  course: SteppedCourse;
  enrolled: boolean;
  at: number | null;
  bench: Workbench | null;
  next: { id: number; title: string } | null;
}

/** A course in small steps (decision 122). */
export async function findSteps(
  viewer: Viewer,
  courseId: number,
  asked: number | 'end' | null,
): Promise<ShownSteps | null> {
  const view = await findCourse(courseId, viewer);
  if (!view || !isPlayedInSteps(view.course, view.lessons)) return null;
  const { enrolled } = view;
  const done = viewer && enrolled ? await doneLessons(viewer.id, courseId) : new Set<number>();
  const steps = view.lessons.map(({ id, title, section }) => ({ id, title, section, done: done.has(id) }));
  const course: SteppedCourse = { id: courseId, title: view.course.title, steps };
  const open = steps.findIndex(({ done: isDone }) => !isDone);
  const at = typeof asked === 'number' ? Math.min(asked, steps.length) - 1 : asked === 'end' ? -1 : open;
  if (at < 0) return { course, enrolled, at: null, bench: null, next: await courseAfter(courseId) };
  const bench = await findWorkbench(viewer, steps[at]!.id);
  // Changed a moment ago.
  if (!bench || 'elsewhere' in bench) return null;
  return { course, enrolled, at, bench, next: null };
}

async function courseAfter(courseId: number): Promise<ShownSteps['next']> {
  const [next] = await sqlClient()<{ id: number; title: string }[]>`
    select c.id, c.title from courses c join lessons l on l.course_id = c.id
    where c.is_active and c.id <> ${courseId} and l.coding_language in (
      select coding_language from lessons where course_id = ${courseId})
    group by c.id order by count(*) desc, c.id limit 1`;
  return next ?? null;
}
