import { and, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, publishChecks, publishRuns } from '#db/schema/catalogue.ts';
import { learnedId } from '#src/features/lessons/working-copy.server.ts';
import { canDraw } from '#src/features/learn/certificates/certificate-pdf.server.ts';
import { type Place, provePlaces, textPlaces } from './check-lessons.server.ts';
import { finding } from './lesson-check.server.ts';

/** Checks a course's own fields after its lessons; findings never block a lesson. */
export async function checkCourseFields(runId: number): Promise<void> {
  const [course] = await db()
    .select({
      id: courses.id,
      title: courses.title,
      thumbnail: courses.thumbnail,
      description: courses.description,
    })
    .from(publishRuns)
    .innerJoin(
      courses,
      // Only lessons wait in a copy; the course's own fields count at once.
      eq(courses.id, learnedId(publishRuns.courseId)),
    )
    .where(
      and(
        eq(publishRuns.id, runId),
        eq(publishRuns.status, 'running'),
        sql`not exists (select from ${publishChecks} where ${publishChecks.runId} = ${runId} and ${publishChecks.status} <> 'done')`,
      ),
    );
  if (!course) return;
  const picture: Place = {
    ...{ address: course.thumbnail, field: 'thumbnail', where: 'The picture', expected: 'picture' },
  };
  const places = [...(course.thumbnail ? [picture] : []), ...textPlaces('description', course.description)];
  const { findings } = await provePlaces(places, course.id);
  if (!canDraw(course.title)) {
    const message =
      'The PDF of a certificate cannot show this title. It refers to the certificate’s page, which does.';
    findings.push(finding('warning', 'title', message));
  }
  await db().update(publishRuns).set({ findings }).where(eq(publishRuns.id, runId));
}
