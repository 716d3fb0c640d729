import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, inArray, lte, max, min, ne, sql } from 'drizzle-orm';
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia';
import { db, type Executor, prepared } from '#db/client.ts';
import { authChallenges, sessions, users } from '#db/schema/account.ts';
import { courses, courseStaff } from '#db/schema/catalogue.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import type { StaffRoles } from './staff.ts';

/** Decision 9. */
export const SESSION_IDLE_DAYS = 30;
const SESSION_ABSOLUTE_DAYS = 90;
/** On plain http (see `cookieName`). */
export const SESSION_COOKIE = 'session';

export type CurrentUser = {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
  emailVerified: boolean;
  staff: StaffRoles;
};

export type SignInStrength = {
  secondFactor: boolean;
  commonPassword: boolean;
};

type SessionAttributes = SignInStrength & {
  kind: 'bearer' | 'cookie';
  signInId: string;
  userAgent: string | null;
};

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, Omit<CurrentUser, 'id'>>;
    UserId: number;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: Omit<CurrentUser, 'id'>;
  }
}

/** A stolen copy opens no session (fault A9). */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const sessionAndUser = prepared((database) =>
  database
    .select({
      session: {
        userId: sessions.userId,
        expiresAt: sessions.expiresAt,
        kind: sessions.kind,
        signInId: sessions.signInId,
        userAgent: sessions.userAgent,
        secondFactor: sessions.secondFactor,
        commonPassword: sessions.commonPassword,
      },
      user: {
        id: users.id,
        username: users.username,
        email: users.email,
        role: users.role,
        emailVerifiedAt: users.emailVerifiedAt,
        // A course and its draft have the same staff.
        staff: sql<StaffRoles>`coalesce((
          select json_object_agg(${courses.id}, ${courseStaff.role})
          from ${courseStaff}
          inner join ${courses} on ${courses.id} = ${courseStaff.courseId} or ${courses.draftOf} = ${courseStaff.courseId}
          where ${courseStaff.userId} = ${users.id}), '{}')`,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder('id')), gt(sessions.absoluteExpiresAt, sql`now()`)))
    .prepare('session_and_user'),
);

/** Stores the SHA-256 of each id and returns the presented id. */
const adapter: Adapter = {
  async getSessionAndUser(presentedId) {
    const [row] = await sessionAndUser().execute({ id: hashSecret(presentedId) });
    if (!row) return [null, null];
    const { session, user } = row;
    const { userId, expiresAt, ...attributes } = session;
    const databaseSession: DatabaseSession = { id: presentedId, userId, expiresAt, attributes };
    const databaseUser: DatabaseUser = {
      id: user.id,
      attributes: {
        username: user.username,
        email: user.email,
        role: user.role,
        emailVerified: user.emailVerifiedAt !== null,
        staff: user.staff,
      },
    };
    return [databaseSession, databaseUser];
  },
  async getUserSessions(userId) {
    const rows = await db().select().from(sessions).where(eq(sessions.userId, userId));
    return rows.map(({ id, expiresAt, kind, signInId, userAgent, secondFactor, commonPassword }) => ({
      id,
      userId,
      expiresAt,
      attributes: { kind, signInId, userAgent, secondFactor, commonPassword },
    }));
  },
  async setSession(session) {
    await insertSession(db(), session.id, session.userId, session.expiresAt, session.attributes);
  },
  async updateSessionExpiration(presentedId, expiresAt) {
    const prolonged = sql`least(${expiresAt.toISOString()}::timestamptz, ${sessions.absoluteExpiresAt})`;
    // Near the absolute end a renewal gains nothing, and Lucia asks at every request.
    const gains = gt(prolonged, sql`${sessions.expiresAt} + interval '1 hour'`);
    await db()
      .update(sessions)
      .set({ expiresAt: prolonged })
      .where(and(eq(sessions.id, hashSecret(presentedId)), gains));
  },
  async deleteSession(presentedId) {
    await db()
      .delete(sessions)
      .where(eq(sessions.id, hashSecret(presentedId)));
  },
  async deleteUserSessions(userId) {
    await db().delete(sessions).where(eq(sessions.userId, userId));
  },
  async deleteExpiredSessions() {
    await db().delete(sessions).where(lte(sessions.expiresAt, sql`now()`));
  },
};

const lucia = new Lucia<SessionAttributes, Omit<CurrentUser, 'id'>>(adapter, {
  sessionExpiresIn: new TimeSpan(SESSION_IDLE_DAYS, 'd'),
  sessionCookie: { name: SESSION_COOKIE },
  getUserAttributes: (attributes) => attributes,
  getSessionAttributes: (attributes) => attributes,
});

async function insertSession(
  executor: Executor,
  secret: string,
  userId: number,
  expiresAt: Date,
  attributes: SessionAttributes,
): Promise<void> {
  await executor.insert(sessions).values({
    id: hashSecret(secret),
    userId,
    expiresAt,
    absoluteExpiresAt: new Date(Date.now() + SESSION_ABSOLUTE_DAYS * 86_400_000),
    ...attributes,
  });
}

export type SignIn = { token: string; cookieSecret: string };

