import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { organisations } from '#db/schema/organisations.ts';
import { bundles, seatPlans, seats } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import type { SeatThing } from '#src/features/store/seats/seat-thing.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { counted } from '#src/shared/counted.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { shownDate } from '#src/shared/dates.ts';
import { mailSeatOffer } from '../mails.server.ts';
import { lockOrganisation } from '../members.server.ts';
import { readPeople } from '../people-list.ts';
import type { GivenSeats, LineProblem } from '../schema.ts';
import { linkOf, ofThing, planOfSeat, thingTitle } from './seat-lists.server.ts';

export type Person = Pick<CurrentUser, 'id' | 'email' | 'username' | 'emailVerified'>;

/** Named ones; the rest is counted. */
const PROBLEMS_SHOWN = 50;
/** Offers for one job. */
const OFFERS_AT_ONCE = 100;

/**
 * Offers free seats to a pasted list, or reports what would happen. All valid lines, or none where seats run short.
 * @throws {AppError} not_found, conflict
 */
export async function giveSeats(
  user: Person,
  organisationId: number,
  { people, dryRun, ...thing }: SeatThing & { people: string; dryRun: boolean },
): Promise<GivenSeats> {
  const lines = readPeople(people);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrganisation(tx, user.id, organisationId);
      const free = await freeSeats(tx, organisationId, thing);
      const known = await addressesWithSeat(
        tx,
        organisationId,
        thing,
        lines.flatMap(({ email }) => email ?? []),
      );
      const seen = new Set<string>();
      const addresses: string[] = [];
      const problems: GivenSeats['problems'] = [];
      for (const { line, text, email } of lines) {
        const note = (problem: LineProblem) => problems.push({ line, text: text.slice(0, 300), problem });
        if (email === null) note('malformed');
        else if (seen.has(email)) note('repeated');
        else if (known.has(email)) note('has_seat');
        else if (addresses.length >= free.length) note('no_seat_left');
        else addresses.push(email);
        if (email !== null) seen.add(email);
      }
      const short = problems.filter(({ problem }) => problem === 'no_seat_left').length;
      if (!dryRun) {
        if (short > 0) {
          const all = addresses.length + short;
          const message = `${counted(free.length, 'seat is', 'seats are')} free, and the list needs ${all}. Nobody was invited.`;
          throw new AppError('conflict', message);
        }
        await offer(tx, free.slice(0, addresses.length), addresses);
        if (addresses.length > 0) await sendJob(tx, mailSeatOffersJob, { organisationId, by: user.id });
      }
      return {
        given: addresses.length,
        free: free.length,
        problems: problems.slice(0, PROBLEMS_SHOWN),
        problemCount: problems.length,
      };
    }),
  );
}

/** Ids, oldest first. */
export async function freeSeats(tx: Tx, organisationId: number, thing: SeatThing): Promise<number[]> {
  const rows = await tx
    .select({ id: seats.id, isFree: sql<boolean>`${seats.email} is null and ${seats.endedAt} is null` })
    .from(seats)
    .where(and(eq(seats.organisationId, organisationId), ofThing(seats, thing)))
    .orderBy(asc(seats.id));
  if (rows.length === 0) throw new AppError('not_found', 'Your organization has no such seats.');
  return rows.filter(({ isFree }) => isFree).map(({ id }) => id);
}

/** Those with a seat or an open offer. */
export async function addressesWithSeat(
  tx: Tx,
  organisationId: number,
  thing: SeatThing,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.execute<{ email: string }>(sql`
    select email from ${seats}
    where organisation_id = ${organisationId} and ${ofThing(seats, thing)} and ended_at is null
      and email in (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb))`);
  return new Set(rows.map(({ email }) => email));
}

