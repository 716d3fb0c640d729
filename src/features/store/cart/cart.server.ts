import { and, eq, notInArray, sql } from 'drizzle-orm';
import { givesAccess, opensLater } from '#src/features/catalogue/access.server.ts';
import { db, prepared, type Tx } from '#db/client.ts';
import { jsonFields, jsonObject, jsonTime, preparedJson } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { categories, courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { bundles, cartItems } from '#db/schema/store.ts';
import { OPENS_LATER } from '#src/features/catalogue/catalogue.ts';
import { courseModelFields } from '#src/features/catalogue/catalogue.server.ts';
import { countCourse } from '#src/features/catalogue/course-counts.server.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  bundleOwned,
  bundlesById,
  shownBundles,
  offered,
  offeredBundle,
  ownedCourses,
  priceBundles,
} from '#src/features/store/bundles/bundles.server.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { CART_LINES_MAX, type CourseState } from './cart.ts';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import type { StoreBundle } from '#src/features/store/bundles/schema.ts';

/** First half of the advisory lock that serialises one buyer's changes of cart and orders. */
const BUYER_LOCK = 727_106_010;

export function lockBuyer(userId: number) {
  return sql`select pg_advisory_xact_lock(${BUYER_LOCK}, ${userId})`;
}

/** Decision 24, spec 8. */
export function alreadyOwned(): AppError {
  return new AppError('already_owned', 'You are already enrolled in this course');
}

export function notYetSold(): AppError {
  return new AppError('conflict', OPENS_LATER);
}

const isOwned = sql`${enrollments.id} is not null`;
const isHidden = sql`not ${courses.isActive} and ${enrollments.id} is null`;

type StoredLine = Omit<CartLine, 'bundle'> & { bundleId: number | null };

