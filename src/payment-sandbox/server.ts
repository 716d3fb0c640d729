import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi } from './http/calls.ts';
import { createControl, serveControl, type SandboxControl } from './http/control.ts';
import type { Core } from './core.ts';
import { ApiError, type ErrorBody } from './http/errors.ts';
import { ApiFaults } from './faults.ts';
import { Idempotency } from './http/idempotency.ts';
import { BodyTooLarge } from './http/request.ts';
import { resumeIntents } from './objects/intents.ts';
import { pageScript } from './page/page-script-build.ts';
import { resumeRefunds } from './objects/refunds.ts';
import { State } from './state.ts';
import { RETRY_PLAN, type RetryPlan, Webhooks, type WebhookTarget } from './objects/webhooks.ts';

/** Milliseconds. */
const SETTLE_MS = 10_000;

export interface PaymentSandboxOptions {
  port: number;
  host?: string;
  secretKey: string;
  publishableKey: string;
  /** Null: nowhere. */
  webhook: WebhookTarget | null;
  statePath?: string;
  retry?: Partial<RetryPlan>;
  /** Null: until the control settles them. */
  settleMs?: number | null;
  log?: (message: string) => void;
}

export interface PaymentSandbox {
  port: number;
  url: string;
  control: SandboxControl;
  close(): Promise<void>;
}

/**
 * Starts the stand-in for the card provider: its HTTP API, its signed events and its page script
 * (`/page.js`).
 */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const host = options.host ?? '127.0.0.1';
  const log = options.log ?? (() => {});
  const state = new State(options.statePath);
  const webhooks = new Webhooks(state, options.webhook, { ...RETRY_PLAN, ...options.retry }, log);
  const faults = new ApiFaults();
  const timers = new Set<NodeJS.Timeout>();
  const cancelTimers = () => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };
  const closing = new AbortController();
  const core: Core = {
    state,
    webhooks,
    settleMs: options.settleMs === undefined ? SETTLE_MS : options.settleMs,
    later: (ms, work) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timer.unref();
      timers.add(timer);
    },
  };
  const control = createControl(core, faults, cancelTimers);
  const api = createApi({
    ...options,
    core,
    faults,
    idempotency: new Idempotency(state),
    closing: closing.signal,
  });

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = new URL(req.url ?? '/', 'http://sandbox');
    if (address.pathname.startsWith('/v1/')) return api(req, res, address);
    if (address.pathname.startsWith('/_control/'))
      return serveControl(control, options.secretKey, req, res, address);
    if (address.pathname === '/page.js' && req.method === 'GET') {
      const script = await pageScript();
      res.writeHead(200, {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      });
      res.end(script);
      return;
    }
    res.writeHead(404, { 'content-type': 'application/json' });
    const message = `Unrecognized request URL (${req.method}: ${address.pathname}).`;
    res.end(JSON.stringify({ error: { type: 'invalid_request_error', message } }));
  }

  const server = createServer((req, res) => {
    serve(req, res).catch((error: unknown) => {
      const status = error instanceof ApiError ? error.status : error instanceof BodyTooLarge ? 413 : 500;
      if (status === 500) log(`payment sandbox: ${error instanceof Error ? error.stack : String(error)}`);
      if (res.headersSent || res.destroyed) return;
      const body: ErrorBody =
        error instanceof ApiError
          ? error.body
          : { type: 'api_error', message: 'The request could not be handled.' };
      res.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      res.end(JSON.stringify({ error: body }));
    });
  });
  // Longer than clients keep idle connections: the server never closes one that is about to be used.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  webhooks.resume();
  resumeIntents(core);
  resumeRefunds(core);
  log(`payment sandbox listens on ${url}`);

  return {
    port,
    url,
    control,
    close: async () => {
      closing.abort();
      cancelTimers();
      await webhooks.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
