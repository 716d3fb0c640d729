import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { organisations } from '#db/schema/organisations.ts';
import { bundles, orderItems, seatPlans, seats } from '#db/schema/store.ts';
import type { SeatThing, SeatThingRow } from '#src/features/store/seats/seat-thing.ts';
import { linesOfSeat } from '#src/features/store/seats/seats.server.ts';
import { toCsv } from '#src/server/csv.ts';
import { env } from '#src/server/start/env.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import { idleDays, standing } from './take-back-rule.server.ts';
import {
  type ListedSeat,
  type OwnSeat,
  type SeatFilter,
  type SeatsOfThing,
  takeBackInWords,
} from './seats.ts';

/** SQL. */
const hasBegun = sql<boolean>`(${enrollments.lastAccessedAt} is not null or ${enrollments.progress} > 0)`;

/** Progress by seats; a bundle's courses together. */
export function accessBySeats(which: SQL | undefined, executor: Executor = db()) {
  const line = alias(orderItems, 'line');
  const head = alias(orderItems, 'head');
  const held = executor.selectDistinct({ id: seats.orderItemId }).from(seats).where(which);
  return executor
    .select({
      itemId: sql<number>`${head.id}`.as('item_id'),
      userId: sql<number>`${enrollments.userId}`.as('learner_id'),
      begun: sql<boolean>`bool_or(${hasBegun})`.as('begun'),
      progress: sql<number>`round(avg(${enrollments.progress}))::int`.as('percent'),
      completedAt:
        sql`case when bool_and(${enrollments.completedAt} is not null) then max(${enrollments.completedAt}) end`
          .mapWith(enrollments.completedAt)
          .as('all_completed_at'),
      lastAt: sql`max(${enrollments.lastAccessedAt})`.mapWith(enrollments.lastAccessedAt).as('last_at'),
    })
    .from(head)
    .innerJoin(
      line,
      and(eq(line.orderId, head.orderId), or(eq(line.id, head.id), eq(line.bundleId, head.bundleId))),
    )
    .innerJoin(enrollments, eq(enrollments.orderItemId, line.id))
    .where(inArray(head.id, held))
    .groupBy(head.id, enrollments.userId)
    .as('access');
}
type Access = ReturnType<typeof accessBySeats>;

export const ofSeat = (access: Access) =>
  and(eq(access.itemId, seats.orderItemId), eq(access.userId, seats.userId));

export const planOfSeat = and(
  eq(seatPlans.organisationId, seats.organisationId),
  or(eq(seatPlans.courseId, seats.courseId), eq(seatPlans.bundleId, seats.bundleId)),
);

const stateSql = (access: Access): Record<SeatFilter, SQL> => ({
  offered: sql`(${seats.email} is not null and ${seats.userId} is null and ${seats.endedAt} is null)`,
  waiting: sql`(${seats.userId} is not null and ${seats.endedAt} is null and ${access.completedAt} is null and not coalesce(${access.begun}, false))`,
  begun: sql`(${seats.endedAt} is null and ${access.begun} and ${access.completedAt} is null)`,
  completed: sql`(${seats.endedAt} is null and ${access.completedAt} is not null)`,
  ended: sql`(${seats.endedAt} is not null)`,
  late: sql`(${seats.endedAt} is null and ${access.completedAt} is null and exists (
    select from ${seatPlans} where ${planOfSeat} and ${seatPlans.dueOn} < (now() at time zone 'UTC')::date))`,
});

/** SQL. */
export const thingTitle = sql<string>`coalesce(${courses.title}, ${bundles.title})`;

/** SQL: rows about a course or bundle. */
export const ofThing = (table: typeof seats | typeof seatPlans, { courseId, bundleId }: SeatThingRow) =>
  bundleId == null ? eq(table.courseId, courseId!) : eq(table.bundleId, bundleId);

/** By title. */
export async function countSeats(organisationId: number): Promise<SeatsOfThing[]> {
  const access = accessBySeats(eq(seats.organisationId, organisationId));
  const states = stateSql(access);
  const countOf = (state: SeatFilter) => sql<number>`count(*) filter (where ${states[state]})::int`;
  const rows = await db()
    .select({
      courseId: seats.courseId,
      bundleId: seats.bundleId,
      title: thingTitle,
      all: sql<number>`count(*) filter (where ${seats.endedAt} is null)::int`,
      free: sql<number>`count(*) filter (where ${seats.endedAt} is null and ${seats.email} is null)::int`,
      offered: countOf('offered'),
      waiting: countOf('waiting'),
      begun: countOf('begun'),
      completed: countOf('completed'),
      progress: sql<
        number | null
      >`round(avg(coalesce(${access.progress}, 0)) filter (where ${seats.userId} is not null and ${seats.endedAt} is null))::int`,
      code: seatPlans.code,
      domains: seatPlans.domains,
      dueOn: seatPlans.dueOn,
    })
    .from(seats)
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .leftJoin(access, ofSeat(access))
    .leftJoin(seatPlans, planOfSeat)
    .where(eq(seats.organisationId, organisationId))
    .groupBy(
      seats.courseId,
      seats.bundleId,
      courses.title,
      bundles.title,
      seatPlans.code,
      seatPlans.domains,
      seatPlans.dueOn,
    )
    .orderBy(asc(thingTitle), asc(seats.courseId), asc(seats.bundleId));
  return rows.map(({ code, domains, ...thing }) => ({
    ...thing,
    link: code && domains ? { url: linkOf(code), domains } : null,
  }));
}

/** Of seven days; `late` is now. */
export type WeekOfThing = Record<'invited' | 'taken' | 'active' | 'completed' | 'late', number> & {
  title: string;
};

