import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { UploadRule } from '#src/server/files/upload-rules.ts';
import { FairShare, isSearch } from '#src/server/limits/fair-share.ts';
import { SEARCH_SHARE } from '#src/server/limits/limits.ts';
import { loggableUrl } from '#src/server/log.ts';
import { sharedKey } from '#src/server/rendering/visitor-cache.ts';
import { limitedAddress } from './client-address.ts';
import { answerHealth, answerMetrics } from './health.ts';
import { answerRaw, refuse, statusOfClientError } from './refusals.ts';
import { render, renderShared, type Renderer, sendAtOnce } from './render.ts';
import { hasBody, headFault, readTarget } from './request-head.ts';
import { makeSite, ownHeaders, type Site, type SiteServerOptions } from './site.ts';
import { type StaticFile, sendStaticFile } from './static-files.ts';

const HEADER_MAX_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 10_000;
const BODY_MAX_BYTES = 1_048_576;
// A home connection's upstream needs this long for the largest upload.
const UPLOAD_TIMEOUT_MS = 120_000;
// Longer than the usual 60 s of proxies, so that they never write into a closed connection.
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
// Between SIGTERM and closing idle connections: a request that is on its way still gets its answer.
const LINGER_MS = 500;

const SAFE = new Set(['GET', 'HEAD']);
const ALLOWED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const ALLOW_ALL = [...ALLOWED].join(', ');
const ALLOW_FILE = 'GET, HEAD, OPTIONS';

export interface SiteServer {
  server: Server;
  listen(port: number, host: string): Promise<number>;
  /** Gives the number of requests that were cut after `timeoutMs`. */
  drain(timeoutMs: number): Promise<number>;
}

export async function createSiteServer(options: SiteServerOptions): Promise<SiteServer> {
  const site = await makeSite(options);
  const searches = new FairShare(SEARCH_SHARE);
  const answers = new WeakMap<Socket, ServerResponse[]>();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const requestId = site.nextId();
    noteAnswer(answers, request.socket, response);
    if (answerFromMemory(site, request, response, requestId)) return;
    dispatch(site, searches, request, response, requestId).catch((error: unknown) => {
      const url = loggableUrl(request.url ?? '');
      options.log.error({ requestId, err: error, url }, 'a request failed in the server');
      refuse(site, request, response, requestId, 500);
    });
  };
  const server = createServer(
    {
      maxHeaderSize: HEADER_MAX_BYTES,
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: UPLOAD_TIMEOUT_MS + 5_000,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Refused by `headFault`, with the answer that every refusal gets.
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
      noDelay: true,
    },
    onRequest,
  );
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request, response) => {
    noteAnswer(answers, request.socket, response);
    refuse(site, request, response, site.nextId(), 417);
  });
  server.on('connect', (request, socket) =>
    answerRaw(site, socket, 405, request.method, undefined, ALLOW_ALL),
  );
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    const busy = answers.get(socket as Socket)?.find(({ writableFinished }) => !writableFinished);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (busy?.headersSent) {
      (socket as Socket).destroySoon();
      return;
    }
    const status = statusOfClientError(error);
    answerRaw(site, socket, status, undefined, error.code, status === 405 ? ALLOW_ALL : undefined);
  });
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
    drain: (timeoutMs) => {
      site.isDraining = true;
      return drain(server, site.running, timeoutMs);
    },
  };
}

function noteAnswer(
  answers: WeakMap<Socket, ServerResponse[]>,
  socket: Socket,
  response: ServerResponse,
): void {
  const under = answers.get(socket);
  if (under && !under.at(-1)!.writableFinished) under.push(response);
  else answers.set(socket, [response]);
}

