import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { type PaymentSandbox, startPaymentSandbox } from '#src/payment-sandbox/server.ts';
import { ConfigurationError, env, SANDBOX_SECRET_PREFIX, setEnvironment } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';

/** Where the card provider, or its stand-in, sends its signed events. */
const PAYMENT_WEBHOOK_PATH = '/api/stripe/webhook';
/** Milliseconds for a running sandbox to answer a command. */
const ANSWER_MS = 2_000;

type SandboxKeys = { secretKey: string; publishableKey: string; webhookSecret: string };

const folder = () => join(env().dataDir, 'payment-sandbox');

async function readKeys(): Promise<SandboxKeys | null> {
  const saved = await readFile(join(folder(), 'keys.json'), 'utf8').catch(() => null);
  return saved ? (JSON.parse(saved) as SandboxKeys) : null;
}

/** The sandbox's keys are made once per data folder, so that pages and events from before a restart stay valid. */
async function sandboxKeys(): Promise<SandboxKeys> {
  const saved = await readKeys();
  if (saved) return saved;
  const random = () => randomBytes(18).toString('hex');
  const keys = {
    secretKey: `${SANDBOX_SECRET_PREFIX}${random()}`,
    publishableKey: `pk_test_sandbox_${random()}`,
    webhookSecret: `whsec_${random()}`,
  };
  await writeFile(join(folder(), 'keys.json'), JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

function pointAtSandbox(keys: SandboxKeys, port: number): void {
  setEnvironment({
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    PAYMENT_SANDBOX_PORT: String(port),
  });
}

/** Names the locks by which instances see each other's stand-ins; any constant will do. */
const STAND_IN_LOCKS = 727_106_002;

/**
 * Marks the data folder's stand-in as the one of a database, for as long as a connection of its own lives: a second one
 * would know nothing of the first one's payments.
 *
 * @returns takes the mark back
 * @throws {ConfigurationError} where another instance marked another stand-in
 */
export async function claimStandIn(url: string): Promise<() => Promise<void>> {
  await mkdir(folder(), { recursive: true });
  await chmod(folder(), 0o700);
  const { secretKey } = await sandboxKeys();
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10, max_lifetime: null });
  const isOnly = await sql
    .begin(async (tx) => {
      // One instance at a time looks and marks.
      await tx`select pg_advisory_xact_lock(${STAND_IN_LOCKS}, 0)`;
      const own = tx`greatest(hashtext(${secretKey}) & 2147483647, 1)`;
      const [other] = await tx`
        select from pg_locks where locktype = 'advisory' and classid = ${STAND_IN_LOCKS} and granted
          and database = (select oid from pg_database where datname = current_database())
          and objid <> 0 and objid::bigint <> ${own} limit 1`;
      if (!other) await tx`select pg_advisory_lock_shared(${STAND_IN_LOCKS}, ${own})`;
      return !other;
    })
    .catch(async (error: unknown) => {
      await sql.end({ timeout: 1 });
      throw error;
    });
  if (isOnly) return () => sql.end({ timeout: 1 });
  await sql.end({ timeout: 1 });
  throw new ConfigurationError(
    'another instance on this database runs a payment sandbox of its own, and payments of one are unknown to the other: give this one its STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET (payment-sandbox/keys.json in its DATA_DIR) and PAYMENT_SANDBOX_PORT, or give both the keys of the card provider',
  );
}

/**
 * Starts the stand-in for the card provider on the data folder's journal and lets this process use it. Only one process
 * may do so per data folder.
 *
 * @param forCommand any port will do, as nobody else has to find it
 */
export async function startSandboxOfDataFolder(forCommand = false): Promise<PaymentSandbox> {
  const { host, port, paymentSandboxPort } = env();
  await mkdir(folder(), { recursive: true });
  await chmod(folder(), 0o700);
  const keys = await sandboxKeys();
  const ownAddress = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  const options = {
    secretKey: keys.secretKey,
    publishableKey: keys.publishableKey,
    webhook: {
      url: `http://${ownAddress.includes(':') ? `[${ownAddress}]` : ownAddress}:${port}${PAYMENT_WEBHOOK_PATH}`,
      secret: keys.webhookSecret,
    },
    statePath: join(folder(), 'state.jsonl'),
    log: (message: string) => log.debug(message),
  };
  const sandbox = await startPaymentSandbox({ ...options, port: forCommand ? 0 : paymentSandboxPort }).catch(
    (error) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      log.warn(
        `port ${paymentSandboxPort} is taken, so the payment sandbox takes another (PAYMENT_SANDBOX_PORT)`,
      );
      return startPaymentSandbox({ ...options, port: 0 });
    },
  );
  // For commands that run beside the site.
  if (!forCommand) await writeFile(join(folder(), 'port'), String(sandbox.port), { mode: 0o600 });
  pointAtSandbox(keys, sandbox.port);
  return sandbox;
}

/**
 * Lets a command reach the card provider as the site does: by its keys, or through the sandbox of the running site, or,
 * while the site is down, through a sandbox of the command's own on the same journal.
 *
 * @returns ends what was started for the command
 */
export async function reachProvider(): Promise<() => Promise<void>> {
  const nothing = async () => {};
  if (env().stripe) return nothing;
  const keys = await readKeys();
  // The site never ran on this folder: there is no payment either.
  if (!keys) return nothing;
  const port = Number(await readFile(join(folder(), 'port'), 'utf8').catch(() => ''));
  if (port > 0 && (await answers(port, keys.secretKey))) {
    pointAtSandbox(keys, port);
    return nothing;
  }
  const sandbox = await startSandboxOfDataFolder(true);
  return () => sandbox.close();
}

async function answers(port: number, secretKey: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/payment_intents?limit=1`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    (response) => response.ok,
    () => false,
  );
}
