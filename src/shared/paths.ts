/** Longer addresses are not ours: no page of the site needs more. */
const NEXT_MAX_CHARACTERS = 1500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them from addresses, which turns "/\t/" into "//"
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * The address to go on to after signing in, as it came with `?next=`: a path of this site with query and fragment, or
 * null for everything that a browser or a proxy could read as another site (fault U3).
 */
export function safeNextPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > NEXT_MAX_CHARACTERS) return null;
  if (!value.startsWith('/') || value.includes('\\') || CONTROL.test(value) || !value.isWellFormed())
    return null;
  const base = 'http://site.invalid';
  if (!URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  if (url.origin !== base || leavesTheSite(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

/** Whether a path, read once or with its escapes resolved, however often, names another host. */
function leavesTheSite(path: string): boolean {
  for (let current = path, depth = 0; depth < 5; depth += 1) {
    if (/^\/[/\\]/.test(current) || current.includes('\\') || CONTROL.test(current)) return true;
    let decoded: string;
    try {
      decoded = decodeURIComponent(current);
    } catch {
      return true;
    }
    if (decoded === current) return false;
    current = decoded;
  }
  return true;
}

/** The sign-in page's address, with the way back when there is one that may be followed. */
export function loginPath(next?: string | null): string {
  return withNext('/login', next);
}

/** `path` with `?next=` when `next` is a path of this site, otherwise `path` alone. */
export function withNext(path: string, next?: string | null): string {
  const safe = safeNextPath(next);
  return safe ? `${path}?next=${encodeURIComponent(safe)}` : path;
}
