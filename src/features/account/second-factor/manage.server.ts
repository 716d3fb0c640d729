import { and, eq } from 'drizzle-orm';
import qrcode from 'qrcode';
import { db, type Tx } from '#db/client.ts';
import { type UserRow, authenticatorApps, passkeys, recoveryCodes } from '#db/schema/account.ts';
import { env } from '#src/server/start/env.ts';
import { forgetUses } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { toPublicUser } from '../account.server.ts';
import { type Actor, recordAudit } from '../audit.server.ts';
import type { OwnAudit } from '../audit.ts';
import { type FactorChange, mailFactorChanged, mailFactorsReset } from '../mails.server.ts';
import type { PublicUser } from '../schema.ts';
import { closeAllSessions, setStrength, spendProof } from '../session.server.ts';
import { heldAccount } from '#src/features/account/email/verification.server.ts';
import { attemptChallenge, closeChallenge, openChallenge } from './challenges.server.ts';
import { beginApp, confirmApp, factorsOf, forgetFactors, renewRecoveryCodes } from './factors.server.ts';
import { creationOptions, readNewPasskey } from './passkeys.server.ts';
import { type NewPasskey, PASSKEYS_MAX } from './schema.ts';

export type Owner = { userId: number; signInId: string | null };

type FactorAdded = { message: string; recoveryCodes: string[] | null; user: PublicUser };

/** Uses up the proof. @throws {AppError} proof_required, conflict for too many */
export async function beginPasskey({ userId, signInId }: Owner) {
  const user = await db().transaction(async (tx) => {
    const locked = await heldAccount(tx, userId);
    if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) >= PASSKEYS_MAX) {
      throw new AppError('conflict', `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`);
    }
    await spendProof(tx, signInId);
    return locked;
  });
  const options = await creationOptions(user);
  const challengeSecret = await openChallenge(db(), {
    purpose: 'add_passkey',
    userId,
    signInId,
    passkeyChallenge: options.challenge,
  });
  return { challengeSecret, options };
}

/** @throws {AppError} bad_request for a wrong answer, conflict for a known passkey */
export async function addPasskey(
  { userId, signInId }: Owner,
  { name, passkey }: NewPasskey,
  challengeSecret: string | undefined,
): Promise<FactorAdded> {
  const challenge = await attemptChallenge(challengeSecret, 'add_passkey');
  const isTheirs = challenge?.userId === userId && challenge.signInId === signInId;
  const made = isTheirs ? await readNewPasskey(challenge.passkeyChallenge!, passkey) : null;
  if (!challenge || !made) throw new AppError('bad_request', 'The passkey was not added. Please try again.');
  return db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    if (!(await closeChallenge(tx, challenge))) {
      throw new AppError('bad_request', 'The passkey was not added. Please try again.');
    }
    const isFirst = await hasNoFactor(tx, userId);
    const stored = await tx
      .insert(passkeys)
      .values({ userId, name, ...made })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning({ id: passkeys.id });
    if (stored.length === 0) throw new AppError('conflict', 'This passkey is in use already.');
    return added(tx, user, signInId, isFirst, 'passkey-added');
  });
}

/** Uses up the proof. @throws {AppError} proof_required, conflict where there is an app */
export async function beginAuthenticator({
  userId,
  signInId,
}: Owner): Promise<{ secret: string; uri: string; qr: string }> {
  const { secret, uri } = await db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    if ((await factorsOf(userId, tx)).appSince) {
      throw new AppError('conflict', 'There is an authenticator app already. Remove it first.');
    }
    await spendProof(tx, signInId);
    return beginApp(tx, user);
  });
  const svg = await qrcode.toString(uri, { type: 'svg', margin: 2 });
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

/** @throws {AppError} invalid_input at `code` */
export async function addAuthenticator({ userId, signInId }: Owner, code: string): Promise<FactorAdded> {
  const done = await db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    const isFirst = await hasNoFactor(tx, userId);
    if (!(await confirmApp(tx, userId, code))) {
      const message = 'This code is not right. Wait for the next one, and check the clock of your device.';
      throw new AppError('invalid_input', message, { fields: { code: message } });
    }
    return added(tx, user, signInId, isFirst, 'app-added');
  });
  await forgetUses('one-time-codes', `user:${userId}`);
  return done;
}

