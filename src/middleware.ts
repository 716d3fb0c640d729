import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'astro';
import { identify, sessionSecret } from '#src/features/account/session.server.ts';
import { errorResponse } from '#src/server/endpoint.ts';
import { env } from '#src/server/env.ts';
import { keepSame } from '#src/server/same-page.ts';

/** Gives every request its id, its user and the site's address. Prerendered pages have no user: they are the same for everyone. */
export const onRequest: MiddlewareHandler = async (context, next) => {
  const { locals } = context;
  locals.siteUrl = env().siteUrl;
  locals.paymentsAreSandboxed = Boolean(env().stripe?.sandbox);
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
      sessionSecret(context.cookies),
    );
    Object.assign(locals, identity);
    return keepSame(locals, await next());
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
