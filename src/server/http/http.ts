import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { clientAddress, limitedAddress } from './client-address.ts';
import { gatherResponse } from './compress.ts';
import { FairShare, isSearch } from '#src/server/limits/fair-share.ts';
import { SEARCH_SHARE } from '#src/server/limits/limits.ts';
import { loggableUrl } from '#src/server/log.ts';
import type { Metrics } from '#src/server/metrics.ts';
import { type RequestFacts, requestFacts } from './request-facts.ts';
import { headFault, readTarget } from './request-head.ts';
import {
  type Header,
  NO_FRAMING,
  securityHeaders,
  withFrameAncestors,
  WORDS_ONLY,
} from './security-headers.ts';
import {
  acceptsEncoding,
  loadStaticFiles,
  type StaticFile,
  type StaticFiles,
  sendStaticFile,
} from './static-files.ts';
import type { UploadRule } from '#src/server/files/upload-rules.ts';
import {
  type Flight,
  isKnown,
  type SharedAnswer,
  sharedKey,
  variantFor,
  type VisitorCache,
} from '#src/server/rendering/visitor-cache.ts';

const HEADER_MAX_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 10_000;
// A home connection's upstream needs this long for the largest upload.
const UPLOAD_TIMEOUT_MS = 120_000;
// Longer than the usual 60 s of proxies, so that they close first and never write into a closed connection.
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const READINESS_TIMEOUT_MS = 2_000;
// How long a refused body is read and thrown away, so that the caller gets to see the refusal.
const DISCARD_MS = 1_000;
const DISCARD_MAX_BYTES = 4_000_000;
// Between SIGTERM and closing idle connections: a request that is on its way still gets its answer.
const LINGER_MS = 500;

const SAFE = new Set(['GET', 'HEAD']);
const ALLOWED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const ALLOW_ALL = [...ALLOWED].join(', ');
const ALLOW_FILE = 'GET, HEAD, OPTIONS';

/** What the renderer is told about a request; it says in `route` which page or call answers, and in `user` who asked. */
type RequestLocals = RequestFacts & { clientIp: string; route?: string; user?: { id: number } | null };

/** Astro's handler in the adapter's middleware mode, or Vite's stack of middlewares in development. */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
  locals: RequestLocals,
) => void | Promise<void>;

/** Answers requests below a path without the site's renderer, such as the payment sandbox's. */
export type PathHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Begins the reason of a part without which the site still answers: told, but no cause to take it out of service. */
export const DEGRADED = 'degraded:';

/** What each part says of itself: null when it is ready, else a short reason that may be public. */
export type Readiness = () => Promise<Record<string, string | null>>;

/** Options of `createSiteServer`. */
export interface SiteServerOptions {
  handler: PageHandler;
  /** Folder of public files; none in development, where Vite serves them. */
  clientDir?: string;
  /** Gives the same folders of other releases, for the hashed files of pages that are open. */
  otherClientDirs?: () => Promise<string[]>;
  readiness: Readiness;
  /** Handler of everything below `/payment-sandbox/`. */
  sandboxProxy?: PathHandler;
  /** Public origin. */
  siteUrl: string;
  trustProxy?: readonly string[];
  /** Added to pages that are sent to somebody without any cookie: nobody who is signed in. */
  visitorPageHeaders?: readonly Header[];
  /** Remembers answers that visitors share; without it each is made anew. */
  visitorCache?: VisitorCache;
  log: Logger;
  /** Counts every answer and shows the figures at `/metrics`; without it that address does not exist. */
  metrics?: Metrics;
  /** Bytes of a request body at most. */
  bodyMaxBytes?: number;
  /** Bytes of an upload at most, and the paths that take one. */
  uploads?: readonly UploadRule[];
  /** Milliseconds a request body may take on ordinary paths. */
  bodyTimeoutMs?: number;
  headersTimeoutMs?: number;
}

/** A site's HTTP server. */
export interface SiteServer {
  server: Server;
  /** Starts to accept connections; gives the port, which matters when 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting, lets what is running finish and closes every connection. Gives the number of requests that were
   * still running after `timeoutMs` and were cut.
   */
  drain(timeoutMs: number): Promise<number>;
}