async function hasNoFactor(tx: Tx, userId: number): Promise<boolean> {
  const { passkeys: keys, appSince } = await factorsOf(userId, tx);
  return keys.length === 0 && !appSince;
}

async function added(
  tx: Tx,
  user: UserRow,
  signInId: string | null,
  isFirst: boolean,
  change: FactorChange,
): Promise<FactorAdded> {
  const codes = isFirst ? await renewRecoveryCodes(tx, user.id) : null;
  // Older sign-ins have shown only a password.
  if (isFirst) await closeAllSessions(tx, user.id, signInId ?? undefined);
  if (signInId) await setStrength(tx, signInId, { secondFactor: true });
  await told(tx, user, change);
  return {
    message: change === 'app-added' ? 'Your authenticator app is set up.' : 'Your passkey is set up.',
    recoveryCodes: codes,
    user: toPublicUser(user),
  };
}

const FACTOR_ACTIONS = {
  'passkey-added': 'second_factor.passkey_added',
  'passkey-removed': 'second_factor.passkey_removed',
  'app-added': 'second_factor.app_added',
  'app-removed': 'second_factor.app_removed',
  'codes-renewed': 'second_factor.codes_renewed',
} as const satisfies Record<FactorChange, keyof OwnAudit>;

async function told(tx: Tx, user: UserRow, change: FactorChange): Promise<void> {
  await recordAudit(
    tx,
    { id: user.id, name: user.username },
    { action: FACTOR_ACTIONS[change], subjectType: 'user', subjectId: user.id },
  );
  await mailFactorChanged(tx, user, change);
}

/** Uses up the proof. @throws {AppError} not_found, proof_required, conflict for a required last factor */
export async function removePasskey(owner: Owner, id: number): Promise<{ message: string }> {
  return remove(owner, 'passkey-removed', async (tx) => {
    const gone = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, owner.userId)))
      .returning({ id: passkeys.id });
    if (gone.length === 0) throw new AppError('not_found', 'There is no such passkey.');
    return 'The passkey is removed. Delete it from your device too.';
  });
}

export async function removeAuthenticator(owner: Owner): Promise<{ message: string }> {
  return remove(owner, 'app-removed', async (tx) => {
    const gone = await tx
      .delete(authenticatorApps)
      .where(eq(authenticatorApps.userId, owner.userId))
      .returning({ userId: authenticatorApps.userId });
    if (gone.length === 0) throw new AppError('not_found', 'There is no authenticator app.');
    return 'The authenticator app is removed.';
  });
}

async function remove(
  { userId, signInId }: Owner,
  change: FactorChange,
  take: (tx: Tx) => Promise<string>,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    const message = await take(tx);
    await spendProof(tx, signInId);
    if (await hasNoFactor(tx, userId)) {
      if (user.role === 'admin' && env().adminSecondFactor === 'required') {
        throw new AppError('conflict', 'Administrators keep a second factor here. Add another one first.');
      }
      await forgetFactors(tx, userId);
    }
    await told(tx, user, change);
    return { message };
  });
}

/** Uses up the proof. @throws {AppError} proof_required, conflict without a second factor */
export async function replaceRecoveryCodes({
  userId,
  signInId,
}: Owner): Promise<{ recoveryCodes: string[] }> {
  return db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    if (await hasNoFactor(tx, userId)) {
      throw new AppError('conflict', 'Recovery codes come with a passkey or an authenticator app.');
    }
    await spendProof(tx, signInId);
    const codes = await renewRecoveryCodes(tx, userId);
    await told(tx, user, 'codes-renewed');
    return { recoveryCodes: codes };
  });
}

/**
 * For a person who lost every factor: ends all sign-ins and mails the owner.
 * @throws {AppError} not_found, conflict
 */
export async function resetSecondFactor(actor: Actor, userId: number): Promise<void> {
  await db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    const hasCodes = (await tx.$count(recoveryCodes, eq(recoveryCodes.userId, userId))) > 0;
    if (!hasCodes && (await hasNoFactor(tx, userId))) {
      throw new AppError('conflict', 'This account has no second factor.');
    }
    await forgetFactors(tx, userId);
    await closeAllSessions(tx, userId);
    await recordAudit(tx, actor, {
      action: 'second_factor.reset',
      subjectType: 'user',
      subjectId: userId,
      details: { email: user.email },
    });
    await mailFactorsReset(tx, user);
  });
}
