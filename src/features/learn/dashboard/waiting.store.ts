import { atom } from 'nanostores';
import { readAuth } from '#src/shared/auth-storage.ts';

/** What waits for the signed-in visitor in their courses; nothing until it is known. Browser only. */
export const $waiting = atom({ reviewsDue: 0, answersWaiting: 0, teaches: false, inOrganisation: false });

/** Asks what waits; a failed question keeps what was known. To be called again whenever some of it was done. */
export async function countWaiting(): Promise<void> {
  const auth = readAuth();
  if (!auth && document.documentElement.dataset.auth !== 'in') return;
  try {
    // Not `call()`: this is on every page, and the contracts would bring the schema library with them.
    const response = await fetch('/api/my-learning', {
      credentials: 'same-origin',
      headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
    });
    if (response.ok) $waiting.set(await response.json());
  } catch {
    // Offline: the badge keeps what it showed.
  }
}
