import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'astro';
import { identify, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { isSharedRead, sharedAnswer } from '#src/server/visitor-cache.ts';

/**
 * Gives every request its id and its user, and visitors who ask for the same page at once one rendering of it.
 * Prerendered pages have neither: they are the same for everyone.
 */
export const onRequest: MiddlewareHandler = async (context, next) => {
  const { locals } = context;
  locals.requestId ??= randomUUID();
  locals.clientIp ??= '127.0.0.1';
  locals.user = null;
  locals.authenticatedBy = null;
  locals.rejectedBearer = false;
  locals.signInId = null;
  locals.route = context.routePattern;
  if (context.isPrerendered) return next();
  const isApi = context.url.pathname.startsWith('/api/');
  try {
    const identity = await identify(
      isApi ? context.request.headers.get('authorization') : null,
      context.cookies.get(SESSION_COOKIE)?.value,
    );
    Object.assign(locals, identity);
    return isSharedRead(context.request, context.url)
      ? await sharedAnswer(context.url, next, context.request.headers.get('if-none-match'))
      : await next();
  } catch (error) {
    const refusal = errorResponse(error, locals.requestId);
    // The HTTP server writes a page for a person where an answer has a status and no body.
    return isApi
      ? refusal
      : new Response(null, { status: refusal.status, headers: withoutType(refusal.headers) });
  }
};

function withoutType(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-type');
  return kept;
}
