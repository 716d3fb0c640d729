import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { UploadRule } from '#src/server/files/upload-rules.ts';
import { loggableUrl } from '#src/server/log.ts';
import type { Metrics } from '#src/server/metrics.ts';
import type { VisitorCache } from '#src/server/rendering/visitor-cache.ts';
import { clientAddress, limitedAddress, watchForProxy } from './client-address.ts';
import type { RequestFacts } from './request-facts.ts';
import { type Header, securityHeaders, WORDS_ONLY } from './security-headers.ts';
import { loadStaticFiles, type StaticFile, type StaticFiles } from './static-files.ts';

export type RequestLocals = RequestFacts & {
  clientIp: string;
  route?: string;
  user?: { id: number } | null;
  tags?: string[];
};

export type PageHandler = (request: IncomingMessage, locals: RequestLocals) => Promise<Response | null>;

export type PathHandler = (request: IncomingMessage) => Promise<Response>;

export const DEGRADED = 'degraded:';

export type Readiness = () => Promise<Record<string, string | null>>;

export interface SiteServerOptions {
  handler: PageHandler;
  clientDir?: string;
  policiesFile?: string;
  otherClientDirs?: () => Promise<string[]>;
  readiness: Readiness;
  sandboxProxy?: PathHandler;
  siteUrl: string;
  trustProxy?: readonly string[];
  onUntrustedProxy?: (address: string) => void;
  visitorPageHeaders?: readonly Header[];
  visitorCache?: VisitorCache;
  log: Logger;
  metrics?: Metrics;
  uploads?: readonly UploadRule[];
  bodyTimeoutMs?: number;
  headersTimeoutMs?: number;
}

export interface Site {
  options: SiteServerOptions;
  fixedHeaders: readonly Header[];
  plainHeaders: string[];
  files: StaticFiles;
  notFoundPage: StaticFile | undefined;
  running: Map<ServerResponse, RequestLocals>;
  isDraining: boolean;
  nextId(): string;
  addressOf(request: Pick<IncomingMessage, 'socket' | 'headers'>): string;
  watchProxy: ReturnType<typeof watchForProxy>;
}

export async function makeSite(options: SiteServerOptions): Promise<Site> {
  const { siteUrl, clientDir, policiesFile, otherClientDirs, trustProxy = [] } = options;
  const fixedHeaders = securityHeaders(siteUrl);
  const files: StaticFiles = clientDir
    ? await loadStaticFiles({
        folder: clientDir,
        baseHeaders: fixedHeaders,
        siteUrl,
        policiesFile,
        otherFolders: otherClientDirs,
      })
    : { find: () => undefined, findElsewhere: async () => undefined, count: 0, bytes: 0 };
  const address = clientAddress(trustProxy);
  const idPrefix = randomBytes(5).toString('hex');
  let requestCount = 0;
  return {
    watchProxy: watchForProxy(options.onUntrustedProxy ?? (() => {})),
    options,
    fixedHeaders,
    plainHeaders: [...fixedHeaders, ...WORDS_ONLY, ['Cache-Control', 'no-store'] as Header].flat(),
    files,
    notFoundPage: files.find('/404.html'),
    running: new Map(),
    isDraining: false,
    nextId: () => `${idPrefix}-${(++requestCount).toString(36)}`,
    addressOf: ({ socket, headers }) =>
      address(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined),
  };
}

export function ownHeaders(site: Site, response: ServerResponse, requestId: string): string[] {
  if (!site.isDraining) return ['X-Request-Id', requestId];
  response.shouldKeepAlive = false;
  return ['X-Request-Id', requestId, 'Connection', 'close'];
}

const OF_THE_HOST = new Set(['/healthz', '/readyz', '/metrics']);

export function follow(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  requestId: string,
): RequestLocals {
  const { running, options } = site;
  const { method = '' } = request;
  const clientIp = site.addressOf(request);
  if (!OF_THE_HOST.has(path)) {
    const { socket, headers } = request;
    const forwardedFor = headers['x-forwarded-for'] as string | undefined;
    site.watchProxy({ client: clientIp, peer: socket.remoteAddress, forwardedFor });
  }
  const started = performance.now();
  const locals: RequestLocals = { requestId, clientIp: limitedAddress(clientIp) };
  running.set(response, locals);
  response.once('close', () => {
    running.delete(response);
    const ms = performance.now() - started;
    options.metrics?.observe({ method, route: locals.route ?? 'none', status: response.statusCode, ms });
    if (locals.code) options.metrics?.observeRefusal(locals.code);
    options.log.info(
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
