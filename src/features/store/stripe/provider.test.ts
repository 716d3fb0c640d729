import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

// The fake clock does not reach these timers. Modules are shared between files here, so they are loaded anew.
beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.doMock('node:timers/promises', () => ({
    setTimeout: (ms: number, value?: unknown) => new Promise((done) => setTimeout(done, ms, value)),
  }));
});
afterEach(() => {
  vi.doUnmock('node:timers/promises');
  vi.resetModules();
  vi.useRealTimers();
});

it('P37: a provider that never answers is given up before ten seconds are over', async () => {
  const { setEnvironment } = await import('#src/server/start/env.ts');
  const { askProvider } = await import('./provider.server.ts');
  setEnvironment(KEYS);
  let ended: unknown = null;
  const call = askProvider('anything', () => new Promise<never>(() => {})).catch((error: unknown) => {
    ended = error;
  });
  setEnvironment(Object.fromEntries(Object.keys(KEYS).map((name) => [name, undefined])));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(ended).toBeNull();
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toMatchObject({ code: 'provider_unavailable' });
  await call;
});
