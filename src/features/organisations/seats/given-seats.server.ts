import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { organisations } from '#db/schema/organisations.ts';
import { bundles, seats } from '#db/schema/store.ts';
import { linesOfSeat } from '#src/features/store/seats/seats.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { sendJob } from '#src/server/jobs.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { mailSeatTakenBack } from '../mails.server.ts';
import { lockOrganisation } from '../members.server.ts';
import { accessBySeats, ofSeat, thingTitle } from './seat-lists.server.ts';
import { mailSeatOffersJob, type Person } from './seats.server.ts';
import { idleDays, standing } from './take-back-rule.server.ts';

export const FREE = {
  email: null,
  token: null,
  mailDue: false,
  givenAt: null,
  userId: null,
  takenAt: null,
} as const;

const notTheirs = () => new AppError('not_found', 'You have no such seat, or not any more.');
const paidBack = () => new AppError('conflict', 'This seat was paid back and is not in use any more.');

/** SQL: accesses by these seats. */
const accessBy = (ids: readonly number[]) => sql`
  select e.id from ${seats} s join lateral ${linesOfSeat(sql`s.order_item_id`)} l on true
  join ${enrollments} e on e.order_item_id = l.id and e.user_id = s.user_id
  where s.id in ${ids}`;

export type GivenSeat = Awaited<ReturnType<typeof lockSeats>>[number];

/** Locked until the transaction ends. */
export async function lockSeats(tx: Tx, organisationId: number, ids: readonly number[]) {
  const which = and(eq(seats.organisationId, organisationId), inArray(seats.id, [...ids]));
  const held = await tx
    .select({ id: seats.id })
    .from(seats)
    .where(which)
    .orderBy(asc(seats.id))
    .for('update');
  if (held.length === 0) return [];
  await tx.execute(sql`${accessBy(held.map(({ id }) => id))} order by e.id for update of e`);
  const access = accessBySeats(which, tx);
  const rows = await tx
    .select({
      id: seats.id,
      email: seats.email,
      userId: seats.userId,
      takenAt: seats.takenAt,
      endedAt: seats.endedAt,
      title: thingTitle,
      mailbox: users.email,
      begun: sql<boolean>`coalesce(${access.begun}, false)`,
      completedAt: access.completedAt,
      lastAt: access.lastAt,
    })
    .from(seats)
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .leftJoin(users, eq(users.id, seats.userId))
    .leftJoin(access, ofSeat(access))
    .where(which)
    .orderBy(asc(seats.id));
  return rows.map((row) => ({ ...row, ...standing(row) }));
}

/** @throws {AppError} not_found for a free one */
async function lockSeat(tx: Tx, organisationId: number, seatId: number) {
  const [seat] = await lockSeats(tx, organisationId, [seatId]);
  if (!seat) throw new AppError('not_found', 'There is no such seat.');
  if (seat.endedAt) throw paidBack();
  if (!seat.email) throw new AppError('conflict', 'This seat is free already.');
  return seat;
}

/** Learners' work stays stored. */
export async function releaseSeats(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(enrollments)
    .set({ status: 'revoked', orderItemId: null })
    .where(sql`${enrollments.id} in (${accessBy(ids)})`);
  await tx
    .update(seats)
    .set(FREE)
    .where(inArray(seats.id, [...ids]));
  await recordSeats(tx, ids);
}

/** Mails those who had begun. */
export async function takeBack(tx: Tx, organisation: string, taken: readonly GivenSeat[]): Promise<void> {
  await releaseSeats(
    tx,
    taken.map(({ id }) => id),
  );
  const days = idleDays() ?? 0;
  for (const { state, mailbox, title } of taken)
    if (state === 'begun' && mailbox)
      await mailSeatTakenBack(tx, { to: mailbox, organisation, title, idleDays: days });
}

/**
 * By the rule of `mayTakeBack`.
 * @throws {AppError} not_found, conflict
 */
export async function takeSeatBack(
  user: Person,
  organisationId: number,
  seatId: number,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const own = await lockOrganisation(tx, user.id, organisationId);
      const seat = await lockSeat(tx, organisationId, seatId);
      if (!seat.canTakeBack)
        throw new AppError('conflict', `${seat.email} has begun, so the seat stays theirs.`);
      await takeBack(tx, own.name, [seat]);
      return { message: `The seat of ${seat.email} is free again.` };
    }),
  );
}

/**
 * Only before its learner begins.
 * @throws {AppError} not_found, conflict for a refunded or begun one
 */
export async function giveSeatBack(user: Person, seatId: number): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const mine = and(eq(seats.id, seatId), eq(seats.userId, user.id));
      const [known] = await tx.select({ organisationId: seats.organisationId }).from(seats).where(mine);
      if (!known) throw notTheirs();
      // Before the seat, in the others' lock order.
      await tx
        .select({ name: organisations.name })
        .from(organisations)
        .where(eq(organisations.id, known.organisationId))
        .for('no key update');
      const [seat] = await lockSeats(tx, known.organisationId, [seatId]);
      if (seat?.userId !== user.id) throw notTheirs();
      if (seat.endedAt) throw paidBack();
      if (seat.state !== 'waiting')
        throw new AppError('conflict', 'You have begun, so the seat stays yours.');
      await releaseSeats(tx, [seatId]);
      return { message: 'Your organization has the seat again.' };
    }),
  );
}

/** Earlier links stop working. */
export async function mailAgain(
  tx: Tx,
  by: number,
  organisationId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(seats)
    .set({ mailDue: true })
    .where(and(inArray(seats.id, [...ids]), isNull(seats.userId)));
  await sendJob(tx, mailSeatOffersJob, { organisationId, by });
}

/** @throws {AppError} not_found, conflict, too_many_requests */
export async function remindSeat(
  user: Person,
  organisationId: number,
  seatId: number,
): Promise<{ message: string }> {
  await consume('seat-reminder', `user:${user.id}:seat:${seatId}`);
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    const seat = await lockSeat(tx, organisationId, seatId);
    if (seat.userId !== null) throw new AppError('conflict', `${seat.email} has taken the seat already.`);
    await mailAgain(tx, user.id, organisationId, [seatId]);
    return { message: `We are mailing the offer to ${seat.email} again.` };
  });
}
