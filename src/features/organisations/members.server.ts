import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationInvitations, organisationMembers, organisations } from '#db/schema/organisations.ts';
import { type CurrentUser, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { mailMemberInvitation } from './mails.server.ts';
import type { OrganisationRole } from './schema.ts';

/** Days that a mailed invitation to manage works. */
export const INVITATION_DAYS = 14;
const ORGANISATIONS_MAX = 20;

type Person = Pick<CurrentUser, 'id' | 'email' | 'username' | 'emailVerified'>;

/** An organisation as one of its people sees it. */
export interface OwnOrganisation {
  id: number;
  name: string;
  role: OrganisationRole;
}

/** SQL: an invitation that works: its time is not over, and who mailed it may still invite. */
const isOpen = and(
  gt(organisationInvitations.expiresAt, sql`now()`),
  sql`exists (
    select from organisation_members inviter
    where inviter.organisation_id = ${organisationInvitations.organisationId}
      and inviter.user_id = ${organisationInvitations.invitedBy} and inviter.role = 'owner')`,
);

const notFound = () => new AppError('not_found', 'There is no such organisation.');

/** The organisations that a user runs, by name. */
export function listOrganisations(userId: number): Promise<OwnOrganisation[]> {
  return db()
    .select({ id: organisations.id, name: organisations.name, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(eq(organisationMembers.userId, userId))
    .orderBy(asc(organisations.name), asc(organisations.id));
}

/** The organisation with the user's role in it; null for everybody who does not run it, as if there were none. */
export async function findOwnOrganisation(
  userId: number,
  organisationId: number,
  executor: Executor = db(),
): Promise<OwnOrganisation | null> {
  const [row] = await executor
    .select({ id: organisations.id, name: organisations.name, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(and(eq(organisationMembers.userId, userId), eq(organisations.id, organisationId)));
  return row ?? null;
}

/**
 * The organisation, held against every other change of its people and seats until the transaction ends.
 *
 * @param needs what the user has to be in it
 * @throws {AppError} not_found for who does not run it, forbidden for a manager where an owner is needed
 */
export async function lockOrganisation(
  tx: Tx,
  userId: number,
  organisationId: number,
  needs: OrganisationRole = 'manager',
): Promise<OwnOrganisation> {
  // Events about it are written meanwhile: they refer to its row, and would wait for a lock of its key.
  await tx.select().from(organisations).where(eq(organisations.id, organisationId)).for('no key update');
  const own = await findOwnOrganisation(userId, organisationId, tx);
  if (!own) throw notFound();
  if (needs === 'owner' && own.role !== 'owner') {
    throw new AppError('forbidden', 'Only an owner of the organisation can do this.');
  }
  return own;
}

/**
 * Opens an organisation; who opens it is its owner.
 *
 * @throws {AppError} conflict for somebody who runs very many
 */
export async function openOrganisation(user: Person, name: string): Promise<{ id: number; name: string }> {
  return db().transaction(async (tx) => {
    // Two requests at once must not both be the last that is allowed.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update');
    const [runs] = await tx
      .select({ count: count() })
      .from(organisationMembers)
      .where(eq(organisationMembers.userId, user.id));
    if ((runs?.count ?? 0) >= ORGANISATIONS_MAX) {
      throw new AppError('conflict', `You can run ${ORGANISATIONS_MAX} organisations at most.`);
    }
    const [made] = await tx.insert(organisations).values({ name }).returning();
    await tx.insert(organisationMembers).values({ organisationId: made!.id, userId: user.id, role: 'owner' });
    return { id: made!.id, name: made!.name };
  });
}

/** Names an organisation anew; papers that were issued keep the old name. For owners. */
export async function renameOrganisation(
  userId: number,
  organisationId: number,
  name: string,
): Promise<{ id: number; name: string }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, userId, organisationId, 'owner');
    await tx.update(organisations).set({ name }).where(eq(organisations.id, organisationId));
    return { id: organisationId, name };
  });
}

/** Who runs an organisation, and who is invited to. */
export async function listMembers(organisationId: number): Promise<{
  members: { userId: number; name: string; email: string; role: OrganisationRole }[];
  invited: { id: number; email: string; role: OrganisationRole; expiresAt: string }[];
}> {
  const [members, invited] = await Promise.all([
    db()
      .select({
        userId: users.id,
        name: users.username,
        email: users.email,
        role: organisationMembers.role,
      })
      .from(organisationMembers)
      .innerJoin(users, eq(users.id, organisationMembers.userId))
      .where(eq(organisationMembers.organisationId, organisationId))
      .orderBy(asc(organisationMembers.createdAt), asc(users.id)),
    db()
      .select()
      .from(organisationInvitations)
      .where(and(eq(organisationInvitations.organisationId, organisationId), isOpen))
      .orderBy(asc(organisationInvitations.email)),
  ]);
  return {
    members,
    invited: invited.map(({ id, email, role, expiresAt }) => ({
      id,
      email,
      role,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/**
 * Has somebody invited by mail to run the organisation; a second invitation takes the place of the first. Whether the
 * address has an account is not told.
 *
 * @throws {AppError} conflict for somebody who runs it already, forbidden for who has not confirmed their own address
 */
export async function inviteMember(
  user: Person,
  organisationId: number,
  { email, role }: { email: string; role: OrganisationRole },
): Promise<{ message: string }> {
  // Until somebody has paid for a seat, only their own mailbox says that they are no machine that mails strangers.
  return db().transaction(async (tx) => {
    const own = await lockOrganisation(tx, user.id, organisationId, 'owner');
    if (!user.emailVerified) {
      throw new AppError('forbidden', 'Please confirm your own email address first, on your account page.');
    }
    const [known] = await tx
      .select({ id: users.id })
      .from(organisationMembers)
      .innerJoin(users, eq(users.id, organisationMembers.userId))
      .where(and(eq(organisationMembers.organisationId, organisationId), eq(users.email, email)));
    if (known) throw new AppError('conflict', `${email} runs the organisation already.`);
    const secret = newSecret();
    const row = {
      role,
      token: hashSecret(secret),
      invitedBy: user.id,
      expiresAt: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
    };
    await tx
      .insert(organisationInvitations)
      .values({ organisationId, email, ...row })
      .onConflictDoUpdate({
        target: [organisationInvitations.organisationId, organisationInvitations.email],
        set: row,
      });
    await mailMemberInvitation(tx, { to: email, organisation: own.name, by: user.username, role, secret });
    return { message: `We mailed an invitation to ${email}. It works for ${INVITATION_DAYS} days.` };
  });
}

/**
 * Takes an invitation to run an organisation back: its link works no more. For owners, who invite.
 *
 * @throws {AppError} not_found, also where it was taken meanwhile; forbidden
 */
export async function takeInvitationBack(
  userId: number,
  organisationId: number,
  invitationId: number,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, userId, organisationId, 'owner');
    const [gone] = await tx
      .delete(organisationInvitations)
      .where(
        and(
          eq(organisationInvitations.id, invitationId),
          eq(organisationInvitations.organisationId, organisationId),
        ),
      )
      .returning({ email: organisationInvitations.email });
    if (!gone) throw new AppError('not_found', 'There is no such invitation any more.');
    return { message: `The invitation of ${gone.email} is taken back.` };
  });
}

/**
 * Takes somebody out of those who run the organisation. An owner may take anybody out, everybody themselves; one owner
 * stays. What they invited others to ends with them.
 *
 * @throws {AppError} not_found, forbidden, conflict for the last owner
 */
export async function removeMember(
  userId: number,
  organisationId: number,
  memberId: number,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, userId, organisationId, memberId === userId ? 'manager' : 'owner');
    const member = await findOwnOrganisation(memberId, organisationId, tx);
    if (!member) throw new AppError('not_found', 'There is no such member.');
    if (member.role === 'owner') {
      const [owners] = await tx
        .select({ count: count() })
        .from(organisationMembers)
        .where(
          and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.role, 'owner')),
        );
      if (owners?.count === 1) {
        throw new AppError(
          'conflict',
          'An organisation needs an owner. Invite another one first, then take this one out.',
        );
      }
    }
    await tx
      .delete(organisationMembers)
      .where(
        and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, memberId)),
      );
    // Somebody they meant to let in would come in after they were taken out.
    await tx
      .delete(organisationInvitations)
      .where(
        and(
          eq(organisationInvitations.organisationId, organisationId),
          eq(organisationInvitations.invitedBy, memberId),
        ),
      );
    return {
      message: memberId === userId ? 'You have left the organisation.' : 'They do not run it any more.',
    };
  });
}