const cartOfUser = preparedJson<StoredLine>(
  'cart_of_user',
  sql`
    select ${jsonFields({
      id: cartItems.id,
      userId: cartItems.userId,
      courseId: cartItems.courseId,
      bundleId: cartItems.bundleId,
      addedAt: jsonTime(cartItems.addedAt),
      unavailable: sql`case when ${isOwned} then 'owned' when ${isHidden} then 'hidden' when ${opensLater} then 'later' end`,
      // A hidden course shows only what was put into the cart (fault I8).
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

const linesInCart = prepared((database) =>
  database
    .select({
      count: sql<number>`count(distinct coalesce(-${cartItems.bundleId}, ${cartItems.courseId}))`.mapWith(
        Number,
      ),
    })
    .from(cartItems)
    .where(eq(cartItems.userId, sql.placeholder('userId')))
    .prepare('lines_in_cart'),
);

export async function countCart(userId: number): Promise<{ count: number }> {
  return (await linesInCart().execute({ userId }))[0]!;
}

export async function listCart(userId: number): Promise<CartLine[]> {
  const stored = await cartOfUser({ userId });
  const known = await bundlesById(stored.map(({ bundleId }) => bundleId));
  return priceBundles(stored, known).map(({ line, bundle, inBundle, unavailable }) => {
    const { bundleId: _, ...rest } = line;
    const course = inBundle
      ? {
          ...rest.course,
          price: centsToDecimal(inBundle.priceCents),
          originalPrice: centsToDecimal(inBundle.originalPriceCents!),
        }
      : rest.course;
    return {
      ...rest,
      course,
      unavailable,
      bundle: bundle && { id: bundle.id, title: bundle.title, price: centsToDecimal(bundle.priceCents) },
    };
  });
}

/**
 * A repeat changes nothing (decision 24), also in parallel (fault P44). A bundle takes over the single lines of its
 * courses; the notice says so.
 * @throws {AppError} not_found, already_owned, conflict for a full cart, an overlapping bundle or a course without lessons
 */
export async function addToCart(
  userId: number,
  { courseId, bundleId }: { courseId?: number | undefined; bundleId?: number | undefined },
): Promise<CartLine & { notice?: string }> {
  let added: Added;
  try {
    added = await db().transaction((tx) =>
      bundleId === undefined ? insertCourse(tx, userId, courseId!) : insertBundle(tx, userId, bundleId),
    );
  } catch (error) {
    if (isForeignKeyViolation(error, 'cart_items_course_id_courses_id_fk')) throw noSuchCourse();
    if (isForeignKeyViolation(error, 'cart_items_bundle_id_bundles_id_fk')) {
      throw new AppError('not_found', 'Bundle not found');
    }
    throw error;
  }
  for (const id of added.newCourses) countCourse(id, 'carts');
  const line = (await listCart(userId)).find((one) =>
    bundleId === undefined ? one.courseId === courseId : one.bundle?.id === bundleId,
  );
  if (!line) throw new AppError('conflict', 'It is no longer in your cart.');
  return { ...line, ...(added.notice ? { notice: added.notice } : {}) };
}

function noSuchCourse(): AppError {
  return new AppError('not_found', 'Course not found');
}

type Added = { newCourses: number[]; notice?: string };

async function lockCart(tx: Tx, userId: number) {
  await tx.execute(lockBuyer(userId));
  return tx
    .select({
      courseId: cartItems.courseId,
      title: courses.title,
      bundleId: cartItems.bundleId,
      bundleTitle: bundles.title,
    })
    .from(cartItems)
    .innerJoin(courses, eq(courses.id, cartItems.courseId))
    .leftJoin(bundles, eq(bundles.id, cartItems.bundleId))
    .where(eq(cartItems.userId, userId))
    .orderBy(cartItems.addedAt, cartItems.id);
}

function cartFull(): AppError {
  return new AppError('conflict', `Your cart is full: it holds ${CART_LINES_MAX} courses at most.`);
}

async function insertCourse(tx: Tx, userId: number, courseId: number): Promise<Added> {
  const lines = await lockCart(tx, userId);
  const [course] = await tx
    .select({ listed: courses.isActive, opensLater, enrollmentId: enrollments.id })
    .from(courses)
    .leftJoin(enrollments, givesAccess(userId, courses.id))
    .where(eq(courses.id, courseId));
  if (course?.enrollmentId) throw alreadyOwned();
  if (!course?.listed) throw noSuchCourse();
  if (course.opensLater) throw notYetSold();
  const there = lines.find((line) => line.courseId === courseId);
  if (there?.bundleTitle) {
    const notice = `“${there.title}” is in your cart already, with the bundle “${there.bundleTitle}”.`;
    return { newCourses: [], notice };
  }
  if (there) return { newCourses: [] };
  if (lines.length >= CART_LINES_MAX) throw cartFull();
  await tx
    .insert(cartItems)
    .values({ userId, courseId })
    .onConflictDoNothing({ target: [cartItems.userId, cartItems.courseId] });
  return { newCourses: [courseId] };
}

async function insertBundle(tx: Tx, userId: number, bundleId: number): Promise<Added> {
  const inCart = await lockCart(tx, userId);
  const { bundle, lines } = await offeredBundle(bundleId, tx);
  const owned = await ownedCourses(userId, bundle, tx);
  if (owned.length > 0) throw bundleOwned(bundle, owned);
  const ids = lines.map(({ courseId }) => courseId);
  const there = inCart.filter(({ courseId }) => ids.includes(courseId));
  const other = there.find((line) => line.bundleId !== null && line.bundleId !== bundleId);
  if (other) {
    throw new AppError(
      'conflict',
      `“${other.title}” is in your cart with the bundle “${other.bundleTitle}”. Please take that one out first.`,
    );
  }
  await tx
    .delete(cartItems)
    .where(
      and(
        eq(cartItems.userId, userId),
        eq(cartItems.bundleId, bundleId),
        notInArray(cartItems.courseId, ids),
      ),
    );
  const left = inCart.filter((line) => line.bundleId !== bundleId && !ids.includes(line.courseId));
  if (left.length + ids.length > CART_LINES_MAX) throw cartFull();
  await tx
    .insert(cartItems)
    .values(ids.map((courseId) => ({ userId, courseId, bundleId })))
    .onConflictDoUpdate({ target: [cartItems.userId, cartItems.courseId], set: { bundleId } });
  const singly = there.filter((line) => line.bundleId === null).map(({ title }) => `“${title}”`);
  const newCourses = ids.filter((id) => !there.some(({ courseId }) => courseId === id));
  if (singly.length === 0) return { newCourses };
  const names = new Intl.ListFormat('en-US').format(singly);
  return {
    newCourses,
    notice: `${names} ${singly.length === 1 ? 'was' : 'were'} in your cart already and ${
      singly.length === 1 ? 'is' : 'are'
    } part of the bundle now.`,
  };
}

/** Removes the course and its whole bundle; an absent course is no error. */
export async function removeCartLine(userId: number, courseId: number): Promise<void> {
  await db().transaction(async (tx) => {
    const lines = await lockCart(tx, userId);
    const line = lines.find((one) => one.courseId === courseId);
    if (!line) return;
    await tx
      .delete(cartItems)
      .where(
        and(
          eq(cartItems.userId, userId),
          line.bundleId === null ? eq(cartItems.courseId, courseId) : eq(cartItems.bundleId, line.bundleId),
        ),
      );
  });
}

const ownCourses = preparedJson<{ id: number; enrolled: boolean }>(
  'own_courses',
  sql`
    select ${enrollments.courseId} as id, true as enrolled from ${enrollments}
    where ${givesAccess(sql.placeholder('userId'))}
    union all
    select ${cartItems.courseId}, false from ${cartItems} where ${cartItems.userId} = ${sql.placeholder('userId')}
    order by enrolled`,
);

/** Of what they own or have in the cart, by their ids; empty for a visitor. */
export async function courseStates(user: { id: number } | null): Promise<Map<number, CourseState>> {
  const rows = user ? await ownCourses({ userId: user.id }) : [];
  return new Map(rows.map(({ id, enrolled }) => [id, enrolled ? 'enrolled' : 'in-cart']));
}

export async function bundleStateFor(userId: number | null, bundleId: number): Promise<CourseState> {
  if (userId === null) return 'signed-out';
  const lines = await db().$count(
    cartItems,
    and(eq(cartItems.userId, userId), eq(cartItems.bundleId, bundleId)),
  );
  return lines > 0 ? 'in-cart' : 'none';
}

export async function courseOffer(id: number): Promise<{
  bundles: StoreBundle[];
  /** Courses whose changes affect these offers, also of bundles that are not offered now. */
  tagged: { id: number }[];
}> {
  const rows = await shownBundles(id);
  const tagged = rows.flatMap(({ courses }) =>
    courses.flatMap((one) => (one.id === null ? [] : { id: one.id })),
  );
  return { bundles: offered(rows), tagged };
}
