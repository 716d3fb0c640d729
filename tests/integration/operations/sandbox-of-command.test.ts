import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { claimStandIn, reachProvider, startSandboxOfDataFolder } from '#src/sandbox-process.ts';
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

it('a second sandbox on the same database is refused, and another instance with the same one is not', async () => {
  const url = process.env.DATABASE_URL!;
  const releases = [await claimStandIn(url), await claimStandIn(url)];
  const own = join(env().dataDir, 'payment-sandbox/keys.json');
  const saved = await readFile(own, 'utf8');
  await rm(own);
  await expect(claimStandIn(url)).rejects.toThrow(/another instance .*PAYMENT_SANDBOX_PORT/);
  for (const release of releases) await release();
  await (await claimStandIn(url))();
  await writeFile(own, saved);
});
