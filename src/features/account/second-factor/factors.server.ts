import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { generateSecret, generateURI, verify } from 'otplib/functional';
import { db, type Executor, type Tx } from '#db/client.ts';
import { jsonArray, jsonFields, jsonTime } from '#db/json.ts';
import {
  authChallenges,
  authenticatorApps,
  passkeys,
  recoveryCodes,
  sessions,
  users,
} from '#db/schema/account.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { hashSecret } from '../session.server.ts';

export type FactorKind = 'passkey' | 'code' | 'recovery_code';

/** Seconds of a code, and accepted codes before and after. */
const STEP_SECONDS = 30;
const STEPS_AROUND = 1;
const APP_MINUTES = 15;

const RECOVERY_CODES = 10;
/** Without look-alikes; 24 hold 120 bits. */
const RECOVERY_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const RECOVERY_LENGTH = 24;

type Factors = {
  passkeys: { id: number; name: string; createdAt: string; lastUsedAt: string | null }[];
  appSince: string | null;
  recoveryCodesLeft: number;
};

export async function factorsOf(userId: number, executor: Executor = db()): Promise<Factors> {
  const [row] = await executor
    .select({
      passkeys: jsonArray(sql`
        select ${jsonFields({
          id: passkeys.id,
          name: passkeys.name,
          createdAt: jsonTime(passkeys.createdAt),
          lastUsedAt: jsonTime(passkeys.lastUsedAt),
        })} from ${passkeys} where ${passkeys.userId} = ${userId} order by ${passkeys.id}`) as SQL<
        Factors['passkeys']
      >,
      appSince: sql<
        string | null
      >`(select ${jsonTime(authenticatorApps.confirmedAt)} from ${authenticatorApps}
        where ${authenticatorApps.userId} = ${userId})`,
      recoveryCodesLeft: sql<number>`(select count(*)::int from ${recoveryCodes}
        where ${recoveryCodes.userId} = ${userId} and ${recoveryCodes.usedAt} is null)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? { passkeys: [], appSince: null, recoveryCodesLeft: 0 };
}

const confirmedApp = (userId: number) =>
  and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt));

export async function factorKinds(userId: number, executor: Executor = db()): Promise<FactorKind[]> {
  return kindsOf(await factorsOf(userId, executor));
}

export function kindsOf({ passkeys: keys, appSince, recoveryCodesLeft }: Factors): FactorKind[] {
  const kinds: FactorKind[] = [];
  if (keys.length > 0) kinds.push('passkey');
  if (appSince) kinds.push('code');
  if (kinds.length > 0 && recoveryCodesLeft > 0) kinds.push('recovery_code');
  return kinds;
}

/** After a takeover by mailbox, or the operator's reset. The caller holds the account's row. */
export async function forgetFactors(tx: Tx, userId: number): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(authenticatorApps).where(eq(authenticatorApps.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.delete(authChallenges).where(eq(authChallenges.userId, userId));
  await tx.update(sessions).set({ secondFactor: false }).where(eq(sessions.userId, userId));
}

export async function beginApp(
  tx: Tx,
  user: { id: number; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret();
  const values = { secret, confirmedAt: null, lastStep: null, createdAt: new Date() };
  await tx
    .insert(authenticatorApps)
    .values({ userId: user.id, ...values })
    .onConflictDoUpdate({ target: authenticatorApps.userId, set: values });
  return { secret, uri: generateURI({ issuer: siteName(), label: user.email, secret }) };
}

export async function confirmApp(tx: Tx, userId: number, code: string): Promise<boolean> {
  const [app] = await tx
    .select()
    .from(authenticatorApps)
    .where(
      and(
        eq(authenticatorApps.userId, userId),
        isNull(authenticatorApps.confirmedAt),
        sql`${authenticatorApps.createdAt} > now() - make_interval(mins => ${APP_MINUTES})`,
      ),
    );
  const step = app && (await stepOf(app.secret, code));
  if (!step) return false;
  await tx
    .update(authenticatorApps)
    .set({ confirmedAt: sql`now()`, lastStep: step })
    .where(eq(authenticatorApps.userId, userId));
  return true;
}

async function stepOf(secret: string, code: string): Promise<number | null> {
  const result = await verify({ secret, token: code, epochTolerance: STEPS_AROUND * STEP_SECONDS });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** Uses up this code and every earlier one. */
export async function spendCode(executor: Executor, userId: number, code: string): Promise<boolean> {
  const [app] = await executor.select().from(authenticatorApps).where(confirmedApp(userId));
  const step = app && (await stepOf(app.secret, code));
  if (!step) return false;
  // The second of two equal codes waits here and finds its step taken.
  const spent = await executor
    .update(authenticatorApps)
    .set({ lastStep: step })
    .where(
      and(
        confirmedApp(userId),
        eq(authenticatorApps.secret, app.secret),
        or(isNull(authenticatorApps.lastStep), lt(authenticatorApps.lastStep, step)),
      ),
    )
    .returning({ userId: authenticatorApps.userId });
  return spent.length > 0;
}

/** Earlier codes stop working; the database has only digests. */
export async function renewRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: recoveryHash(code) })));
  return codes;
}

function newRecoveryCode(): string {
  // 32 characters: five bits of a byte choose evenly.
  const characters = [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_ALPHABET[byte % 32]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Spaces, hyphens and case do not matter. */
const recoveryHash = (code: string) => hashSecret(code.toUpperCase().replace(/[^A-Z0-9]/g, ''));

export async function spendRecoveryCode(executor: Executor, userId: number, code: string): Promise<boolean> {
  const spent = await executor
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, recoveryHash(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id });
  return spent.length > 0;
}