/** What a mailed invitation to run an organisation offers; null where it does not work. */
export async function findMemberInvitation(
  secret: string,
  executor: Executor = db(),
): Promise<{
  id: number;
  organisationId: number;
  organisation: string;
  email: string;
  role: OrganisationRole;
} | null> {
  const [row] = await executor
    .select({
      id: organisationInvitations.id,
      organisationId: organisations.id,
      organisation: organisations.name,
      email: organisationInvitations.email,
      role: organisationInvitations.role,
    })
    .from(organisationInvitations)
    .innerJoin(organisations, eq(organisations.id, organisationInvitations.organisationId))
    .where(and(eq(organisationInvitations.token, hashSecret(secret)), isOpen));
  return row ?? null;
}

/**
 * Makes the reader of a mailed invitation one of those who run the organisation. Only the account of the invited address
 * can take it.
 *
 * @returns null where the secret is of no invitation
 * @throws {AppError} forbidden for another account
 */
export async function acceptMemberInvitation(
  user: Person,
  secret: string,
): Promise<{ message: string; next: string } | null> {
  return db()
    .transaction(async (tx) => {
      const known = await findMemberInvitation(secret, tx);
      if (!known) return null;
      if (known.email !== user.email) throw otherAddress(known.email);
      // Who invites, and who is taken out, waits for this, or this for them.
      await tx
        .select({ id: organisations.id })
        .from(organisations)
        .where(eq(organisations.id, known.organisationId))
        .for('no key update');
      // By its secret: invited anew meanwhile, the row is there with another one, and perhaps another role.
      const [taken] = await tx
        .delete(organisationInvitations)
        .where(and(eq(organisationInvitations.token, hashSecret(secret)), isOpen))
        .returning({ role: organisationInvitations.role });
      if (!taken) return null;
      await tx
        .insert(organisationMembers)
        .values({ organisationId: known.organisationId, userId: user.id, role: taken.role })
        .onConflictDoUpdate({
          target: [organisationMembers.organisationId, organisationMembers.userId],
          set: { role: taken.role },
          // An owner who takes an older invitation to manage stays an owner.
          setWhere: sql`${organisationMembers.role} <> 'owner'`,
        });
      return {
        message: `You run ${known.organisation} now.`,
        next: `/organisations/${known.organisationId}`,
      };
    })
    .catch((error: unknown) => {
      if (isForeignKeyViolation(error, 'organisation_members_organisation_id_organisations_id_fk'))
        return null;
      throw error;
    });
}

/** Said to who is signed in with another address than the one that was invited. */
export const otherAddress = (email: string): AppError =>
  new AppError('forbidden', `This invitation is for ${email}. Sign in with that address to take it.`);
