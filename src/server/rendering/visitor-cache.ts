import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Header } from '#src/server/http/security-headers.ts';
import { acceptsEncoding } from '#src/server/http/static-files.ts';

/** A price is never older than one second on any instance; the rest of the second is for rendering. */
export const VISITOR_CACHE_MS = 800;

const OLDEST_MS = 10_000;

const SHARED_PATHS =
  /^\/(courses?(\/\d{1,10})?|marketplace|instructors|api\/courses(\/\d{1,10}(\/reviews)?)?|api\/categories|api\/suggestions)\/?$/;
const LONGEST_KEY = 300;
const MOST_BYTES = 16 * 1_048_576;
const ENTRY_BYTES = 2_500;
const COMPRESS_MIN_BYTES = 1_024;
const OF_ONE_REQUEST = /^(x-request-id|connection|content-length)$/i;

export interface SharedAnswer {
  route: string;
  tags: string[];
  etag: string;
  headers: string[];
  /** Node sends a string together with the headers in one write. */
  body: string;
  isPacked: boolean;
  /** By `performance.now()`. */
  startedAt: number;
}

export interface Flight {
  answer: Promise<SharedAnswer | NotLanded>;
  land(made: { body: Buffer; headers: readonly Header[]; route: string; tags?: string[] }): SharedAnswer;
  /** Does nothing after `land`. */
  giveUp(reason: NotLanded): void;
}

type NotLanded = 'not shared' | 'unavailable' | 'gone';

export interface VisitorCache {
  find(key: string): SharedAnswer | undefined;
  join(key: string): { flight: Flight; isOwn: boolean };
  clear(tag?: string): void;
  use(): { answers: number; bytes: number };
}

export function sharedKey(request: IncomingMessage, pathname: string, target: string): string | null {
  const { method, headers } = request;
  return (method === 'GET' || method === 'HEAD') &&
    headers.cookie === undefined &&
    headers.authorization === undefined &&
    target.length <= LONGEST_KEY &&
    SHARED_PATHS.test(pathname)
    ? target
    : null;
}

/** `provenAt`: the moment, by `performance.now()`, up to which every change has reached `clear`. */
export function createVisitorCache({
  provenAt = () => Number.NEGATIVE_INFINITY,
  maxBytes = MOST_BYTES,
}: {
  provenAt?: () => number;
  maxBytes?: number;
} = {}): VisitorCache {
  const answers = new LRUCache<string, SharedAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  });
  const flights = new Map<string, Flight>();
  // An answer begun before a change that ends after it may show either.
  let generation = 0;

  function take(key: string): Flight {
    const begun = generation;
    const startedAt = performance.now();
    let settle: (answer: SharedAnswer | NotLanded) => void;
    const answer = new Promise<SharedAnswer | NotLanded>((done) => {
      settle = done;
    });
    const end = (value: SharedAnswer | NotLanded) => {
      if (flights.get(key) === flight) flights.delete(key);
      settle(value);
    };
    const flight: Flight = {
      answer,
      land: ({ body, headers, route, tags = [] }) => {
        const made = { ...prepare(body, headers), route, tags, startedAt };
        if (begun === generation) answers.set(key, made);
        end(made);
        return made;
      },
      giveUp: end,
    };
    flights.set(key, flight);
    return flight;
  }

  return {
    find: (key) => {
      const known = answers.get(key);
      if (!known) return undefined;
      const now = performance.now();
      const { startedAt } = known;
      if (now - Math.max(startedAt, provenAt()) > VISITOR_CACHE_MS || now - startedAt > OLDEST_MS) {
        answers.delete(key);
        return undefined;
      }
      return known;
    },
    join: (key) => {
      const known = flights.get(key);
      return known ? { flight: known, isOwn: false } : { flight: take(key), isOwn: true };
    },
    clear: (tag) => {
      generation += 1;
      for (const [key, { tags }] of [...answers.entries()]) {
        if (!tag || tags.length === 0 || tags.includes(tag)) answers.delete(key);
      }
      flights.clear();
    },
    use: () => ({ answers: answers.size, bytes: answers.calculatedSize ?? 0 }),
  };
}

/** Nearly everybody takes the packed bytes, and they are a fifth. */
function prepare(body: Buffer, given: readonly Header[]) {
  const etag = `W/"${hash('sha1', body, 'base64url')}"`;
  const isPacked = body.length > COMPRESS_MIN_BYTES;
  const bytes = isPacked ? gzipSync(body) : body;
  return { etag, headers: [...given.flat(), 'ETag', etag], body: bytes.toString('latin1'), isPacked };
}

/** Null where the answer is not for all visitors. */
export function landShared(
  response: ServerResponse,
  flight: Flight,
  body: Buffer,
  route: string,
  tags: string[],
): SharedAnswer | null {
  if (response.statusCode !== 200 || response.hasHeader('set-cookie')) return null;
  if (response.hasHeader('content-encoding')) return null;
  // A browser may show what it has where nothing has changed, and must ask each time.
  response.setHeader('Cache-Control', 'no-cache');
  response.appendHeader('Vary', 'Cookie, Authorization, Accept-Encoding');
  const headers: Header[] = [];
  for (const name of response.getHeaderNames()) {
    const value = response.getHeader(name);
    response.removeHeader(name);
    if (OF_ONE_REQUEST.test(name)) continue;
    headers.push([name, Array.isArray(value) ? value.join(', ') : String(value)]);
  }
  return flight.land({ body, headers, route, tags });
}

export function sendShared(
  request: IncomingMessage,
  response: ServerResponse,
  answer: SharedAnswer,
  own: string[],
): void {
  const { headers, method } = request;
  if (isKnown(answer, headers['if-none-match'])) {
    response.writeHead(304, answer.headers.concat(own));
    response.end();
    return;
  }
  const takesPacked = answer.isPacked && acceptsEncoding(headers['accept-encoding'], 'gzip');
  const body =
    answer.isPacked && !takesPacked
      ? gunzipSync(Buffer.from(answer.body, 'latin1')).toString('latin1')
      : answer.body;
  const coding = takesPacked ? ['Content-Encoding', 'gzip'] : [];
  response.writeHead(200, answer.headers.concat(coding, 'Content-Length', String(body.length), own));
  if (method === 'HEAD') response.end();
  else response.end(body, 'latin1');
}

const isKnown = ({ etag }: SharedAnswer, knownTags: string | undefined) =>
  knownTags !== undefined &&
  (knownTags === etag || knownTags.split(',').some((tag) => ['*', etag].includes(tag.trim())));
