import { useStore } from '@nanostores/react';
import {
  BookOpen,
  ChevronDown,
  CircleUserRound,
  LayoutDashboard,
  LogOut,
  Settings2,
  ShoppingCart,
  UserRoundCog,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from '#src/components/button.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#src/components/Menu.tsx';
import { $auth, clearAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { $cartCount, countCart } from '#src/features/store/cart/cart.store.ts';
import { counted } from '#src/shared/counted.ts';

export interface HeaderUser {
  username: string;
  email: string;
  role: 'student' | 'admin';
}

/** Of how many page views one is measured. */
const VIEWS_PER_MEASURE = 10;

/**
 * The header's part for a signed-in visitor: cart with its count, and the user menu. `user` is the server's answer on a
 * page rendered for this request, null on a prerendered one, where the stored user record names the visitor.
 * `route` is the page's pattern, under which its speed is told.
 */
export function HeaderAccount({ user: serverUser, route }: { user: HeaderUser | null; route: string }) {
  const auth = useStore($auth, { ssr: 'initial' });
  // What was told since the page was made is newer than what the page was made with.
  const [told, setTold] = useState<HeaderUser | null>(null);
  const user = told ?? serverUser ?? auth?.user;
  const leaving = useRef(false);
  const count = useStore($cartCount, { ssr: 'initial' });

  useEffect(() => {
    void countCart();
    return $auth.listen((now) => {
      void countCart();
      setTold(now?.user ?? null);
      // Logging out here goes to the home page by itself. What this page shows was rendered for someone: another tab's
      // sign-out or sign-in makes it someone else's.
      const isElses = serverUser && (!now || (now.user && now.user.email !== serverUser.email));
      if (isElses && !leaving.current) location.reload();
    });
  }, [serverUser]);

  useEffect(() => {
    // Nine in ten do not even fetch the script.
    if (Math.random() * VIEWS_PER_MEASURE >= 1) return;
    void import('./page-vitals.ts').then(
      ({ measurePage }) => measurePage(route),
      // A script that cannot be had, or is blocked, is nothing to complain about.
      () => {},
    );
  }, [route]);

  const logOut = async () => {
    leaving.current = true;
    const auth = readAuth();
    try {
      await fetch('/api/auth/logout', {
        method: 'POST',
        credentials: 'same-origin',
        headers: auth ? { authorization: `Bearer ${auth.token}` } : {},
      });
    } catch {
      // Offline: this browser still forgets the sign-in; the session ends by itself.
    }
    clearAuth();
    location.assign('/');
  };

  return (
    <div className="flex items-center gap-1">
      <a
        href="/cart"
        className={buttonClass({ variant: 'ghost', size: 'icon' })}
        aria-label={count > 0 ? `Cart, ${counted(count, 'item')}` : 'Cart'}
      >
        <ShoppingCart aria-hidden="true" />
        {count > 0 && (
          <span
            data-testid="cart-count"
            className="absolute top-0.5 right-0 grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-[0.6875rem] leading-none font-bold text-white tabular-nums ring-2 ring-canvas"
          >
            {count > 99 ? '99+' : count}
          </span>
        )}
      </a>
      <Menu
        trigger={
          <button
            type="button"
            aria-label="Account menu"
            className={buttonClass({ variant: 'ghost', size: 'icon' }, 'w-auto! gap-1! px-2.5')}
          >
            <CircleUserRound aria-hidden="true" />
            <ChevronDown aria-hidden="true" className="size-4!" />
          </button>
        }
      >
        {user?.username && (
          <>
            <MenuLabel>
              <span className="block max-w-60 truncate font-semibold">{user.username}</span>
              <span className="block max-w-60 truncate text-ink-soft">{user.email}</span>
            </MenuLabel>
            <MenuSeparator />
          </>
        )}
        <MenuItem href="/dashboard" icon={<LayoutDashboard aria-hidden="true" />}>
          Dashboard
        </MenuItem>
        <MenuItem href="/my-courses" icon={<BookOpen aria-hidden="true" />}>
          My Courses
        </MenuItem>
        <MenuItem href="/account" icon={<UserRoundCog aria-hidden="true" />}>
          Account
        </MenuItem>
        {user?.role === 'admin' && (
          <MenuItem href="/admin" icon={<Settings2 aria-hidden="true" />}>
            Admin Panel
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={() => void logOut()}>
          Logout
        </MenuItem>
      </Menu>
    </div>
  );
}
