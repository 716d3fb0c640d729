import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Flight,
  landShared,
  type SharedAnswer,
  sendShared,
  type VisitorCache,
} from '#src/server/rendering/visitor-cache.ts';
import { loggableUrl } from '#src/server/log.ts';
import { errorBody, isApi, refuse } from './refusals.ts';
import { requestFacts } from './request-facts.ts';
import { gather, sendPieces, sendWhole } from './send-body.ts';
import { type Header, NO_FRAMING, withFrameAncestors, WORDS_ONLY } from './security-headers.ts';
import { follow, ownHeaders, type RequestLocals, type Site } from './site.ts';
import { acceptsEncoding } from './static-files.ts';

export type Renderer = (locals: RequestLocals) => Promise<Response | null>;

const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  requestId: string;
  renderer: Renderer;
}

function policyHeaders(response: ServerResponse): readonly Header[] {
  const policy = response.getHeader('content-security-policy');
  if (policy !== undefined) return withFrameAncestors(String(policy));
  const type = String(response.getHeader('content-type'));
  if (type.startsWith('text/html')) return NO_FRAMING;
  return response.statusCode >= 300 || type.startsWith('application/json') ? WORDS_ONLY : NO_FRAMING;
}

async function rendered(
  site: Site,
  { renderer, response, requestId }: Asked,
  locals: RequestLocals,
): Promise<Response> {
  try {
    const answer = await requestFacts.run(locals, () => renderer(locals));
    return answer ?? new Response(null, { status: 404 });
  } catch (error) {
    // Who goes away in the middle of a request is no failure of ours.
    site.options.log[response.destroyed ? 'info' : 'error']({ requestId, err: error }, 'a request failed');
    return new Response(null, { status: 500 });
  }
}

function takeHead(
  site: Site,
  { request, response, path, requestId }: Asked,
  answer: Response,
): Buffer | null {
  const { status, headers } = answer;
  response.statusCode = status;
  for (const [name, value] of site.fixedHeaders) response.setHeader(name, value);
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  const own = ownHeaders(site, response, requestId);
  for (let index = 0; index < own.length; index += 2) response.setHeader(own[index]!, own[index + 1]!);
  const wording =
    status >= 400 && !headers.has('content-type') ? wordsOf(site, path, status, requestId) : null;
  if (wording) response.setHeader('Content-Type', wording.type);
  for (const [name, value] of wording?.policy ?? policyHeaders(response)) response.setHeader(name, value);
  if (!response.hasHeader('cache-control')) response.setHeader('Cache-Control', 'no-store');
  // The renderer names no encoding, and a browser should not have to look for it in the page.
  const type = String(response.getHeader('content-type'));
  if (type === 'text/html') response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (!request.headers.cookie && type.startsWith('text/html')) {
    for (const [name, value] of site.options.visitorPageHeaders ?? []) response.setHeader(name, value);
  }
  return wording?.body ?? null;
}

function wordsOf(site: Site, path: string, status: number, requestId: string) {
  const { notFoundPage } = site;
  if (status === 404 && notFoundPage?.plain.body && !isApi(path)) {
    return {
      type: 'text/html; charset=utf-8',
      body: notFoundPage.plain.body,
      policy: notFoundPage.policy,
    };
  }
  return { ...errorBody(status, requestId, isApi(path)), policy: WORDS_ONLY };
}

export async function render(
  site: Site,
  asked: Asked,
  locals = follow(site, asked.request, asked.response, asked.path, asked.requestId),
  flight?: Flight,
): Promise<void> {
  const { request, response, requestId } = asked;
  const answer = await rendered(site, asked, locals);
  if (response.headersSent || response.destroyed) return answer.body?.cancel();
  const words = takeHead(site, asked, answer);
  const takesGzip = acceptsEncoding(request.headers['accept-encoding'], 'gzip');
  const reader = answer.body?.getReader();
  const gathered = reader && !words ? await gather(reader) : { chunks: [], pending: null };
  if (response.destroyed) return reader?.cancel();
  if (request.method === 'HEAD' && gathered.pending) {
    void reader!.cancel();
    response.end();
    return;
  }
  if (gathered.pending) {
    await sendPieces(response, reader!, gathered, takesGzip).catch((error: unknown) => {
      const isGone = GONE.has((error as NodeJS.ErrnoException).code ?? '');
      site.options.log[isGone ? 'debug' : 'error']({ requestId, err: error }, 'an answer broke off');
    });
    return;
  }
  const { chunks } = gathered;
  const body = words ?? asBuffer(chunks);
  const shared = flight && landShared(response, flight, body, locals.route ?? 'none', locals.tags ?? []);
  if (shared) sendShared(request, response, shared, ownHeaders(site, response, requestId));
  else sendWhole(response, body, takesGzip);
}

function asBuffer(chunks: Uint8Array[]): Buffer {
  const [first] = chunks;
  if (chunks.length === 1) return Buffer.from(first!.buffer, first!.byteOffset, first!.byteLength);
  return Buffer.concat(chunks);
}

export async function renderShared(site: Site, cache: VisitorCache, asked: Asked): Promise<void> {
  const { request, response, path, requestId } = asked;
  const locals = follow(site, request, response, path, requestId);
  request.method = 'GET';
  while (!response.destroyed) {
    const { flight, isOwn } = cache.join(path);
    if (isOwn) {
      response.once('close', () => flight.giveUp('gone'));
      try {
        await render(site, asked, locals, flight);
      } finally {
        flight.giveUp(response.statusCode === 503 ? 'unavailable' : 'not shared');
      }
      return;
    }
    const answer = await flight.answer;
    if (answer === 'not shared') return render(site, asked, locals);
    // Who has waited as long as the first would only hear the same, after as long again.
    if (answer === 'unavailable') {
      return refuse(site, request, response, requestId, 503, ['Retry-After', '2']);
    }
    if (answer !== 'gone' && !response.destroyed) {
      locals.route = answer.route;
      sendShared(request, response, answer, ownHeaders(site, response, requestId));
      return;
    }
  }
}

export function sendAtOnce(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  answer: SharedAnswer,
  requestId: string,
): void {
  const { log, metrics } = site.options;
  const started = performance.now();
  sendShared(request, response, answer, ownHeaders(site, response, requestId));
  const { method = '', url = '' } = request;
  const status = response.statusCode;
  const ms = performance.now() - started;
  metrics?.observe({ method, route: answer.route, status, ms });
  if (log.isLevelEnabled('info')) {
    const ip = site.addressOf(request);
    const line = { requestId, method, url: loggableUrl(url), status, ms: Math.round(ms), ip, cached: true };
    log.info(line, 'request');
  }
}
