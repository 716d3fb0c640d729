import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { organisations } from '#db/schema/organisations.ts';
import { bundles, seatPlans, seats } from '#db/schema/store.ts';
import { findStaffInvitation, takeStaffInvitations } from '#src/features/account/invitations.server.ts';
import type { StaffRole } from '#src/features/account/staff.ts';
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

export type Invitation =
  | { kind: 'member'; organisation: string; email: string; role: 'owner' | 'manager' }
  | { kind: 'staff'; course: { title: string }; email: string; role: StaffRole }
  | { kind: 'seat'; organisation: string; title: string; email: string }
  | { kind: 'link'; organisation: string; title: string; domains: string[] };

/** Null for an unknown or ended one. */
export async function findInvitation(secret: string): Promise<Invitation | null> {
  if (!/^[\w-]{20,100}$/.test(secret)) return null;
  const member = await findMemberInvitation(secret);
  if (member) return { kind: 'member', ...member };
  const staff = await findStaffInvitation(secret);
  if (staff) return { kind: 'staff', ...staff };
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
 * The mailed invitation behind a path: its holder reads the mails there; undefined for any other path, and for links of many.
 * @returns `next` for an account made by it, which has its roles already
 */
export async function invitedBy(path: string | null) {
  const secret = /^\/join\?token=([\w-]+)$/.exec(path ?? '')?.[1];
  const offer = secret && (await findInvitation(secret));
  if (!offer || offer.kind === 'link') return undefined;
  return { secret, email: offer.email, next: offer.kind === 'staff' ? '/teaching' : path! };
}

/**
 * Accepts a link. A mailed offer is for its address's account and proves the address; a link for domains needs a proven one.
 * @returns a message, and the path to go on at
 * @throws {AppError} not_found, forbidden, conflict
 */
export async function join(user: Person, secret: string): Promise<{ message: string; next: string }> {
  const member = await acceptMemberInvitation(user, secret);
  if (member) {
    await proveAddress(user);
    return member;
  }
  const staff = await findStaffInvitation(secret);
  if (staff) {
    if (staff.email !== user.email) throw otherAddress(staff.email);
    await proveAddress(user);
    return { message: `You are ${staff.role} of “${staff.course.title}” now.`, next: '/teaching' };
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
      // Against concurrent changes of its seats.
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

/** Secret and account came together, as with the verification link (decision 13). */
async function proveAddress({ id, email }: Person): Promise<void> {
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const held = await holdAccount(tx, id);
      if (held?.email !== email) return;
      if (held.emailVerifiedAt) await takeStaffInvitations(tx, held);
      else await attachGuestPurchases(tx, await markVerified(tx, id));
    }),
  );
}

const linkEnded = () =>
  new AppError('not_found', 'This link does not work any more. Ask your organization for a new one.');

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
  if (!free) throw new AppError('conflict', 'All seats are taken. Ask your organization for another one.');
  return free.id;
}

/**
 * Opens a seat's courses and mails the person.
 * @returns new courses; without any the caller frees the seat
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
  return { message: `You have ${all} already, so the seat went back to your organization.`, next };
}
