import type { z } from 'zod';
import { readAuth } from './auth-storage.ts';
import { type Contract, fillPath } from './contract.ts';
import type { ErrorBody, FieldErrors } from './errors.ts';
import { ACCOUNT_HEADER } from './offline/kept-lessons.ts';

/** `message` is "401: Invalid…" (spec 8), `serverMessage` the sentence alone (decision 42). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly serverMessage: string;
  readonly fields: FieldErrors;
  readonly body: Partial<ErrorBody>;

  constructor(status: number, statusText: string, bodyText: string) {
    super(`${status}: ${bodyText || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    let body: Partial<ErrorBody> = {};
    try {
      const parsed: unknown = JSON.parse(bodyText);
      if (parsed && typeof parsed === 'object') body = parsed;
    } catch {
      // A proxy's page is not JSON; the status is enough.
    }
    this.body = body;
    this.code = typeof body.code === 'string' ? body.code : 'unknown';
    this.serverMessage = typeof body.message === 'string' ? body.message : '';
    this.fields = body.fields ?? {};
  }
}

/** No answer at all. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection was lost.', { cause });
    this.name = 'ConnectionLost';
  }
}

/** Aborted calls are not lost. */
function asLost(error: unknown): never {
  throw error instanceof TypeError ? new ConnectionLost(error) : error;
}

type Arguments<P, Q, I> = (P extends z.ZodType
  ? { params: Record<keyof z.input<P>, string | number> }
  : { params?: undefined }) &
  (Q extends z.ZodType ? { query?: Record<string, string | number | undefined> } : { query?: undefined }) &
  (I extends z.ZodType ? { input: z.input<I> } : { input?: undefined }) & {
    signal?: AbortSignal;
    keepalive?: boolean;
    /** Refused where a preview's learner would answer. */
    account?: number;
  };

/**
 * JSON, bearer header of the stored token, cookies (spec 7).
 * @throws {ApiError} for refusals
 * @throws {ConnectionLost}
 */
export async function call<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  I extends z.ZodType | undefined,
  O extends z.ZodType,
>(contract: Contract<P, Q, I, O>, options: Arguments<P, Q, I>): Promise<z.output<O>> {
  const url = new URL(fillPath(contract.path, options.params), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = readAuth()?.token;
  if (token) headers.authorization = `Bearer ${token}`;
  if (options.account !== undefined) headers[ACCOUNT_HEADER] = String(options.account);
  if (options.input !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, {
    method: contract.method,
    headers,
    credentials: 'same-origin',
    ...(options.input !== undefined ? { body: JSON.stringify(options.input) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  }).catch(asLost);
  const text = await response.text().catch(asLost);
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  return (text ? JSON.parse(text) : undefined) as z.output<O>;
}

/** The server's sentence, else the fallback (spec 8); a lost connection first. */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ConnectionLost) return `${error.message} ${fallback}`;
  return error instanceof ApiError && error.serverMessage ? error.serverMessage : fallback;
}
