import { atom } from 'nanostores';
import {
  AUTH_TOKEN_KEY,
  AUTH_USER_KEY,
  readAuth,
  type StoredAuth,
  type StoredUser,
} from '#src/shared/auth-storage.ts';
import { forgetLessons, keepLessonsFor, keptAccount } from '#src/shared/offline/kept-lessons.ts';

/** For display only; follows other tabs. Browser only. */
export const $auth = atom<StoredAuth | null>(typeof window === 'undefined' ? null : readAuth());

let leadsOn = false;

export const goesOn = (): boolean => leadsOn;

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    // A null key means that the whole storage was cleared.
    if (key !== AUTH_TOKEN_KEY && key !== null) return;
    leadsOn = false;
    tell(readAuth());
  });
}

/** CSS and islands read the attribute, which the head script sets first. */
function tell(auth: StoredAuth | null): void {
  document.documentElement.dataset.auth = auth ? 'in' : 'out';
  $auth.set(auth);
}

export function writeAuth(token: string, user: StoredUser): void {
  try {
    // User first: listeners of the token read the user.
    localStorage.setItem(AUTH_USER_KEY, JSON.stringify(user));
    localStorage.setItem(AUTH_TOKEN_KEY, token);
  } catch {
    // Without storage the session cookie still signs the browser in.
  }
  // Lessons stored for another account must not survive this sign-in.
  void keptAccount().then((owner) => (owner === null ? undefined : keepLessonsFor(String(user.id))));
  tell({ token, user });
}

/**
 * Ends no session: that is the server's part.
 * @param itself whether the caller leads on
 * @returns when the stored lessons are gone
 */
export function clearAuth(itself = false): Promise<void> {
  leadsOn = itself;
  try {
    localStorage.removeItem(AUTH_TOKEN_KEY);
    localStorage.removeItem(AUTH_USER_KEY);
  } catch {
    // Nothing was stored then.
  }
  tell(null);
  return forgetLessons();
}
