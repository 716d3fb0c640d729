import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isPageRoute } from './api.ts';

const MAX_BODY = 64 * 1024;
const TIMEOUT_MS = 90_000;
/** Sent on to the sandbox; cookies, origins and addresses of the visitor stay here. */
const SENT_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'] as const;
const RETURNED_HEADERS = ['content-type', 'cache-control', 'request-id', 'x-content-type-options'] as const;

export interface SandboxProxyOptions {
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Path of the site under which the page reaches the sandbox; default `/payment-sandbox`. */
  prefix?: string;
}

function isPageKey(authorization: string | undefined): boolean {
  return /^Bearer pk_test_\S+$/i.test(authorization ?? '');
}

function refuse(res: ServerResponse, status: number, message: string, type = 'invalid_request_error'): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  res.end(JSON.stringify({ error: { type, message } }));
}

/**
 * Handles the site's `/payment-sandbox/*`: passes on the page script and the calls of the publishable key, nothing else
 * (no secret key, no `/_control`), with bodies of at most 64 KB. Call it for paths that begin with the prefix.
 */
export function createSandboxProxyHandler(
  options: SandboxProxyOptions,
): (req: IncomingMessage, res: ServerResponse) => void {
  const prefix = options.prefix ?? '/payment-sandbox';
  return (req, res) => {
    const method = req.method ?? 'GET';
    const target = (req.url ?? '').slice(prefix.length);
    const path = target.split('?')[0] ?? '';
    const isScript = method === 'GET' && path === '/page.js';
    if (!req.url?.startsWith(`${prefix}/`) || !(isScript || isPageRoute(method, path))) {
      return refuse(res, 404, 'There is nothing at this address.');
    }
    if (!isScript && !isPageKey(req.headers.authorization)) {
      return refuse(res, 401, 'This address takes a publishable test key.');
    }
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) {
      return refuse(res, 413, 'The request is too large.');
    }

    const headers: Record<string, string> = {};
    for (const name of SENT_HEADERS) {
      const value = req.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const onward = request(
      {
        host: options.host ?? '127.0.0.1',
        port: options.port,
        method,
        path: isScript ? path : target,
        headers,
        timeout: TIMEOUT_MS,
      },
      (answer) => {
        const back: Record<string, string> = {};
        for (const name of RETURNED_HEADERS) {
          const value = answer.headers[name];
          if (typeof value === 'string') back[name] = value;
        }
        res.writeHead(answer.statusCode ?? 502, back);
        answer.pipe(res);
        answer.on('error', () => res.destroy());
      },
    );
    onward.on('timeout', () => onward.destroy(new Error('timeout')));
    onward.on('error', () => refuse(res, 502, 'The payment sandbox did not answer.', 'api_error'));
    res.on('close', () => onward.destroy());

    let size = 0;
    req.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_BODY) {
        onward.destroy();
        refuse(res, 413, 'The request is too large.');
        req.pause();
        return;
      }
      if (!onward.write(part)) {
        req.pause();
        onward.once('drain', () => req.resume());
      }
    });
    req.on('end', () => onward.end());
    req.on('error', () => onward.destroy());
  };
}
