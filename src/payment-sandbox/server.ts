import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, errorForCaller, findRoute, runRoute } from './http/api.ts';
import { serveChallenge } from './page/challenge-page.ts';
import { createControl, runControl, type SandboxControl } from './http/control.ts';
import type { Core } from './core.ts';
import { ApiError, type ErrorBody, unauthorized } from './http/errors.ts';
import { type ApiFault, ApiFaults, maskCards, type ReceivedCall } from './faults.ts';
import { decodeForm, type FormGroup } from './http/form.ts';
import { Idempotency } from './http/idempotency.ts';
import { resumeIntents } from './objects/intents.ts';
import { API_VERSION, randomText } from './objects/objects.ts';
import { pageScript } from './page/page-script-build.ts';
import { resumeRefunds } from './objects/refunds.ts';
import { State } from './state.ts';
import { RETRY_PLAN, type RetryPlan, Webhooks, type WebhookTarget } from './objects/webhooks.ts';

const MAX_BODY = 1_000_000;
/** How long processing payments and pending refunds take unless told otherwise (ms). */
const SETTLE_MS = 10_000;

export interface PaymentSandboxOptions {
  /** 0 takes a free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** `sk_test_…`; also opens `/_control`. */
  secretKey: string;
  /** `pk_test_…` */
  publishableKey: string;
  /** Where signed events go; null: nowhere. */
  webhook: WebhookTarget | null;
  /** Journal file; with it everything survives a restart. */
  statePath?: string;
  /** Waits between deliveries of an event; every part may be given alone. */
  retry?: Partial<RetryPlan>;
  /** How long processing payments and pending refunds take (ms); null: until the control settles them. */
  settleMs?: number | null;
  /** Address under which a browser reaches this server, used for authentication by redirect. */
  publicUrl?: string;
  log?: (message: string) => void;
}

export interface PaymentSandbox {
  port: number;
  url: string;
  control: SandboxControl;
  /** Stops listening and delivering; resolves when the port is free. */
  close(): Promise<void>;
}

class BodyTooLarge extends Error {}

async function readBody(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) throw new BodyTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The API key of `Authorization: Bearer key` or of Basic authentication (key as user name). */
function keyOf(req: IncomingMessage): string | null {
  const [scheme, value = ''] = (req.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value || null;
  if (scheme?.toLowerCase() !== 'basic') return null;
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] || null;
}

