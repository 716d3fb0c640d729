import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte, ne, sql } from 'drizzle-orm';
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia';
import { db, type Executor, prepared } from '#db/client.ts';
import { sessions, users } from '#db/schema/account.ts';
import { env } from '#src/server/env.ts';

/** Days a session lives without use, and at most (decision 9). */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_ABSOLUTE_DAYS = 90;
export const SESSION_COOKIE = 'session';

/** The signed-in person, as the database has it at this request. */
export type CurrentUser = {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
  emailVerified: boolean;
};

type SessionAttributes = { kind: 'bearer' | 'cookie'; signInId: string; userAgent: string | null };

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, Omit<CurrentUser, 'id'>>;
    UserId: number;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: Omit<CurrentUser, 'id'>;
  }
}

/** What the database keeps of a secret: a stolen copy opens no session (fault A9). */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const sessionAndUser = prepared((database) =>
  database
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder('id')), gt(sessions.absoluteExpiresAt, sql`now()`)))
    .prepare('session_and_user'),
);

/** Lucia's storage: keeps the SHA-256 of each id and hands back the id that was presented. */
const adapter: Adapter = {
  async getSessionAndUser(presentedId) {
    const [row] = await sessionAndUser().execute({ id: hashSecret(presentedId) });
    if (!row) return [null, null];
    const { session, user } = row;
    const databaseSession: DatabaseSession = {
      id: presentedId,
      userId: session.userId,
      expiresAt: session.expiresAt,
      attributes: { kind: session.kind, signInId: session.signInId, userAgent: session.userAgent },
    };
    const databaseUser: DatabaseUser = {
      id: user.id,
      attributes: {
        username: user.username,
        email: user.email,
        role: user.role,
        emailVerified: user.emailVerifiedAt !== null,
      },
    };
    return [databaseSession, databaseUser];
  },
  async getUserSessions(userId) {
    const rows = await db().select().from(sessions).where(eq(sessions.userId, userId));
    return rows.map(({ id, expiresAt, kind, signInId, userAgent }) => ({
      id,
      userId,
      expiresAt,
      attributes: { kind, signInId, userAgent },
    }));
  },
  async setSession(session) {
    await insertSession(db(), session.id, session.userId, session.expiresAt, session.attributes);
  },
  async updateSessionExpiration(presentedId, expiresAt) {
    await db()
      .update(sessions)
      .set({ expiresAt: sql`least(${expiresAt.toISOString()}::timestamptz, ${sessions.absoluteExpiresAt})` })
      .where(eq(sessions.id, hashSecret(presentedId)));
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
 * Opens a session: one secret for the bearer header and another for the cookie, both ended by one logout
 * (decision 9). Nothing that the visitor brought along is reused (fault A6).
 */
export async function openSession(
  userId: number,
  userAgent: string | null,
  executor: Executor = db(),
): Promise<SignIn> {
  const [token, cookieSecret] = [newSecret(), newSecret()];
  const expiresAt = new Date(Date.now() + SESSION_IDLE_DAYS * 86_400_000);
  const common = { signInId: newSecret(), userAgent: userAgent?.slice(0, 300) ?? null };
  await insertSession(executor, token, userId, expiresAt, { kind: 'bearer', ...common });
  await insertSession(executor, cookieSecret, userId, expiresAt, { kind: 'cookie', ...common });
  return { token, cookieSecret };
}

/** 32 random bytes, as text that is safe in headers and addresses. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

type Proof = { user: CurrentUser; signInId: string };

async function validate(secret: string, kind: 'bearer' | 'cookie'): Promise<Proof | null> {
  if (!/^[\w-]{20,100}$/.test(secret)) return null;
  const { session, user } = await lucia.validateSession(secret);
  if (!session || session.kind !== kind) return null;
  return { user, signInId: session.signInId };
}

export type Identity = {
  user: CurrentUser | null;
  authenticatedBy: 'bearer' | 'cookie' | null;
  rejectedBearer: boolean;
  signInId: string | null;
};

const NOBODY: Identity = { user: null, authenticatedBy: null, rejectedBearer: false, signInId: null };

/**
 * Who makes a request. Where an Authorization header is present it alone counts, valid or not: a request that
 * carries the secrets of two people is never a mixture of them (fault A23).
 */
export async function identify(
  authorization: string | null,
  cookieSecret: string | undefined,
): Promise<Identity> {
  if (authorization !== null) {
    const token = lucia.readBearerToken(authorization.replace(/^bearer /i, 'Bearer '));
    const proof = token ? await validate(token, 'bearer') : null;
    return proof ? { ...NOBODY, ...proof, authenticatedBy: 'bearer' } : { ...NOBODY, rejectedBearer: true };
  }
  const proof = cookieSecret ? await validate(cookieSecret, 'cookie') : null;
  return proof ? { ...NOBODY, ...proof, authenticatedBy: 'cookie' } : NOBODY;
}

/** Ends both halves of a sign-in. */
export async function closeSession(signInId: string): Promise<void> {
  await db().delete(sessions).where(eq(sessions.signInId, signInId));
}

/** Ends every session of a user, or every one but the given sign-in (fault A8). */
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
}

/** Deletes sessions that have ended by themselves. */
export async function sweepSessions(): Promise<void> {
  await lucia.deleteExpiredSessions();
}

type CookieJar = {
  set: (name: string, value: string, options: Record<string, unknown>) => void;
  delete: (name: string, options: Record<string, unknown>) => void;
};

const cookieOptions = () => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure: env().siteUrl.startsWith('https:'),
});

export function setSessionCookie(cookies: CookieJar, secret: string): void {
  cookies.set(SESSION_COOKIE, secret, { ...cookieOptions(), maxAge: SESSION_ABSOLUTE_DAYS * 86_400 });
}

export function clearSessionCookie(cookies: CookieJar): void {
  cookies.delete(SESSION_COOKIE, cookieOptions());
}
