import { atom } from 'nanostores';
import { readAuth } from '#src/shared/auth-storage.ts';

/** The value says nothing; the storage event reaches other tabs. */
const CHANGED_KEY = 'cart_changed';

/** 0 until it is known. Browser only. */
export const $cartCount = atom(0);

/** Counts changes by other tabs, so that pages read the lines again. */
export const $changesElsewhere = atom(0);

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key !== CHANGED_KEY) return;
    $changesElsewhere.set($changesElsewhere.get() + 1);
    void countCart();
  });
}

export function cartChanged(): void {
  try {
    localStorage.setItem(CHANGED_KEY, crypto.randomUUID());
  } catch {
    // Without storage other tabs are right after a reload.
  }
  void countCart();
}

let latest = 0;

export async function countCart(): Promise<void> {
  latest += 1;
  const request = latest;
  const auth = readAuth();
  if (!auth && document.documentElement.dataset.auth !== 'in') {
    $cartCount.set(0);
    return;
  }
  try {
    // Not `call()`: the contracts would bring the schema library to every page.
    const response = await fetch('/api/cart/count', {
      credentials: 'same-origin',
      headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
    });
    if (request !== latest) return;
    if (response.status === 401) $cartCount.set(0);
    if (!response.ok) return;
    const { count } = (await response.json()) as { count?: unknown };
    if (request === latest && typeof count === 'number') $cartCount.set(count);
  } catch {
    // Offline: the badge keeps what it showed.
  }
}
