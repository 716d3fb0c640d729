import { courseTitles } from '#src/features/authoring/courses/courses.server.ts';
import { findCourseContent } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { findChanges } from './changes.server.ts';
import { isStaffOf, type Person } from '#src/features/account/staff.ts';

/** What the page of a course's content shows: its lessons, what of them waits, and the viewer's other courses; null without it. */
export async function findContentPage(id: number, viewer: Person | null) {
  const [course, changes, titles] = await Promise.all([
    findCourseContent(id),
    findChanges(id),
    courseTitles(),
  ]);
  return course && changes
    ? {
        course,
        changes,
        others: titles.filter((one) => one.id !== id && isStaffOf(viewer, one.id, 'author')),
      }
    : null;
}
