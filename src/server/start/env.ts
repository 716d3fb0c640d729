import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { S3Settings } from '#db/file-store.ts';
import { problemWithName, problemWithSettingsFile } from './setting-names.ts';

/** The repository, or a release built in it (scripts/releases.ts). */
export const CODE_FOLDER = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

const { releaseOf } = JSON.parse(readFileSync(join(CODE_FOLDER, 'package.json'), 'utf8')) as {
  releaseOf?: string;
};

export const PROJECT_FOLDER = releaseOf ? resolve(CODE_FOLDER, releaseOf) : CODE_FOLDER;

export const SANDBOX_SECRET_PREFIX = 'sk_test_sandbox_';

/** One line that names the variable and holds no secret. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    schema.optional(),
  );

const text = z.string().trim();

const portNumber = text
  .regex(/^\d{1,5}$/, 'must be a whole number from 1 to 65535')
  .transform(Number)
  .refine((port) => port >= 1 && port <= 65_535, 'must be a whole number from 1 to 65535');

const origin = text.transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    !/[?#@]/.test(value);
  if (!isOrigin) {
    context.addIssue({
      code: 'custom',
      message: 'must be an http or https address without a path, such as https://example.com',
    });
    return z.NEVER;
  }
  return url.origin;
});

const address = (protocols: string[], example: string) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must look like ${example}`,
  );

const onOff = text
  .toLowerCase()
  .pipe(z.enum(['on', 'true', '1', 'yes', 'off', 'false', '0', 'no'], { error: 'must be on or off' }))
  .transform((value) => ['on', 'true', '1', 'yes'].includes(value));

const networks = text.transform((value, context) => {
  const list = value.split(/[\s,]+/).filter(Boolean);
  for (const entry of list) {
    const [ip = '', bits, ...rest] = entry.split('/');
    const family = isIP(ip);
    const bitsFit =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    // The widest networks of one's own are 10.0.0.0/8 and fc00::/7.
    const widest = family === 4 ? 8 : /^::ffff:/i.test(ip) ? 96 + 8 : 7;
    if (family !== 0 && bitsFit && bits !== undefined && Number(bits) < widest) {
      context.addIssue({
        code: 'custom',
        message: `must list the proxies alone: of all in "${entry.slice(0, 60)}", anybody could claim any address in X-Forwarded-For`,
      });
      return z.NEVER;
    }
    if (family === 0 || !bitsFit || rest.length > 0) {
      context.addIssue({
        code: 'custom',
        message: `must list addresses or networks such as "127.0.0.1, 10.0.0.0/8" ("${entry.slice(0, 60)}" is neither)`,
      });
      return z.NEVER;
    }
  }
  return list;
});

const origins = text.transform((value, context) => {
  const list = value.split(/[\s,]+/).filter(Boolean);
  return list.map((entry) => {
    const parsed = origin.safeParse(entry);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'must list http or https addresses without a path' });
    return z.NEVER;
  });
});

/** Hours between two backups, from `12h` or `1d`. */
const backupInterval = text.transform((value, context) => {
  if (/^off$/i.test(value)) return 'elsewhere' as const;
  const [, count, unit] = /^(\d{1,3})\s*([hd])$/i.exec(value) ?? [];
  const hours = Number(count) * (unit?.toLowerCase() === 'd' ? 24 : 1);
  if (hours >= 1 && hours <= 168) return hours;
  context.addIssue({ code: 'custom', message: 'must be a time from 1h to 7d, such as 1d, or off' });
  return z.NEVER;
});

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const variables = z.object({
  NODE_ENV: optional(text),
  PORT: optional(portNumber),
  HOST: optional(text.regex(/^[a-z0-9.:_-]+$/i, 'must be a host name or an address')),
  SITE_URL: optional(origin),
  DATA_DIR: optional(text),
  BUILD_DIR: optional(text),
  DATABASE_URL: optional(
    address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database').refine(
      (value) => !URL.canParse(value) || new URL(value).pathname.length > 1,
      'must name a database, as in postgres://user:password@host:5432/database',
    ),
  ),
  SEED_DEMO: optional(onOff),
  STRIPE_SECRET_KEY: optional(
    text.regex(/^(sk|rk)_(test|live)_\w+$/, 'must start with sk_test_ or sk_live_'),
  ),
  STRIPE_PUBLISHABLE_KEY: optional(
    text.regex(/^pk_(test|live)_\w+$/, 'must start with pk_test_ or pk_live_'),
  ),
  STRIPE_WEBHOOK_SECRET: optional(text.regex(/^whsec_\S+$/, 'must start with whsec_')),
  PAYMENT_SANDBOX: optional(onOff),
  PAYMENT_SANDBOX_PORT: optional(portNumber),
  S3_BUCKET: optional(text.regex(/^[a-z0-9][a-z0-9.-]{1,62}$/, 'must be the name of a bucket')),
  S3_ENDPOINT: optional(origin),
  S3_REGION: optional(text.regex(/^[a-z0-9-]+$/, 'must be a region, such as eu-central-1')),
  S3_ACCESS_KEY_ID: optional(text),
  S3_SECRET_ACCESS_KEY: optional(text),
  SMTP_URL: optional(address(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com')),
  MAIL_FROM: optional(
    text.regex(
      /^[^\r\n<>]*<?[^\s<>@]+@[^\s<>@]+>?$/,
      'must be an email address, such as "Academy <hello@example.com>"',
    ),
  ),
  TRUST_PROXY: optional(networks),
  JUDGE_URL: optional(origins),
  ADMIN_SECOND_FACTOR: optional(
    text.toLowerCase().pipe(z.enum(['optional', 'required'], { error: 'must be required or optional' })),
  ),
  PUBLISH_CHECK: optional(
    text.toLowerCase().pipe(z.enum(['advisory', 'required'], { error: 'must be required or advisory' })),
  ),
  COURSE_MAX_MB: optional(
    text.regex(/^[1-9]\d{2,5}$/, 'must be a whole number from 100 to 999999').transform(Number),
  ),
  OFFLINE_LESSONS: optional(onOff),
  METRICS_TOKEN: optional(text.min(20, 'must have at least 20 characters')),
  BACKUP_EVERY: optional(backupInterval),
  BACKUP_KEEP: optional(
    text.regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999').transform(Number),
  ),
  LOG_LEVEL: optional(
    text.toLowerCase().pipe(z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })),
  ),
  ASTRO_KEY: optional(
    text.refine(
      (value) => [16, 24, 32].includes(Buffer.from(value, 'base64').length),
      'must be a key made by "npx astro create-key"',
    ),
  ),
});