/**
 * A secret each for header and cookie, ended by one logout (decision 9); reuses nothing of the visitor's (fault A6).
 */
export async function openSession(
  userId: number,
  userAgent: string | null,
  executor: Executor = db(),
  strength: SignInStrength = { secondFactor: false, commonPassword: false },
): Promise<SignIn> {
  const [token, cookieSecret] = [newSecret(), newSecret()];
  const expiresAt = new Date(Date.now() + SESSION_IDLE_DAYS * 86_400_000);
  const common = { signInId: newSecret(), userAgent: userAgent?.slice(0, 300) ?? null, ...strength };
  await insertSession(executor, token, userId, expiresAt, { kind: 'bearer', ...common });
  await insertSession(executor, cookieSecret, userId, expiresAt, { kind: 'cookie', ...common });
  return { token, cookieSecret };
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

type Proof = { user: CurrentUser; signInId: string; withheld: string | null };

/** Other forms are not looked up (fault A21). */
const SECRET_FORM = /^[\w-]{20,100}$/;

/** The scheme's case is free (RFC 9110). */
function bearerSecret(authorization: string | null): string | null {
  return authorization && lucia.readBearerToken(authorization.replace(/^bearer /i, 'Bearer '));
}

async function validate(secret: string, kind: 'bearer' | 'cookie'): Promise<Proof | null> {
  if (!SECRET_FORM.test(secret)) return null;
  const { session, user } = await lucia.validateSession(secret);
  if (!session || session.kind !== kind) return null;
  const withheld = user.role === 'admin' ? missingForAdmins(session) : null;
  const known: CurrentUser = withheld ? { ...user, role: 'student' } : user;
  return { user: known, signInId: session.signInId, withheld };
}

function missingForAdmins({ secondFactor, commonPassword }: SignInStrength): string | null {
  if (commonPassword) {
    return 'Your password is one of the commonest. Choose another one on your account page to reach the administration.';
  }
  if (env().adminSecondFactor === 'required' && !secondFactor) {
    return 'Administrators sign in with a second factor here. Set one up on your account page to reach the administration.';
  }
  return null;
}

type Identity = {
  user: CurrentUser | null;
  authenticatedBy: 'bearer' | 'cookie' | null;
  rejectedBearer: boolean;
  signInId: string | null;
  withheld: string | null;
};

const NOBODY: Identity = {
  user: null,
  authenticatedBy: null,
  rejectedBearer: false,
  signInId: null,
  withheld: null,
};

/** The Authorization header alone counts, valid or not: secrets of two people never mix (fault A23). */
export async function identify(
  authorization: string | null,
  cookieSecret: string | undefined,
): Promise<Identity> {
  if (authorization !== null) {
    const token = bearerSecret(authorization);
    const proof = token ? await validate(token, 'bearer') : null;
    return proof ? { ...NOBODY, ...proof, authenticatedBy: 'bearer' } : { ...NOBODY, rejectedBearer: true };
  }
  const proof = cookieSecret ? await validate(cookieSecret, 'cookie') : null;
  return proof ? { ...NOBODY, ...proof, authenticatedBy: 'cookie' } : NOBODY;
}

export type Presented = { authorization: string | null; cookieSecret: string | undefined };

export function presentedBy(
  request: Request,
  cookies: { get: (name: string) => { value: string } | undefined },
): Presented {
  return {
    authorization: request.headers.get('authorization'),
    cookieSecret: sessionSecret(cookies),
  };
}

/** Ends both halves of every presented sign-in (fault A6). */
export async function closePresented(presented: Presented, executor: Executor = db()): Promise<void> {
  const secrets = [bearerSecret(presented.authorization), presented.cookieSecret];
  const hashes = secrets
    .filter((secret) => secret && SECRET_FORM.test(secret))
    .map((secret) => hashSecret(secret!));
  if (hashes.length === 0) return;
  const proven = executor
    .select({ signInId: sessions.signInId })
    .from(sessions)
    .where(inArray(sessions.id, hashes));
  await executor.delete(sessions).where(inArray(sessions.signInId, proven));
}

/**
 * Replaces the lost secret; the valid one and the end stay.
 * @returns the token, and a cookie secret where one is new
 * @throws {AppError} unauthenticated
 */
export async function restoreMissingHalf(
  presented: Presented,
): Promise<{ token: string; cookieSecret: string | null }> {
  const bearer = bearerSecret(presented.authorization);
  if (bearer) {
    const proof = await validate(bearer, 'bearer');
    if (!proof) throw sessionEnded();
    const cookie = presented.cookieSecret ? await validate(presented.cookieSecret, 'cookie') : null;
    if (cookie?.signInId === proof.signInId) return { token: bearer, cookieSecret: null };
    return { token: bearer, cookieSecret: await reissueHalf(proof.user.id, proof.signInId, 'cookie') };
  }
  const proof = presented.cookieSecret ? await validate(presented.cookieSecret, 'cookie') : null;
  if (!proof) throw sessionEnded();
  return { token: await reissueHalf(proof.user.id, proof.signInId, 'bearer'), cookieSecret: null };
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'Your session has ended. Please sign in again.');
}

