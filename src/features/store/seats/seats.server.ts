import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { cartItems, seatPriceSteps, seats } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import type { OrderItem } from '#src/features/store/orders/orders.server.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import type { SeatPriceStep } from './seat-price.ts';

/** The steps at which seats become cheaper, the smallest number first. */
export function listSeatPriceSteps(executor: Executor = db()): Promise<SeatPriceStep[]> {
  return executor.select().from(seatPriceSteps).orderBy(asc(seatPriceSteps.fromSeats));
}

/** Puts other steps in the place of those that there are; open orders keep the price that they have. */
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

/** Opens the seats of a completed order's lines, all free. */
export async function openSeats(
  tx: Tx,
  organisationId: number,
  items: readonly Pick<OrderItem, 'id' | 'courseId' | 'seats'>[],
): Promise<void> {
  for (const { id, courseId, seats: count } of items) {
    await tx.execute(sql`
      insert into ${seats} (order_item_id, organisation_id, course_id)
      select ${id}, ${organisationId}, ${courseId} from generate_series(1, ${count ?? 0})`);
  }
}

/**
 * Gives a person the course of a seat: new, or taken up again with the progress of before.
 *
 * @returns false where they have access to it already
 */
export async function enterBySeat(
  tx: Tx,
  userId: number,
  seat: { orderItemId: number; courseId: number },
): Promise<boolean> {
  // A checkout that reads the cart meanwhile must see either all of this or nothing.
  await tx.execute(lockBuyer(userId));
  const [granted] = await tx
    .insert(enrollments)
    .values({ userId, courseId: seat.courseId, orderItemId: seat.orderItemId })
    .onConflictDoUpdate({
      target: [enrollments.userId, enrollments.courseId],
      set: { status: 'active', orderItemId: sql`excluded.order_item_id` },
      setWhere: sql`${enrollments.status} <> 'active'`,
    })
    .returning({ isNew: sql<boolean>`(xmax = 0)` });
  if (granted?.isNew) {
    await tx
      .update(courses)
      .set({ studentsCount: sql`${courses.studentsCount} + 1` })
      .where(eq(courses.id, seat.courseId));
  }
  await tx.delete(cartItems).where(and(eq(cartItems.userId, userId), eq(cartItems.courseId, seat.courseId)));
  return granted !== undefined;
}

/**
 * Makes a line have as many ended seats as its refunds say (decision 103): free ones end first, then those whose offer
 * is open, then those whose learner has not begun, then the rest, each time the one given last. Where a refund did not
 * get through, those that ended last come back. A repeat changes nothing.
 *
 * @param ended how many of its seats are paid back; all of them where the line is
 */
export async function settleSeats(
  tx: Tx,
  item: Pick<OrderItem, 'id' | 'seats'>,
  ended: number,
): Promise<void> {
  const [now] = await tx
    .select({ ended: sql<number>`count(*) filter (where ${seats.endedAt} is not null)::int` })
    .from(seats)
    .where(eq(seats.orderItemId, item.id));
  const more = ended - (now?.ended ?? 0);
  if (more > 0) {
    const gone = await tx.execute<{ id: number }>(sql`
      update ${seats} set ended_at = now(), token = null, mail_due = false
      where id in (
        select s.id from ${seats} s
        left join ${enrollments} e on e.user_id = s.user_id and e.order_item_id = s.order_item_id
        where s.order_item_id = ${item.id} and s.ended_at is null
        order by s.email is not null, s.user_id is not null, e.last_accessed_at is not null, s.given_at desc, s.id desc
        limit ${more})
      returning id`);
    await recordSeats(
      tx,
      gone.map(({ id }) => id),
    );
  } else if (more < 0) {
    // Where the address has another seat by now, the one that comes back is free.
    const back = await tx.execute<{ id: number }>(sql`
      update ${seats} back set ended_at = null,
        email = case when ${hasAnother} then null else email end,
        user_id = case when ${hasAnother} then null else user_id end,
        taken_at = case when ${hasAnother} then null else taken_at end,
        given_at = case when ${hasAnother} then null else given_at end,
        mail_due = user_id is null and email is not null and not ${hasAnother}
      where id in (
        select s.id from ${seats} s where s.order_item_id = ${item.id} and s.ended_at is not null
        order by s.ended_at desc, s.given_at, s.id limit ${-more})
      returning back.id`);
    const ids = back.map(({ id }) => id);
    await recordSeats(tx, ids);
    await setAccess(tx, item, sql`s.id in ${ids} and e.status = 'revoked'`, 'active');
  }
  // What gives access to the whole line (`changeAccess`) also gave it to these.
  await setAccess(tx, item, sql`s.ended_at is not null and e.status <> 'revoked'`, 'revoked');
}

/** Changes the access that seats of a line gave to those who took them. */
async function setAccess(
  tx: Tx,
  item: Pick<OrderItem, 'id'>,
  which: SQL,
  status: 'active' | 'revoked',
): Promise<void> {
  await tx.execute(sql`
    update ${enrollments} e set status = ${status}
    from ${seats} s
    where s.order_item_id = ${item.id} and e.order_item_id = s.order_item_id and e.user_id = s.user_id and ${which}`);
}

const hasAnother = sql`exists (
  select from ${seats} other
  where other.organisation_id = back.organisation_id and other.course_id = back.course_id
    and other.email = back.email and other.ended_at is null)`;
