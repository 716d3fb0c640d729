import type { APIContext, APIRoute } from 'astro';
import type { z } from 'zod';
import { FileStoreError } from '#db/file-store.ts';
import type { Contract } from '#src/shared/contract.ts';
import { AppError, type ErrorBody, type FieldErrors } from '#src/shared/errors.ts';
import { isDiskFull, isPassingDatabaseError, isUnstorableText } from './database-errors.ts';
import { env } from './start/env.ts';
import { JsonText, parseJsonBody } from './json.ts';
import { type LimitName, LIMITS } from './limits/limits.ts';
import { log } from './log.ts';
import { consume } from './limits/rate-limit.ts';
import { requestFacts } from './http/request-facts.ts';

/** Bytes of a JSON body at most (fault N6). */
export const JSON_BODY_MAX_BYTES = 1_048_576;

type User = NonNullable<App.Locals['user']>;

export type StaffAccess = {
  admits: (user: User, params: Readonly<Record<string, string | undefined>>) => boolean | Promise<boolean>;
};
export type Access = 'public' | 'user' | 'admin' | StaffAccess;

type Policy<A extends Access> = {
  access: A;
  limit?: LimitName;
};

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

type EndpointContext<A extends Access, P, Q, I> = {
  params: Parsed<P>;
  query: Parsed<Q>;
  input: Parsed<I>;
  user: A extends 'public' ? User | null : User;
  actor: A extends 'public' ? { id: number; name: string } | null : { id: number; name: string };
  signInId: string | null;
  ip: string;
  requestId: string;
  request: Request;
  cookies: APIContext['cookies'];
  /** Visitors share the answer until one of these tags changes. */
  shows: (tags: string[]) => void;
  headers: Headers;
  status: (code: 200 | 201 | 202 | 204) => void;
};

/** The endpoint of a contract: checks origin, limit and access, and parses what enters and what leaves. */
export function endpoint<
  A extends Access,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  I extends z.ZodType | undefined,
  O extends z.ZodType,
>(
  contract: Contract<P, Q, I, O>,
  policy: Policy<A>,
  handle: (context: EndpointContext<A, P, Q, I>) => Promise<z.input<O> | JsonText>,
): APIRoute {
  return async (context) => {
    const { requestId, clientIp: ip } = context.locals;
    const headers = new Headers({ 'cache-control': 'no-store' });
    let status = 200;
    try {
      refuseForeignOrigin(context);
      const user = await grantAccess(context, policy.access);
      if (policy.limit) {
        const byAddress = LIMITS[policy.limit].by === 'address' || !user;
        await consume(policy.limit, byAddress ? `ip:${ip}` : `user:${user.id}`);
      }
      const params = contract.params ? parseParams(contract.params, context.params) : undefined;
      const query = contract.query ? parseInput(contract.query, queryObject(context.url)) : undefined;
      const input = contract.input
        ? parseInput(contract.input, await readJson(context.request, requestId))
        : undefined;
      const output = await handle({
        params: params as Parsed<P>,
        query: query as Parsed<Q>,
        input: input as Parsed<I>,
        user: user as EndpointContext<A, P, Q, I>['user'],
        actor: (user && { id: user.id, name: user.username }) as EndpointContext<A, P, Q, I>['actor'],
        signInId: context.locals.signInId,
        ip,
        requestId,
        request: context.request,
        cookies: context.cookies,
        shows: (tags) => {
          context.locals.tags = tags;
        },
        headers,
        status: (code) => {
          status = code;
        },
      });
      if (status === 204) return new Response(null, { status, headers });
      headers.set('content-type', 'application/json; charset=utf-8');
      const text =
        output instanceof JsonText ? output.text : JSON.stringify(contract.output.parse(output) ?? null);
      return new Response(text, { status, headers });
    } catch (error) {
      return errorResponse(error, requestId);
    }
  };
}

/** As `endpoint`, for answers that are not JSON. */
export function protocolEndpoint(
  access: Exclude<Access, 'public'>,
  handle: (request: Request, user: User) => Promise<Response>,
): APIRoute {
  return async (context) => {
    try {
      refuseForeignOrigin(context);
      const user = await grantAccess(context, access);
      const answer = await handle(context.request, user!);
      const headers = new Headers(answer.headers);
      headers.set('cache-control', 'no-store');
      return new Response(answer.body, { status: answer.status, headers });
    } catch (error) {
      return errorResponse(error, context.locals.requestId);
    }
  };
}