const ERROR_TITLES: Record<number, readonly [code: string, message: string]> = {
  400: ['bad_request', 'The request is not valid.'],
  404: ['not_found', 'Not found.'],
  405: ['method_not_allowed', 'This address does not take this method.'],
  408: ['request_timeout', 'The request took too long to arrive.'],
  411: ['length_required', 'The request must say how long its body is.'],
  413: ['too_large', 'The request is too large.'],
  414: ['uri_too_long', 'The address is too long.'],
  417: ['expectation_failed', 'The expectation cannot be met.'],
  429: ['too_many_requests', 'Too many requests. Please wait a moment and try again.'],
  431: ['headers_too_large', 'The request headers are too large.'],
  500: ['internal', 'Something went wrong on our side. Please try again.'],
  501: ['not_implemented', 'The request body has a coding that is not known here.'],
  503: ['unavailable', 'The service is not ready. Please try again in a moment.'],
};

const errorParts = (status: number) => ERROR_TITLES[status] ?? ERROR_TITLES[status < 500 ? 400 : 500]!;

/** The body of a refusal: JSON for the API (the shape of `ErrorBody`), a small page for people. */
function errorBody(status: number, requestId: string, json: boolean): { type: string; body: Buffer } {
  const [code, message] = errorParts(status);
  if (json) {
    return {
      type: 'application/json; charset=utf-8',
      body: Buffer.from(JSON.stringify({ message, code, requestId })),
    };
  }
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${message}</title></head>
<body><main><h1>${message}</h1><p>Request ${requestId}</p><p><a href="/">Go to the home page</a></p></main></body></html>
`;
  return { type: 'text/html; charset=utf-8', body: Buffer.from(page) };
}

/**
 * Creates the HTTP server in front of the site's renderer: public files from memory, limits on what may come in,
 * security headers and a request id on everything that goes out, health checks, and a shutdown that cuts nobody off.
 */
export async function createSiteServer(options: SiteServerOptions): Promise<SiteServer> {
  const {
    handler,
    readiness,
    log,
    siteUrl,
    bodyMaxBytes = 1_048_576,
    bodyTimeoutMs = BODY_TIMEOUT_MS,
  } = options;
  const fixedHeaders = securityHeaders(siteUrl);
  const visitorPageHeaders = options.visitorPageHeaders ?? [];
  const flatErrorHeaders = [...fixedHeaders, ...WORDS_ONLY, ['Cache-Control', 'no-store'] as Header].flat();
  const files: StaticFiles = options.clientDir
    ? await loadStaticFiles({
        folder: options.clientDir,
        baseHeaders: fixedHeaders,
        siteUrl,
        otherFolders: options.otherClientDirs,
      })
    : { find: () => undefined, findElsewhere: async () => undefined, count: 0, bytes: 0 };
  const notFoundPage = files.find('/404.html');
  const addressOf = clientAddress(options.trustProxy ?? []);
  const siteHost = new URL(siteUrl).host;
  const idPrefix = randomBytes(5).toString('hex');
  const logsFiles = log.isLevelEnabled('debug');
  const logsRequests = log.isLevelEnabled('info');
  const { visitorCache } = options;
  let requestCount = 0;
  let draining = false;
  const running = new Map<ServerResponse, RequestLocals>();
  const searches = new FairShare(SEARCH_SHARE);

  const nextId = () => `${idPrefix}-${(++requestCount).toString(36)}`;
  const isApi = (path: string | undefined) => /^\/(api|payment-sandbox)\//.test(path ?? '');

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    status: number,
    extra: string[] = [],
  ): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    recordRefusal(request, response, requestId, status);
    const { type, body } = errorBody(status, requestId, isApi(request.url));
    const unread = hasBody(request) && !request.complete;
    const headers = flatErrorHeaders.concat(
      ['X-Request-Id', requestId, 'Content-Type', type, 'Content-Length', String(body.length)],
      // The rest of the body would be taken for the next request.
      unread || draining ? ['Connection', 'close'] : [],
      extra,
    );
    if (unread) response.shouldKeepAlive = false;
    response.writeHead(status, headers);
    if (request.method === 'HEAD') {
      response.end();
    } else if (unread) {
      response.write(body);
      discardBody(request, () => {
        response.end();
        request.socket.destroySoon();
      });
    } else {
      response.end(body);
    }
  }

  /** Counts and logs what is refused before it is rendered; what is followed has its line at its end. */
  function recordRefusal(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    status: number,
  ): void {
    const [code] = errorParts(status);
    const followed = running.get(response);
    if (followed) {
      followed.code = code;
      return;
    }
    const { method = '', url = '', socket } = request;
    options.metrics?.observeRefusal(code);
    const ip = addressOf(socket.remoteAddress, request.headers['x-forwarded-for'] as string | undefined);
    log.info({ requestId, method, url: loggableUrl(url), status, code, ip }, 'request');
  }

  /** Serves a file of the build. */
  function serveFile(
    request: IncomingMessage,
    response: ServerResponse,
    file: StaticFile,
    requestId: string,
  ): void {
    const extra = ['X-Request-Id', requestId];
    if (file.isPage && !request.headers.cookie) extra.push(...visitorPageHeaders.flat());
    if (draining) {
      response.shouldKeepAlive = false;
      extra.push('Connection', 'close');
    }
    options.metrics?.observeFile();
    if (file === notFoundPage) {
      sendStaticFile(file, request, response, extra, 404);
    } else {
      sendStaticFile(file, request, response, extra);
    }
    if (logsFiles) {
      log.debug(
        {
          requestId,
          method: request.method,
          url: loggableUrl(request.url ?? ''),
          status: response.statusCode,
        },
        'file',
      );
    }
  }

  async function answerHealth(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    ready: boolean,
  ): Promise<void> {
    let status = 200;
    let content: object = { status: 'ok' };
    if (ready) {
      const checks = await withTimeout(readiness(), READINESS_TIMEOUT_MS).catch((error: Error) => ({
        checks: error.message === 'timeout' ? 'no answer within 2 s' : 'failed',
      }));
      const parts: Record<string, string> = draining ? { server: 'shutting down' } : {};
      for (const [part, reason] of Object.entries(checks)) parts[part] = reason ?? 'ok';
      const failing = Object.values(parts).some((state) => state !== 'ok' && !state.startsWith(DEGRADED));
      status = failing ? 503 : 200;
      content = { status: failing ? 'not ready' : 'ready', checks: parts };
    }
    const body = Buffer.from(JSON.stringify(content));
    const headers = ['X-Request-Id', requestId, 'Content-Type', 'application/json; charset=utf-8'];
    if (status === 503) headers.push('Retry-After', '2');
    if (draining) headers.push('Connection', 'close');
    response.writeHead(status, flatErrorHeaders.concat(headers, 'Content-Length', String(body.length)));
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async function answerMetrics(
    metrics: Metrics,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> {
    const { type, body } = await metrics.render();
    const bytes = Buffer.from(body);
    const own = ['X-Request-Id', requestId, 'Content-Type', type, 'Content-Length', String(bytes.length)];
    response.writeHead(200, flatErrorHeaders.concat(own, draining ? ['Connection', 'close'] : []));
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  /** Sees to it that an answer is counted, logged and waited for at the end. */
  function follow(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    requestId: string,
  ): RequestLocals {
    const { method = '' } = request;
    const clientIp = addressOf(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for'] as string | undefined,
    );
    const started = performance.now();
    const locals: RequestLocals = { requestId, clientIp: limitedAddress(clientIp) };
    running.set(response, locals);
    response.once('close', () => {
      running.delete(response);
      const ms = performance.now() - started;
      options.metrics?.observe({ method, route: locals.route ?? 'none', status: response.statusCode, ms });
      if (locals.code) options.metrics?.observeRefusal(locals.code);
      log.info(
        {
          requestId,
          method,
          url: loggableUrl(path),
          status: response.statusCode,
          ...(locals.code ? { code: locals.code } : {}),
          ms: Math.round(ms),
          ip: clientIp,
          ...(locals.user ? { userId: locals.user.id } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    return locals;
  }

  /** Sends an answer that visitors share. */
  function sendShared(
    request: IncomingMessage,
    response: ServerResponse,
    answer: SharedAnswer,
    requestId: string,
  ): void {
    const { headers } = request;
    const own = ['X-Request-Id', requestId];
    if (draining) {
      response.shouldKeepAlive = false;
      own.push('Connection', 'close');
    }
    if (isKnown(answer, headers['if-none-match'])) {
      response.writeHead(304, answer.headers.concat(own));
      response.end();
      return;
    }
    const variant = variantFor(answer, headers['accept-encoding']);
    response.writeHead(200, answer.headers.concat(variant.headers, own));
    if (request.method === 'HEAD') response.end();
    else response.end(variant.text, 'latin1');
  }

  /** The same for an answer that is there at once: nothing of it has to be waited for. */
  function sendRemembered(
    request: IncomingMessage,
    response: ServerResponse,
    answer: SharedAnswer,
    requestId: string,
  ): void {
    const started = performance.now();
    sendShared(request, response, answer, requestId);
    const { method = '' } = request;
    const status = response.statusCode;
    const ms = performance.now() - started;
    options.metrics?.observe({ method, route: answer.route, status, ms });
    if (logsRequests) {
      const ip = addressOf(
        request.socket.remoteAddress,
        request.headers['x-forwarded-for'] as string | undefined,
      );
      const url = loggableUrl(request.url ?? '');
      log.info({ requestId, method, url, status, ms: Math.round(ms), ip, remembered: true }, 'request');
    }
  }

  /** What a rendered answer may load, where the renderer has not said all of it. */
  function policyHeaders(response: ServerResponse): readonly Header[] {
    const policy = response.getHeader('content-security-policy');
    if (policy !== undefined) return withFrameAncestors(String(policy));
    const type = String(response.getHeader('content-type'));
    if (type.startsWith('text/html')) {
      // The renderer takes the page for what is not there from the build, which says nothing in headers.
      return response.statusCode === 404 && notFoundPage ? notFoundPage.policy : NO_FRAMING;
    }
    return response.statusCode >= 300 || type.startsWith('application/json') ? WORDS_ONLY : NO_FRAMING;
  }

  /** Has the renderer answer, with our headers, compression and a body on every error. */
  async function render(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    requestId: string,
    renderer: (next: (error?: unknown) => void, locals: RequestLocals) => void | Promise<void>,
    locals = follow(request, response, path, requestId),
    flight?: Flight,
  ): Promise<void> {
    const { headers } = request;
    const land = flight && ((body: Buffer) => landShared(request, response, flight, body, locals));
    for (const [name, value] of fixedHeaders) response.setHeader(name, value);
    response.setHeader('X-Request-Id', requestId);
    const beforeHead = () => {
      if (draining) {
        response.shouldKeepAlive = false;
        response.setHeader('Connection', 'close');
      }
      for (const [name, value] of policyHeaders(response)) response.setHeader(name, value);
      if (!response.hasHeader('cache-control')) response.setHeader('Cache-Control', 'no-store');
      // The renderer names no encoding, and a browser should not have to look for it in the page.
      if (response.getHeader('content-type') === 'text/html') {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
      }
      if (!headers.cookie && String(response.getHeader('content-type')).startsWith('text/html')) {
        for (const [name, value] of visitorPageHeaders) response.setHeader(name, value);
      }
      const { statusCode: status } = response;
      // The renderer leaves some failures without a body or as bare text.
      if (status < 400 || response.hasHeader('content-type') || request.method === 'HEAD') return null;
      const { type, body } = errorBody(status, requestId, isApi(path));
      response.setHeader('Content-Type', type);
      return body;
    };
    gatherResponse(response, acceptsEncoding(headers['accept-encoding'], 'gzip'), beforeHead, land);
    const next = (error?: unknown) => {
      if (response.headersSent) return;
      if (error) {
        log.error({ requestId, err: error }, 'a request failed');
        response.statusCode = 500;
        response.end();
      } else if (notFoundPage && !isApi(path)) {
        // The page's own bytes are compressed and checked already.
        response.statusCode = 404;
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(request.method === 'HEAD' ? undefined : (notFoundPage.plain.body ?? undefined));
      } else {
        response.statusCode = 404;
        response.end();
      }
    };
    try {
      await requestFacts.run(locals, () => renderer(next, locals));
    } catch (error) {
      next(error);
    }
  }

  /** Makes what the renderer gave into an answer for all visitors and sends it; null where it is not for all. */
  function landShared(
    request: IncomingMessage,
    response: ServerResponse,
    flight: Flight,
    body: Buffer,
    { requestId, route = 'none' }: RequestLocals,
  ): (() => void) | null {
    const coding = response.getHeader('content-encoding');
    if (response.statusCode !== 200 || response.hasHeader('set-cookie')) return null;
    if (coding !== undefined && coding !== 'gzip') return null;
    // A browser may show what it has where nothing has changed, and must ask each time.
    response.setHeader('Cache-Control', 'no-cache');
    response.appendHeader('Vary', 'Cookie, Authorization, Accept-Encoding');
    const headers: Header[] = [];
    for (const name of response.getHeaderNames()) {
      const value = response.getHeader(name);
      response.removeHeader(name);
      if (/^(x-request-id|connection|content-(length|encoding))$/i.test(name)) continue;
      headers.push([name, Array.isArray(value) ? value.join(', ') : String(value)]);
    }
    const answer = flight.land({ body, isPacked: coding === 'gzip', headers, route });
    return () => sendShared(request, response, answer, requestId);
  }

  /** Renders once for all who ask for the same at one moment. */
  async function renderShared(
    cache: VisitorCache,
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    renderer: Parameters<typeof render>[4],
  ): Promise<void> {
    const locals = follow(request, response, key, requestId);
    // The body is for the others; the response to a HEAD leaves it away by itself.
    request.method = 'GET';
    while (!response.destroyed) {
      const { flight, isOwn } = cache.join(key);
      if (isOwn) {
        response.once('close', () => flight.giveUp('gone'));
        try {
          await render(request, response, key, requestId, renderer, locals, flight);
        } finally {
          flight.giveUp(response.statusCode === 503 ? 'unavailable' : 'not shared');
        }
        return;
      }
      const answer = await flight.answer;
      if (answer === 'not shared') return render(request, response, key, requestId, renderer, locals);
      // Who has waited as long as the first would only hear the same, after as long again.
      if (answer === 'unavailable') return refuse(request, response, requestId, 503, ['Retry-After', '2']);
      if (answer !== 'gone' && !response.destroyed) {
        locals.route = answer.route;
        sendShared(request, response, answer, requestId);
        return;
      }
    }
  }

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> {
    const { headers, method = 'GET' } = request;
    const bodiless = !hasBody(request);

    const fault = headFault(request);
    if (fault !== null) return refuse(request, response, requestId, fault);
    if (!ALLOWED.has(method)) return refuse(request, response, requestId, 405, ['Allow', ALLOW_ALL]);
    if (method === 'OPTIONS' && request.url === '*') request.url = '/';
    const target = readTarget(request.url ?? '');
    if (typeof target === 'number') return refuse(request, response, requestId, target);
    const { pathname, path } = target;
    request.url = path;

    const upload = options.uploads?.find(({ paths }) => paths.test(pathname)) ?? null;
    const limit = upload?.maxBytes ?? bodyMaxBytes;
    const chunked = headers['transfer-encoding'] !== undefined;
    if (Number(headers['content-length'] ?? 0) > limit) return refuse(request, response, requestId, 413);

    // The framework's image service would resize for anybody, on the threads that passwords and files need.
    if (/^\/_image\/?$/.test(pathname)) return refuse(request, response, requestId, 404);

    const file =
      files.find(pathname) ??
      (pathname.startsWith('/_astro/') ? await files.findElsewhere(pathname) : undefined);
    if (method === 'OPTIONS') {
      const allow = file ? ALLOW_FILE : ALLOW_ALL;
      response.writeHead(204, flatErrorHeaders.concat('X-Request-Id', requestId, 'Allow', allow));
      response.end();
      return;
    }
    if (pathname === '/healthz' || pathname === '/readyz') {
      if (!SAFE.has(method)) return refuse(request, response, requestId, 405, ['Allow', ALLOW_FILE]);
      return answerHealth(request, response, requestId, pathname === '/readyz');
    }
    if (options.metrics && pathname === '/metrics') {
      if (!SAFE.has(method)) return refuse(request, response, requestId, 405, ['Allow', ALLOW_FILE]);
      if (!options.metrics.allows(headers.authorization)) return refuse(request, response, requestId, 404);
      return answerMetrics(options.metrics, request, response, requestId);
    }
    if (file) {
      if (!SAFE.has(method)) return refuse(request, response, requestId, 405, ['Allow', ALLOW_FILE]);
      return serveFile(request, response, file, requestId);
    }

    // The expectation is answered only now, so that a refused body is never sent.
    if (/100-continue/i.test(headers.expect ?? '')) response.writeContinue();

    if (!bodiless) {
      const timer = setTimeout(
        () => {
          if (!request.complete) refuseLate(408);
        },
        upload ? UPLOAD_TIMEOUT_MS : bodyTimeoutMs,
      );
      response.once('close', () => clearTimeout(timer));
      request.once('end', () => clearTimeout(timer));
    }
    const writeEarly = {
      writeHead: response.writeHead.bind(response),
      write: response.write.bind(response),
      end: response.end.bind(response),
    };
    function refuseLate(status: number): void {
      // Whatever the renderer does from here on is not heard.
      for (const header of response.getHeaderNames()) {
        if (!response.headersSent) response.removeHeader(header);
      }
      Object.assign(response, writeEarly);
      refuse(request, response, requestId, status);
      const silent = () => response;
      Object.assign(response, { writeHead: silent, write: () => true, end: silent, setHeader: silent });
    }

    if (chunked) {
      // Its length is unknown, so it is counted before anybody works on it.
      const body = await readBody(request, Math.min(limit, bodyMaxBytes));
      if (body === 'too large') return refuse(request, response, requestId, 413);
      if (body === 'cut off') return;
      Object.assign(request, { body });
    }

    if (options.sandboxProxy && pathname.startsWith('/payment-sandbox/')) {
      const { sandboxProxy } = options;
      return render(request, response, path, requestId, () => sandboxProxy(request, response));
    }
    const renderer: Parameters<typeof render>[4] = (next, locals) => {
      // From here on the site's own name is the only one there is: links and redirects cannot be led astray.
      headers.host = siteHost;
      for (const name of Object.keys(headers)) {
        if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name];
      }
      return handler(request, response, next, locals);
    };
    const key = visitorCache && bodiless ? sharedKey(request, pathname, path) : null;
    const answer = key === null ? undefined : visitorCache?.find(key);
    if (answer) return sendRemembered(request, response, answer, requestId);
    if (isSearch(pathname, path)) {
      const caller = addressOf(
        request.socket.remoteAddress,
        headers['x-forwarded-for'] as string | undefined,
      );
      const leave = await searches.enter(limitedAddress(caller));
      if (!leave) return refuse(request, response, requestId, 429, ['Retry-After', '1']);
      if (response.destroyed) return leave();
      response.once('close', leave);
    }
    if (!visitorCache || key === null) return render(request, response, path, requestId, renderer);
    return renderShared(visitorCache, key, request, response, requestId, renderer);
  }

  const server = createServer(
    {
      maxHeaderSize: HEADER_MAX_BYTES,
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      // Bodies have their own clock, as uploads need a longer one.
      requestTimeout: UPLOAD_TIMEOUT_MS + 5_000,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Refused by `headFault`, with the answer that every refusal gets.
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    onRequest,
  );

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const requestId = nextId();
    // Most requests are for a file by its plain name: there is nothing further to look at.
    if (request.method === 'GET' && !hasBody(request) && headFault(request) === null) {
      const file = files.find(request.url ?? '');
      if (file) {
        serveFile(request, response, file, requestId);
        return;
      }
      const { cookie, authorization } = request.headers;
      if (visitorCache && cookie === undefined && authorization === undefined) {
        // Only addresses that have been looked at once are remembered.
        const answer = visitorCache.find(request.url ?? '');
        if (answer) {
          sendRemembered(request, response, answer, requestId);
          return;
        }
      }
    }
    dispatch(request, response, requestId).catch((error: unknown) => {
      log.error(
        { requestId, err: error, url: loggableUrl(request.url ?? '') },
        'a request failed in the server',
      );
      refuse(request, response, requestId, 500);
    });
  }

  // Answered in `dispatch`, after the limits.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request, response) => refuse(request, response, nextId(), 417));
  server.on('connect', (request, socket) => answerRaw(socket, 405, request.method));
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    const busy = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (busy?.headersSent) {
      // The head may have been refused already, and its answer be on its way.
      (socket as Socket).destroySoon();
      return;
    }
    answerRaw(socket, statusOfClientError(error), undefined, error.code);
  });

  /** Answers what the parser refused; of it the log gets no more than the parser's reason, as it may be anything. */
  function answerRaw(socket: Duplex, status: number, method?: string, reason?: string): void {
    const requestId = nextId();
    const [code] = errorParts(status);
    options.metrics?.observeRefusal(code);
    const ip = addressOf((socket as Socket).remoteAddress, undefined);
    log.info({ requestId, method, status, code, reason, ip }, 'request');
    const { type, body } = errorBody(status, requestId, false);
    const headers = [
      ...flatErrorHeaders,
      'X-Request-Id',
      requestId,
      'Content-Type',
      type,
      'Connection',
      'close',
    ];
    if (status === 405) headers.push('Allow', ALLOW_ALL);
    let head = `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Error'}\r\nDate: ${new Date().toUTCString()}\r\n`;
    for (let index = 0; index < headers.length; index += 2)
      head += `${headers[index]}: ${headers[index + 1]}\r\n`;
    socket.on('error', () => {});
    socket.end(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]));
    // Reading on lets the caller see the answer; not for ever.
    setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  }

  return {
    server,
    listen: (port, host) =>
      new Promise((done, fail) => {
        server.once('error', fail);
        server.listen(port, host, 4_096, () => {
          server.off('error', fail);
          const address = server.address();
          done(typeof address === 'object' && address ? address.port : port);
        });
      }),
    drain: (timeoutMs) =>
      drain(server, running, timeoutMs, () => {
        draining = true;
      }),
  };
}

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

