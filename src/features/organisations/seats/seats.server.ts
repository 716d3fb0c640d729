import { and, asc, count, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { organisations } from '#db/schema/organisations.ts';
import { seatLinks, seats } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { toCsv } from '#src/server/csv.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import { mailSeatOffer } from '../mails.server.ts';
import { lockOrganisation } from '../members.server.ts';
import { readPeople } from '../people-list.ts';
import type { GivenSeats, LineProblem } from '../schema.ts';
import { type ListedSeat, type OwnSeat, type SeatFilter, type SeatsOfCourse, seatState } from './seats.ts';

export type Person = Pick<CurrentUser, 'id' | 'email' | 'username' | 'emailVerified'>;

/** Problems of a list that are named; the rest is counted. */
const PROBLEMS_SHOWN = 50;
/** Offers that one run of the job mails before it makes room for others. */
const OFFERS_AT_ONCE = 100;

/** SQL: a seat whose learner has opened a lesson; it is not taken back any more (decision 103). */
const hasBegun = sql<boolean>`(${enrollments.lastAccessedAt} is not null or ${enrollments.progress} > 0)`;

/** The enrollment that a seat gave. */
const ofSeat = and(eq(enrollments.userId, seats.userId), eq(enrollments.orderItemId, seats.orderItemId));

/** Which seats that were given are in a state; with those that are free and those that ended, they are all. */
const STATE_SQL: Record<SeatFilter, SQL> = {
  offered: sql`(${seats.email} is not null and ${seats.userId} is null and ${seats.endedAt} is null)`,
  waiting: sql`(${seats.userId} is not null and ${seats.endedAt} is null and ${enrollments.completedAt} is null and not coalesce(${hasBegun}, false))`,
  begun: sql`(${seats.endedAt} is null and ${hasBegun} and ${enrollments.completedAt} is null)`,
  completed: sql`(${seats.endedAt} is null and ${enrollments.completedAt} is not null)`,
  ended: sql`(${seats.endedAt} is not null)`,
};
const countOf = (state: SeatFilter) => sql<number>`count(*) filter (where ${STATE_SQL[state]})::int`;

/** How many seats of each course an organisation has, by the courses' titles. */
export async function countSeats(organisationId: number): Promise<SeatsOfCourse[]> {
  const rows = await db()
    .select({
      courseId: courses.id,
      title: courses.title,
      all: sql<number>`count(*) filter (where ${seats.endedAt} is null)::int`,
      free: sql<number>`count(*) filter (where ${seats.endedAt} is null and ${seats.email} is null)::int`,
      offered: countOf('offered'),
      waiting: countOf('waiting'),
      begun: countOf('begun'),
      completed: countOf('completed'),
      code: seatLinks.code,
      domains: seatLinks.domains,
    })
    .from(seats)
    .innerJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(enrollments, ofSeat)
    .leftJoin(
      seatLinks,
      and(eq(seatLinks.organisationId, seats.organisationId), eq(seatLinks.courseId, seats.courseId)),
    )
    .where(eq(seats.organisationId, organisationId))
    .groupBy(courses.id, courses.title, seatLinks.code, seatLinks.domains)
    .orderBy(asc(courses.title), asc(courses.id));
  return rows.map(({ code, domains, ...course }) => ({
    ...course,
    link: code && domains ? { url: linkOf(code), domains } : null,
  }));
}

const linkOf = (code: string) => `${env().siteUrl}/join?token=${code}`;

/**
 * The people to whom an organisation gave seats, the latest first: never what they wrote, only how far they are.
 *
 * @param asked `all` for every one of them instead of a page
 */
export async function listSeats(
  organisationId: number,
  asked: (ListQuery & { courseId: number | null; state: SeatFilter | null }) | 'all',
): Promise<{ rows: ListedSeat[]; total: number; page: number }> {
  const conditions = [eq(seats.organisationId, organisationId), isNotNull(seats.email)];
  if (asked !== 'all') {
    if (asked.courseId !== null) conditions.push(eq(seats.courseId, asked.courseId));
    if (asked.state !== null) conditions.push(STATE_SQL[asked.state]);
    if (asked.search !== '') {
      const like = `%${asked.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
      conditions.push(sql`(${seats.email} like ${like} or lower(${users.username}) like ${like})`);
    }
  }
  const where = and(...conditions);
  const joined = db()
    .select({ total: count() })
    .from(seats)
    .leftJoin(users, eq(users.id, seats.userId))
    .leftJoin(enrollments, ofSeat)
    .where(where);
  const total = asked === 'all' ? 0 : ((await joined)[0]?.total ?? 0);
  const page = asked === 'all' ? 1 : Math.min(asked.page, pageCount(total));
  const query = db()
    .select({
      id: seats.id,
      courseId: seats.courseId,
      course: courses.title,
      email: seats.email,
      name: users.username,
      givenAt: seats.givenAt,
      takenAt: seats.takenAt,
      endedAt: seats.endedAt,
      begun: sql<boolean>`coalesce(${hasBegun}, false)`,
      progress: enrollments.progress,
      completedAt: enrollments.completedAt,
      certificate: certificates.certificateNumber,
    })
    .from(seats)
    .innerJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(users, eq(users.id, seats.userId))
    .leftJoin(enrollments, ofSeat)
    .leftJoin(
      certificates,
      and(
        eq(certificates.userId, seats.userId),
        eq(certificates.courseId, seats.courseId),
        isNull(certificates.revokedAt),
        isNotNull(enrollments.completedAt),
      ),
    )
    .where(where)
    .orderBy(sql`${seats.givenAt} desc`, sql`${seats.id} desc`);
  const rows = await (asked === 'all'
    ? query
    : query.limit(ADMIN_PAGE_SIZE).offset((page - 1) * ADMIN_PAGE_SIZE));
  return {
    total: asked === 'all' ? rows.length : total,
    page,
    rows: rows.map(({ begun, takenAt, endedAt, email, ...row }) => ({
      ...row,
      email: email!,
      name: row.name ?? null,
      givenAt: row.givenAt?.toISOString() ?? null,
      completedAt: row.completedAt?.toISOString() ?? null,
      progress: row.progress ?? 0,
      state: seatState({ takenAt, endedAt, begun, completedAt: row.completedAt }),
    })),
  };
}

/** The people with seats as a file for spreadsheets. */
export async function seatsCsv(organisationId: number): Promise<string> {
  const { rows } = await listSeats(organisationId, 'all');
  return toCsv(
    ['Email', 'Name', 'Course', 'State', 'Given', 'Progress in percent', 'Completed', 'Certificate'],
    rows.map((row) => [
      row.email,
      row.name ?? '',
      row.course,
      row.state,
      row.givenAt?.slice(0, 10) ?? '',
      row.progress,
      row.completedAt?.slice(0, 10) ?? '',
      row.certificate ?? '',
    ]),
  );
}

/**
 * Offers free seats of a course to the people of a pasted list, or says what would happen. All lines that are right are
 * done together or, where there are fewer free seats than people, none.
 *
 * @throws {AppError} not_found for another organisation or a course of which it has no seats; conflict where seats run
 *   short
 */
export async function giveSeats(
  user: Person,
  organisationId: number,
  { courseId, people, dryRun }: { courseId: number; people: string; dryRun: boolean },
): Promise<GivenSeats> {
  const lines = readPeople(people);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrganisation(tx, user.id, organisationId);
      const free = await freeSeats(tx, organisationId, courseId);
      const known = await addressesWithSeat(
        tx,
        organisationId,
        courseId,
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
        if (addresses.length > 0) await sendJob(tx, mailSeatOffersJob, { organisationId });
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

/** The ids of the free seats of a course, the oldest first. */
async function freeSeats(tx: Tx, organisationId: number, courseId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: seats.id, isFree: sql<boolean>`${seats.email} is null and ${seats.endedAt} is null` })
    .from(seats)
    .where(and(eq(seats.organisationId, organisationId), eq(seats.courseId, courseId)))
    .orderBy(asc(seats.id));
  if (rows.length === 0) throw new AppError('not_found', 'Your organisation has no seats of this course.');
  return rows.filter(({ isFree }) => isFree).map(({ id }) => id);
}

async function addressesWithSeat(
  tx: Tx,
  organisationId: number,
  courseId: number,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.execute<{ email: string }>(sql`
    select email from ${seats}
    where organisation_id = ${organisationId} and course_id = ${courseId} and ended_at is null
      and email in (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb))`);
  return new Set(rows.map(({ email }) => email));
}

/** Writes the addresses on free seats, one on each. */
export async function offer(tx: Tx, ids: readonly number[], emails: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const pairs = JSON.stringify(ids.map((id, index) => ({ id, email: emails[index] })));
  await tx.execute(sql`
    update ${seats} s set email = given.email, given_at = now(), mail_due = true
    from jsonb_to_recordset(${pairs}::jsonb) as given(id int, email text)
    where s.id = given.id`);
  await recordSeats(tx, ids);
}

/** Mails the open offers of an organisation, each with a new link: the database knows only what its secret hashes to. */
export const mailSeatOffersJob: JobDefinition<z.ZodObject<{ organisationId: z.ZodNumber }>> = {
  name: 'organisations.mail-seat-offers',
  data: z.object({ organisationId: z.number().int() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: 300,
  run: async ({ organisationId }) => {
    await db().transaction(async (tx) => {
      const due = await tx
        .select({ id: seats.id, email: seats.email, course: courses.title, organisation: organisations.name })
        .from(seats)
        .innerJoin(courses, eq(courses.id, seats.courseId))
        .innerJoin(organisations, eq(organisations.id, seats.organisationId))
        .where(and(eq(seats.organisationId, organisationId), seats.mailDue))
        .orderBy(asc(seats.id))
        .limit(OFFERS_AT_ONCE)
        .for('update', { of: seats, skipLocked: true });
      for (const { id, email, course, organisation } of due) {
        const secret = newSecret();
        await tx
          .update(seats)
          .set({ mailDue: false, ...(email ? { token: hashSecret(secret) } : {}) })
          .where(eq(seats.id, id));
        if (email) await mailSeatOffer(tx, { to: email, organisation, course, secret });
      }
      if (due.length === OFFERS_AT_ONCE) await sendJob(tx, mailSeatOffersJob, { organisationId });
    });
  },
};

const notTheirs = () => new AppError('not_found', 'You have no such seat, or not any more.');
const paidBack = () => new AppError('conflict', 'This seat was paid back and is not in use any more.');

/** The seat of an organisation, held until the transaction ends. */
async function lockSeat(tx: Tx, organisationId: number, seatId: number) {
  const [seat] = await tx
    .select()
    .from(seats)
    .where(and(eq(seats.id, seatId), eq(seats.organisationId, organisationId)))
    .for('update');
  if (!seat) throw new AppError('not_found', 'There is no such seat.');
  if (seat.endedAt) throw paidBack();
  if (!seat.email) throw new AppError('conflict', 'This seat is free already.');
  return { ...seat, email: seat.email };
}

/**
 * Makes a seat free again. Its learner must not have begun: what somebody has done stays with them.
 *
 * @throws {AppError} not_found, conflict for a seat that is free, paid back, or begun
 */
export async function takeSeatBack(
  user: Person,
  organisationId: number,
  seatId: number,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrganisation(tx, user.id, organisationId);
      const seat = await lockSeat(tx, organisationId, seatId);
      await freeSeat(tx, seat, `${seat.email} has begun the course, so the seat stays theirs.`);
      return { message: `The seat of ${seat.email} is free again.` };
    }),
  );
}

/** Takes the course from who has a seat, and makes it free; refused in these words where they have begun. */
async function freeSeat(tx: Tx, seat: typeof seats.$inferSelect, refusal: string): Promise<void> {
  if (seat.userId !== null) {
    const [open] = await tx
      .select({ id: enrollments.id, begun: hasBegun })
      .from(enrollments)
      .where(and(eq(enrollments.userId, seat.userId), eq(enrollments.orderItemId, seat.orderItemId)))
      .for('update');
    if (open?.begun) throw new AppError('conflict', refusal);
    if (open) {
      await tx
        .update(enrollments)
        .set({ status: 'revoked', orderItemId: null })
        .where(eq(enrollments.id, open.id));
    }
  }
  await tx.update(seats).set(FREE).where(eq(seats.id, seat.id));
  await recordSeats(tx, [seat.id]);
}

/** The seats that a person has, the one given last first. */
export async function listOwnSeats(userId: number): Promise<OwnSeat[]> {
  const rows = await db()
    .select({
      id: seats.id,
      courseId: seats.courseId,
      course: courses.title,
      organisation: organisations.name,
      givenAt: seats.givenAt,
      begun: sql<boolean>`coalesce(${hasBegun}, false)`,
    })
    .from(seats)
    .innerJoin(courses, eq(courses.id, seats.courseId))
    .innerJoin(organisations, eq(organisations.id, seats.organisationId))
    .leftJoin(enrollments, ofSeat)
    .where(and(eq(seats.userId, userId), isNull(seats.endedAt)))
    .orderBy(desc(seats.givenAt), desc(seats.id));
  return rows.map(({ givenAt, ...row }) => ({ ...row, givenAt: givenAt!.toISOString() }));
}

/**
 * Makes a seat free again that its learner does not want. The rule is that of taking it back: a seat does not go from one
 * who learns to the next. What they have done stays with them.
 *
 * @throws {AppError} not_found for a seat that is not theirs or not any more, conflict for one that is paid back or begun
 */
export async function giveSeatBack(user: Person, seatId: number): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const mine = and(eq(seats.id, seatId), eq(seats.userId, user.id));
      const [known] = await tx.select({ organisationId: seats.organisationId }).from(seats).where(mine);
      if (!known) throw notTheirs();
      // Before the seat, in the order of those who run it.
      await tx
        .select({ name: organisations.name })
        .from(organisations)
        .where(eq(organisations.id, known.organisationId))
        .for('no key update');
      const [seat] = await tx.select().from(seats).where(mine).for('update');
      if (!seat) throw notTheirs();
      if (seat.endedAt) throw paidBack();
      await freeSeat(tx, seat, 'You have begun the course, so the seat stays yours.');
      return { message: 'Your organisation has the seat again.' };
    }),
  );
}

/** A seat that nobody has. */
export const FREE = {
  email: null,
  token: null,
  mailDue: false,
  givenAt: null,
  userId: null,
  takenAt: null,
} as const;

/**
 * Has an open offer mailed again; the link of before stops working.
 *
 * @throws {AppError} not_found, conflict for a seat that is free or taken, too_many_requests for one mailed often
 */
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
    await tx.update(seats).set({ mailDue: true }).where(eq(seats.id, seatId));
    await sendJob(tx, mailSeatOffersJob, { organisationId });
    return { message: `We are mailing the offer to ${seat.email} again.` };
  });
}

/**
 * Makes the link with which people at these mail domains take a free seat of a course themselves; without domains it
 * ends. Other domains keep the link as it is.
 *
 * @throws {AppError} not_found for another organisation or a course of which it has no seats
 */
export async function setSeatLink(
  user: Person,
  organisationId: number,
  { courseId, domains }: { courseId: number; domains: string[] },
): Promise<{ link: string | null }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId);
    await freeSeats(tx, organisationId, courseId);
    const ofCourse = and(eq(seatLinks.organisationId, organisationId), eq(seatLinks.courseId, courseId));
    if (domains.length === 0) {
      await tx.delete(seatLinks).where(ofCourse);
      return { link: null };
    }
    const [row] = await tx
      .insert(seatLinks)
      .values({ organisationId, courseId, domains, code: newSecret() })
      .onConflictDoUpdate({ target: [seatLinks.organisationId, seatLinks.courseId], set: { domains } })
      .returning({ code: seatLinks.code });
    return { link: linkOf(row!.code) };
  });
}