/** One address on each seat. */
export async function offer(tx: Tx, ids: readonly number[], emails: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const pairs = JSON.stringify(ids.map((id, index) => ({ id, email: emails[index] })));
  await tx.execute(sql`
    update ${seats} s set email = given.email, given_at = now(), mail_due = true
    from jsonb_to_recordset(${pairs}::jsonb) as given(id int, email text)
    where s.id = given.id`);
  await recordSeats(tx, ids);
}

/** Each with a new link: the database has only the hash of its secret. `by` is who gave or reminded. */
export const mailSeatOffersJob: JobDefinition<
  z.ZodObject<{ organisationId: z.ZodNumber; by: z.ZodOptional<z.ZodNumber> }>
> = {
  name: 'organisations.mail-seat-offers',
  data: z.object({ organisationId: z.number().int(), by: z.number().int().optional() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: 300,
  run: async ({ organisationId, by = 0 }) => {
    await db().transaction(async (tx) => {
      const [sender = null] = await tx
        .select({ name: users.username, email: users.email })
        .from(users)
        .where(and(eq(users.id, by), isNotNull(users.emailVerifiedAt)));
      const due = await tx
        .select({
          id: seats.id,
          email: seats.email,
          title: thingTitle,
          about: sql<string>`coalesce(${bundles.description}, ${courses.description}, '')`,
          dueOn: seatPlans.dueOn,
          organisation: organisations.name,
        })
        .from(seats)
        .leftJoin(courses, eq(courses.id, seats.courseId))
        .leftJoin(bundles, eq(bundles.id, seats.bundleId))
        .leftJoin(seatPlans, planOfSeat)
        .innerJoin(organisations, eq(organisations.id, seats.organisationId))
        .where(and(eq(seats.organisationId, organisationId), seats.mailDue))
        .orderBy(asc(seats.id))
        .limit(OFFERS_AT_ONCE)
        .for('update', { of: seats, skipLocked: true });
      for (const { id, email, ...offered } of due) {
        const secret = newSecret();
        await tx
          .update(seats)
          .set({ mailDue: false, ...(email ? { token: hashSecret(secret) } : {}) })
          .where(eq(seats.id, id));
        if (email) await mailSeatOffer(tx, { to: email, by: sender, ...offered, secret });
      }
      if (due.length === OFFERS_AT_ONCE) await sendJob(tx, mailSeatOffersJob, { organisationId, by });
    });
  },
};

/**
 * A link for people at mail domains; none end it, others keep it.
 * @throws {AppError} not_found
 */
export async function setSeatLink(
  user: Person,
  organisationId: number,
  { domains, ...thing }: SeatThing & { domains: string[] },
): Promise<{ link: string | null }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    await freeSeats(tx, organisationId, thing);
    if (domains.length === 0) {
      await tx
        .update(seatPlans)
        .set({ code: null, domains: null })
        .where(and(eq(seatPlans.organisationId, organisationId), ofThing(seatPlans, thing)));
      return { link: null };
    }
    const [plan] = await tx
      .insert(seatPlans)
      .values({ organisationId, ...thing, domains, code: newSecret() })
      .onConflictDoUpdate({
        target: [seatPlans.organisationId, seatPlans.courseId, seatPlans.bundleId],
        set: { domains, code: sql`coalesce(${seatPlans.code}, excluded.code)` },
      })
      .returning({ code: seatPlans.code });
    return { link: linkOf(plan!.code!) };
  });
}

/**
 * @param dueOn '2026-12-31'; null clears it
 * @throws {AppError} not_found
 */
export async function setSeatsDue(
  user: Person,
  organisationId: number,
  { dueOn, ...thing }: SeatThing & { dueOn: string | null },
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    await freeSeats(tx, organisationId, thing);
    await tx
      .insert(seatPlans)
      .values({ organisationId, ...thing, dueOn })
      .onConflictDoUpdate({
        target: [seatPlans.organisationId, seatPlans.courseId, seatPlans.bundleId],
        set: { dueOn },
      });
    return { message: dueOn === null ? 'There is no day any more.' : `The day is ${shownDate(dueOn)}.` };
  });
}