export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  live: boolean;
  sandbox: { host: string; port: number } | null;
}

export interface Env {
  production: boolean;
  port: number;
  host: string;
  siteUrl: string;
  dataDir: string;
  buildDir: string;
  databaseUrl: string | null;
  seedDemo: boolean;
  stripe: StripeSettings | null;
  paymentSandbox: boolean | null;
  paymentSandboxPort: number;
  s3: S3Settings | null;
  smtpUrl: string | null;
  mailFrom: string;
  trustProxy: readonly string[];
  judgeUrls: readonly string[];
  adminSecondFactor: 'optional' | 'required';
  publishCheck: 'advisory' | 'required';
  courseMaxBytes: number;
  offlineLessons: boolean;
  metricsToken: string | null;
  backups: { everyHours: number; keep: number } | 'elsewhere' | null;
  logLevel: (typeof logLevels)[number];
  astroKey: string | null;
}

function stripeSettings(
  raw: z.output<typeof variables>,
  siteUrl: string,
  sandboxPort: number,
): StripeSettings | null {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  const given = names.filter((name) => raw[name] !== undefined);
  if (given.length === 0) return null;
  for (const name of names) {
    if (raw[name] === undefined) {
      const why = name === 'STRIPE_WEBHOOK_SECRET' ? '; without it no webhook can be checked' : '';
      throw new ConfigurationError(`${name} is missing while ${given[0]} is set${why}`);
    }
  }
  const secretKey = raw.STRIPE_SECRET_KEY!;
  const publishableKey = raw.STRIPE_PUBLISHABLE_KEY!;
  const live = /^(sk|rk)_live_/.test(secretKey);
  if (live !== publishableKey.startsWith('pk_live_')) {
    throw new ConfigurationError(
      `STRIPE_PUBLISHABLE_KEY is a ${live ? 'test' : 'live'} key while STRIPE_SECRET_KEY is a ${live ? 'live' : 'test'} key`,
    );
  }
  if (live && raw.PAYMENT_SANDBOX_PORT !== undefined) {
    throw new ConfigurationError(
      'PAYMENT_SANDBOX_PORT is set while STRIPE_SECRET_KEY is a live key: the payment sandbox never runs beside live keys',
    );
  }
  if (raw.PAYMENT_SANDBOX && !secretKey.startsWith(SANDBOX_SECRET_PREFIX)) {
    throw new ConfigurationError(
      'PAYMENT_SANDBOX is on while STRIPE_SECRET_KEY is a key of the card provider: unset one of them',
    );
  }
  if (live && !siteUrl.startsWith('https:')) {
    throw new ConfigurationError('SITE_URL must be an https address while STRIPE_SECRET_KEY is a live key');
  }
  const sandbox = secretKey.startsWith(SANDBOX_SECRET_PREFIX)
    ? { host: '127.0.0.1', port: sandboxPort }
    : null;
  return { secretKey, publishableKey, webhookSecret: raw.STRIPE_WEBHOOK_SECRET!, live, sandbox };
}

