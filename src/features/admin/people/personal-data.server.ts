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

/** In the file's order. */
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

/** For unverified addresses. */
const NOT_INCLUDED =
  'Messages, mails and purchases made as a guest under this email address: they may be somebody else’s. Verify the address with the mailed link and ask again.';

/**
 * All data of a person, without secrets or others' names. What depends on the email alone is theirs only once it is verified
 * (decision 13).
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
        // The later one would silently replace the other.
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
    // One snapshot.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

function personOf({ id, email, emailVerifiedAt }: typeof users.$inferSelect): Person {
  return { id, email, ownsEmail: emailVerifiedAt !== null };
}

/**
 * Audited.
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
 * Deletes a person; orders stay without name and address, and the audit log loses both. Messages and guest purchases of an
 * unverified address stay. Open payments end at the provider first.
 * @param confirmation the person's email
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
 * As `deletePerson`; consumes the proof.
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

/** Open payments first. */
async function erase(
  known: typeof users.$inferSelect,
  actor: Actor & { id: number },
  how: { reason: string; source: 'admin' | 'buyer' },
): Promise<{ ownedEmail: boolean }> {
  const userId = known.id;
  const isSelf = actor.id === userId;
  // Before payments end, which no rollback undoes; again below, under the lock.
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
      // The rest cascades.
      await tx.delete(users).where(eq(users.id, userId));
      // A deleted account cannot be the actor.
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
