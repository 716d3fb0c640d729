import { asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, prepared, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { bundleCourses, bundles, orderItems } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { givesAccess, opensLater } from '#src/features/catalogue/access.server.ts';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import type { AdminBundle, BundleInput, StoreBundle } from '#src/features/store/bundles/schema.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { bundleShares, notOffered, singlyCents } from './bundles.ts';

type BundledCourse = {
  id: number | null;
  title: string;
  thumbnail: string;
  duration: string;
  level: 'beginner' | 'intermediate' | 'advanced';
  priceCents: number;
  listed: boolean;
};

export type Bundle = typeof bundles.$inferSelect & { courses: BundledCourse[] };

type BundleLine = {
  courseId: number;
  title: string;
  priceCents: number;
  originalPriceCents: number | null;
  bundle: { id: number; title: string };
};

const bundleRows = (executor: Executor, where: SQL | undefined) =>
  executor
    .select({ bundle: bundles, place: bundleCourses.position, course: courses, opensLater })
    .from(bundles)
    .leftJoin(bundleCourses, eq(bundleCourses.bundleId, bundles.id))
    .leftJoin(courses, eq(courses.id, bundleCourses.courseId))
    .where(where)
    .orderBy(desc(bundles.id), asc(bundleCourses.position));

export async function readBundles(where: SQL | undefined, executor: Executor = db()): Promise<Bundle[]> {
  return bundlesOf(await bundleRows(executor, where));
}

function bundlesOf(rows: Awaited<ReturnType<typeof bundleRows>>): Bundle[] {
  const found = new Map<number, Bundle>();
  for (const { bundle, place, course, opensLater: isLater } of rows) {
    const known = found.get(bundle.id) ?? { ...bundle, courses: [] };
    found.set(bundle.id, known);
    if (place === null) continue;
    known.courses.push({
      id: course?.id ?? null,
      title: course?.title ?? 'A deleted course',
      thumbnail: course?.thumbnail ?? '',
      duration: course?.duration ?? '',
      level: course?.level ?? 'beginner',
      priceCents: course?.priceCents ?? 0,
      listed: course?.isActive === true && !isLater,
    });
  }
  return [...found.values()];
}

export async function bundlesById(
  ids: readonly (number | null)[],
  executor: Executor = db(),
): Promise<Map<number, Bundle>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows = wanted.length === 0 ? [] : await readBundles(inArray(bundles.id, wanted), executor);
  return new Map(rows.map((bundle) => [bundle.id, bundle]));
}

export function linesOf(bundle: Bundle): BundleLine[] | null {
  const shares = bundleShares(bundle);
  return (
    shares &&
    bundle.courses.map((course, index) => ({
      courseId: course.id!,
      title: course.title,
      priceCents: shares[index]!,
      originalPriceCents: course.priceCents,
      bundle: { id: bundle.id, title: bundle.title },
    }))
  );
}

type CartedLine = { courseId: number; bundleId: number | null; unavailable: CartLine['unavailable'] };

/**
 * Prices a cart's lines. A bundle is sold whole: where a course cannot be bought, or the bundle has changed since,
 * none of its lines is sold.
 */
export function priceBundles<Line extends CartedLine>(
  lines: readonly Line[],
  known: ReadonlyMap<number, Bundle>,
): { line: Line; bundle: Bundle | null; inBundle: BundleLine | null; unavailable: Line['unavailable'] }[] {
  return lines.map((line) => {
    const bundle = line.bundleId === null ? undefined : known.get(line.bundleId);
    if (!bundle) return { line, bundle: null, inBundle: null, unavailable: line.unavailable };
    const mates = lines.filter((one) => one.bundleId === bundle.id);
    const sold = linesOf(bundle);
    const isWhole =
      sold?.length === mates.length &&
      sold.every(({ courseId }) => mates.some((mate) => mate.courseId === courseId));
    const unavailable = mates.some((mate) => mate.unavailable === 'owned')
      ? 'owned'
      : isWhole
        ? null
        : 'hidden';
    const inBundle = sold?.find(({ courseId }) => courseId === line.courseId) ?? null;
    return { line, bundle, inBundle, unavailable };
  });
}