/** An AppError as it is, a passing fault of database or files as 503, the rest as a fixed 500. */
export function errorResponse(error: unknown, requestId: string): Response {
  const refusal = asAppError(error, requestId);
  const facts = requestFacts.getStore();
  if (facts) facts.code = refusal.code;
  const body: ErrorBody = {
    ...refusal.extra,
    message: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal.fields ? { fields: refusal.fields } : {}),
  };
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  if (refusal.retryAfterSeconds !== undefined) headers.set('retry-after', String(refusal.retryAfterSeconds));
  if (refusal.code === 'unauthenticated') headers.set('www-authenticate', 'Bearer');
  return new Response(JSON.stringify(body), { status: refusal.status, headers });
}

function asAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  if (isPassingDatabaseError(error)) {
    log.warn({ requestId, err: error }, 'the database could not answer');
    return new AppError('unavailable', 'The service is busy. Please try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  if (isDiskFull(error)) {
    log.error({ requestId, err: error }, 'the disk is full');
    return new AppError('unavailable', 'There is no room for this at the moment. Please try again later.', {
      retryAfterSeconds: 60,
    });
  }
  if (error instanceof FileStoreError) {
    log.error({ requestId, err: error }, 'the object store could not answer');
    return new AppError(
      'unavailable',
      'Files cannot be reached at the moment. Please try again in a moment.',
      {
        retryAfterSeconds: 5,
      },
    );
  }
  if (isUnstorableText(error)) {
    return new AppError('invalid_input', 'The request contains characters or numbers that cannot be stored.');
  }
  log.error({ requestId, err: error }, 'a request failed');
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that another site made a browser send (fault A10); a foreign page cannot send a bearer
 * header.
 */
export function refuseForeignOrigin(context: Pick<APIContext, 'request' | 'locals'>): void {
  const { request, locals } = context;
  if (SAFE_METHODS.has(request.method) || locals.authenticatedBy === 'bearer') return;
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  // A page that sends no referrer names no origin; the browser says itself that the form is ours.
  const isUnnamed = origin === 'null' && site === 'same-origin';
  const foreign =
    (origin !== null && origin !== env().siteUrl && !isUnnamed) ||
    (site !== null && site !== 'same-origin' && site !== 'none') ||
    (origin === null && site === null && locals.authenticatedBy === 'cookie');
  if (foreign) throw new AppError('forbidden', 'This request did not come from our site.');
}

async function grantAccess(context: APIContext, access: Access): Promise<User | null> {
  const { user, rejectedBearer, withheld } = context.locals;
  if (access === 'public') return user;
  if (!user) {
    throw new AppError(
      'unauthenticated',
      rejectedBearer ? 'Your session has ended. Please sign in again.' : 'Please sign in to continue.',
    );
  }
  if (access === 'user' || user.role === 'admin') return user;
  if (access === 'admin' || Object.keys(user.staff).length === 0) {
    throw new AppError('forbidden', withheld ?? 'Only administrators may do this.');
  }
  if (!(await access.admits(user, context.params))) throw new AppError('not_found', 'Not found.');
  return user;
}

/** The body of a request. @throws {AppError} too_large; bad_request where the caller broke off */
export async function bodyBytes(request: Request, requestId: string): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    // The adapter reports a body over its limit as a plain Error.
    if (error instanceof Error && /body.*(limit|large|exceed)/i.test(error.message)) throw tooLarge();
    // Only the caller's connection is read here; its error has the code of a database connection that was lost.
    log.info({ requestId, err: error }, 'a request broke off before all of its body had arrived');
    throw new AppError('bad_request', 'The request broke off. Please try again.', { cause: error });
  }
}

async function readJson(request: Request, requestId: string): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the request body as application/json.');
  }
  if (Number(request.headers.get('content-length') ?? 0) > JSON_BODY_MAX_BYTES) throw tooLarge();
  const bytes = await bodyBytes(request, requestId);
  if (bytes.byteLength > JSON_BODY_MAX_BYTES) throw tooLarge();
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The request body is not valid UTF-8.');
  }
  return parseJsonBody(source);
}

function tooLarge(): AppError {
  return new AppError('too_large', 'The request is too large.');
}

function queryObject(url: URL): Record<string, string> {
  // The first of repeated parameters counts; nothing in our calls takes a list.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of url.searchParams) {
    if (!(name in values)) values[name] = value;
  }
  return { ...values };
}

/**
 * Parses input by its schema.
 * @throws {AppError} invalid_input whose `fields` names each wrong field; its message is the first field's
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = issue.path.join('.') || 'body';
    fields[field] ??= issue.message;
  }
  const first = Object.values(fields)[0] ?? 'The request is not valid.';
  throw new AppError('invalid_input', first, { fields });
}

function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('not_found', 'Not found.');
  return result.data;
}