function header(req: IncomingMessage, name: string): string | null {
  const value = req.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}` : '*'.repeat(key.length);
}

function faultBody(status: number): ErrorBody {
  if (status === 429) {
    return {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Request rate limit exceeded. Please try again later.',
    };
  }
  return { type: 'api_error', message: 'An unknown error occurred (a fault set on the payment sandbox).' };
}

/**
 * Starts the stand-in for the card provider: its HTTP API, its signed events and its page script (`/page.js`).
 * The provider's SDK works against it with `{ host, port, protocol: 'http' }`.
 */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const host = options.host ?? '127.0.0.1';
  const log = options.log ?? (() => {});
  const state = new State(options.statePath);
  const webhooks = new Webhooks(state, options.webhook, { ...RETRY_PLAN, ...options.retry }, log);
  const faults = new ApiFaults();
  const idempotency = new Idempotency(state);
  const timers = new Set<NodeJS.Timeout>();
  const cancelTimers = () => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };
  const closing = new AbortController();
  let url = '';
  const core: Core = {
    state,
    webhooks,
    publicUrl: () => options.publicUrl ?? url,
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

  function callerOf(req: IncomingMessage): { caller: Caller; key: string } {
    const key = keyOf(req);
    if (!key) {
      throw unauthorized(
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      );
    }
    if (key === options.secretKey) return { caller: 'site', key };
    if (key === options.publishableKey) return { caller: 'page', key };
    throw unauthorized(`Invalid API Key provided: ${maskKey(key)}`);
  }

  async function hang(fault: ApiFault): Promise<void> {
    if (fault.delayMs) await sleep(fault.delayMs, undefined, { signal: closing.signal, ref: false });
  }

  async function api(req: IncomingMessage, res: ServerResponse, address: URL): Promise<void> {
    const method = req.method ?? 'GET';
    const path = address.pathname;
    const requestId = `req_${randomText(14)}`;
    const idempotencyKey = method === 'POST' ? header(req, 'idempotency-key') : null;
    const version = header(req, 'stripe-version');
    const text = await readBody(req);
    const call: ReceivedCall = faults.record({
      method,
      path,
      params: {},
      from: 'unknown',
      idempotencyKey,
      apiVersion: version,
      requestId,
      at: Date.now(),
      status: null,
      replayed: false,
    });
    let caller: Caller = 'page';
    const answer = (status: number, body: string, more: Record<string, string> = {}) => {
      call.status = status;
      if (res.destroyed || res.headersSent) return;
      res.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-cache, no-store',
        'request-id': requestId,
        'stripe-version': version ?? API_VERSION,
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...more,
      });
      res.end(body);
    };
    const answerError = (error: ApiError) => {
      answer(error.status, JSON.stringify({ error: errorForCaller(error.body, caller) }, null, 2));
    };
    const answerFault = (fault: ApiFault): boolean => {
      if (fault.outcome === 'reset') {
        req.socket.resetAndDestroy();
        return true;
      }
      if (typeof fault.outcome !== 'number') return false;
      answer(fault.outcome, JSON.stringify({ error: faultBody(fault.outcome) }, null, 2));
      return true;
    };

    try {
      const known = callerOf(req);
      caller = known.caller;
      call.from = caller;
      const source = method === 'POST' ? text : address.search.slice(1);
      const form = decodeForm(source);
      if (!form.ok) {
        throw new ApiError(
          400,
          { type: 'invalid_request_error', message: `Invalid parameter name: ${form.name.slice(0, 80)}` },
          false,
        );
      }
      const params: FormGroup = form.group;
      call.params = maskCards(params);
      const found = findRoute(method, path, caller);
      const fault = faults.take(method, path, caller);
      const atEdge = fault && fault.stage !== 'after' && !fault.stored ? fault : undefined;
      if (atEdge && atEdge.outcome !== undefined && atEdge.outcome !== 'continue') {
        await hang(atEdge);
        answerFault(atEdge);
        return;
      }
      const run = idempotencyKey
        ? idempotency.begin(known.key, idempotencyKey, { method, path, params })
        : { replay: null, store: () => {}, release: () => {} };
      if (run.replay) {
        call.replayed = true;
        answer(run.replay.status, run.replay.body, {
          'idempotent-replayed': 'true',
          'original-request': run.replay.requestId,
        });
        return;
      }

      let status = 200;
      let body: string;
      try {
        // The key is locked while the call hangs: a second request under it is a conflict.
        if (fault && fault.stage !== 'after') await hang(fault);
        if (fault?.stored && typeof fault.outcome === 'number' && fault.stage !== 'after') {
          throw new ApiError(fault.outcome, faultBody(fault.outcome));
        }
        webhooks.request = { id: requestId, idempotency_key: idempotencyKey };
        body = JSON.stringify(runRoute(core, found, params, caller), null, 2);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.stored) {
          run.release();
          throw error;
        }
        status = error.status;
        body = JSON.stringify({ error: errorForCaller(error.body, caller) }, null, 2);
      } finally {
        webhooks.request = null;
      }
      run.store({ status, body, requestId });
      if (fault?.stage === 'after') {
        await hang(fault);
        if (answerFault(fault)) return;
      }
      answer(status, body);
    } catch (error) {
      if (closing.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      answerError(error);
    }
  }

  async function controlCall(req: IncomingMessage, res: ServerResponse, address: URL): Promise<void> {
    const reply = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (keyOf(req) !== options.secretKey) {
      reply(401, { error: { message: 'The control needs the secret key.' } });
      return;
    }
    if (req.method !== 'POST') {
      reply(405, { error: { message: 'Control calls are POST.' } });
      return;
    }
    let body: unknown;
    try {
      body = JSON.parse((await readBody(req)) || '{}');
    } catch {
      reply(400, { error: { message: 'The body is not JSON.' } });
      return;
    }
    const done = await runControl(control, address.pathname.slice('/_control/'.length), body);
    if (done) reply(200, done);
    else reply(404, { error: { message: 'No such control.' } });
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = new URL(req.url ?? '/', 'http://sandbox');
    if (address.pathname.startsWith('/v1/')) return api(req, res, address);
    if (address.pathname.startsWith('/_control/')) return controlCall(req, res, address);
    if (/^\/3ds\/[^/]+$/.test(address.pathname)) {
      const form = new URLSearchParams(req.method === 'POST' ? await readBody(req) : '');
      return serveChallenge(core, req, res, address, form);
    }
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
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
