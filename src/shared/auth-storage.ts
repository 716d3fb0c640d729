/**
 * What the browser remembers of a sign-in: two local storage values (spec 3, "Stored login record"). The user record
 * is for display only; who someone is and may do is decided by the server at every request (decision 9).
 */
export const AUTH_TOKEN_KEY = 'auth_token';
export const AUTH_USER_KEY = 'auth_user';
/** Dispatched on `window` in the tab that signed in or out; other tabs get `storage`. */
export const AUTH_CHANGE_EVENT = 'auth:change';

export interface StoredUser {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
}

export interface StoredAuth {
  token: string;
  user: StoredUser | null;
}

/** The stored sign-in, or null when signed out, on the server, or when storage is forbidden. */
export function readAuth(): StoredAuth | null {
  try {
    const token = localStorage.getItem(AUTH_TOKEN_KEY);
    if (!token) return null;
    return { token, user: parseUser(localStorage.getItem(AUTH_USER_KEY)) };
  } catch {
    return null;
  }
}

/** Stores a sign-in and tells this tab and the others. */
export function writeAuth(token: string, user: StoredUser): void {
  try {
    // The user first: whoever reacts to the token then finds the user beside it.
    localStorage.setItem(AUTH_USER_KEY, JSON.stringify(user));
    localStorage.setItem(AUTH_TOKEN_KEY, token);
  } catch {
    // Without storage the session cookie still signs the browser in.
  }
  window.dispatchEvent(new Event(AUTH_CHANGE_EVENT));
}

/** Forgets the sign-in and tells this tab and the others. Ending the session is the server's part. */
export function clearAuth(): void {
  try {
    localStorage.removeItem(AUTH_TOKEN_KEY);
    localStorage.removeItem(AUTH_USER_KEY);
  } catch {
    // Nothing was stored then.
  }
  window.dispatchEvent(new Event(AUTH_CHANGE_EVENT));
}

/** Calls back after a sign-in or sign-out in this tab or another one; gives back a function that stops it. */
export function onAuthChange(callback: (auth: StoredAuth | null) => void): () => void {
  const here = () => callback(readAuth());
  const elsewhere = (event: StorageEvent) => {
    // A null key means the whole storage was cleared.
    if (event.key === AUTH_TOKEN_KEY || event.key === null) callback(readAuth());
  };
  window.addEventListener(AUTH_CHANGE_EVENT, here);
  window.addEventListener('storage', elsewhere);
  return () => {
    window.removeEventListener(AUTH_CHANGE_EVENT, here);
    window.removeEventListener('storage', elsewhere);
  };
}

function parseUser(json: string | null): StoredUser | null {
  if (!json) return null;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return null;
    const user = value as Record<string, unknown>;
    return {
      id: typeof user.id === 'number' ? user.id : 0,
      username: typeof user.username === 'string' ? user.username : '',
      email: typeof user.email === 'string' ? user.email : '',
      role: user.role === 'admin' ? 'admin' : 'student',
    };
  } catch {
    return null;
  }
}
