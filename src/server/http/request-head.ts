import type { IncomingMessage } from 'node:http';

const HEADER_MAX_COUNT = 100;
const URL_MAX_BYTES = 8_192;

/** A status, or null: proxies and servers that disagree on heads can be played off against each other. */
export function headFault({ httpVersion, rawHeaders, headers }: IncomingMessage): number | null {
  if (rawHeaders.length > 2 * HEADER_MAX_COUNT) return 431;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isOld = httpVersion === '1.0';
  if ((!isOld && httpVersion !== '1.1') || hosts > 1 || (hosts === 0 && !isOld)) return 400;
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (isOld) return 400;
  return coding.toLowerCase() === 'chunked' ? null : 501;
}

export function readTarget(target: string): number | { pathname: string; path: string } {
  if (target.length > URL_MAX_BYTES) return 414;
  let path = target;
  if (/^https?:\/\//i.test(target)) {
    // Proxies send the whole address; links never come from its host.
    path = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
    if (path.startsWith('?')) path = `/${path}`;
  }
  if (!path.startsWith('/')) return 400;
  const mark = path.indexOf('?');
  const encoded = mark < 0 ? path : path.slice(0, mark);
  const query = mark < 0 ? '' : path.slice(mark + 1);
  if (encoded.includes('\\') || encoded.includes('#') || /%00/.test(query)) return 400;
  let pathname: string;
  try {
    pathname = encoded.includes('%') ? decodeURIComponent(encoded) : encoded;
  } catch {
    return 400;
  }
  if (pathname.includes('\0')) return 400;
  if (pathname.startsWith('//')) return 404;
  // `.`, `..` and `..;x` in any spelling reach no page and no file.
  if (/(^|[/\\])\.{1,2}(;[^/\\]*)?([/\\]|$)/.test(pathname)) return 404;
  return { pathname, path };
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
