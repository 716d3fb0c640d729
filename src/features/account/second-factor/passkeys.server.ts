import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { isoBase64URL, isoUint8Array } from '@simplewebauthn/server/helpers';
import { and, eq, or, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { passkeys } from '#db/schema/account.ts';
import { env } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;

const relyingParty = () => ({ id: new URL(env().siteUrl).hostname, origin: env().siteUrl });

export const CHALLENGE_MINUTES = 5;
const timeout = CHALLENGE_MINUTES * 60_000;

/** Resident keys with user verification, so that they sign in without an email. */
export async function creationOptions(user: {
  id: number;
  email: string;
  username: string;
}): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const present = await db().select().from(passkeys).where(eq(passkeys.userId, user.id));
  return generateRegistrationOptions({
    rpName: siteName(),
    rpID: relyingParty().id,
    userName: user.email,
    userDisplayName: user.username,
    userID: isoUint8Array.fromUTF8String(userHandle(user.id)),
    timeout,
    excludeCredentials: present.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

const userHandle = (userId: number) => `user-${userId}`;

export async function readNewPasskey(
  expectedChallenge: string,
  response: RegistrationResponseJSON,
): Promise<Pick<
  typeof passkeys.$inferInsert,
  'credentialId' | 'publicKey' | 'counter' | 'transports'
> | null> {
  const { id, origin } = relyingParty();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: isoBase64URL.fromBuffer(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10),
    };
  } catch (error) {
    log.info({ event: 'passkey refused', err: error }, 'a new passkey could not be verified');
    return null;
  }
}

export async function assertionOptions(executor: Executor, userId: number | null): Promise<PasskeyRequest> {
  const known =
    userId === null ? [] : await executor.select().from(passkeys).where(eq(passkeys.userId, userId));
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    timeout,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
}

/**
 * A counter that went back means a copy: refused.
 * @param userId null for any
 * @returns null for a wrong or unknown answer
 */
export async function checkAssertion(
  executor: Executor,
  expectedChallenge: string | null,
  response: AuthenticationResponseJSON,
  userId: number | null,
): Promise<{ userId: number } | null> {
  if (expectedChallenge === null) return null;
  const [passkey] = await executor.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!passkey || (userId !== null && passkey.userId !== userId)) return null;
  const { id, origin } = relyingParty();
  try {
    const handle = response.response.userHandle;
    if (handle && isoBase64URL.toUTF8String(handle) !== userHandle(passkey.userId)) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: isoBase64URL.toBuffer(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    if (!verified) return null;
    const { newCounter } = authenticationInfo;
    const counted = await executor
      .update(passkeys)
      .set({ counter: newCounter, lastUsedAt: sql`now()` })
      .where(
        and(
          eq(passkeys.id, passkey.id),
          or(sql`${passkeys.counter} < ${newCounter}`, sql`${passkeys.counter} = 0 and ${newCounter} = 0`),
        ),
      )
      .returning({ id: passkeys.id });
    return counted.length > 0 ? { userId: passkey.userId } : null;
  } catch (error) {
    log.info({ event: 'passkey refused', userId: passkey.userId, err: error }, 'a passkey was refused');
    return null;
  }
}
