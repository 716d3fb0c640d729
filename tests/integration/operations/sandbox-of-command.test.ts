import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { reachProvider, startSandboxOfDataFolder } from '#src/sandbox-process.ts';
import { log } from '#src/server/log.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';

const asBefore = () =>
  setEnvironment({
    STRIPE_SECRET_KEY: undefined,
    STRIPE_PUBLISHABLE_KEY: undefined,
    STRIPE_WEBHOOK_SECRET: undefined,
    PAYMENT_SANDBOX_PORT: undefined,
  });
afterEach(asBefore);

const savedPort = () => readFile(join(env().dataDir, 'payment-sandbox/port'), 'utf8');

it('a command uses the sandbox of the running site, and else one of its own on any port without a word', async () => {
  const warned = vi.spyOn(log, 'warn');
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const taken = String((other.address() as AddressInfo).port);
  // The site's own start does say that it takes another port.
  setEnvironment({ PAYMENT_SANDBOX_PORT: taken });
  const site = await startSandboxOfDataFolder();
  expect(warned).toHaveBeenCalledOnce();
  warned.mockClear();

  // As a process of its own, without the site's keys.
  asBefore();
  setEnvironment({ PAYMENT_SANDBOX_PORT: taken });
  const leaveRunning = await reachProvider();
  expect(env().stripe?.sandbox?.port).toBe(site.port);
  await leaveRunning();
  await site.close();

  asBefore();
  setEnvironment({ PAYMENT_SANDBOX_PORT: taken });
  const leave = await reachProvider();
  expect(env().stripe?.sandbox?.port).not.toBe(Number(taken));
  await leave();
  expect(warned).not.toHaveBeenCalled();
  expect(await savedPort()).toBe(String(site.port));
  other.close();
});
