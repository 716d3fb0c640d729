import type { Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { grantedWish, type StoreWish } from '#src/features/authoring/publishing/store-wish.server.ts';
import { addLessons, type LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { columnsOf } from './course-fields.ts';
import type { CourseInput } from './schema.ts';

const wishIn = ({ isActive = true, activateWhenProven = false }: Partial<StoreWish>): StoreWish => ({
  isActive,
  activateWhenProven,
});

/** Names the field of an unknown category; any other error stays. */
export function namedCategoryFault(error: unknown): unknown {
  if (!isForeignKeyViolation(error, 'courses_category_id_categories_id_fk')) return error;
  const message = 'There is no such category';
  return new AppError('invalid_input', message, { fields: { categoryId: message } });
}

/** Inserts a course with lessons in the caller's transaction, audited. */
export async function insertCourse(
  tx: Tx,
  actor: Actor & { id: number },
  input: Partial<StoreWish> &
    Partial<CourseInput> &
    Pick<
      CourseInput,
      'title' | 'description' | 'price' | 'originalPrice' | 'duration' | 'level' | 'categoryId'
    >,
  given: readonly LessonToWrite[] = [],
  built: Partial<Pick<typeof courses.$inferSelect, 'builderDraft' | 'builderDigest'>> = {},
) {
  const [course] = await tx
    .insert(courses)
    .values({ ...columnsOf(input), ...grantedWish(wishIn(input), false), ...built, createdBy: actor.id })
    .returning();
  const { id, title } = course!;
  const rows = await addLessons(tx, id, given);
  await recordAudit(tx, actor, {
    action: 'course.created',
    subjectType: 'course',
    subjectId: id,
    details: { title, ...(given.length > 0 && { lessons: given.length }) },
  });
  return { course: course!, lessons: rows };
}
