import type { Core } from '#src/payment-sandbox/core.ts';
import { ApiError, type ErrorBody, invalidParameter, unauthorized } from './errors.ts';
import { expand } from './expand.ts';
import type { FormGroup } from './form.ts';
import {
  cancelIntent,
  checkClientSecret,
  confirmIntent,
  createIntent,
  findIntent,
  finishChallenge,
} from '#src/payment-sandbox/objects/intents.ts';
import { listPage } from './lists.ts';
import { pageIntent } from '#src/payment-sandbox/objects/objects.ts';
import { Params } from './params.ts';
import { readMethodData } from '#src/payment-sandbox/objects/payment-methods.ts';
import { createRefund } from '#src/payment-sandbox/objects/refunds.ts';
import type { StoredDispute, StoredIntent, StoredRefund } from '#src/payment-sandbox/state.ts';

export type Caller = 'site' | 'page';

interface Call {
  core: Core;
  params: Params;
  caller: Caller;
  id: string;
}

interface Route {
  method: 'GET' | 'POST';
  path: string;
  page?: true;
  run(call: Call): object;
}

function ofIntent<T extends StoredRefund | StoredDispute>(rows: T[], url: string, params: Params): object {
  const wanted = params.text('payment_intent') || undefined;
  return listPage(rows, url, params, (row) => wanted === undefined || row.payment_intent === wanted);
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/payment_intents', run: ({ core, params }) => createIntent(core, params) },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    run: ({ core, params }) => {
      return listPage(core.state.all('payment_intents'), '/v1/payment_intents', params, () => true);
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    page: true,
    run: ({ core, params, caller, id }) => {
      const secret = params.text('client_secret');
      params.done();
      const intent = findIntent(core, id);
      if (caller === 'page' || secret !== undefined) checkClientSecret(intent, secret);
      return intent;
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    page: true,
    run: ({ core, params, caller, id }) => confirmIntent(core, id, params, caller),
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    run: ({ core, params, id }) => cancelIntent(core, id, params),
  },
  {
    // The page's answer to an authentication; the provider's own script uses an unpublished route here.
    method: 'POST',
    path: '/v1/payment_intents/:id/authenticate',
    page: true,
    run: ({ core, params, id }) => {
      const secret = params.text('client_secret');
      const source = params.requiredText('source');
      const outcome = params.oneOf('outcome', ['complete', 'fail']);
      params.done();
      if (!outcome) throw params.missing('outcome');
      checkClientSecret(findIntent(core, id), secret);
      return finishChallenge(core, id, source, outcome);
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods',
    page: true,
    run: ({ core, params }) => {
      const read = readMethodData(core.state, params);
      params.done();
      return read.store();
    },
  },
  { method: 'POST', path: '/v1/refunds', run: ({ core, params }) => createRefund(core, params) },
  {
    method: 'GET',
    path: '/v1/refunds',
    run: ({ core, params }) => ofIntent(core.state.all('refunds'), '/v1/refunds', params),
  },
  {
    method: 'GET',
    path: '/v1/disputes',
    run: ({ core, params }) => ofIntent(core.state.all('disputes'), '/v1/disputes', params),
  },
  {
    method: 'GET',
    path: '/v1/events',
    run: ({ core, params }) => listPage(core.state.all('events'), '/v1/events', params, () => true),
  },
];

function match(route: Route, path: string): string | null {
  const wanted = route.path.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  let id = '';
  for (const [place, part] of wanted.entries()) {
    const value = given[place] ?? '';
    if (part === ':id') id = /^[\w-]{1,255}$/.test(value) ? value : '';
    else if (part !== value) return null;
  }
  return wanted.includes(':id') && id === '' ? null : id;
}

/** The route of a call, or the error the provider answers: unknown address, or a key of the wrong kind. */
export function findRoute(method: string, path: string, caller: Caller): { route: Route; id: string } {
  for (const route of ROUTES) {
    const id = route.method === method ? match(route, path) : null;
    if (id === null) continue;
    if (caller === 'page' && !route.page) {
      throw unauthorized(
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
        'secret_key_required',
      );
    }
    return { route, id };
  }
  throw new ApiError(
    404,
    { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` },
    false,
  );
}

/** True for the calls a page may make through the site: the routes of the publishable key. */
export function isPageRoute(method: string, path: string): boolean {
  return ROUTES.some((route) => route.page && route.method === method && match(route, path) !== null);
}

function forCaller(answer: object, caller: Caller): object {
  const isIntent = 'object' in answer && answer.object === 'payment_intent';
  return caller === 'page' && isIntent ? pageIntent(answer as StoredIntent) : answer;
}

/** Runs a call. @throws ApiError */
export function runRoute(
  core: Core,
  found: { route: Route; id: string },
  group: FormGroup,
  caller: Caller,
): object {
  const params = new Params(group);
  const expansions = params.list('expand');
  if (caller === 'page') {
    // What the provider's script adds to every call; the key was checked with the request.
    params.text('key');
    params.text('_stripe_version');
  }
  for (const path of expansions) {
    if (!/^[a-z_]+(\.[a-z_]+)*$/.test(path)) {
      throw invalidParameter('expand', undefined, `This property cannot be expanded (${path.slice(0, 80)}).`);
    }
  }
  const answer = found.route.run({ core, params, caller, id: found.id });
  return expand(core.state, forCaller(answer, caller), expansions);
}

/** The error as this caller may see it. */
export function errorForCaller(body: ErrorBody, caller: Caller): ErrorBody {
  if (caller === 'site' || !body.payment_intent) return body;
  return { ...body, payment_intent: pageIntent(body.payment_intent) as ErrorBody['payment_intent'] };
}
