import { ApiError } from '#src/shared/api.ts';
import { loginPath } from '#src/shared/paths.ts';

/** For a refusal after the sign-in ended, as in another tab. */
export function signInAction(error: unknown): { action?: { label: string; href: string } } {
  return error instanceof ApiError && error.status === 401
    ? { action: { label: 'Sign In', href: loginPath(location.pathname + location.search) } }
    : {};
}

/** Where a sign-in leads that came from nowhere. */
export const homeOf = (user: { role: string }): string => (user.role === 'admin' ? '/admin' : '/dashboard');
