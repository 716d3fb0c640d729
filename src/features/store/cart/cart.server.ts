import { and, eq, sql } from 'drizzle-orm';
import { givesAccess, hasAccess } from '#src/features/catalogue/access.server.ts';
import { db, prepared, type Tx } from '#db/client.ts';
import { jsonFields, jsonObject, jsonTime, preparedJson } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { categories, courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { cartItems } from '#db/schema/store.ts';
import { courseModelFields } from '#src/features/catalogue/catalogue.server.ts';
import { countCourse } from '#src/features/catalogue/course-counts.server.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { CART_LINES_MAX, type CourseState } from './cart.ts';
import type { CartLine } from '#src/features/store/schema.ts';

/** First half of the advisory lock that serialises one buyer's changes of cart and orders. */
const BUYER_LOCK = 727_106_010;

/** Takes the buyer's lock until the end of the transaction. */
export function lockBuyer(userId: number) {
  return sql`select pg_advisory_xact_lock(${BUYER_LOCK}, ${userId})`;
}

/** Takes the locks of many buyers, always in the same order, until the end of the transaction. */
export function lockBuyers(userIds: readonly number[]) {
  const ids = JSON.stringify([...new Set(userIds)]);
  return sql`select pg_advisory_xact_lock(${BUYER_LOCK}, one.id)
    from (select jsonb_array_elements_text(${ids}::jsonb)::int as id order by 1) one`;
}

/** The refusal to sell a course twice (decision 24, spec 8). */
export function alreadyOwned(): AppError {
  return new AppError('already_owned', 'You are already enrolled in this course');
}

const isOwned = sql`${enrollments.id} is not null`;
const isHidden = sql`not ${courses.listed} and ${enrollments.id} is null`;

const cartOfUser = preparedJson<CartLine>(
  'cart_of_user',
  sql`
    select ${jsonFields({
      id: cartItems.id,
      userId: cartItems.userId,
      courseId: cartItems.courseId,
      addedAt: jsonTime(cartItems.addedAt),
      unavailable: sql`case when ${isOwned} then 'owned' when ${isHidden} then 'hidden' end`,
      // Of a hidden course the cart tells no more than what was put into it (fault I8).
      course: jsonObject({
        ...courseModelFields,
        description: sql`case when ${isHidden} then '' else ${courseModelFields.description} end`,
        content: sql`case when ${isHidden} then '[]' else ${courseModelFields.content} end`,
      }),
    })}
    from ${cartItems}
    inner join ${courses} on ${courses.id} = ${cartItems.courseId}
    inner join ${categories} on ${categories.id} = ${courses.categoryId}
    left join ${users} on ${users.id} = ${courses.createdBy}
    left join ${enrollments} on ${givesAccess(cartItems.userId, cartItems.courseId)}
    where ${cartItems.userId} = ${sql.placeholder('userId')}
    order by ${cartItems.addedAt}, ${cartItems.id}`,
);

/** How many lines a user's cart holds. */
export async function countCart(userId: number): Promise<{ count: number }> {
  return { count: await db().$count(cartItems, eq(cartItems.userId, userId)) };
}

/** A user's cart, oldest line first, with the courses as they are now. */
export function listCart(userId: number): Promise<CartLine[]> {
  return cartOfUser({ userId });
}

/**
 * Puts a course into a user's cart; adding it again changes nothing (decision 24). Safe against itself in parallel
 * (fault P44).
 *
 * @throws {AppError} not_found for a hidden or missing course, already_owned, conflict when the cart is full
 */
export async function addCartLine(userId: number, courseId: number): Promise<CartLine> {
  try {
    const isNew = await db().transaction((tx) => insertCartLine(tx, userId, courseId));
    if (isNew) countCourse(courseId, 'carts');
  } catch (error) {
    // The course was deleted after it was looked up.
    if (isForeignKeyViolation(error, 'cart_items_course_id_courses_id_fk')) throw noSuchCourse();
    throw error;
  }
  const line = (await listCart(userId)).find((one) => one.courseId === courseId);
  // Only another tab that removed or bought it in this very moment can have taken it away.
  if (!line) throw new AppError('conflict', 'The course is no longer in your cart.');
  return line;
}

function noSuchCourse(): AppError {
  return new AppError('not_found', 'Course not found');
}

/** False where the course is in the cart already. */
async function insertCartLine(tx: Tx, userId: number, courseId: number): Promise<boolean> {
  await tx.execute(lockBuyer(userId));
  const [course] = await tx
    .select({ listed: courses.listed, enrollmentId: enrollments.id })
    .from(courses)
    .leftJoin(enrollments, givesAccess(userId, courses.id))
    .where(eq(courses.id, courseId));
  if (course?.enrollmentId) throw alreadyOwned();
  if (!course?.listed) throw noSuchCourse();
  const lines = await tx
    .select({ courseId: cartItems.courseId })
    .from(cartItems)
    .where(eq(cartItems.userId, userId));
  if (lines.some((line) => line.courseId === courseId)) return false;
  if (lines.length >= CART_LINES_MAX) {
    throw new AppError('conflict', `Your cart is full: it holds ${CART_LINES_MAX} courses at most.`);
  }
  await tx
    .insert(cartItems)
    .values({ userId, courseId })
    .onConflictDoNothing({ target: [cartItems.userId, cartItems.courseId] });
  return true;
}

/** Takes a course out of a user's cart; one that is not in it is no error. */
export async function removeCartLine(userId: number, courseId: number): Promise<void> {
  await db()
    .delete(cartItems)
    .where(and(eq(cartItems.userId, userId), eq(cartItems.courseId, courseId)));
}

const stateOfCourse = prepared((database) =>
  database
    .select({
      enrolled: hasAccess(sql.placeholder('userId'), sql.placeholder('courseId')),
      inCart: sql<boolean>`exists (select 1 from ${cartItems} where ${cartItems.userId} = ${sql.placeholder('userId')} and ${cartItems.courseId} = ${sql.placeholder('courseId')})`,
    })
    .from(sql`(select 1) as one`)
    .prepare('state_of_course'),
);

/** What a course is to the visitor: decides which buttons the course page shows (spec 2). */
export async function courseStateFor(userId: number | null, courseId: number): Promise<CourseState> {
  if (userId === null) return 'signed-out';
  const [state] = await stateOfCourse().execute({ userId, courseId });
  if (state?.enrolled) return 'enrolled';
  return state?.inCart ? 'in-cart' : 'none';
}