function statusOfClientError(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): number {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_INVALID_METHOD':
      // A word that looks like a method is one we do not take; anything else is not HTTP.
      return /^[A-Z]{3,20} \//.test(error.rawPacket?.toString('latin1', 0, 40) ?? '') ? 405 : 400;
    default:
      return 400;
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('timeout')), ms);
    work.then(done, fail).finally(() => clearTimeout(timer));
  });
}

/** Reads and throws away what a caller still sends, within bounds, then calls back. */
function discardBody(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  let finished = false;
  const finish = () => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(finish, DISCARD_MS);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_MAX_BYTES) {
      request.pause();
      finish();
    }
  });
  request.on('end', finish);
  request.on('close', finish);
  request.resume();
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'cut off'> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limit) {
        request.off('data', onData);
        request.pause();
        chunks.length = 0;
        done('too large');
      } else {
        chunks.push(chunk);
      }
    };
    request.on('data', onData);
    request.on('end', () => done(Buffer.concat(chunks, bytes)));
    request.on('error', () => done('cut off'));
    request.on('close', () => done('cut off'));
  });
}

async function drain(
  server: Server,
  running: ReadonlyMap<ServerResponse, unknown>,
  timeoutMs: number,
  begin: () => void,
): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  begin();
  for (const response of running.keys()) {
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
  if (server.listening) {
    // Only the listening ends here: http's own close() would at once cut idle connections, on which a request may be under way.
    NetServer.prototype.close.call(server);
  }
  await new Promise((done) => setTimeout(done, Math.min(LINGER_MS, timeoutMs)));
  while (Date.now() < deadline) {
    server.closeIdleConnections();
    const open = await new Promise<number>((done) =>
      server.getConnections((_error, count) => done(count ?? 0)),
    );
    if (open === 0) break;
    await new Promise((done) => setTimeout(done, 25));
  }
  const cut = running.size;
  server.closeAllConnections();
  return cut;
}
