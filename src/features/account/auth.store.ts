import { atom } from 'nanostores';
import {
  AUTH_TOKEN_KEY,
  AUTH_USER_KEY,
  readAuth,
  type StoredAuth,
  type StoredUser,
} from '#src/shared/auth-storage.ts';
import { forgetLessons, keepLessonsFor, keptAccount } from '#src/shared/offline/kept-lessons.ts';

/** The sign-in of this browser, for display only; null when signed out. Follows what other tabs do. Browser only. */
export const $auth = atom<StoredAuth | null>(typeof window === 'undefined' ? null : readAuth());

let leadsOn = false;

/** Whether who forgot the sign-in goes on by itself, so that this page is not loaded anew. */
export const goesOn = (): boolean => leadsOn;

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    // A null key means the whole storage was cleared.
    if (key !== AUTH_TOKEN_KEY && key !== null) return;
    leadsOn = false;
    tell(readAuth());
  });
}

/** CSS and islands for signed-in visitors go by the attribute, which the head script set before there were modules. */
function tell(auth: StoredAuth | null): void {
  document.documentElement.dataset.auth = auth ? 'in' : 'out';
  $auth.set(auth);
}

/** Keeps a sign-in; other tabs are told by the storage. */
export function writeAuth(token: string, user: StoredUser): void {
  try {
    // The user first: whoever reacts to the token then finds the user beside it.
    localStorage.setItem(AUTH_USER_KEY, JSON.stringify(user));
    localStorage.setItem(AUTH_TOKEN_KEY, token);
  } catch {
    // Without storage the session cookie still signs the browser in.
  }
  // Lessons that this browser keeps for somebody else go before it has any of this account's.
  void keptAccount().then((owner) => (owner === null ? undefined : keepLessonsFor(String(user.id))));
  tell({ token, user });
}

/**
 * Forgets the sign-in and the lessons that were kept for it; other tabs are told by the storage. Ending the session is the
 * server's part.
 *
 * @param itself whether the caller shows or opens what comes next
 * @returns when the lessons are gone, for who leaves the page then
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
