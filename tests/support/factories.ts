import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { categories, courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { hashPassword } from '#db/passwords.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';

type Overrides<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>;

let counter = 0;

/** A user; `password` is hashed, and without one the account has none. */
export async function makeUser(
  { password, ...values }: Overrides<typeof users> & { password?: string } = {},
  executor: Executor = db(),
): Promise<typeof users.$inferSelect> {
  counter += 1;
  const [user] = await executor
    .insert(users)
    .values({
      username: `Learner ${counter}`,
      email: `learner-${counter}-${randomUUID().slice(0, 8)}@example.com`,
      passwordHash: password ? await hashPassword(password) : null,
      ...values,
    })
    .returning();
  return user!;
}

/** An administrator with a verified address. */
export function makeAdmin(values: Parameters<typeof makeUser>[0] = {}, executor: Executor = db()) {
  return makeUser({ role: 'admin', emailVerifiedAt: new Date(), ...values }, executor);
}

/** Sees to it that the five fixed categories exist. */
export async function makeCategories(executor: Executor = db()): Promise<void> {
  await executor
    .insert(categories)
    .values(FIXED_CATEGORIES.map((category) => ({ ...category })))
    .onConflictDoNothing();
  await executor.execute(
    sql`select setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories))`,
  );
}

/** A course of category 1 that costs $49.00, in the store unless it is hidden, whatever its lessons are. */
export async function makeCourse(
  values: Overrides<typeof courses> = {},
  executor: Executor = db(),
): Promise<typeof courses.$inferSelect> {
  counter += 1;
  if (values.categoryId === undefined) await makeCategories(executor);
  const [course] = await executor
    .insert(courses)
    .values({
      title: `Course ${counter}`,
      description: 'What a learner can do after this course.',
      thumbnail: '/favicon.svg',
      priceCents: 4900,
      duration: '12 hours',
      level: 'beginner',
      categoryId: 1,
      ...values,
    })
    .returning();
  return course!;
}

/** A course that can be bought: with a lesson. */
export async function makeCourseForSale(
  values: Overrides<typeof courses> = {},
  executor: Executor = db(),
): Promise<typeof courses.$inferSelect> {
  const course = await makeCourse(values, executor);
  await makeLesson(course.id, {}, executor);
  return course;
}

/** A text lesson at the end of its course. */
export async function makeLesson(
  courseId: number,
  values: Overrides<typeof lessons> = {},
  executor: Executor = db(),
): Promise<typeof lessons.$inferSelect> {
  counter += 1;
  const [lesson] = await executor
    .insert(lessons)
    .values({
      courseId,
      title: `Lesson ${counter}`,
      type: 'text',
      content: 'Text of the lesson.',
      duration: '10 min',
      order: sql`(select coalesce(max("order"), 0) + 1 from lessons where course_id = ${courseId})`,
      ...values,
    })
    .returning();
  return lesson!;
}

/** An active enrollment, as after a purchase. */
export async function makeEnrollment(
  userId: number,
  courseId: number,
  values: Overrides<typeof enrollments> = {},
  executor: Executor = db(),
): Promise<typeof enrollments.$inferSelect> {
  const [enrollment] = await executor
    .insert(enrollments)
    .values({ userId, courseId, ...values })
    .returning();
  return enrollment!;
}
