import { atom } from 'nanostores';
import { readAuth } from '#src/shared/auth-storage.ts';

/** Changes when the cart did; its value says nothing, and other tabs hear of it. */
const CHANGED_KEY = 'cart_changed';

/** How many lines the signed-in visitor's cart holds; 0 until it is known. Browser only. */
export const $cartCount = atom(0);

/** How often another tab has changed the cart since this page was made: who shows its lines reads them anew. */
export const $changesElsewhere = atom(0);

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key !== CHANGED_KEY) return;
    $changesElsewhere.set($changesElsewhere.get() + 1);
    void countCart();
  });
}

/** Call it after something was added to the cart, removed or bought: this tab counts anew, others are told. */
export function cartChanged(): void {
  try {
    localStorage.setItem(CHANGED_KEY, crypto.randomUUID());
  } catch {
    // Without storage other tabs are right when they are loaded anew.
  }
  void countCart();
}

let latest = 0;

/** Counts the cart's lines. Signed out there are none; a failed question keeps the last known count. */
export async function countCart(): Promise<void> {
  latest += 1;
  const request = latest;
  const auth = readAuth();
  if (!auth && document.documentElement.dataset.auth !== 'in') {
    $cartCount.set(0);
    return;
  }
  try {
    // Not `call()`: the count is on every page, and the contracts would bring the schema library with them.
    const response = await fetch('/api/cart/count', {
      credentials: 'same-origin',
      headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
    });
    // An answer that comes after a newer question is out of date.
    if (request !== latest) return;
    if (response.status === 401) $cartCount.set(0);
    if (!response.ok) return;
    const { count } = (await response.json()) as { count?: unknown };
    if (request === latest && typeof count === 'number') $cartCount.set(count);
  } catch {
    // Offline: the badge keeps what it showed.
  }
}
