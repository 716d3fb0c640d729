import { ApiError, call } from '#src/shared/api.ts';
import { clearAuth, writeAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { restoreSignIn } from '#src/features/account/schema.ts';

/**
 * Completes a sign-in of which this browser kept one half, the token in local storage or the cookie, and forgets a
 * stored token that is worth nothing any more.
 *
 * @returns whether the browser is signed in now, with both halves
 */
export async function restoreSignInHere(): Promise<boolean> {
  const before = readAuth()?.token;
  try {
    const { token, user } = await call(restoreSignIn, {});
    writeAuth(token, user);
    return true;
  } catch (error) {
    // A sign-in that happened in the meantime, here or in another tab, is not ours to forget.
    const ended = error instanceof ApiError && error.status === 401;
    if (ended && before && readAuth()?.token === before) await clearAuth();
    return false;
  }
}
