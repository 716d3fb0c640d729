import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationInvitations, organisationMembers, organisations } from '#db/schema/organisations.ts';
import { keepInvitation } from '#src/features/account/invitations.server.ts';
import { type CurrentUser, hashSecret } from '#src/features/account/session.server.ts';
import { isForeignKeyViolation } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { mailMemberInvitation } from './mails.server.ts';
import type { OrganisationRole } from './schema.ts';

const ORGANISATIONS_MAX = 20;

type Person = Pick<CurrentUser, 'id' | 'email' | 'username' | 'emailVerified'>;

export interface OwnOrganisation {
  id: number;
  name: string;
  role: OrganisationRole;
}

/** SQL: not expired, and its inviter may still invite. */
const isOpen = and(
  gt(organisationInvitations.expiresAt, sql`now()`),
  sql`exists (
    select from organisation_members inviter
    where inviter.organisation_id = ${organisationInvitations.organisationId}
      and inviter.user_id = ${organisationInvitations.invitedBy} and inviter.role = 'owner')`,
);

const memberRole = sql<OrganisationRole>`${organisationInvitations.role}`;

const notFound = () => new AppError('not_found', 'There is no such organization.');

export function listOrganisations(userId: number): Promise<OwnOrganisation[]> {
  return db()
    .select({ id: organisations.id, name: organisations.name, role: organisationMembers.role })
    .from(organisationMembers)
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(eq(organisationMembers.userId, userId))
    .orderBy(asc(organisations.name), asc(organisations.id));
}

/** Null for others, as if it did not exist. */
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
 * Locks against changes of people and seats.
 * @param needs the required role
 * @throws {AppError} not_found, forbidden
 */
export async function lockOrganisation(
  tx: Tx,
  userId: number,
  organisationId: number,
  needs: OrganisationRole = 'manager',
): Promise<OwnOrganisation> {
  // Not `for update`: events written meanwhile refer to the row's key.
  await tx.select().from(organisations).where(eq(organisations.id, organisationId)).for('no key update');
  const own = await findOwnOrganisation(userId, organisationId, tx);
  if (!own) throw notFound();
  if (needs === 'owner' && own.role !== 'owner') {
    throw new AppError('forbidden', 'Only an owner of the organization can do this.');
  }
  return own;
}

/** @throws {AppError} conflict at the limit of organizations */
export async function openOrganisation(user: Person, name: string): Promise<{ id: number; name: string }> {
  return db().transaction(async (tx) => {
    // Two requests cannot both be the last allowed one.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update');
    const runs = await tx.$count(organisationMembers, eq(organisationMembers.userId, user.id));
    if (runs >= ORGANISATIONS_MAX) {
      throw new AppError('conflict', `You can run ${ORGANISATIONS_MAX} organizations at most.`);
    }
    const [made] = await tx.insert(organisations).values({ name }).returning();
    await tx.insert(organisationMembers).values({ organisationId: made!.id, userId: user.id, role: 'owner' });
    return { id: made!.id, name: made!.name };
  });
}

/** Issued papers keep the old name. For owners. */
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
      .select({ ...getTableColumns(organisationInvitations), role: memberRole })
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
 * Replaces an earlier invitation; does not reveal whether the address has an account.
 * @throws {AppError} conflict, forbidden
 */
export async function inviteMember(
  user: Person,
  organisationId: number,
  { email, role }: { email: string; role: OrganisationRole },
): Promise<{ message: string }> {
  // Before the first paid seat, only a proven mailbox tells people from machines that mail strangers.
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
    if (known) throw new AppError('conflict', `${email} runs the organization already.`);
    const invitation = { organisationId, email, role, invitedBy: user.id };
    const { message, ...link } = await keepInvitation(tx, invitation);
    const by = { name: user.username, email: user.email };
    await mailMemberInvitation(tx, { to: email, organisation: own.name, by, role, ...link });
    return { message };
  });
}

/**
 * For owners.
 * @throws {AppError} not_found, also once accepted; forbidden
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
 * An owner removes anybody, others themselves; open invitations of the removed one end.
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
      const owners = await tx.$count(
        organisationMembers,
        and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.role, 'owner')),
      );
      if (owners === 1) {
        throw new AppError(
          'conflict',
          'An organization needs an owner. Invite another one first, then take this one out.',
        );
      }
    }
    await tx
      .delete(organisationMembers)
      .where(
        and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, memberId)),
      );
    // The removed one's guests must not come in afterwards.
    await tx
      .delete(organisationInvitations)
      .where(
        and(
          eq(organisationInvitations.organisationId, organisationId),
          eq(organisationInvitations.invitedBy, memberId),
        ),
      );
    return {
      message: memberId === userId ? 'You have left the organization.' : 'They do not run it any more.',
    };
  });
}

/** Null where it does not work. */
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
      role: memberRole,
    })
    .from(organisationInvitations)
    .innerJoin(organisations, eq(organisations.id, organisationInvitations.organisationId))
    .where(and(eq(organisationInvitations.token, hashSecret(secret)), isOpen));
  return row ?? null;
}

/**
 * Only for the account of the invited address.
 * @returns null for an unknown secret
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
      // In the lock order of inviting and removing.
      await tx
        .select({ id: organisations.id })
        .from(organisations)
        .where(eq(organisations.id, known.organisationId))
        .for('no key update');
      // By its secret: a new invitation in the row has another one, perhaps another role.
      const [taken] = await tx
        .delete(organisationInvitations)
        .where(and(eq(organisationInvitations.token, hashSecret(secret)), isOpen))
        .returning({ role: memberRole });
      if (!taken) return null;
      await tx
        .insert(organisationMembers)
        .values({ organisationId: known.organisationId, userId: user.id, role: taken.role })
        .onConflictDoUpdate({
          target: [organisationMembers.organisationId, organisationMembers.userId],
          set: { role: taken.role },
          // An owner who accepts an older invitation to manage stays owner.
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

export const otherAddress = (email: string): AppError =>
  new AppError('forbidden', `This invitation is for ${email}. Sign in with that address to take it.`);
