import { toastOnNextPage } from '#src/components/toast.store.ts';
import { $auth, clearAuth, goesOn } from '#src/features/account/auth.store.ts';
import { askToDrop } from '#src/features/account/sign-in/sign-out-question.ts';
import { $cartCount, countCart } from '#src/features/store/cart/cart.store.ts';
import { $waiting, countWaiting } from '#src/features/learn/dashboard/waiting.store.ts';
import { readAuth, type StoredUser } from '#src/shared/auth-storage.ts';
import { counted } from '#src/shared/counted.ts';
import { loginPath } from '#src/shared/paths.ts';
import { readWaiting, writeWaiting } from '#src/shared/offline/waiting-answers.ts';

/** Milliseconds (spec 9). */
const TYPE_AHEAD_MS = 1000;
const VIEWS_PER_MEASURE = 10;

/** For AccountMenu.astro. */
export function wakeAccountMenu(place: HTMLElement): void {
  const menu = place.querySelector<HTMLElement>('[role=menu]')!;
  const button = place.querySelector<HTMLButtonElement>('[aria-haspopup=menu]')!;

  showCounts(place);
  const { email } = place.dataset;
  // A prerendered page shows the browser's record.
  if (!email) showUser(place, $auth.get()?.user ?? null);
  void countCart();
  void countWaiting();
  $auth.listen((now) => {
    void countCart();
    if (now?.user) showUser(place, now.user);
    // Another tab's sign-in or sign-out makes this page another's; one here leads on by itself.
    const isElses = email && (!now || (now.user && now.user.email !== email));
    if (!isElses || goesOn()) return;
    if (!now) {
      toastOnNextPage({
        title: 'You signed out in another tab',
        description: 'Drafts are kept on this device. Sign in to go on here.',
        action: { label: 'Sign In', href: loginPath(location.pathname + location.search) },
      });
    }
    location.reload();
  });

  place.querySelector('[data-logout]')!.addEventListener('click', async () => {
    const userId = readAuth()?.user?.id ?? 0;
    const waits = readWaiting(userId).length;
    // Loaded already: it must work offline.
    if (waits > 0 && !(await askToDrop(waits))) return;
    writeWaiting(userId, []);
    await endSession();
    await clearAuth(true);
    location.assign('/');
  });
  moveByKeys(menu, button);
  // A sample: nine in ten views fetch nothing.
  if (Math.random() * VIEWS_PER_MEASURE < 1) {
    void import('./page-vitals.ts').then(
      ({ measurePage }) => measurePage(place.dataset.route!),
      // A blocked script is no error.
      () => {},
    );
  }
}

function badgeOf(place: HTMLElement, path: string): (count: number, name: string) => void {
  const link = place.querySelector(`a[href="${path}"]`)!;
  const badge = link.querySelector<HTMLElement>('[data-testid]')!;
  return (count, name) => {
    badge.hidden = count === 0;
    badge.textContent = count > 99 ? '99+' : String(count || '');
    link.ariaLabel = name;
  };
}

function showCounts(place: HTMLElement): void {
  const showCart = badgeOf(place, '/cart');
  $cartCount.subscribe((count) => showCart(count, count > 0 ? `Cart, ${counted(count, 'item')}` : 'Cart'));
  const showLearning = badgeOf(place, '/dashboard');
  const [teaching, organisations] = ['teaching', 'organisations'].map(
    (name) => place.querySelector<HTMLElement>(`[data-${name}]`)!,
  ) as [HTMLElement, HTMLElement];
  $waiting.subscribe(({ reviewsDue, answersWaiting, teaches, inOrganisation }) => {
    teaching.hidden = !teaches;
    organisations.hidden = !inOrganisation;
    const parts = [
      'My learning',
      reviewsDue > 0 && `${counted(reviewsDue, 'review')} due`,
      answersWaiting > 0 && `${counted(answersWaiting, 'answer')} waiting`,
    ];
    showLearning(reviewsDue + answersWaiting, parts.filter(Boolean).join(', '));
  });
}

function showUser(place: HTMLElement, user: StoredUser | null): void {
  const find = (name: string) => place.querySelector<HTMLElement>(`[data-${name}]`)!;
  find('named').hidden = !user?.username;
  find('username').textContent = user?.username ?? '';
  find('shown-email').textContent = user?.email ?? '';
  find('admin').hidden = user?.role !== 'admin';
}

async function endSession(): Promise<void> {
  const auth = readAuth();
  try {
    await fetch('/api/auth/logout', {
      method: 'POST',
      credentials: 'same-origin',
      headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
    });
  } catch {
    // Offline: the session ends by itself.
  }
}

/** By WAI-ARIA's menu pattern; opening, closing and Escape are the browser's. */
function moveByKeys(menu: HTMLElement, button: HTMLElement): void {
  const items = () => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]:not([hidden])')];
  const focusFirst = () => (button.matches(':focus-visible') ? items()[0]! : menu).focus();
  menu.addEventListener('toggle', (event) => {
    const isOpen = (event as ToggleEvent).newState === 'open';
    button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) focusFirst();
  });
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    menu.showPopover();
  });
  let typed = '';
  let forgets = 0;
  /** Reset after a pause. */
  const typeAhead = (key: string): string => {
    window.clearTimeout(forgets);
    forgets = window.setTimeout(() => {
      typed = '';
    }, TYPE_AHEAD_MS);
    typed += key.toLowerCase();
    return typed;
  };
  menu.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: Math.min(at + 1, all.length - 1),
      ArrowUp: at < 0 ? all.length - 1 : Math.max(at - 1, 0),
      Home: 0,
      End: all.length - 1,
    }[event.key];
    const isLetter =
      event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const start = isLetter ? typeAhead(event.key) : null;
    const next =
      all[to ?? -1] ?? all.find((item) => start && item.textContent.trim().toLowerCase().startsWith(start));
    if (event.key === 'Tab') menu.hidePopover();
    else if (event.key === ' ') all[at]?.click();
    else if (next) next.focus();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  });
  menu.addEventListener('pointermove', ({ target }) => {
    (target as Element).closest<HTMLElement>('[role=menuitem]')?.focus();
  });
  // Perhaps opened before this script.
  if (menu.matches(':popover-open')) {
    button.setAttribute('aria-expanded', 'true');
    focusFirst();
  }
}