function s3Settings(raw: z.output<typeof variables>): S3Settings | null {
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const given = [...needed, 'S3_ENDPOINT' as const, 'S3_REGION' as const].find(
    (name) => raw[name] !== undefined,
  );
  if (!given) return null;
  for (const name of needed) {
    if (raw[name] === undefined) throw new ConfigurationError(`${name} is missing while ${given} is set`);
  }
  if (!raw.S3_ENDPOINT && !raw.S3_REGION) {
    throw new ConfigurationError('S3_ENDPOINT or S3_REGION is missing while S3_BUCKET is set');
  }
  return {
    endpoint: raw.S3_ENDPOINT ?? null,
    region: raw.S3_REGION ?? 'us-east-1',
    bucket: raw.S3_BUCKET!,
    accessKeyId: raw.S3_ACCESS_KEY_ID!,
    secretAccessKey: raw.S3_SECRET_ACCESS_KEY!,
  };
}

function backupSettings({
  BACKUP_EVERY: every,
  BACKUP_KEEP: keep,
}: z.output<typeof variables>): Env['backups'] {
  if (keep !== undefined && typeof every !== 'number') {
    throw new ConfigurationError('BACKUP_KEEP is set while BACKUP_EVERY is not: say how often, such as 1d');
  }
  return typeof every === 'number' ? { everyHours: every, keep: keep ?? 14 } : (every ?? null);
}

