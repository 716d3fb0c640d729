import { desc, sql } from 'drizzle-orm';
import { prepared } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { CATALOGUE_PAGE_SIZE } from '#src/features/catalogue/catalogue.ts';

const query = prepared((database) =>
  database
    .select({ id: courses.id, title: courses.title, priceCents: courses.priceCents })
    .from(courses)
    .where(sql`${courses.isActive}`)
    .orderBy(desc(courses.studentsCount), desc(courses.id))
    .limit(CATALOGUE_PAGE_SIZE)
    .prepare('bench_reference'),
);

/** One prepared query of as many rows as a page of the catalogue has: what it needs at least. */
export const onePageOfCourses = () => query().execute();
