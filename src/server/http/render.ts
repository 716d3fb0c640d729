import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Flight,
  landShared,
  type SharedAnswer,
  sendShared,
  type VisitorCache,
} from '#src/server/rendering/visitor-cache.ts';
import { loggableUrl } from '#src/server/log.ts';
import { gatherResponse } from './compress.ts';
import { errorBody, isApi, refuse } from './refusals.ts';
import { requestFacts } from './request-facts.ts';
import { type Header, NO_FRAMING, withFrameAncestors, WORDS_ONLY } from './security-headers.ts';
import { follow, ownHeaders, type RequestLocals, type Site } from './site.ts';
import { acceptsEncoding } from './static-files.ts';

/** Has the renderer, or whoever stands in for it, answer. */
export type Renderer = (next: (error?: unknown) => void, locals: RequestLocals) => void | Promise<void>;

/** A request that is to be rendered. */
export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  /** With its query. */
  path: string;
  requestId: string;
  renderer: Renderer;
}

/** What a rendered answer may load, where the renderer has not said all of it. */
function policyHeaders({ notFoundPage }: Site, response: ServerResponse): readonly Header[] {
  const policy = response.getHeader('content-security-policy');
  if (policy !== undefined) return withFrameAncestors(String(policy));
  const type = String(response.getHeader('content-type'));
  if (type.startsWith('text/html')) {
    // The renderer takes the page for what is not there from the build, which says nothing in headers.
    return response.statusCode === 404 && notFoundPage ? notFoundPage.policy : NO_FRAMING;
  }
  return response.statusCode >= 300 || type.startsWith('application/json') ? WORDS_ONLY : NO_FRAMING;
}

/** Has the last word on a rendered answer's headers; gives a body where the renderer left a failure without one. */
function completeHead(site: Site, { request, response, path, requestId }: Asked): Buffer | null {
  for (const [name, value] of policyHeaders(site, response)) response.setHeader(name, value);
  if (!response.hasHeader('cache-control')) response.setHeader('Cache-Control', 'no-store');
  // The renderer names no encoding, and a browser should not have to look for it in the page.
  if (response.getHeader('content-type') === 'text/html') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
  }
  if (!request.headers.cookie && String(response.getHeader('content-type')).startsWith('text/html')) {
    for (const [name, value] of site.options.visitorPageHeaders ?? []) response.setHeader(name, value);
  }
  const { statusCode: status } = response;
  // The renderer leaves some failures without a body or as bare text.
  if (status < 400 || response.hasHeader('content-type') || request.method === 'HEAD') return null;
  const { type, body } = errorBody(status, requestId, isApi(path));
  response.setHeader('Content-Type', type);
  return body;
}

/** Answers what the renderer failed at, or has no page for. */
function answerUnrendered(site: Site, { request, response, path, requestId }: Asked, error: unknown): void {
  if (response.headersSent) return;
  if (error) {
    site.options.log.error({ requestId, err: error }, 'a request failed');
    response.statusCode = 500;
    response.end();
    return;
  }
  response.statusCode = 404;
  if (site.notFoundPage && !isApi(path)) {
    // The page's own bytes are compressed and checked already.
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(request.method === 'HEAD' ? undefined : (site.notFoundPage.plain.body ?? undefined));
  } else {
    response.end();
  }
}

/**
 * Has the renderer answer, with our headers, compression and a body on every error.
 *
 * @param flight has the answer too, where visitors may share it
 */
export async function render(
  site: Site,
  asked: Asked,
  locals = follow(site, asked.request, asked.response, asked.path, asked.requestId),
  flight?: Flight,
): Promise<void> {
  const { request, response, requestId } = asked;
  for (const [name, value] of site.fixedHeaders) response.setHeader(name, value);
  const land =
    flight &&
    ((body: Buffer) => {
      const answer = landShared(response, flight, body, locals.route ?? 'none', locals.tags ?? []);
      return answer && (() => sendShared(request, response, answer, ownHeaders(site, response, requestId)));
    });
  const beforeHead = () => {
    const own = ownHeaders(site, response, requestId);
    for (let index = 0; index < own.length; index += 2) response.setHeader(own[index]!, own[index + 1]!);
    return completeHead(site, asked);
  };
  gatherResponse(response, acceptsEncoding(request.headers['accept-encoding'], 'gzip'), beforeHead, land);
  const next = (error?: unknown) => answerUnrendered(site, asked, error);
  try {
    await requestFacts.run(locals, () => asked.renderer(next, locals));
  } catch (error) {
    next(error);
  }
}

/** Renders once for all visitors who ask for the same at one moment. */
export async function renderShared(site: Site, cache: VisitorCache, asked: Asked): Promise<void> {
  const { request, response, path, requestId } = asked;
  const locals = follow(site, request, response, path, requestId);
  // The body is for the others; the response to a HEAD leaves it away by itself.
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

/** Sends an answer that is there at once: nothing of it has to be waited for. */
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