/** Empty means unset, but for the database's. @throws {ConfigurationError} for the first bad one */
export function parseEnv(source: Record<string, string | undefined>): Env {
  for (const name of Object.keys(source)) {
    const problem = problemWithName(name, source, Object.keys(variables.shape));
    if (problem) throw new ConfigurationError(problem);
  }
  if (source.DATABASE_URL?.trim() === '') {
    throw new ConfigurationError(
      'DATABASE_URL is empty: name a database, or unset it for the embedded one in DATA_DIR',
    );
  }
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigurationError(
      `${String(issue?.path[0] ?? 'environment')} ${issue?.message ?? 'is invalid'}`,
    );
  }
  const raw = parsed.data;
  const port = raw.PORT ?? 4321;
  const siteUrl = raw.SITE_URL ?? `http://localhost:${port}`;
  const paymentSandboxPort = raw.PAYMENT_SANDBOX_PORT ?? 4242;
  const stripe = stripeSettings(raw, siteUrl, paymentSandboxPort);
  const live = stripe?.live ?? false;
  if (live && raw.SEED_DEMO) {
    throw new ConfigurationError(
      'SEED_DEMO is on while STRIPE_SECRET_KEY is a live key: the demo accounts have a published password',
    );
  }
  if (raw.SMTP_URL && !raw.MAIL_FROM) {
    throw new ConfigurationError('MAIL_FROM is missing while SMTP_URL is set');
  }
  if (raw.MAIL_FROM && !raw.SMTP_URL) {
    throw new ConfigurationError(
      'SMTP_URL is missing while MAIL_FROM is set: no mail would leave; set it, or unset MAIL_FROM',
    );
  }
  if (paymentSandboxPort === port) {
    throw new ConfigurationError(`PAYMENT_SANDBOX_PORT must differ from PORT (both are ${port})`);
  }
  const buildDir = resolve(PROJECT_FOLDER, raw.BUILD_DIR ?? 'dist');
  const inside = relative(PROJECT_FOLDER, buildDir);
  // The built server imports packages and sources by walking up from where it lies.
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || resolve(inside) === inside) {
    throw new ConfigurationError('BUILD_DIR must lie inside the repository folder, such as dist-2');
  }
  if (/^(src|db|public|scripts|tests|node_modules|\.git)(\/|\\|$)/.test(inside)) {
    throw new ConfigurationError(`BUILD_DIR must not be a source folder (is ${inside})`);
  }
  return deepFreeze({
    production: raw.NODE_ENV === 'production',
    port,
    host: raw.HOST ?? '127.0.0.1',
    siteUrl,
    dataDir: resolve(PROJECT_FOLDER, raw.DATA_DIR ?? '.data'),
    buildDir,
    databaseUrl: raw.DATABASE_URL ?? null,
    seedDemo:
      raw.SEED_DEMO ?? (!raw.DATABASE_URL && !live && isThisMachine(siteUrl, raw.HOST ?? '127.0.0.1')),
    stripe,
    paymentSandbox: raw.PAYMENT_SANDBOX ?? null,
    paymentSandboxPort,
    s3: s3Settings(raw),
    smtpUrl: raw.SMTP_URL ?? null,
    mailFrom: raw.MAIL_FROM ?? `Academy <no-reply@${new URL(siteUrl).hostname}>`,
    trustProxy: raw.TRUST_PROXY ?? [],
    judgeUrls: raw.JUDGE_URL ?? [],
    adminSecondFactor: raw.ADMIN_SECOND_FACTOR ?? 'optional',
    publishCheck: raw.PUBLISH_CHECK ?? 'advisory',
    courseMaxBytes: (raw.COURSE_MAX_MB ?? 8192) * 1_048_576,
    offlineLessons: raw.OFFLINE_LESSONS ?? true,
    metricsToken: raw.METRICS_TOKEN ?? null,
    backups: backupSettings(raw),
    logLevel: raw.LOG_LEVEL ?? 'info',
    astroKey: raw.ASTRO_KEY ?? null,
  });
}

export function isLocalAddress(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|.+\.localhost)$/.test(host);
}

function isThisMachine(siteUrl: string, host: string): boolean {
  return isLocalAddress(new URL(siteUrl).hostname) && isLocalAddress(host);
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) {
    if (inner && typeof inner === 'object') deepFreeze(inner as object);
  }
  return Object.freeze(value);
}

let current: Readonly<Env> | undefined;

/** Read once, from the environment and from `.env`, which never overrides. */
export function env(): Readonly<Env> {
  current ??= readEnvironment();
  return current;
}

function readEnvironment(): Readonly<Env> {
  const file = join(PROJECT_FOLDER, '.env');
  if (existsSync(file)) {
    const problem = problemWithSettingsFile(settingsText(file));
    if (problem) throw new ConfigurationError(problem);
    process.loadEnvFile(file);
  }
  return parseEnv(process.env);
}

function settingsText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(
      `.env cannot be read (${(error as NodeJS.ErrnoException).code}): make it a file that this user may read`,
    );
  }
}

/** For the boot, which learns database and sandbox keys after starting them, and for tests. */
export function setEnvironment(values: Record<string, string | undefined>): Readonly<Env> {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  current = undefined;
  return env();
}
