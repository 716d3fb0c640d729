import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { organisations } from '#db/schema/organisations.ts';
import { bundles, seatPlans, seats } from '#db/schema/store.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { holdAccount, markVerified } from '#src/features/account/email/verification.server.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { enterBySeat } from '#src/features/store/seats/seats.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { recordLearners, recordSeats } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { acceptMemberInvitation, findMemberInvitation, otherAddress } from '../members.server.ts';
import { ofThing, thingTitle } from '#src/features/organisations/seats/seat-lists.server.ts';
import { FREE } from '#src/features/organisations/seats/given-seats.server.ts';
import type { Person } from '#src/features/organisations/seats/seats.server.ts';

/** What a link offers, for the page behind it. */
export type Invitation =
  | { kind: 'member'; organisation: string; email: string; role: 'owner' | 'manager' }
  | { kind: 'seat'; organisation: string; title: string; email: string }
  | { kind: 'link'; organisation: string; title: string; domains: string[] };

/** What the secret of a link offers; null where it is of none, or of one that has ended. */
export async function findInvitation(secret: string): Promise<Invitation | null> {
  if (!/^[\w-]{20,100}$/.test(secret)) return null;
  const member = await findMemberInvitation(secret);
  if (member) return { kind: 'member', ...member };
  const [seat] = await db()
    .select({ organisation: organisations.name, title: thingTitle, email: seats.email })
    .from(seats)
    .innerJoin(organisations, eq(organisations.id, seats.organisationId))
    .leftJoin(courses, eq(courses.id, seats.courseId))
    .leftJoin(bundles, eq(bundles.id, seats.bundleId))
    .where(and(eq(seats.token, hashSecret(secret)), isNull(seats.endedAt), isNull(seats.userId)));
  if (seat?.email) return { kind: 'seat', ...seat, email: seat.email };
  const [link] = await db()
    .select({ organisation: organisations.name, title: thingTitle, domains: seatPlans.domains })
    .from(seatPlans)
    .innerJoin(organisations, eq(organisations.id, seatPlans.organisationId))
    .leftJoin(courses, eq(courses.id, seatPlans.courseId))
    .leftJoin(bundles, eq(bundles.id, seatPlans.bundleId))
    .where(eq(seatPlans.code, secret));
  return link?.domains ? { kind: 'link', ...link, domains: link.domains } : null;
}

/**
 * The invitation that a sign-in or registration leads to, with the address that it was mailed to; undefined where the path
 * is to none, or to a link that many have.
 */
export async function invitedBy(path: string | null): Promise<{ secret: string; email: string } | undefined> {
  const secret = /^\/join\?token=([\w-]+)$/.exec(path ?? '')?.[1];
  const email = secret && (await mailedTo(secret));
  return email ? { secret, email } : undefined;
}

/** The address that a secret was mailed to in an invitation that works: whoever has it reads the mails there. */
export async function mailedTo(secret: string): Promise<string | undefined> {
  const offer = await findInvitation(secret);
  return offer && offer.kind !== 'link' ? offer.email : undefined;
}

/**
 * Takes what a link offers: the running of an organisation, or a seat. A mailed offer is for the account of its address
 * alone, and proves that address; a link for mail domains asks for an address at one of them that is proven.
 *
 * @returns what was taken, in words, and the path to go on at
 * @throws {AppError} not_found for a link that has ended, forbidden for another address, conflict where no seat is left
 */
export async function join(user: Person, secret: string): Promise<{ message: string; next: string }> {
  const member = await acceptMemberInvitation(user, secret);
  if (member) {
    await proveAddress(user);
    return member;
  }
  const { byMail, ...taken } = await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const [offered] = await tx
        .select({ organisationId: seats.organisationId })
        .from(seats)
        .where(eq(seats.token, hashSecret(secret)));
      const [link] = offered ? [] : await tx.select().from(seatPlans).where(eq(seatPlans.code, secret));
      const organisationId = offered?.organisationId ?? link?.organisationId;
      if (organisationId === undefined) throw linkEnded();
      // Against every other change of its seats.
      await tx.select().from(organisations).where(eq(organisations.id, organisationId)).for('no key update');
      const seatId = link
        ? await seatByLink(tx, user, link)
        : await seatByOffer(tx, user, hashSecret(secret));
      return { ...(await takeSeat(tx, user, seatId)), byMail: !link };
    }),
  );
  if (byMail) await proveAddress(user);
  return taken;
}

