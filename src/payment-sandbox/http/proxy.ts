import type { IncomingMessage } from 'node:http';
import { isPageRoute } from './api.ts';

const MAX_BODY = 64 * 1024;
const TIMEOUT_MS = 90_000;
const SENT_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'] as const;
const RETURNED_HEADERS = ['content-type', 'cache-control', 'request-id', 'x-content-type-options'] as const;

interface SandboxProxyOptions {
  port: number;
  host?: string;
  prefix?: string;
}

function isPageKey(authorization: string | undefined): boolean {
  return /^Bearer pk_test_\S+$/i.test(authorization ?? '');
}

function refused(status: number, message: string, type = 'invalid_request_error'): Response {
  return Response.json({ error: { type, message } }, { status, headers: { connection: 'close' } });
}

/** Null where it is too large. */
async function readBody(request: IncomingMessage & { body?: Buffer }): Promise<Buffer | null> {
  if (request.body) return request.body.length > MAX_BODY ? null : request.body;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Passes on the page script and calls of the publishable key, nothing else; bodies of at most 64 KB. */
export function createSandboxProxyHandler(
  options: SandboxProxyOptions,
): (request: IncomingMessage) => Promise<Response> {
  const { port, host = '127.0.0.1', prefix = '/payment-sandbox' } = options;
  return async (request) => {
    const { method = 'GET', url = '' } = request;
    const target = url.slice(prefix.length);
    const path = target.split('?')[0] ?? '';
    const isScript = method === 'GET' && path === '/page.js';
    if (!url.startsWith(`${prefix}/`) || !(isScript || isPageRoute(method, path))) {
      return refused(404, 'There is nothing at this address.');
    }
    if (!isScript && !isPageKey(request.headers.authorization)) {
      return refused(401, 'This address takes a publishable test key.');
    }
    const isLong = Number(request.headers['content-length'] ?? 0) > MAX_BODY;
    const body = isLong ? null : await readBody(request);
    if (!body) return refused(413, 'The request is too large.');

    const headers = new Headers();
    for (const name of SENT_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    try {
      const answer = await fetch(`http://${host}:${port}${isScript ? path : target}`, {
        method,
        headers,
        body: body.length > 0 ? new Uint8Array(body) : null,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const back = new Headers();
      for (const name of RETURNED_HEADERS) {
        const value = answer.headers.get(name);
        if (value !== null) back.set(name, value);
      }
      return new Response(answer.body, { status: answer.status, headers: back });
    } catch {
      return refused(502, 'The payment sandbox did not answer.', 'api_error');
    }
  };
}
