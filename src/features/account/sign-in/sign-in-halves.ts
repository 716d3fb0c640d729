import { clearAuth } from '#src/features/account/auth.store.ts';
import { AUTH_TOKEN_KEY, readAuth } from '#src/shared/auth-storage.ts';
import { restoreSignInHere } from './restore-sign-in.ts';

// The stored token means signed in (spec 3); the cookie is for rendering. Only this file reconciles the two.

/** For another tab's token to follow its cookie. */
const TOKEN_ARRIVES_MS = 2_000;
/** Time of this tab's last reload for a restored cookie. */
const RESTORED_AT = 'sign-in-restored-at';
/** A second reload in this time means that the browser stores no cookies. */
const AGAIN_MS = 10_000;

export async function bringHalvesTogether(): Promise<void> {
  if (readAuth()) await restoreCookie();
  else {
    await signOutWithoutToken();
    delete document.documentElement.dataset.unsure;
  }
}

async function restoreCookie(): Promise<void> {
  if (!(await restoreSignInHere())) return;
  const last = Number(sessionStorage.getItem(RESTORED_AT));
  if (Date.now() - last < AGAIN_MS) return;
  sessionStorage.setItem(RESTORED_AT, String(Date.now()));
  location.reload();
}

async function signOutWithoutToken(): Promise<void> {
  if (await tokenArrives()) return;
  try {
    const { ok } = await fetch('/api/auth/logout', { method: 'POST', credentials: 'same-origin' });
    if (!ok) return;
  } catch {
    return;
  }
  await clearAuth();
  location.reload();
  await new Promise(() => {});
}

function tokenArrives(): Promise<boolean> {
  return new Promise((done) => {
    const end = (found: boolean) => {
      window.removeEventListener('storage', onStorage);
      window.clearTimeout(timer);
      done(found);
    };
    const onStorage = ({ key }: StorageEvent) => {
      if (key === AUTH_TOKEN_KEY && readAuth()) end(true);
    };
    const timer = window.setTimeout(() => end(readAuth() !== null), TOKEN_ARRIVES_MS);
    window.addEventListener('storage', onStorage);
  });
}
