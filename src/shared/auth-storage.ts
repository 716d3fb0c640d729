/** Two local storage values (spec 3, "Stored login record"), for display only: the server decides who one is (decision 9). */
export const AUTH_TOKEN_KEY = 'auth_token';
export const AUTH_USER_KEY = 'auth_user';

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

/** Null when signed out, on the server, or without storage. */
export function readAuth(): StoredAuth | null {
  try {
    const token = localStorage.getItem(AUTH_TOKEN_KEY);
    if (!token) return null;
    return { token, user: parseUser(localStorage.getItem(AUTH_USER_KEY)) };
  } catch {
    return null;
  }
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
