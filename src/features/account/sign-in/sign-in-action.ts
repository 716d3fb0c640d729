import { ApiError } from '#src/shared/api.ts';
import { loginPath } from '#src/shared/paths.ts';

/** The way on for a notification of a call that was refused because nobody is signed in any more, as in another tab. */
export function signInAction(error: unknown): { action?: { label: string; href: string } } {
  return error instanceof ApiError && error.status === 401
    ? { action: { label: 'Sign In', href: loginPath(location.pathname + location.search) } }
    : {};
}
