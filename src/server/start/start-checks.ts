import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { FileStoreError } from '#db/file-store.ts';
import { ConfigurationError, env, isLocalAddress } from './env.ts';
import { log } from '#src/server/log.ts';

const REASONS: Record<string, string> = {
  ENOTDIR: 'it, or a part of it, is a file and not a folder',
  ENOENT: 'no folder can be made there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing may be written there',
};

/** Node's recursive mkdir never ends below /proc. */
async function makeFolder(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function checkDataFolder(): Promise<void> {
  const { dataDir } = env();
  try {
    await makeFolder(dataDir);
    const probe = join(dataDir, `.write-${randomBytes(4).toString('hex')}`);
    await writeFile(probe, '');
    await rm(probe, { force: true });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A full disk is no reason to stay down: what can be read is still read.
    if (code === 'ENOSPC') return;
    throw new ConfigurationError(
      `DATA_DIR ${dataDir} cannot be used, as ${REASONS[code] ?? message}: set it to a folder that this user may write`,
    );
  }
}

export function listenError(error: NodeJS.ErrnoException): Error {
  const { port, host } = env();
  const problem = {
    EADDRINUSE: `PORT ${port} is taken: stop the other program or set PORT`,
    EACCES: `PORT ${port} may not be used by this user: set PORT to 1024 or above`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not an address of this machine`,
  }[error.code ?? ''];
  return problem ? new ConfigurationError(problem) : error;
}

/** A build and a database would be made in vain. */
async function checkPort(): Promise<void> {
  const { port, host } = env();
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', fail);
    probe.listen(port, host, done);
  }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error);
  });
  await new Promise((done) => probe.close(done));
}

/**
 * Refuses a data folder that cannot be written, a taken port, and the payment sandbox at a public address.
 * @throws {ConfigurationError}
 */
export async function checkStart(): Promise<void> {
  const { siteUrl, stripe, paymentSandbox } = env();
  if (paymentSandbox === false && (!stripe || stripe.sandbox)) {
    throw new ConfigurationError(
      'PAYMENT_SANDBOX is off and STRIPE_SECRET_KEY is not set: no payment could be taken; set the keys of the card provider',
    );
  }
  if (paymentSandbox !== true && (!stripe || stripe.sandbox) && !isLocalAddress(new URL(siteUrl).hostname)) {
    throw new ConfigurationError(
      `STRIPE_SECRET_KEY is not set, and at ${siteUrl} the payment sandbox would sell every course for a test card: set the keys of the card provider, or PAYMENT_SANDBOX=on for a site that is for trying out`,
    );
  }
  await checkDataFolder();
  await checkPort();
}

export function startWarnings(): string[] {
  const { siteUrl, smtpUrl, dataDir } = env();
  if (smtpUrl || isLocalAddress(new URL(siteUrl).hostname)) return [];
  return [
    `SMTP_URL is not set: no mail leaves ${siteUrl}, and nobody who registers or buys hears of it; mails are only written to ${join(dataDir, 'mail')}`,
  ];
}

/** A store that does not answer is no reason to stay down. @throws {ConfigurationError} where it refuses */
export async function checkFileStore(): Promise<void> {
  if (!env().s3) return;
  const { fileStore } = await import('#src/server/files/files.ts');
  await fileStore()
    .check()
    .catch((error: unknown) => {
      if (!(error instanceof FileStoreError)) throw error;
      if (error.setting) throw new ConfigurationError(error.message);
      log.warn({ err: error }, 'files cannot be read or kept for now');
    });
}
