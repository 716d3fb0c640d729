/** No page of the site needs more. */
const NEXT_MAX_CHARACTERS = 1500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them from addresses, which turns "/\t/" into "//"
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** A path of this site, or null for what a browser or proxy could read as another (fault U3). */
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

/** Also with its escapes resolved, however often. */
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

/** Only with a valid `next`. */
export function loginPath(next?: string | null): string {
  return withNext('/login', next);
}

/** Only with a valid `next`. */
export function withNext(path: string, next?: string | null): string {
  const safe = safeNextPath(next);
  return safe ? `${path}?next=${encodeURIComponent(safe)}` : path;
}