async function reissueHalf(userId: number, signInId: string, kind: 'bearer' | 'cookie'): Promise<string> {
  return db().transaction(async (tx) => {
    // The new half must not slip past a parallel end of all sign-ins.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('share');
    const halves = await tx.select().from(sessions).where(eq(sessions.signInId, signInId)).for('update');
    const kept = halves.find((half) => half.kind !== kind);
    if (!kept) throw sessionEnded();
    const secret = newSecret();
    const idleEnd = new Date(Date.now() + SESSION_IDLE_DAYS * 86_400_000);
    const values = {
      id: hashSecret(secret),
      expiresAt: idleEnd < kept.absoluteExpiresAt ? idleEnd : kept.absoluteExpiresAt,
      absoluteExpiresAt: kept.absoluteExpiresAt,
      userAgent: kept.userAgent,
      secondFactor: kept.secondFactor,
      commonPassword: kept.commonPassword,
      provenAt: null,
    };
    // In place, so that a parallel end of this sign-in hits the new half too.
    const lost = and(eq(sessions.signInId, signInId), eq(sessions.kind, kind));
    const renewed = await tx.update(sessions).set(values).where(lost).returning({ id: sessions.id });
    if (renewed.length === 0) {
      await tx.insert(sessions).values({ ...values, signInId, kind, userId: kept.userId });
    }
    return secret;
  });
}

/** Or all but one (fault A8), and every sign-in that waits for its second step. */
export async function closeAllSessions(
  executor: Executor,
  userId: number,
  exceptSignInId?: string,
): Promise<void> {
  await executor
    .delete(sessions)
    .where(
      exceptSignInId
        ? and(eq(sessions.userId, userId), ne(sessions.signInId, exceptSignInId))
        : eq(sessions.userId, userId),
    );
  await executor.delete(authChallenges).where(eq(authChallenges.userId, userId));
}

interface SignInView {
  id: string;
  signedInAt: string;
  endsAt: string;
  userAgent: string | null;
}

export async function listSignIns(userId: number, executor: Executor = db()): Promise<SignInView[]> {
  const rows = await executor
    .select({
      id: sessions.signInId,
      signedInAt: min(sessions.createdAt),
      endsAt: max(sessions.expiresAt),
      userAgent: max(sessions.userAgent),
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, sql`now()`),
        gt(sessions.absoluteExpiresAt, sql`now()`),
      ),
    )
    .groupBy(sessions.signInId)
    .orderBy(desc(min(sessions.createdAt)));
  return rows.map(({ signedInAt, endsAt, ...row }) => ({
    ...row,
    signedInAt: signedInAt!.toISOString(),
    endsAt: endsAt!.toISOString(),
  }));
}

export async function closeSignIn(executor: Executor, userId: number, signInId: string): Promise<boolean> {
  const ended = await executor
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.signInId, signInId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

export async function setStrength(
  executor: Executor,
  signInId: string,
  strength: Partial<SignInStrength>,
): Promise<void> {
  await executor.update(sessions).set(strength).where(eq(sessions.signInId, signInId));
}

const PROOF_MINUTES = 5;

export async function noteProof(executor: Executor, signInId: string): Promise<void> {
  await executor.update(sessions).set({ provenAt: sql`now()` }).where(eq(sessions.signInId, signInId));
}

/** One proof, one change; a rolled back change leaves it. @throws {AppError} proof_required */
export async function spendProof(executor: Executor, signInId: string | null): Promise<void> {
  const used = signInId
    ? await executor
        .update(sessions)
        .set({ provenAt: null })
        .where(
          and(
            eq(sessions.signInId, signInId),
            gt(sessions.provenAt, sql`now() - make_interval(mins => ${PROOF_MINUTES})`),
          ),
        )
        .returning({ id: sessions.id })
    : [];
  if (used.length === 0) throw new AppError('proof_required', 'Please confirm that it is you.');
}

export async function sweepSessions(): Promise<void> {
  await lucia.deleteExpiredSessions();
}

export type CookieJar = {
  set: (name: string, value: string, options: Record<string, unknown>) => void;
  delete: (name: string, options: Record<string, unknown>) => void;
};

/** Out of reach of scripts and cross-site writes. */
export const cookieOptions = () => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure: env().siteUrl.startsWith('https:'),
});

/** `__Host-` binds it to this host and https; on plain http browsers refuse that. */
export const cookieName = (name: string): string =>
  env().siteUrl.startsWith('https:') ? `__Host-${name}` : name;

export const sessionSecret = (cookies: {
  get: (name: string) => { value: string } | undefined;
}): string | undefined => cookies.get(cookieName(SESSION_COOKIE))?.value;

export function setSessionCookie(cookies: CookieJar, secret: string): void {
  cookies.set(cookieName(SESSION_COOKIE), secret, {
    ...cookieOptions(),
    maxAge: SESSION_ABSOLUTE_DAYS * 86_400,
  });
}

export function clearSessionCookie(cookies: CookieJar): void {
  cookies.delete(cookieName(SESSION_COOKIE), cookieOptions());
}
