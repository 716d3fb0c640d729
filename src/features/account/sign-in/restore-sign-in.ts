import { ApiError, call } from '#src/shared/api.ts';
import { clearAuth, writeAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { restoreSignIn } from '#src/features/account/schema.ts';

/** Restores the missing half, or forgets a dead token. @returns whether both halves are there now */
export async function restoreSignInHere(): Promise<boolean> {
  const before = readAuth()?.token;
  try {
    const { token, user } = await call(restoreSignIn, {});
    writeAuth(token, user);
    return true;
  } catch (error) {
    // A newer sign-in, here or in another tab, must not be forgotten.
    const ended = error instanceof ApiError && error.status === 401;
    if (ended && before && readAuth()?.token === before) await clearAuth();
    return false;
  }
}
