import { asc, eq } from 'drizzle-orm';
import { courses, courseStaff, findingOverrides, publishRuns } from '#db/schema/catalogue.ts';
import { deletedName } from '#src/features/account/personal-data.server.ts';
import { erasePortrait } from '#src/features/authoring/instructors/instructors.server.ts';
import type { PersonalDataPart } from '#src/server/personal-data.ts';

/**
 * Courses with the person on their staff, and the portrait. The account exports what courses say of them; the
 * audit log has the rest.
 */
export const publishingData: PersonalDataPart = {
  rows: async (tx, person) => ({
    courseStaff: await tx
      .select({ course: courses.title, role: courseStaff.role, since: courseStaff.createdAt })
      .from(courseStaff)
      .innerJoin(courses, eq(courses.id, courseStaff.courseId))
      .where(eq(courseStaff.userId, person.id))
      .orderBy(asc(courses.id)),
  }),
  erase: async (tx, person) => {
    const { id } = person;
    const name = deletedName(person);
    await tx.update(publishRuns).set({ startedByName: name }).where(eq(publishRuns.startedBy, id));
    await tx.update(findingOverrides).set({ userName: name }).where(eq(findingOverrides.userId, id));
    await erasePortrait(tx, id);
  },
};