/** By title. */
export function weekOfSeats(organisationId: number): Promise<WeekOfThing[]> {
  const access = accessBySeats(eq(seats.organisationId, organisationId));
  const thisWeek = (moment: SQL) =>
    sql<number>`count(*) filter (where ${seats.endedAt} is null and ${moment} > now() - interval '7 days')::int`;
  return db()
    .select({
      title: thingTitle,
      invited: thisWeek(sql`case when ${seats.userId} is null then ${seats.givenAt} end`),
      taken: thisWeek(sql`${seats.takenAt}`),
      active: thisWeek(sql`${access.lastAt}`),
      completed: thisWeek(sql`${access.completedAt}`),
      late: sql<number>`count(*) filter (where ${seats.email} is not null and ${stateSql(access).late})::int`,
    })
    .from(seats)
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .leftJoin(access, ofSeat(access))
    .where(eq(seats.organisationId, organisationId))
    .groupBy(seats.courseId, seats.bundleId, courses.title, bundles.title)
    .orderBy(asc(thingTitle), asc(seats.courseId), asc(seats.bundleId));
}

export const linkOf = (code: string) => `${env().siteUrl}/join?token=${code}`;

/** SQL. */
const certificateNumbers = sql<string[]>`array(
  select c.certificate_number from ${linesOfSeat(sql`${seats.orderItemId}`)} l
  join ${enrollments} e on e.order_item_id = l.id and e.user_id = ${seats.userId} and e.completed_at is not null
  join ${certificates} c on c.course_id = l.course_id and c.user_id = ${seats.userId} and c.revoked_at is null
  order by c.id)`;

/**
 * Latest first; only progress, never what they wrote.
 * @param asked `all` for everybody instead of a page
 */
export async function listSeats(
  organisationId: number,
  asked: (ListQuery & { of: SeatThing | null; state: SeatFilter | null }) | 'all',
): Promise<{ rows: ListedSeat[]; total: number; page: number }> {
  const access = accessBySeats(eq(seats.organisationId, organisationId));
  const conditions = [eq(seats.organisationId, organisationId), isNotNull(seats.email)];
  if (asked !== 'all') {
    if (asked.of !== null) conditions.push(ofThing(seats, asked.of));
    if (asked.state !== null) conditions.push(stateSql(access)[asked.state]);
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
    .leftJoin(access, ofSeat(access))
    .where(where);
  const total = asked === 'all' ? 0 : ((await joined)[0]?.total ?? 0);
  const page = asked === 'all' ? 1 : Math.min(asked.page, pageCount(total));
  const query = db()
    .select({
      id: seats.id,
      courseId: seats.courseId,
      bundleId: seats.bundleId,
      title: thingTitle,
      email: seats.email,
      name: users.username,
      givenAt: seats.givenAt,
      takenAt: seats.takenAt,
      endedAt: seats.endedAt,
      begun: sql<boolean>`coalesce(${access.begun}, false)`,
      progress: access.progress,
      completedAt: access.completedAt,
      lastAt: access.lastAt,
      isLate: stateSql(access).late.mapWith(Boolean),
      certificates: certificateNumbers,
    })
    .from(seats)
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .leftJoin(users, eq(users.id, seats.userId))
    .leftJoin(access, ofSeat(access))
    .where(where)
    .orderBy(sql`${seats.givenAt} desc`, sql`${seats.id} desc`);
  const rows = await (asked === 'all'
    ? query
    : query.limit(ADMIN_PAGE_SIZE).offset((page - 1) * ADMIN_PAGE_SIZE));
  return {
    total: asked === 'all' ? rows.length : total,
    page,
    rows: rows.map(({ begun, takenAt, endedAt, email, lastAt, ...row }) => ({
      ...row,
      ...standing({ begun, takenAt, endedAt, lastAt, completedAt: row.completedAt }),
      email: email!,
      name: row.name ?? null,
      givenAt: row.givenAt?.toISOString() ?? null,
      completedAt: row.completedAt?.toISOString() ?? null,
      lastAt: lastAt?.toISOString() ?? null,
      progress: row.progress ?? 0,
    })),
  };
}

export async function seatsCsv(organisationId: number): Promise<string> {
  const { rows } = await listSeats(organisationId, 'all');
  return toCsv(
    [
      'Email',
      'Name',
      'Course or bundle',
      'State',
      'Given',
      'Last active',
      'Progress in percent',
      'Late',
      'Completed',
      'Certificates',
    ],
    rows.map((row) => [
      row.email,
      row.name ?? '',
      row.title,
      row.state,
      row.givenAt?.slice(0, 10) ?? '',
      row.lastAt?.slice(0, 10) ?? '',
      row.progress,
      row.isLate ? 'yes' : 'no',
      row.completedAt?.slice(0, 10) ?? '',
      row.certificates.join(' '),
    ]),
  );
}

/** Latest first. */
export async function listOwnSeats(userId: number): Promise<OwnSeat[]> {
  const rows = await db()
    .select({
      id: seats.id,
      courseId: seats.courseId,
      title: thingTitle,
      organisation: organisations.name,
      givenAt: seats.givenAt,
      begun: sql<boolean>`exists (
        select from ${enrollments}
        where ${enrollments.userId} = ${seats.userId} and ${hasBegun}
          and ${enrollments.orderItemId} in (select l.id from ${linesOfSeat(sql`${seats.orderItemId}`)} l))`,
    })
    .from(seats)
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .innerJoin(organisations, eq(organisations.id, seats.organisationId))
    .where(and(eq(seats.userId, userId), isNull(seats.endedAt)))
    .orderBy(desc(seats.givenAt), desc(seats.id));
  const rule = takeBackInWords(idleDays());
  return rows.map(({ givenAt, ...row }) => ({ ...row, rule, givenAt: givenAt!.toISOString() }));
}