const named = (titles: readonly string[]) =>
  new Intl.ListFormat('en-US').format(titles.map((title) => `“${title}”`));

export function ownedInBundle(bundle: Bundle, owned: readonly number[]): string {
  const [have, others] = [true, false].map((isOwned) =>
    bundle.courses
      .filter(({ id }) => id !== null && owned.includes(id) === isOwned)
      .map(({ title }) => title),
  ) as [string[], string[]];
  return others.length === 0
    ? `You own every course of “${bundle.title}” already.`
    : `You own ${named(have)} of “${bundle.title}” already. You can buy ${named(others)} singly.`;
}

export async function ownedCourses(
  userId: number,
  bundle: Bundle,
  executor: Executor = db(),
): Promise<number[]> {
  const rows = await executor
    .select({ id: courses.id })
    .from(courses)
    .innerJoin(enrollments, givesAccess(userId, courses.id))
    .innerJoin(bundleCourses, eq(bundleCourses.courseId, courses.id))
    .where(eq(bundleCourses.bundleId, bundle.id));
  return rows.map(({ id }) => id);
}

export function bundleOwned(bundle: Bundle, owned: readonly number[]): AppError {
  return new AppError('already_owned', ownedInBundle(bundle, owned), { extra: { owned } });
}

/** @throws {AppError} not_found */
export async function offeredBundle(
  id: number,
  executor: Executor = db(),
): Promise<{ bundle: Bundle; lines: BundleLine[] }> {
  const [bundle] = await readBundles(eq(bundles.id, id), executor);
  const lines = bundle && linesOf(bundle);
  if (!lines) throw new AppError('not_found', 'Bundle not found');
  return { bundle, lines };
}

export async function findOffered(id: number): Promise<Bundle | null> {
  const [bundle] = await readBundles(eq(bundles.id, id));
  return bundle && notOffered(bundle) === null ? bundle : null;
}

export function storeBundle(bundle: Bundle): StoreBundle {
  const singly = singlyCents(bundle);
  return {
    id: bundle.id,
    title: bundle.title,
    description: bundle.description,
    price: centsToDecimal(bundle.priceCents),
    singly: centsToDecimal(singly),
    saving: centsToDecimal(Math.max(0, singly - bundle.priceCents)),
    courses: bundle.courses.flatMap(({ id, title, thumbnail, duration, level, priceCents }) =>
      id === null ? [] : [{ id, title, thumbnail, duration, level, price: centsToDecimal(priceCents) }],
    ),
  };
}

const activeBundles = prepared((database) =>
  bundleRows(
    database,
    sql`${bundles.state} = 'active' and (${sql.placeholder('courseId')}::int is null or ${bundles.id} in (
      select one.bundle_id from bundle_courses one where one.course_id = ${sql.placeholder('courseId')}))`,
  ).prepare('active_bundles'),
);

/** All that are active, or those with this course. */
export async function shownBundles(courseId: number | null = null): Promise<Bundle[]> {
  return bundlesOf(await activeBundles().execute({ courseId }));
}

export const offered = (rows: readonly Bundle[]): StoreBundle[] =>
  rows.filter((bundle) => notOffered(bundle) === null).map(storeBundle);

export async function listBundles(): Promise<AdminBundle[]> {
  const [rows, sold] = await Promise.all([
    readBundles(undefined),
    db()
      .select({
        id: orderItems.bundleId,
        orders: sql<number>`count(distinct ${orderItems.orderId})`.mapWith(Number),
      })
      .from(orderItems)
      .where(sql`${orderItems.bundleId} is not null`)
      .groupBy(orderItems.bundleId),
  ]);
  const ordersOf = new Map(sold.map(({ id, orders }) => [id, orders]));
  return rows.map((bundle) => ({
    ...storeBundle(bundle),
    state: bundle.state,
    notOffered: notOffered(bundle),
    orders: ordersOf.get(bundle.id) ?? 0,
  }));
}