/** The mailbox and the account came together, as with the link that verifies an address (decision 13). */
async function proveAddress({ id, email, emailVerified }: Person): Promise<void> {
  if (emailVerified) return;
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const held = await holdAccount(tx, id);
      if (!held || held.emailVerifiedAt || held.email !== email) return;
      await attachGuestPurchases(tx, await markVerified(tx, id));
    }),
  );
}

const linkEnded = () =>
  new AppError('not_found', 'This link does not work any more. Ask your organisation for a new one.');

async function seatByOffer(tx: Tx, user: Person, token: string): Promise<number> {
  const [seat] = await tx
    .select()
    .from(seats)
    .where(and(eq(seats.token, token), isNull(seats.endedAt), isNull(seats.userId)));
  if (!seat?.email) throw linkEnded();
  if (seat.email !== user.email) throw otherAddress(seat.email);
  return seat.id;
}

async function seatByLink(tx: Tx, user: Person, link: typeof seatPlans.$inferSelect): Promise<number> {
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1);
  const domains = link.domains ?? [];
  if (!domains.includes(domain)) {
    const ours = domains.map((one) => `@${one}`).join(' or ');
    throw new AppError(
      'forbidden',
      `This link is for addresses that end with ${ours}. Yours is ${user.email}.`,
    );
  }
  if (!user.emailVerified) {
    throw new AppError('forbidden', 'Please confirm your email address first, then open this link again.');
  }
  const ofLink = and(
    eq(seats.organisationId, link.organisationId),
    ofThing(seats, link),
    isNull(seats.endedAt),
  );
  const [own] = await tx
    .select({ id: seats.id, userId: seats.userId })
    .from(seats)
    .where(and(ofLink, eq(seats.email, user.email)));
  if (own?.userId != null) throw new AppError('already_owned', 'You have your seat already.');
  if (own) return own.id;
  const [free] = await tx
    .select({ id: seats.id })
    .from(seats)
    .where(and(ofLink, isNull(seats.email)))
    .orderBy(asc(seats.id))
    .limit(1);
  if (!free) throw new AppError('conflict', 'All seats are taken. Ask your organisation for another one.');
  return free.id;
}

/**
 * Gives a seat to a person, with what it opens, and tells of it.
 *
 * @returns the courses that they did not have; with none, the caller makes the seat free again
 */
export async function fillSeat(tx: Tx, person: { id: number; email: string }, seatId: number) {
  const [seat] = await tx
    .update(seats)
    .set({
      email: person.email,
      userId: person.id,
      givenAt: sql`coalesce(${seats.givenAt}, now())`,
      takenAt: sql`now()`,
      token: null,
      mailDue: false,
    })
    .where(eq(seats.id, seatId))
    .returning();
  const entered = await enterBySeat(tx, person.id, seat!);
  if (entered.length > 0) await recordSeats(tx, [seatId]);
  for (const courseId of entered) await recordLearners(tx, 'enrolled', courseId, [{ userId: person.id }]);
  return { courseId: seat!.courseId, entered };
}

async function takeSeat(tx: Tx, user: Person, seatId: number): Promise<{ message: string; next: string }> {
  const { courseId, entered } = await fillSeat(tx, user, seatId);
  const next = courseId === null ? '/my-courses' : `/learn/${courseId}`;
  if (entered.length > 0) {
    const yours = courseId === null ? 'The courses are yours.' : 'The course is yours.';
    return { message: `${yours} Have a good start!`, next };
  }
  await tx.update(seats).set(FREE).where(eq(seats.id, seatId));
  await recordSeats(tx, [seatId]);
  const all = courseId === null ? 'all of it' : 'this course';
  return { message: `You have ${all} already, so the seat went back to your organisation.`, next };
}
