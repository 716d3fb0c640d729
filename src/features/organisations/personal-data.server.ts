import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { organisationInvitations, organisationMembers, organisations } from '#db/schema/organisations.ts';
import { bundles, quotes, seats } from '#db/schema/store.ts';
import { webhookEvents } from '#db/schema/webhooks.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';
import { recordSeats } from '#src/server/webhooks/events.ts';
import { thingTitle } from './seats/seat-lists.server.ts';

/** Offered seats count where the address is proven. */
const theirs = ({ id, email, ownsEmail }: Person) =>
  or(eq(seats.userId, id), ownsEmail ? and(isNull(seats.userId), eq(seats.email, email)) : undefined);

const toldOf = ({ id, email, ownsEmail }: Person) =>
  or(eq(webhookEvents.userId, id), ownsEmail ? eq(webhookEvents.email, email) : undefined);

async function rows(tx: Executor, person: Person) {
  const runs = await tx
    .select({
      organisation: organisations.name,
      role: organisationMembers.role,
      since: organisationMembers.createdAt,
    })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(eq(organisationMembers.userId, person.id))
    .orderBy(asc(organisations.id));
  const held = await tx
    .select({
      organisation: organisations.name,
      of: thingTitle,
      email: seats.email,
      givenAt: seats.givenAt,
      takenAt: seats.takenAt,
      endedAt: seats.endedAt,
    })
    .from(seats)
    .innerJoin(organisations, eq(organisations.id, seats.organisationId))
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .where(theirs(person))
    .orderBy(asc(seats.id));
  const told = await tx
    .select({
      organisation: organisations.name,
      event: webhookEvents.kind,
      data: webhookEvents.data,
      at: webhookEvents.createdAt,
    })
    .from(webhookEvents)
    .innerJoin(organisations, eq(organisations.id, webhookEvents.organisationId))
    .where(toldOf(person))
    .orderBy(asc(webhookEvents.createdAt));
  const quoted = await tx
    .select({
      organisation: organisations.name,
      number: quotes.number,
      lines: quotes.lines,
      at: quotes.madeAt,
    })
    .from(quotes)
    .innerJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(eq(quotes.madeBy, person.id))
    .orderBy(asc(quotes.id));
  return { organisations: runs, seats: held, toldToOrganisations: told, quotes: quoted };
}

async function erase(tx: Tx, person: Person): Promise<void> {
  // The learner's work goes with the account, so the seat is free.
  const freed = await tx
    .update(seats)
    .set({ email: null, token: null, mailDue: false, givenAt: null, userId: null, takenAt: null })
    .where(theirs(person))
    .returning({ id: seats.id });
  await tx.delete(webhookEvents).where(toldOf(person));
  await recordSeats(
    tx,
    freed.map(({ id }) => id),
  );
  if (person.ownsEmail) {
    await tx.delete(organisationInvitations).where(eq(organisationInvitations.email, person.email));
  }
  // The longest-serving manager becomes owner.
  await tx.execute(sql`
    update ${organisationMembers} heir set role = 'owner'
    where (heir.organisation_id, heir.user_id) in (
      select distinct on (m.organisation_id) m.organisation_id, m.user_id
      from ${organisationMembers} m
      where m.user_id <> ${person.id}
        and m.organisation_id in (
          select organisation_id from ${organisationMembers} where user_id = ${person.id} and role = 'owner')
        and not exists (
          select from ${organisationMembers} o
          where o.organisation_id = m.organisation_id and o.role = 'owner' and o.user_id <> ${person.id})
      order by m.organisation_id, m.created_at, m.user_id)`);
}

export const organisationData: PersonalDataPart = { rows, erase };
