import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

export type ByteSource = Uint8Array | { file: string };

export const BACKUP_DRAFT = '.backup-';
export const UNPACKED_BACKUP = '.restore-';
/** The schema with what a restore replaced; its time follows. */
export const SET_ASIDE = 'set_aside_';

export interface FileStore {
  put(sha256: string, source: ByteSource, size: number): Promise<void>;
  size(sha256: string): Promise<number | null>;
  read(sha256: string, range: { start: number; end: number }): Promise<Readable>;
  remove(sha256: string): Promise<void>;
  /** @throws {FileStoreError} */
  check(): Promise<void>;
}

export class FileStoreError extends Error {
  override name = 'FileStoreError';

  /** Null where the store may answer later. */
  readonly setting: string | null;

  constructor(message: string, setting: string | null, options: ErrorOptions) {
    super(message, options);
    this.setting = setting;
  }
}

export interface S3Settings {
  /** Null for Amazon's own in `region`. */
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

function checkDigest(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Not the digest of a file.');
  return sha256;
}

export function storedFileLocation(dataDir: string, sha256: string): string {
  return join(dataDir, 'files', checkDigest(sha256).slice(0, 2), sha256);
}

export function localFileStore(dataDir: string): FileStore {
  const sizeOf = async (sha256: string) =>
    (await stat(storedFileLocation(dataDir, sha256)).catch(() => null))?.size ?? null;
  return {
    size: sizeOf,
    put: async (sha256, source, size) => {
      if ((await sizeOf(sha256)) === size) return;
      const location = storedFileLocation(dataDir, sha256);
      await mkdir(join(location, '..'), { recursive: true });
      // Written beside its place and moved there when it is on disk.
      const draft = `${location}.${randomBytes(6).toString('hex')}`;
      try {
        if (source instanceof Uint8Array) await writeFile(draft, source, { flag: 'wx' });
        else await copyFile(source.file, draft);
        const handle = await open(draft, 'r+');
        await handle.sync().finally(() => handle.close());
        await rename(draft, location);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    read: async (sha256, { start, end }) => {
      // Opened here, so that a file that is gone is an error and not half an answer.
      const handle = await open(storedFileLocation(dataDir, sha256));
      return handle.createReadStream({ start, end });
    },
    remove: (sha256) => rm(storedFileLocation(dataDir, sha256), { force: true }),
    // The start sees to the data folder, and the disk has a check of its own.
    check: async () => {},
  };
}

const DRAFT_NAME = /^[0-9a-f]{64}\.[0-9a-f]{12}$/;

export async function sweepDrafts(dataDir: string, olderThanMs: number): Promise<number> {
  const files = join(dataDir, 'files');
  let swept = 0;
  for (const folder of await readdir(files).catch(() => [])) {
    for (const name of await readdir(join(files, folder)).catch(() => [])) {
      if (!DRAFT_NAME.test(name)) continue;
      const draft = join(files, folder, name);
      const info = await stat(draft).catch(() => null);
      if (!info || Date.now() - info.mtimeMs <= olderThanMs) continue;
      await rm(draft, { force: true });
      swept += 1;
    }
  }
  return swept;
}

const ANSWER_MS = 5_000;
const SLOWEST_UPLOAD = 250;
/** A paused video holds a connection for minutes; the default of 50 is too few. */
const CONNECTIONS = { maxSockets: Number.POSITIVE_INFINITY };

const SETTING_BY_CODE: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID',
  AccessDenied: 'S3_ACCESS_KEY_ID',
  // Some say so of a key that they do not know, too.
  SignatureDoesNotMatch: 'S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'S3_REGION',
  PermanentRedirect: 'S3_REGION',
};

function storeError({ endpoint, region }: S3Settings, error: unknown): FileStoreError {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const setting = SETTING_BY_CODE[name] ?? null;
  const said = message || name;
  // What answers a HEAD has no body that could say why.
  const reason = !status ? `cannot be reached: ${said}` : setting ? `says: ${said}` : `answers ${status}`;
  return new FileStoreError(
    `${setting ? `${setting}: ` : ''}the object store ${endpoint ?? `in ${region}`} ${reason}`,
    setting,
    { cause: error },
  );
}

function notAStore({ endpoint }: S3Settings, error: unknown): FileStoreError | null {
  const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  const isNamed = !['Error', 'Unknown', 'UnknownError', 'NotFound'].includes(name);
  // What is busy or broken may be a proxy before a store, which answers later.
  const mayPass = status < 200 || status >= 500 || status === 408 || status === 429;
  if (!endpoint || isNamed || mayPass) return null;
  return new FileStoreError(
    `S3_ENDPOINT: what answers at ${endpoint} is no object store (it answers ${status} without a code of S3): set it to the address of the store's S3 interface`,
    'S3_ENDPOINT',
    { cause: error },
  );
}

const isMissing = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

/** Under `files/` in a bucket. */
export function s3FileStore(settings: S3Settings): FileStore {
  const key = (sha256: string) => `files/${checkDigest(sha256).slice(0, 2)}/${sha256}`;
  // The client is large: sites that keep their files on disk never load it.
  let loaded: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined;
  const s3 = () => {
    loaded ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region: settings.region,
        ...(settings.endpoint ? { endpoint: settings.endpoint, forcePathStyle: true } : {}),
        credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
        // Other makers' stores know neither checksums nor chunked bodies.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 2,
        requestHandler: {
          connectionTimeout: ANSWER_MS,
          requestTimeout: ANSWER_MS,
          throwOnRequestTimeout: true,
          httpAgent: CONNECTIONS,
          httpsAgent: CONNECTIONS,
        },
      }),
    }));
    return loaded;
  };
  const at = (sha256: string) => ({ Bucket: settings.bucket, Key: key(sha256) });
  const asked = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw error instanceof FileStoreError ? error : storeError(settings, error);
    });
  const sizeOf = async (sha256: string) => {
    const { sdk, client } = await s3();
    const head = client.send(new sdk.HeadObjectCommand(at(sha256)));
    return asked(
      head.then(
        ({ ContentLength }) => ContentLength ?? null,
        (error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        },
      ),
    );
  };
  return {
    size: sizeOf,
    put: async (sha256, source, size) => {
      if ((await sizeOf(sha256)) === size) return;
      const { sdk, client } = await s3();
      const Body = source instanceof Uint8Array ? source : createReadStream(source.file);
      const put = new sdk.PutObjectCommand({ ...at(sha256), Body, ContentLength: size });
      await asked(client.send(put, { requestTimeout: ANSWER_MS + size / SLOWEST_UPLOAD })).finally(() => {
        if (Body instanceof Readable) Body.destroy();
      });
    },
    read: async (sha256, { start, end }) => {
      const { sdk, client } = await s3();
      const get = new sdk.GetObjectCommand({ ...at(sha256), Range: `bytes=${start}-${end}` });
      const { Body } = await asked(client.send(get));
      if (!(Body instanceof Readable)) throw new Error('The object store sent no bytes.');
      return Body;
    },
    remove: async (sha256) => {
      const { sdk, client } = await s3();
      await asked(client.send(new sdk.DeleteObjectCommand(at(sha256))));
    },
    check: async () => {
      const { sdk, client } = await s3();
      // Unlike a HEAD, a refused GET says why, and needs no further right.
      const { Body } = await asked(
        client.send(new sdk.GetObjectCommand(at('0'.repeat(64)))).catch((error: unknown) => {
          if (isMissing(error) && (error as Error).name === 'NoSuchKey') return { Body: undefined };
          throw notAStore(settings, error) ?? error;
        }),
      );
      if (!(Body instanceof Readable)) return;
      Body.destroy();
      throw (
        notAStore(settings, { name: 'Error', $metadata: { httpStatusCode: 200 } }) ??
        new Error('A file of zeros.')
      );
    },
  };
}
