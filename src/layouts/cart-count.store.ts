import { atom } from 'nanostores';
import { readAuth } from '#src/shared/auth-storage.ts';

/** How many lines the signed-in visitor's cart holds; 0 until it is known. Browser only. */
export const $cartCount = atom(0);

let latest = 0;

/**
 * Asks how many lines the cart holds and puts that into `$cartCount`; call it after adding, removing or buying, or dispatch
 * `cart:change` on `window`. Signed out it is 0; a failed read keeps the last known count.
 */
export async function refreshCartCount(): Promise<void> {
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
    const { count }: { count: number } = await response.json();
    if (request === latest) $cartCount.set(count);
  } catch {
    // Offline: the badge keeps what it showed.
  }
}
