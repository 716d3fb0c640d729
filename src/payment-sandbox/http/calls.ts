import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '#src/payment-sandbox/core.ts';
import { type ApiFault, type ApiFaults, maskCards, type ReceivedCall } from '#src/payment-sandbox/faults.ts';
import { API_VERSION, randomText } from '#src/payment-sandbox/objects/objects.ts';
import { type Caller, errorForCaller, findRoute, runRoute } from './api.ts';
import { ApiError, type ErrorBody, unauthorized } from './errors.ts';
import { decodeForm, type FormGroup } from './form.ts';
import type { Idempotency } from './idempotency.ts';
import { header, keyOf, readBody } from './request.ts';

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

interface Api {
  core: Core;
  faults: ApiFaults;
  idempotency: Idempotency;
  secretKey: string;
  publishableKey: string;
  closing: AbortSignal;
}

/** Answers calls of the provider's API, with the faults that were set for them. */
export function createApi({ core, faults, idempotency, secretKey, publishableKey, closing }: Api) {
  function callerOf(req: IncomingMessage): { caller: Caller; key: string } {
    const key = keyOf(req);
    if (!key) {
      throw unauthorized(
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      );
    }
    if (key === secretKey) return { caller: 'site', key };
    if (key === publishableKey) return { caller: 'page', key };
    throw unauthorized(`Invalid API Key provided: ${maskKey(key)}`);
  }

  async function hang(fault: ApiFault): Promise<void> {
    if (fault.delayMs) await sleep(fault.delayMs, undefined, { signal: closing, ref: false });
  }

  return async (req: IncomingMessage, res: ServerResponse, address: URL): Promise<void> => {
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
        core.webhooks.request = { id: requestId, idempotency_key: idempotencyKey };
        body = JSON.stringify(runRoute(core, found, params, caller), null, 2);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.stored) {
          run.release();
          throw error;
        }
        status = error.status;
        body = JSON.stringify({ error: errorForCaller(error.body, caller) }, null, 2);
      } finally {
        core.webhooks.request = null;
      }
      run.store({ status, body, requestId });
      if (fault?.stage === 'after') {
        await hang(fault);
        if (answerFault(fault)) return;
      }
      answer(status, body);
    } catch (error) {
      if (closing.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      answerError(error);
    }
  };
}
