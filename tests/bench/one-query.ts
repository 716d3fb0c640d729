import { desc, eq } from 'drizzle-orm';
import { prepared } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';

const query = prepared((database) =>
  database
    .select({ id: courses.id, title: courses.title, priceCents: courses.priceCents })
    .from(courses)
    .where(eq(courses.isActive, true))
    .orderBy(desc(courses.studentsCount), desc(courses.id))
    .limit(48)
    .prepare('bench_reference'),
);

/** One prepared query of 48 rows, as the catalogue's first page needs at least. */
export const fortyEightCourses = () => query().execute();
