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
import { clearAuth, onAuthChange, readAuth } from '#src/shared/auth-storage.ts';
import { $cartCount, refreshCartCount } from './cart-count.store.ts';
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
  const [user, setUser] = useState(serverUser);
  const leaving = useRef(false);
  const count = useStore($cartCount, { ssr: 'initial' });

  useEffect(() => {
    if (!serverUser) setUser(readAuth()?.user ?? null);
    void refreshCartCount();
    const refresh = () => void refreshCartCount();
    window.addEventListener('cart:change', refresh);
    const stop = onAuthChange((auth) => {
      refresh();
      // Logging out here goes to the home page by itself.
      if (leaving.current) return;
      // What this page shows was rendered for someone: another tab's sign-out or sign-in makes it someone else's.
      if (serverUser && (!auth || (auth.user && auth.user.email !== serverUser.email))) location.reload();
      else setUser(auth?.user ?? null);
    });
    return () => {
      window.removeEventListener('cart:change', refresh);
      stop();
    };
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
