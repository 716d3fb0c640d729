import { randomUUID } from 'node:crypto';
import type { APIContext, MiddlewareHandler } from 'astro';
import { identify, sessionSecret } from '#src/features/account/session.server.ts';
import { previewLearner } from '#src/features/learn/preview/preview.server.ts';
import { errorResponse, refuseForeignOrigin } from '#src/server/endpoint.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { ACCOUNT_HEADER } from '#src/shared/offline/kept-lessons.ts';
import { renderTogether } from '#src/features/admin/insights/analytics.server.ts';
import { mayOpenAdminPage } from '#src/features/authoring/staff/course-access.server.ts';

/** Gives every request its id, its user and the site's address. Prerendered pages have no user: they are the same for everyone. */
export const onRequest: MiddlewareHandler = async (context, next) => {
  const { locals } = context;
  locals.siteUrl = env().siteUrl;
  locals.requestId ??= randomUUID();
  locals.user = null;
  locals.preview = null;
  locals.authenticatedBy = null;
  locals.rejectedBearer = false;
  locals.signInId = null;
  locals.withheld = null;
  locals.route = context.routePattern;
  if (context.isPrerendered) return next();
  // The HTTP server says it; Astro's development server does not.
  locals.clientIp ??= context.clientAddress;
  const isApi = context.url.pathname.startsWith('/api/');
  const endpoint = await endpoints[`./pages${context.routePattern}.ts`]?.();
  if (context.request.method === 'OPTIONS' && context.routePattern !== '/404') return tellMethods(endpoint);
  try {
    const identity = await identify(
      isApi ? context.request.headers.get('authorization') : null,
      sessionSecret(context.cookies),
    );
    Object.assign(locals, identity);
    // What an administrator did as themselves stays theirs, however late it is sent.
    const isOwn = context.request.headers.get(ACCOUNT_HEADER) === String(identity.user?.id);
    if (!isOwn) {
      Object.assign(locals, await previewLearner(identity.user, context.url.pathname, context.cookies));
    }
    // The one guard of every form that a page takes: no page has to remember it. Endpoints have their own, which knows
    // the ones that other servers call.
    if (!isApi && !MAILED_SWITCHES.has(context.routePattern)) refuseForeignOrigin(context);
    // The one guard of the administrators' pages, some of which a course's staff has. Who only lacks a second factor is shown that; all others have no
    // business there.
    const isAdminPage = /^\/admin(\/|$)/.test(context.routePattern);
    if (isAdminPage) {
      const opens = mayOpenAdminPage(identity.user, context);
      if (opens === 'hidden') throw new AppError('not_found', 'Not found.');
      if (opens === 'no') return context.redirect(identity.withheld ? '/account#sign-in-methods' : '/', 302);
    }
    if (endpoint && !('ALL' in endpoint) && !methodsOf(endpoint).includes(context.request.method))
      return refuseMethod(context, endpoint);
    if (!isAdminPage) return tellAccount(context, await next());
    return await renderTogether(locals, next);
  } catch (error) {
    const refusal = errorResponse(error, locals.requestId);
    // The HTTP server writes a page for a person where an answer has a status and no body.
    return isApi
      ? refusal
      : new Response(null, { status: refusal.status, headers: withoutType(refusal.headers) });
  }
};

/** Says to the worker of the learner's app whose a page or file is (decision 124). What a preview shows is nobody's to keep. */
function tellAccount({ url, locals }: APIContext, response: Response): Response {
  if (!ACCOUNT_TOLD.test(url.pathname) || locals.preview) return response;
  response.headers.set(ACCOUNT_HEADER, String(locals.user?.id ?? ''));
  return response;
}

const ACCOUNT_TOLD = /^\/(learn|lesson|dashboard|files|pictures)(\/|$)/;

/** Pages behind the links that switch mails off: mail programs post to them from wherever they are (RFC 8058). */
const MAILED_SWITCHES: ReadonlySet<string> = new Set(['/mail-choices']);

/** The methods that an address takes: of a call what its file exports; pages are read, and take the forms on them. */
function tellMethods(endpoint: Record<string, unknown> | undefined): Response {
  const allow = endpoint ? methodsOf(endpoint) : ['GET', 'HEAD', 'POST'];
  return new Response(null, { status: 204, headers: { allow: [...allow, 'OPTIONS'].join(', ') } });
}

const methodsOf = (endpoint: Record<string, unknown>) =>
  METHODS.filter((method) => method in endpoint || (method === 'HEAD' && 'GET' in endpoint));

// The files of the endpoints are the list of methods: what they export is what their addresses take.
const endpoints = import.meta.glob<Record<string, unknown>>('./pages/api/**/*.ts');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The refusal of a method that an address of the API does not take, with those that it takes. */
function refuseMethod({ request, locals }: APIContext, endpoint: Record<string, unknown>): Response {
  const allowed = methodsOf(endpoint);
  const message = `This address does not take ${request.method}. It takes ${allowed.join(', ')}.`;
  const refusal = errorResponse(new AppError('method_not_allowed', message), locals.requestId);
  refusal.headers.set('allow', allowed.join(', '));
  return refusal;
}

function withoutType(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-type');
  return kept;
}
