import type { IncomingMessage } from 'node:http';

const MAX_BODY = 1_000_000;

/** A request holds more than this server takes. */
export class BodyTooLarge extends Error {}

/** The body of a request as text. */
export async function readBody(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) throw new BodyTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The API key of `Authorization: Bearer key` or of Basic authentication (key as user name). */
export function keyOf(req: IncomingMessage): string | null {
  const [scheme, value = ''] = (req.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value || null;
  if (scheme?.toLowerCase() !== 'basic') return null;
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] || null;
}

/** A header that is there once and not empty; null otherwise. */
export function header(req: IncomingMessage, name: string): string | null {
  const value = req.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
