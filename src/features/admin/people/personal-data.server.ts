import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { accountData, deletedName } from '#src/features/account/personal-data.server.ts';
import { lockRoles, lockUser } from '#src/features/account/roles.server.ts';
import { spendProof } from '#src/features/account/session.server.ts';
import { publishingData } from '#src/features/authoring/publishing/personal-data.server.ts';
import { ratingData } from '#src/features/catalogue/ratings/personal-data.server.ts';
import { contactData } from '#src/features/company/contact/personal-data.server.ts';
import { learnData } from '#src/features/learn/personal-data.server.ts';
import { organisationData } from '#src/features/organisations/personal-data.server.ts';
import { practiceData } from '#src/features/practice/personal-data.server.ts';
import { scenarioData } from '#src/features/scenario/personal-data.server.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { endOpenOrders, storeData } from '#src/features/store/orders/personal-data.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';
import { AppError } from '#src/shared/errors.ts';
import { normaliseEmail } from '#src/shared/fields.ts';

/** What each feature holds about people, in the order of the file that they are given. */
const PARTS: readonly PersonalDataPart[] = [
  accountData,
  contactData,
  storeData,
  organisationData,
  learnData,
  ratingData,
  practiceData,
  scenarioData,
  publishingData,
];

const noUser = () => new AppError('not_found', 'There is no such user.');

/** Said in the file of somebody who has not shown that the address is theirs. */
const NOT_INCLUDED =
  'Messages, mails and purchases made as a guest under this email address: they may be somebody else’s. Verify the address with the mailed link and ask again.';

/**
 * Everything that the site holds about a person, in their own words where they wrote it, and no secret: neither hashes
 * nor tokens nor other people's names. What hangs on the email address alone belongs to them only where they have
 * verified it (decision 13): anybody can register with a stranger's address.
 *
 * @throws {AppError} not_found
 */
export async function personalData(userId: number): Promise<Record<string, unknown>> {
  return db().transaction(
    async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      if (!user) throw noUser();
      const { passwordHash, ...account } = user;
      const person = personOf(user);
      const rows: Record<string, unknown> = {};
      for (const part of PARTS) {
        const ofPart = await part.rows(tx, person);
        const twice = Object.keys(ofPart).find((name) => Object.hasOwn(rows, name));
        // The later one would take the place of the other, and nobody would miss it.
        if (twice) throw new Error(`Two features hand out data under the name "${twice}".`);
        Object.assign(rows, ofPart);
      }
      return {
        about: 'What this site holds about one person. Moments are in UTC, amounts in US dollars.',
        ...(person.ownsEmail ? {} : { notIncluded: NOT_INCLUDED }),
        exportedAt: new Date().toISOString(),
        account: { ...account, hasPassword: passwordHash !== null },
        ...rows,
      };
    },
    // One moment for all of it.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

function personOf({ id, email, emailVerifiedAt }: typeof users.$inferSelect): Person {
  return { id, email, ownsEmail: emailVerifiedAt !== null };
}

/**
 * Hands an administrator everything that the site holds about a person; that it was handed out is audited.
 *
 * @throws {AppError} not_found
 */
export async function exportPerson(actor: Actor, userId: number): Promise<Record<string, unknown>> {
  const data = await personalData(userId);
  await recordAudit(db(), actor, {
    action: 'user.exported',
    subjectType: 'user',
    subjectId: userId,
    details: { email: (data.account as { email: string }).email },
  });
  return data;
}

/**
 * Deletes a person for good: account, sign-ins, progress, submissions, certificates, reviews, messages and mails. Orders / stay
 * for the books, without name and address; names and addresses leave the audit log too. Audited without either. / Messages and
 * guest purchases under an address that the person never verified are left: they may be somebody else's. / Payments that were
 * begun are ended at the provider first, so that nobody can pay for somebody who is gone.
 * @param confirmation the person's email, typed out
 * @throws {AppError} not_found, invalid_input, conflict, provider_unavailable
 */
export async function deletePerson(
  actor: Actor & { id: number },
  userId: number,
  { confirmation, reason }: { confirmation: string; reason: string },
): Promise<{ message: string }> {
  const [known] = await db().select().from(users).where(eq(users.id, userId));
  if (!known) throw noUser();
  if (userId === actor.id) {
    throw new AppError('conflict', 'You delete your own account on your account page.');
  }
  if (normaliseEmail(confirmation) !== known.email) {
    const message = 'This is not the email address of the account';
    throw new AppError('invalid_input', message, { fields: { confirmation: message } });
  }
  const { ownedEmail } = await erase(known, actor, { reason, source: 'admin' });
  return {
    message: ownedEmail
      ? 'The person and everything personal about them is deleted.'
      : 'The person and everything personal about them is deleted. Messages and guest purchases under the address stay: it was never verified, so they may be somebody else’s.',
  };
}

/**
 * Deletes one's own account as `deletePerson` does, with every sign-in; uses up the proof.
 * @throws {AppError} proof_required, conflict
 */
export async function deleteOwnAccount(
  userId: number,
  signInId: string | null,
): Promise<{ message: string }> {
  const [known] = await db().select().from(users).where(eq(users.id, userId));
  if (!known) throw noUser();
  await spendProof(db(), signInId);
  await erase(known, { id: userId, name: known.username }, { reason: '', source: 'buyer' });
  return { message: 'Your account is deleted.' };
}

/** Ends a person's open payments and takes the person out of everything, in that order. */
async function erase(
  known: typeof users.$inferSelect,
  actor: Actor & { id: number },
  how: { reason: string; source: 'admin' | 'buyer' },
): Promise<{ ownedEmail: boolean }> {
  const userId = known.id;
  const isSelf = actor.id === userId;
  // Before anything is ended at the provider, which no rollback brings back; again below, under the lock.
  if (known.role === 'admin') {
    const admins = await db().$count(users, eq(users.role, 'admin'));
    if (admins === 1) throw lastAdministrator(isSelf);
  }
  await endOpenOrders(personOf(known), how.source);
  return await retryOnConflict(() =>
    db().transaction(async (tx) => {
      const admins = await lockRoles(tx, isSelf ? { ...actor, id: null } : actor);
      await tx.execute(lockBuyer(userId));
      const user = await lockUser(tx, userId);
      if (user.role === 'admin' && admins.length === 1) throw lastAdministrator(isSelf);
      const person = personOf(user);
      for (const part of PARTS) await part.erase?.(tx, person, { actorId: actor.id, source: how.source });
      // Everything else that is theirs goes with the row.
      await tx.delete(users).where(eq(users.id, userId));
      // Nobody is left to point to who deleted themselves.
      const doer = isSelf ? { id: null, name: deletedName(known) } : actor;
      await recordAudit(tx, doer, {
        action: 'user.deleted',
        subjectType: 'user',
        subjectId: userId,
        reason: how.reason,
      });
      return { ownedEmail: person.ownsEmail };
    }),
  );
}

function lastAdministrator(isSelf: boolean): AppError {
  return new AppError(
    'conflict',
    isSelf
      ? 'You are the last administrator. Make somebody else one first.'
      : 'The last administrator cannot be deleted.',
  );
}