async function adminBundle(id: number): Promise<AdminBundle> {
  const bundle = (await listBundles()).find((one) => one.id === id);
  if (!bundle) throw noSuchBundle();
  return bundle;
}

const noSuchBundle = () => new AppError('not_found', 'Bundle not found');

async function change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db().transaction(work);
  } catch (error) {
    if (!isForeignKeyViolation(error, 'bundle_courses_course_id_courses_id_fk')) throw error;
    const message = 'One of the courses does not exist any more.';
    throw new AppError('invalid_input', message, { fields: { courseIds: message } });
  }
}

async function writeCourses(tx: Tx, bundleId: number, { courseIds, priceCents }: BundleInput): Promise<void> {
  const rows = await tx
    .select({ id: courses.id, priceCents: courses.priceCents })
    .from(courses)
    .where(inArray(courses.id, courseIds));
  if (rows.length === courseIds.length && priceCents >= singlyCents({ courses: rows.map(asListed) })) {
    const message = 'The price must be below what the courses cost singly';
    throw new AppError('invalid_input', message, { fields: { price: message } });
  }
  await tx.delete(bundleCourses).where(eq(bundleCourses.bundleId, bundleId));
  await tx
    .insert(bundleCourses)
    .values(courseIds.map((courseId, position) => ({ bundleId, position, courseId })));
}

const asListed = ({ priceCents }: { priceCents: number }) => ({ priceCents, listed: true });

/** Audited. @throws {AppError} invalid_input */
export async function createBundle(actor: Actor, input: BundleInput): Promise<AdminBundle> {
  const id = await change(async (tx) => {
    const { title, description, priceCents, state } = input;
    const [row] = await tx
      .insert(bundles)
      .values({ title, description, priceCents, state })
      .returning({ id: bundles.id });
    await writeCourses(tx, row!.id, input);
    await recordAudit(tx, actor, {
      action: 'bundle.created',
      subjectType: 'bundle',
      subjectId: row!.id,
      details: { title },
    });
    return row!.id;
  });
  return adminBundle(id);
}

/**
 * Audited. Orders stay as they are; carts with other courses lose the bundle with a notice.
 * @throws {AppError} not_found, invalid_input
 */
export async function updateBundle(actor: Actor, id: number, input: BundleInput): Promise<AdminBundle> {
  await change(async (tx) => {
    const [before] = await tx.select().from(bundles).where(eq(bundles.id, id)).for('update');
    if (!before) throw noSuchBundle();
    const { title, description, priceCents, state } = input;
    await tx
      .update(bundles)
      .set({ title, description, priceCents, state, updatedAt: sql`now()` })
      .where(eq(bundles.id, id));
    await writeCourses(tx, id, input);
    await recordAudit(tx, actor, {
      action: 'bundle.updated',
      subjectType: 'bundle',
      subjectId: id,
      details: { title, state, price: centsToDecimal(priceCents), before: centsToDecimal(before.priceCents) },
    });
  });
  return adminBundle(id);
}

/** Audited; carts lose it. @throws {AppError} not_found, conflict where an order has it */
export async function deleteBundle(actor: Actor, id: number): Promise<void> {
  try {
    await db().transaction(async (tx) => {
      const [gone] = await tx.delete(bundles).where(eq(bundles.id, id)).returning();
      if (!gone) throw noSuchBundle();
      await recordAudit(tx, actor, {
        action: 'bundle.deleted',
        subjectType: 'bundle',
        subjectId: id,
        details: { title: gone.title },
      });
    });
  } catch (error) {
    if (!isForeignKeyViolation(error, 'order_items_bundle_id_bundles_id_fk')) throw error;
    throw new AppError('conflict', 'There are orders of this bundle. Hide it instead.');
  }
}
