import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeResponse } from 'astro/app/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandboxProxyHandler } from './proxy.ts';
import {
  cardForm,
  type Fixture,
  newIntent,
  openFixture,
  pageCall,
  SECRET_KEY,
} from '../../../tests/support/payment-sandbox.ts';

/** A server that has nothing but the sandbox of a port. */
const proxyTo = (port: number) => {
  const handler = createSandboxProxyHandler({ port });
  return createServer(async (request, response) => writeResponse(await handler(request), response));
};

let fixture: Fixture;
let site: Server;
let base: string;
beforeAll(async () => {
  fixture = await openFixture();
  site = proxyTo(fixture.sandbox.port);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}/payment-sandbox`;
});
afterAll(async () => {
  site.closeAllConnections();
  await new Promise<void>((resolve) => site.close(() => resolve()));
  await fixture.close();
});

it('passes on what a page needs to pay', async () => {
  const intent = await newIntent(fixture.stripe);
  const secret = { client_secret: intent.client_secret ?? '' };
  const path = `/v1/payment_intents/${intent.id}`;
  expect((await pageCall(base, 'GET', path, secret)).body).toMatchObject({ id: intent.id });
  const paid = await pageCall(base, 'POST', `${path}/confirm`, {
    ...secret,
    ...cardForm('4242424242424242'),
  });
  expect(paid.body.status).toBe('succeeded');
});

it('serves the page script as one file without eval or other hosts', async () => {
  const response = await fetch(`${base}/page.js`);
  const script = await response.text();
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect(script).toContain('endive');
  expect(script).not.toMatch(/\beval\(|new Function|^import |https?:\/\/(?!www\.w3\.org)/m);
});

it.each([
  ['POST', '/_control/calls'],
  ['POST', '/v1/../_control/calls'],
  ['GET', '/v1/payment_intents'],
  ['POST', '/v1/payment_intents'],
  ['GET', '/v1/charges'],
  ['POST', '/v1/refunds'],
  ['GET', '/v1/events'],
  ['POST', '/v1/payment_intents/pi_x/cancel'],
] as const)('does not pass on %s %s', async (method, path) => {
  for (const key of [SECRET_KEY, undefined]) {
    expect((await pageCall(base, method, path, {}, key)).status).toBe(404);
  }
});

it('never passes on the secret key, even to a page route', async () => {
  const intent = await newIntent(fixture.stripe);
  fixture.sandbox.control.clearCalls();
  const answer = await pageCall(base, 'GET', `/v1/payment_intents/${intent.id}`, {}, SECRET_KEY);
  expect(answer.status).toBe(401);
  expect(fixture.sandbox.control.calls()).toEqual([]);
});

it('refuses bodies over 64 KB, announced or not', async () => {
  const headers = { authorization: 'Bearer pk_test_x', 'content-type': 'application/x-www-form-urlencoded' };
  const big = 'x'.repeat(64 * 1024 + 1);
  expect((await fetch(`${base}/v1/payment_methods`, { method: 'POST', headers, body: big })).status).toBe(
    413,
  );
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(big));
      controller.close();
    },
  });
  const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
  expect((await fetch(`${base}/v1/payment_methods`, init)).status).toBe(413);
});

it('answers 502 in the provider shape when the sandbox is gone', async () => {
  const gone = proxyTo(1);
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/payment-sandbox`;
  const answer = await pageCall(address, 'GET', '/v1/payment_intents/pi_x');
  expect(answer).toMatchObject({ status: 502, body: { error: { type: 'api_error' } } });
  gone.closeAllConnections();
  gone.close();
});
