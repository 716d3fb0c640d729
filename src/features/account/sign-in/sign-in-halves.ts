import { clearAuth } from '#src/features/account/auth.store.ts';
import { AUTH_TOKEN_KEY, readAuth } from '#src/shared/auth-storage.ts';
import { restoreSignInHere } from './restore-sign-in.ts';

// Signed in is who has a token in local storage (spec 3); the cookie is there so that pages can be made for them. This is
// the one place that brings the two together, on every page and in every tab. Where storage is refused or no script runs,
// the cookie alone carries.

/** Milliseconds that a sign-in in another tab has between its cookie and its token. */
const TOKEN_ARRIVES_MS = 2_000;
/** Where this tab notes when it was loaded anew for a restored cookie. */
const RESTORED_AT = 'sign-in-restored-at';
/** Milliseconds in which a second time means that the browser keeps no cookies. */
const AGAIN_MS = 10_000;

/** For a page whose server answered as if the browser were, or were not, signed in, against what local storage says. */
export async function bringHalvesTogether(): Promise<void> {
  if (readAuth()) await restoreCookie();
  else await signOutWithoutToken();
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
    // Offline: the next page tries again.
    return;
  }
  await clearAuth();
  location.reload();
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