function answerFromMemory(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean {
  if (request.method !== 'GET' || hasBody(request) || headFault(request) !== null) return false;
  const { url = '', headers } = request;
  const file = site.files.find(url);
  if (file) {
    serveFile(site, request, response, file, requestId);
    return true;
  }
  if (headers.cookie !== undefined || headers.authorization !== undefined) return false;
  const answer = site.options.visitorCache?.find(url);
  if (!answer) return false;
  sendAtOnce(site, request, response, answer, requestId);
  return true;
}

function serveFile(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  requestId: string,
): void {
  const { metrics, log, visitorPageHeaders = [] } = site.options;
  const extra = ownHeaders(site, response, requestId);
  if (file.isPage && !request.headers.cookie) extra.push(...visitorPageHeaders.flat());
  metrics?.observeFile();
  sendStaticFile(file, request, response, extra, file === site.notFoundPage ? 404 : 200);
  if (log.isLevelEnabled('debug')) {
    const { method, url = '' } = request;
    log.debug({ requestId, method, url: loggableUrl(url), status: response.statusCode }, 'file');
  }
}

async function dispatch(
  site: Site,
  searches: FairShare,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const { options, files } = site;
  const { headers, method = 'GET' } = request;
  const refused = (status: number, extra?: string[]) =>
    refuse(site, request, response, requestId, status, extra);

  const fault = headFault(request);
  if (fault !== null) return refused(fault);
  if (!ALLOWED.has(method)) return refused(405, ['Allow', ALLOW_ALL]);
  if (method === 'OPTIONS' && request.url === '*') request.url = '/';
  const target = readTarget(request.url ?? '');
  if (typeof target === 'number') return refused(target);
  const { pathname, path } = target;
  request.url = path;

  const upload = options.uploads?.find(({ paths }) => paths.test(pathname)) ?? null;
  const limit = upload?.maxBytes ?? BODY_MAX_BYTES;
  if (Number(headers['content-length'] ?? 0) > limit) return refused(413);

  // The framework's image service would resize for anybody, on the threads that passwords and files need.
  if (/^\/_image\/?$/.test(pathname)) return refused(404);

  const file =
    files.find(pathname) ??
    (pathname.startsWith('/_astro/') ? await files.findElsewhere(pathname) : undefined);
  const isHealth = pathname === '/healthz' || pathname === '/readyz';
  const metrics = pathname === '/metrics' ? options.metrics : undefined;
  if (method === 'OPTIONS' && (file || isHealth || metrics)) {
    response.writeHead(204, site.plainHeaders.concat('X-Request-Id', requestId, 'Allow', ALLOW_FILE));
    response.end();
    return;
  }
  if ((file || isHealth || metrics) && !SAFE.has(method)) return refused(405, ['Allow', ALLOW_FILE]);
  if (isHealth) return answerHealth(site, request, response, requestId, pathname === '/readyz');
  if (metrics) {
    if (!headers.authorization) return refused(401, ['WWW-Authenticate', 'Bearer realm="metrics"']);
    if (!metrics.allows(headers.authorization)) return refused(403);
    return answerMetrics(site, metrics, request, response, requestId);
  }
  if (file) return serveFile(site, request, response, file, requestId);

  // The expectation is answered only now, so that a refused body is never sent.
  if (/100-continue/i.test(headers.expect ?? '')) response.writeContinue();
  if (!(await bodyMayPass(site, request, response, requestId, upload, limit))) return;
  return answerByRenderer(site, searches, request, response, { pathname, path, requestId });
}

async function bodyMayPass(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  upload: UploadRule | null,
  limit: number,
): Promise<boolean> {
  if (!hasBody(request)) return true;
  const { bodyTimeoutMs = BODY_TIMEOUT_MS } = site.options;
  const timer = setTimeout(
    () => {
      if (!request.complete) refuse(site, request, response, requestId, 408);
    },
    upload ? UPLOAD_TIMEOUT_MS : bodyTimeoutMs,
  );
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));

  if (request.headers['transfer-encoding'] === undefined) return true;
  const body = await readBody(request, Math.min(limit, BODY_MAX_BYTES));
  if (body === 'too large') refuse(site, request, response, requestId, 413);
  if (typeof body === 'string') return false;
  Object.assign(request, { body });
  return true;
}

async function answerByRenderer(
  site: Site,
  searches: FairShare,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, path, requestId }: { pathname: string; path: string; requestId: string },
): Promise<void> {
  const { sandboxProxy, handler, siteUrl, visitorCache } = site.options;
  const { headers } = request;
  if (sandboxProxy && pathname.startsWith('/payment-sandbox/')) {
    const renderer = () => sandboxProxy(request);
    return render(site, { request, response, path, requestId, renderer });
  }
  const renderer: Renderer = (locals) => {
    // From here on the site's own name is the only one there is: links and redirects cannot be led astray.
    headers.host = new URL(siteUrl).host;
    for (const name of Object.keys(headers)) {
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name];
    }
    return handler(request, locals);
  };
  const isShared = visitorCache && !hasBody(request) && sharedKey(request, pathname, path) !== null;
  const answer = isShared ? visitorCache.find(path) : undefined;
  if (answer) return sendAtOnce(site, request, response, answer, requestId);
  if (isSearch(pathname, path)) {
    const leave = await searches.enter(limitedAddress(site.addressOf(request)));
    if (!leave) return refuse(site, request, response, requestId, 429, ['Retry-After', '1']);
    if (response.destroyed) return leave();
    response.once('close', leave);
  }
  const asked = { request, response, path, requestId, renderer };
  return isShared ? renderShared(site, visitorCache, asked) : render(site, asked);
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
): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  for (const response of running.keys()) {
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
  if (server.listening) {
    // http's own close() would cut idle connections, on which a request may be under way.
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
