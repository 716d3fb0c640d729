import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Header } from '#src/server/http/security-headers.ts';
import { acceptsEncoding } from '#src/server/http/static-files.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Milliseconds for which an answer may be shown after the last moment at which it was known to be right. A price or a
 * visibility is never older than one second on any instance; the rest of the second is for rendering it.
 */
export const VISITOR_CACHE_MS = 800;

/** Milliseconds after which an answer is made anew in any case: nobody is told how many learners a course has. */
const OLDEST_MS = 10_000;

/** Pages that are the same for everybody who is not signed in, and change when an administrator edits. */
const SHARED_PATHS =
  /^\/(courses?(\/\d{1,10})?|marketplace|api\/courses(\/\d{1,10}(\/reviews)?)?|api\/categories|api\/suggestions)\/?$/;
const LONGEST_KEY = 300;
const MOST_BYTES = 16 * 1_048_576;
/** What an entry needs beside its bytes, roughly. */
const ENTRY_BYTES = 2_500;
const COMPRESS_MIN_BYTES = 1_024;
/** Packing thoroughly takes longer than rendering; it is for answers that are asked for often. */
const PACK_AFTER_HITS = 4;

type Variant = { coding: 'br' | 'gzip' | null; text: string; headers: string[] };

/** An answer that visitors share, ready to be sent. */
export interface SharedAnswer {
  /** Pattern of the page or call that gave it. */
  route: string;
  etag: string;
  /** Flat list; without those that differ from variant to variant and from request to request. */
  headers: string[];
  variants: Variant[];
  bytes: number;
  hits: number;
  /** By `performance.now()`: it tells the truth as of this moment or a later one. */
  startedAt: number;
}

/** One answer on its way; whoever asks for the same meanwhile waits for it. */
export interface Flight {
  /** Or why there is none. */
  answer: Promise<SharedAnswer | NotLanded>;
  /** Keeps the answer, unless what it shows has changed meanwhile, and gives it to those who wait. */
  land(made: {
    body: Buffer;
    /** The body is gzip. */
    isPacked?: boolean;
    headers: readonly Header[];
    route: string;
  }): SharedAnswer;
  /** Tells those who wait that nothing came. Does nothing after `land`. */
  giveUp(reason: NotLanded): void;
}

/** It may not be shared; the site could not answer now; whoever it was made for went away. */
export type NotLanded = 'not shared' | 'unavailable' | 'gone';

/** What an instance remembers of its answers to visitors. */
export interface VisitorCache {
  /** An answer that may be shown now. */
  find(key: string): SharedAnswer | undefined;
  /** The one under way for this address, or a new one that the caller has to finish. */
  join(key: string): { flight: Flight; isOwn: boolean };
  /** Forgets everything; called when something that visitors see has changed. */
  clear(): void;
  use(): { answers: number; bytes: number };
}

/**
 * The address under which the answer to a request may be shared: that of a plain read of a shared path by someone who
 * shows no sign of an account. Null for every other request.
 *
 * @param path decoded path, and the target that it comes from
 */
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

/**
 * @param provenAt the moment, by `performance.now()`, as of which every change was told to `clear`. Without anybody who
 *   tells, answers are shown for `VISITOR_CACHE_MS`
 * @param maxBytes bytes of all answers at most
 */
export function createVisitorCache({
  provenAt = () => Number.NEGATIVE_INFINITY,
  maxBytes = MOST_BYTES,
}: {
  provenAt?: () => number;
  maxBytes?: number;
} = {}): VisitorCache {
  const answers = new LRUCache<string, SharedAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
  });
  const flights = new Map<string, Flight>();
  // Raised with each change: an answer that was begun before one and ends after it may show either.
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
      land: ({ body, isPacked = false, headers, route }) => {
        const made = prepare(body, isPacked, headers, route, startedAt);
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
      known.hits += 1;
      if (known.hits === PACK_AFTER_HITS) {
        void packThoroughly(known).then((packed) => {
          if (packed && answers.peek(key) === known) answers.set(key, packed);
        });
      }
      return known;
    },
    join: (key) => {
      const known = flights.get(key);
      return known ? { flight: known, isOwn: false } : { flight: take(key), isOwn: true };
    },
    clear: () => {
      generation += 1;
      answers.clear();
      // Who asks from now on gets an answer that is begun from now on.
      flights.clear();
    },
    use: () => ({ answers: answers.size, bytes: answers.calculatedSize ?? 0 }),
  };
}

const variant = (coding: Variant['coding'], bytes: Buffer): Variant => ({
  coding,
  // A Latin-1 string: Node sends it together with the headers in one write.
  text: bytes.toString('latin1'),
  headers: [...(coding ? ['Content-Encoding', coding] : []), 'Content-Length', String(bytes.length)],
});

const sizeOf = (variants: readonly Variant[]) => variants.reduce((sum, { text }) => sum + text.length, 0);

function prepare(
  body: Buffer,
  isPacked: boolean,
  given: readonly Header[],
  route: string,
  startedAt: number,
): SharedAnswer {
  const etag = `W/"${hash('sha1', body, 'base64url')}"`;
  const headers = [...given.flat(), 'ETag', etag];
  // Only the packed bytes are kept: nearly everybody takes them, and they are a fifth.
  const packed = isPacked ? body : body.length > COMPRESS_MIN_BYTES ? gzipSync(body, { level: 1 }) : null;
  const variants = [packed ? variant('gzip', packed) : variant(null, body)];
  return { route, etag, headers, variants, bytes: sizeOf(variants), hits: 0, startedAt };
}

async function packThoroughly(answer: SharedAnswer): Promise<SharedAnswer | null> {
  const [packed] = answer.variants;
  if (packed?.coding !== 'gzip') return null;
  const body = gunzipSync(Buffer.from(packed.text, 'latin1'));
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    compressGzip(body, { level: 6 }),
  ]);
  const variants = [variant('br', brotli), variant('gzip', gzipped)];
  return { ...answer, variants, bytes: sizeOf(variants) };
}

/** The form of an answer that a caller takes. */
export function variantFor(answer: SharedAnswer, acceptEncoding: string | undefined): Variant {
  for (const one of answer.variants) {
    if (one.coding === null || acceptsEncoding(acceptEncoding, one.coding)) return one;
  }
  return variant(null, gunzipSync(Buffer.from(answer.variants.at(-1)!.text, 'latin1')));
}

/** Whether a request's If-None-Match names the answer: the caller has it already. */
export function isKnown(answer: SharedAnswer, knownTags: string | undefined): boolean {
  return (
    knownTags !== undefined &&
    (knownTags === answer.etag || knownTags.split(',').some((tag) => ['*', answer.etag].includes(tag.trim())))
  );
}
