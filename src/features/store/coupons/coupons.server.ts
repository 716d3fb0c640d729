import { randomInt } from 'node:crypto';
import { and, count, desc, eq, inArray, isNotNull, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { currentMoment, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { coupons, orders } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import {
  COUPON_REFUSALS,
  type CouponDiscount,
  type CouponRefusal,
  type CouponValue,
  couponDiscount,
  type DiscountableLine,
} from './coupons.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';
import type {
  Coupon,
  couponBatchModel,
  NewCoupon,
  NewCouponBatch,
} from '#src/features/store/coupons/editing/schema.ts';

/** Then an unpaid order yields its limited coupon to another buyer. */
export const HOLD_MINUTES = 60;

/** These hold no coupon; a late payment takes it back (decision 19). */
const ENDED = ['failed', 'expired'] as const;

type CouponRow = typeof coupons.$inferSelect;
type CouponBatch = z.output<typeof couponBatchModel>;

/** Never a typed email: the answer would reveal its owner's purchases, and a stranger could use up the coupon. */
export type CouponBuyer = { userId: number } | { secretHash: string };

export type CouponInOrder = CouponDiscount & { id: number; code: string };

function couponRefused(reason: CouponRefusal): AppError {
  const message = COUPON_REFUSALS[reason];
  return new AppError(reason === 'unknown' ? 'not_found' : 'conflict', message, {
    fields: { couponCode: message },
    extra: { coupon: reason },
  });
}

const couponValue = (row: CouponRow): CouponValue =>
  row.kind === 'percent'
    ? { kind: 'percent', percentOff: row.percentOff!, courseId: row.courseId }
    : { kind: 'fixed', amountOffCents: row.amountOffCents!, courseId: row.courseId };

const isHeld = () => notInArray(orders.status, [...ENDED]);

export async function quoteCoupon(
  code: string,
  buyer: CouponBuyer,
  lines: readonly DiscountableLine[],
): Promise<CouponInOrder> {
  const [row] = await db().select().from(coupons).where(eq(coupons.code, code));
  const found = await judge(db(), row, buyer, lines);
  if ('refusal' in found) throw found.refusal;
  if ('holders' in found) {
    const { row: coupon, discount } = found;
    return { ...discount, id: coupon.id, code: coupon.code };
  }
  return found.coupon;
}

/**
 * Takes a coupon for the transaction's new order; its row stays locked, so that two orders never get the last use
 * (decision 22).
 * @returns the coupon with the buyer's other orders to end; `holders`, abandoned orders of others to end first; or
 * the refusal
 */
export async function takeCoupon(
  tx: Tx,
  code: string,
  buyer: CouponBuyer,
  lines: readonly DiscountableLine[],
): Promise<{ coupon: CouponInOrder; replaced: Order[] } | { holders: Order[] } | { refusal: AppError }> {
  const [row] = await tx.select().from(coupons).where(eq(coupons.code, code)).for('no key update');
  return judge(tx, row, buyer, lines);
}

async function judge(
  executor: Executor,
  row: CouponRow | undefined,
  buyer: CouponBuyer,
  lines: readonly DiscountableLine[],
): Promise<
  | { coupon: CouponInOrder; replaced: Order[] }
  | { holders: Order[]; row: CouponRow; discount: CouponDiscount }
  | { refusal: AppError }
> {
  const refuse = (reason: CouponRefusal) => ({ refusal: couponRefused(reason) });
  if (!row) return refuse('unknown');
  if (!row.isActive) return refuse('disabled');
  if (row.expiresAt && row.expiresAt.getTime() <= Date.now()) return refuse('expired');
  const discount = couponDiscount(couponValue(row), lines);
  if (typeof discount === 'string') return refuse(discount);

  const own = await usesBy(executor, row.id, buyer);
  if (own.some((order) => order.status === 'processing')) return refuse('in_use');
  if (own.some((order) => order.status !== 'pending')) return refuse('used_before');
  if (row.usageLimit !== null) {
    const ownIds = own.map((order) => order.id);
    const byOthers = and(eq(orders.couponId, row.id), isHeld(), notInArray(orders.id, ownIds));
    const tooMany = (await executor.$count(orders, byOthers)) - row.usageLimit + 1;
    if (tooMany > 0) {
      const holders = await executor
        .select()
        .from(orders)
        .where(and(byOthers, isForgotten()))
        .orderBy(orders.id)
        .limit(tooMany);
      return holders.length < tooMany ? refuse('used_up') : { holders, row, discount };
    }
  }
  return { coupon: { ...discount, id: row.id, code: row.code }, replaced: own };
}

function usesBy(executor: Executor, couponId: number, buyer: CouponBuyer): Promise<Order[]> {
  return ordersWith(
    executor,
    couponId,
    'userId' in buyer ? eq(orders.userId, buyer.userId) : eq(orders.claimSecretHash, buyer.secretHash),
  );
}

function ordersWith(executor: Executor, couponId: number, whose: SQL): Promise<Order[]> {
  return executor
    .select()
    .from(orders)
    .where(and(eq(orders.couponId, couponId), isHeld(), whose))
    .orderBy(orders.id);
}

const isForgotten = () =>
  and(
    eq(orders.status, 'pending'),
    lt(orders.createdAt, sql`now() - make_interval(mins => ${HOLD_MINUTES})`),
  );

/** Whether another paid order of a guest's email has its coupon. */
export async function isUsedUnder(tx: Tx, order: Order): Promise<boolean> {
  if (order.couponId === null || !order.buyerEmail) return false;
  const uses = await ordersWith(tx, order.couponId, eq(orders.buyerEmail, order.buyerEmail));
  return uses.some((other) => other.id !== order.id && isFulfilled(other.status));
}

export async function isUsedTwice(tx: Tx, order: Order, userId: number): Promise<boolean> {
  if (order.couponId === null) return false;
  const uses = await usesBy(tx, order.couponId, { userId });
  return uses.some((other) => other.id !== order.id);
}

/** Audited. @throws {AppError} conflict for a used code, invalid_input */
export async function createCoupon(actor: Actor, input: NewCoupon): Promise<Coupon> {
  try {
    const id = await db().transaction(async (tx) => {
      const [row] = await tx
        .insert(coupons)
        .values({ ...ruleOf(input, actor), code: input.code })
        .returning({ id: coupons.id });
      await recordAudit(tx, actor, {
        action: 'coupon.created',
        subjectType: 'coupon',
        subjectId: row!.id,
        details: { ...input },
      });
      return row!.id;
    });
    return await getCoupon(id);
  } catch (error) {
    if (isUniqueViolation(error, 'coupons_code_unique')) {
      const message = 'There is a coupon with this code already.';
      throw new AppError('conflict', message, { fields: { code: message } });
    }
    throw courseMissing(error) ?? error;
  }
}

function ruleOf(input: NewCoupon | NewCouponBatch, actor: Actor) {
  return {
    kind: input.kind,
    percentOff: input.kind === 'percent' ? input.percentOff : null,
    amountOffCents: input.kind === 'fixed' ? input.amountOff : null,
    courseId: input.courseId ?? null,
    expiresAt: input.expiresAt ? new Date(input.expiresAt) : null,
    usageLimit: input.usageLimit ?? null,
    createdBy: actor.id,
  };
}

function courseMissing(error: unknown): AppError | null {
  if (!isForeignKeyViolation(error, 'coupons_course_id_courses_id_fk')) return null;
  const message = 'There is no such course.';
  return new AppError('invalid_input', message, { fields: { courseId: message } });
}

/** Without characters that look alike. */
const TAIL_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 48 bits, out of reach within the checkout's limits. */
const TAIL_LENGTH = 10;

function newTail(): string {
  return Array.from({ length: TAIL_LENGTH }, () => TAIL_LETTERS[randomInt(TAIL_LETTERS.length)]).join('');
}

/** All or none, audited. @throws {AppError} conflict for a used prefix, invalid_input */
export async function createCouponBatch(actor: Actor, input: NewCouponBatch): Promise<CouponBatch> {
  const { prefix, number } = input;
  const tails = new Set<string>();
  while (tails.size < number) tails.add(newTail());
  try {
    await db().transaction(async (tx) => {
      await lockBatch(tx, prefix);
      if ((await tx.$count(coupons, eq(coupons.batch, prefix))) > 0) {
        const message = 'There are coupons with this prefix already.';
        throw new AppError('conflict', message, { fields: { prefix: message } });
      }
      const rule = ruleOf(input, actor);
      const rows = await tx
        .insert(coupons)
        .values([...tails].map((tail) => ({ ...rule, code: `${prefix}-${tail}`, batch: prefix })))
        .returning({ id: coupons.id });
      await recordAudit(tx, actor, {
        action: 'coupon.batch_created',
        subjectType: 'coupon',
        subjectId: rows[0]!.id,
        details: { ...input },
      });
    });
  } catch (error) {
    throw courseMissing(error) ?? error;
  }
  return (await findCouponBatch(prefix))!;
}

const lockBatch = (tx: Tx, prefix: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`coupon-batch:${prefix}`}, 0))`);

/** Audited. Open orders keep what they were offered. @throws {AppError} not_found */
export async function setCouponBatchActive(
  actor: Actor,
  prefix: string,
  isActive: boolean,
): Promise<CouponBatch> {
  await db().transaction(async (tx) => {
    const rows = await tx
      .select({ id: coupons.id, isActive: coupons.isActive })
      .from(coupons)
      .where(eq(coupons.batch, prefix))
      .orderBy(coupons.id)
      .for('no key update');
    if (rows.length === 0) throw noSuchBatch();
    const changed = rows.filter((row) => row.isActive !== isActive).length;
    if (changed === 0) return;
    await tx.update(coupons).set({ isActive }).where(eq(coupons.batch, prefix));
    await recordAudit(tx, actor, {
      action: isActive ? 'coupon.batch_enabled' : 'coupon.batch_disabled',
      subjectType: 'coupon',
      subjectId: rows[0]!.id,
      details: { prefix, number: changed },
    });
  });
  const batch = await findCouponBatch(prefix);
  if (!batch) throw noSuchBatch();
  return batch;
}

const noSuchBatch = () => new AppError('not_found', 'There are no coupons with this prefix.');

export function listCouponBatches(prefix?: string): Promise<CouponBatch[]> {
  const { batch, isActive } = coupons;
  return db()
    .select({
      prefix: sql<string>`${batch}`,
      codes: count(),
      switchedOn: sql<number>`(count(*) filter (where ${isActive}))::int`,
    })
    .from(coupons)
    .where(prefix === undefined ? isNotNull(batch) : eq(batch, prefix))
    .groupBy(batch)
    .orderBy(desc(sql`min(${coupons.id})`));
}

async function findCouponBatch(prefix: string): Promise<CouponBatch | null> {
  const [found] = await listCouponBatches(prefix);
  return found ?? null;
}

export async function couponsOfBatch(prefix: string): Promise<Coupon[]> {
  return (await readCoupons(eq(coupons.batch, prefix))).map(toModel);
}

export async function listCoupons(): Promise<Coupon[]> {
  const rows = await readCoupons();
  return rows.map(toModel);
}

/** A page past the end counts as the last. @param query null of `state` or `batch` lists all */
export async function findCoupons({
  search,
  state,
  batch,
  page: asked,
}: ListQuery & { state: Coupon['state'] | null; batch: string | null }): Promise<{
  coupons: Coupon[];
  total: number;
  page: number;
}> {
  const uses = usesOfCoupons();
  const matching = and(
    search ? sql`strpos(lower(${coupons.code}), ${search.toLowerCase()}) > 0` : undefined,
    state ? sql`${stateOf(uses)} = ${state}` : undefined,
    batch ? eq(coupons.batch, batch) : undefined,
  );
  const [found] = await db()
    .select({ total: count() })
    .from(coupons)
    .leftJoin(uses, eq(uses.couponId, coupons.id))
    .where(matching);
  const total = found!.total;
  const page = Math.min(asked, pageCount(total));
  const rows = await readCoupons(matching)
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return { coupons: rows.map(toModel), total, page };
}

/** Audited. Open orders keep what they were offered. @throws {AppError} not_found */
export async function setCouponActive(actor: Actor, id: number, isActive: boolean): Promise<Coupon> {
  await db().transaction(async (tx) => {
    const [row] = await tx.select().from(coupons).where(eq(coupons.id, id)).for('no key update');
    if (!row) throw noSuchCoupon();
    if (row.isActive === isActive) return;
    await tx.update(coupons).set({ isActive }).where(eq(coupons.id, id));
    await recordAudit(tx, actor, {
      action: isActive ? 'coupon.enabled' : 'coupon.disabled',
      subjectType: 'coupon',
      subjectId: id,
      details: { code: row.code },
    });
  });
  return getCoupon(id);
}

const noSuchCoupon = () => new AppError('not_found', 'There is no such coupon.');

async function getCoupon(id: number): Promise<Coupon> {
  const [row] = await readCoupons(eq(coupons.id, id));
  if (!row) throw noSuchCoupon();
  return toModel(row);
}

function usesOfCoupons() {
  const isOpen = inArray(orders.status, ['pending', 'processing']);
  return db()
    .select({
      couponId: orders.couponId,
      used: sql<number>`(count(*) filter (where not ${isOpen}))::int`.as('used'),
      reserved: sql<number>`(count(*) filter (where ${isOpen}))::int`.as('reserved'),
      given: sql<string>`coalesce(sum(${orders.discountCents}) filter (where not ${isOpen}), 0)`.as('given'),
    })
    .from(orders)
    .where(and(sql`${orders.couponId} is not null`, isHeld()))
    .groupBy(orders.couponId)
    .as('uses');
}

const stateOf = (uses: ReturnType<typeof usesOfCoupons>) => sql<Coupon['state']>`case
  when not ${coupons.isActive} then 'disabled'
  when ${coupons.expiresAt} <= ${currentMoment} then 'expired'
  when coalesce(${uses.used}, 0) >= ${coupons.usageLimit} then 'used_up'
  else 'active' end`;

function readCoupons(matching?: SQL) {
  const uses = usesOfCoupons();
  return db()
    .select({
      coupon: coupons,
      state: stateOf(uses),
      courseTitle: courses.title,
      createdBy: users.username,
      used: uses.used,
      reserved: uses.reserved,
      given: uses.given,
    })
    .from(coupons)
    .leftJoin(courses, eq(courses.id, coupons.courseId))
    .leftJoin(users, eq(users.id, coupons.createdBy))
    .leftJoin(uses, eq(uses.couponId, coupons.id))
    .where(matching)
    .orderBy(desc(coupons.id));
}

function toModel(row: Awaited<ReturnType<typeof readCoupons>>[number]): Coupon {
  const { coupon } = row;
  return {
    id: coupon.id,
    code: coupon.code,
    kind: coupon.kind,
    percentOff: coupon.percentOff,
    amountOff: coupon.amountOffCents === null ? null : centsToDecimal(coupon.amountOffCents),
    course: coupon.courseId === null ? null : { id: coupon.courseId, title: row.courseTitle ?? '' },
    expiresAt: coupon.expiresAt?.toISOString() ?? null,
    usageLimit: coupon.usageLimit,
    used: row.used ?? 0,
    reserved: row.reserved ?? 0,
    discountGiven: centsToDecimal(Number(row.given ?? 0)),
    isActive: coupon.isActive,
    state: row.state,
    batch: coupon.batch,
    createdAt: coupon.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}
