import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { listCategories } from '#src/features/catalogue/catalogue.server.ts';
import { typedForm, valuesOf } from '#src/features/authoring/courses/course-fields.ts';
import { courseTitles } from '#src/features/authoring/courses/courses.server.ts';
import { findCourseContent } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { findChanges } from './changes.server.ts';
import { openFindings } from '#src/features/authoring/publishing/publish-check.ts';
import { findPublishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { isStaffOf, type Person } from '#src/features/account/staff.ts';

/** The page of a course's content for a viewer; null without such a course. */
export async function findContentPage(id: number, viewer: Person | null) {
  const [course, changes, titles, report, [row], categories] = await Promise.all([
    findCourseContent(id),
    findChanges(id),
    courseTitles(),
    findPublishReport(id),
    db().select().from(courses).where(eq(courses.id, id)),
    listCategories(),
  ]);
  return course && changes
    ? {
        course,
        changes,
        edited: { ...course, fields: typedForm(valuesOf(row!)) },
        categories,
        found: (report?.lessons ?? []).flatMap((lesson) => {
          const errors = openFindings(lesson.findings, 'error').length;
          const hints = openFindings(lesson.findings, 'warning').length;
          return errors + hints > 0 ? [[lesson.id, errors, hints] as const] : [];
        }),
        others: titles.filter((one) => one.id !== id && isStaffOf(viewer, one.id, 'author')),
      }
    : null;
}
