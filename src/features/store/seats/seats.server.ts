import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { cartItems, orderItems, seatPriceSteps, seats } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import type { OrderItem } from '#src/features/store/orders/orders.server.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import type { SeatPriceStep } from './seat-price.ts';

export function listSeatPriceSteps(executor: Executor = db()): Promise<SeatPriceStep[]> {
  return executor.select().from(seatPriceSteps).orderBy(asc(seatPriceSteps.fromSeats));
}

export async function setSeatPriceSteps(
  actor: Actor,
  steps: readonly SeatPriceStep[],
): Promise<SeatPriceStep[]> {
  return db().transaction(async (tx) => {
    await tx.delete(seatPriceSteps);
    if (steps.length > 0) await tx.insert(seatPriceSteps).values([...steps]);
    await recordAudit(tx, actor, {
      action: 'seat_prices.changed',
      subjectType: 'organisation',
      details: { steps: steps.map(({ fromSeats, percentOff }) => `${fromSeats}: ${percentOff}%`).join(', ') },
    });
    return listSeatPriceSteps(tx);
  });
}

/** SQL: all lines of a bundle, or the course's one: `id`, `course_id`, `refunded_at`. */
export const linesOfSeat = (head: SQL) => sql`(
  select line.id, line.course_id, line.refunded_at
  from ${orderItems} head join ${orderItems} line
    on line.order_id = head.order_id and (line.id = head.id or line.bundle_id = head.bundle_id)
  where head.id = ${head})`;

type SeatLine = Pick<OrderItem, 'id' | 'bundleId' | 'seats' | 'courseId'>;

/** Seats hang on the first line of a bundle. */
export function linesBySeats<Line extends SeatLine>(items: readonly Line[]): [Line, ...Line[]][] {
  const ofSeats = items.filter(({ seats: count }) => count !== null).toSorted((a, b) => a.id - b.id);
  return [...Map.groupBy(ofSeats, ({ bundleId, id }) => bundleId ?? -id).values()] as [Line, ...Line[]][];
}

export async function openSeats(tx: Tx, organisationId: number, items: readonly SeatLine[]): Promise<void> {
  for (const [{ id, courseId, bundleId, seats: count }] of linesBySeats(items)) {
    await tx.execute(sql`
      insert into ${seats} (order_item_id, organisation_id, course_id, bundle_id)
      select ${id}, ${organisationId}, ${bundleId === null ? courseId : null}, ${bundleId}
      from generate_series(1, ${count ?? 0})`);
  }
}

/** @returns the courses that the person did not have */
export async function enterBySeat(tx: Tx, userId: number, seat: { orderItemId: number }): Promise<number[]> {
  // A concurrent checkout must see all of this or nothing.
  await tx.execute(lockBuyer(userId));
  const lines = linesOfSeat(sql`${seat.orderItemId}::int`);
  const granted = await tx.execute<{ course_id: number; is_new: boolean }>(sql`
    insert into ${enrollments} (user_id, course_id, order_item_id)
    select ${userId}, l.course_id, l.id from ${lines} l where l.refunded_at is null order by l.course_id
    on conflict (user_id, course_id) do update set status = 'active', order_item_id = excluded.order_item_id
      where enrollments.status <> 'active'
    returning course_id, xmax = 0 as is_new`);
  const entered = granted.filter((row) => row.is_new).map((row) => row.course_id);
  if (entered.length > 0) {
    await tx
      .update(courses)
      .set({ studentsCount: sql`${courses.studentsCount} + 1` })
      .where(inArray(courses.id, entered));
  }
  await tx.execute(sql`
    delete from ${cartItems} where user_id = ${userId} and course_id in (select l.course_id from ${lines} l)`);
  return granted.map((row) => row.course_id);
}

/**
 * Ends as many seats as refunds say (decision 103): free, offered, unbegun, then the rest, last given first. Failed
 * refunds bring the last ended back. Idempotent.
 * @param ended all where the lines are refunded
 */
export async function settleSeats(
  tx: Tx,
  lines: readonly [Pick<OrderItem, 'id'>, ...Pick<OrderItem, 'id'>[]],
  ended: number,
): Promise<void> {
  const head = lines[0].id;
  const ids = lines.map(({ id }) => id);
  const [now] = await tx
    .select({ ended: sql<number>`count(*) filter (where ${seats.endedAt} is not null)::int` })
    .from(seats)
    .where(eq(seats.orderItemId, head));
  const more = ended - (now?.ended ?? 0);
  if (more > 0) {
    const gone = await tx.execute<{ id: number }>(sql`
      update ${seats} set ended_at = now(), token = null, mail_due = false
      where id in (
        select s.id from ${seats} s
        where s.order_item_id = ${head} and s.ended_at is null
        order by s.email is not null, s.user_id is not null, exists (
            select from ${enrollments} e
            where e.user_id = s.user_id and e.order_item_id in ${ids} and e.last_accessed_at is not null),
          s.given_at desc, s.id desc
        limit ${more})
      returning id`);
    await recordSeats(
      tx,
      gone.map(({ id }) => id),
    );
  } else if (more < 0) {
    const back = await tx.execute<{ id: number }>(sql`
      update ${seats} back set ended_at = null,
        email = case when ${hasAnother} then null else email end,
        user_id = case when ${hasAnother} then null else user_id end,
        taken_at = case when ${hasAnother} then null else taken_at end,
        given_at = case when ${hasAnother} then null else given_at end,
        mail_due = user_id is null and email is not null and not ${hasAnother}
      where id in (
        select s.id from ${seats} s where s.order_item_id = ${head} and s.ended_at is not null
        order by s.ended_at desc, s.given_at, s.id limit ${-more})
      returning back.id`);
    const returned = back.map(({ id }) => id);
    await recordSeats(tx, returned);
    await setAccess(tx, ids, sql`s.id in ${returned} and e.status = 'revoked'`, 'active');
  }
  // `changeAccess` of the whole line also reopened these.
  await setAccess(tx, ids, sql`s.ended_at is not null and e.status <> 'revoked'`, 'revoked');
}

async function setAccess(
  tx: Tx,
  ids: readonly number[],
  which: SQL,
  status: 'active' | 'revoked',
): Promise<void> {
  await tx.execute(sql`
    update ${enrollments} e set status = ${status}
    from ${seats} s, ${orderItems} line
    where s.order_item_id = ${ids[0]} and e.order_item_id in ${ids} and e.user_id = s.user_id and ${which}
      and line.id = e.order_item_id and (line.refunded_at is null or ${status} = 'revoked')`);
}

const hasAnother = sql`exists (
  select from ${seats} other
  where other.organisation_id = back.organisation_id
    and (other.course_id = back.course_id or other.bundle_id = back.bundle_id)
    and other.email = back.email and other.ended_at is null)`;
