import { randomUUID } from 'node:crypto';
import type { APIContext, APIRoute } from 'astro';
import { openSession, SESSION_COOKIE, type SignIn } from '#src/features/account/session.server.ts';
import { onRequest } from '#src/middleware.ts';

export const SITE = 'http://localhost:4321';

/** Signs a user in without the form: writes the session rows and gives both secrets. */
export function signIn(user: { id: number }): Promise<SignIn> {
  return openSession(user.id, 'test');
}

export type CallOptions = {
  method?: string;
  /** Path and query; only what the route reads matters. */
  path?: string;
  params?: Record<string, string>;
  /** Sent as JSON; a string, Uint8Array, stream or FormData goes as it is. */
  body?: unknown;
  /** Who calls, by bearer header. */
  as?: SignIn | null;
  /** Who calls, by cookie; sends our own origin along unless `headers` says otherwise. */
  withCookie?: SignIn;
  /** Further cookies that the browser has. */
  cookies?: ReadonlyMap<string, string>;
  headers?: Record<string, string>;
  ip?: string;
};

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
  cookies: Map<string, string>;
  /** What it shows, as src/server/rendering/cache-tags.ts names it. */
  tags: string[];
};

/** Runs a route's handler behind the real middleware, as the server would. */
export async function callRoute(route: APIRoute, options: CallOptions = {}): Promise<Answer> {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
  const url = new URL(options.path ?? '/api/', SITE);
  const headers = new Headers();
  if (options.body !== undefined && typeof options.body !== 'string')
    headers.set('content-type', 'application/json');
  if (options.as) headers.set('authorization', `Bearer ${options.as.token}`);
  if (options.withCookie) headers.set('origin', SITE);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const isStream = options.body instanceof ReadableStream;
  const raw = typeof options.body === 'string' || options.body instanceof Uint8Array || isStream;
  const isForm = options.body instanceof FormData;
  if (isForm) headers.delete('content-type');
  const request = new Request(url, {
    method,
    headers,
    ...(options.body === undefined
      ? {}
      : { body: raw || isForm ? (options.body as string) : JSON.stringify(options.body) }),
    ...(isStream ? { duplex: 'half' } : {}),
  });
  const cookies = new Map<string, string>();
  const context = {
    request,
    url,
    routePattern: url.pathname,
    params: options.params ?? {},
    locals: { requestId: randomUUID(), clientIp: options.ip ?? '203.0.113.7' },
    isPrerendered: false,
    site: new URL(SITE),
    cookies: {
      get: (name: string) => {
        if (name === SESSION_COOKIE && options.withCookie) return { value: options.withCookie.cookieSecret };
        const value = options.cookies?.get(name);
        return value ? { value } : undefined;
      },
      has: (name: string) =>
        (name === SESSION_COOKIE && options.withCookie !== undefined) || options.cookies?.has(name) === true,
      set: (name: string, value: string) => void cookies.set(name, value),
      delete: (name: string) => void cookies.set(name, ''),
    },
    redirect: (location: string, status = 302) => new Response(null, { status, headers: { location } }),
  } as unknown as APIContext;
  const response = (await onRequest(context, async () => (await route(context)) as Response)) as Response;
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not every answer is JSON.
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    cookies,
    tags: context.locals.tags ?? [],
  };
}
