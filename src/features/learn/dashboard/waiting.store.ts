import { atom } from 'nanostores';
import { readAuth } from '#src/shared/auth-storage.ts';

/** Zeros until it is known. Browser only. */
export const $waiting = atom({ reviewsDue: 0, answersWaiting: 0, teaches: false, inOrganisation: false });

/** A failed request changes nothing. */
export async function countWaiting(): Promise<void> {
  const auth = readAuth();
  if (!auth && document.documentElement.dataset.auth !== 'in') return;
  try {
    // Not `call()`: contracts would bring the schema library to every page.
    const response = await fetch('/api/my-learning', {
      credentials: 'same-origin',
      headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
    });
    if (response.ok) $waiting.set(await response.json());
  } catch {
    // Offline.
  }
}
