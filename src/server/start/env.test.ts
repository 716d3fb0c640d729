import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseEnv } from './env.ts';

const testKeys = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};
const liveKeys = {
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  SITE_URL: 'https://academy.example',
};

test('without any variable the defaults of the documentation hold', () => {
  const env = parseEnv({});
  expect(env).toMatchObject({
    port: 4321,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:4321',
    databaseUrl: null,
    seedDemo: true,
    stripe: null,
    paymentSandboxPort: 4242,
    trustProxy: [],
    logLevel: 'info',
  });
  expect(env.dataDir).toMatch(/[\\/]\.data$/);
  expect(env.buildDir).toMatch(/[\\/]dist$/);
});

test('an empty variable counts as unset, and spaces around a value do not matter', () => {
  expect(parseEnv({ S3_BUCKET: '  ', PORT: '' }).s3).toBeNull();
  expect(parseEnv({ PORT: ' 8080 ' }).port).toBe(8080);
});

test('the site address follows the port and loses its slash', () => {
  expect(parseEnv({ PORT: '8080' }).siteUrl).toBe('http://localhost:8080');
  expect(parseEnv({ SITE_URL: 'https://Academy.example/' }).siteUrl).toBe('https://academy.example');
});

test('the demo is off with a database of one’s own, unless asked for', () => {
  const DATABASE_URL = 'postgres://u:p@db.example/academy';
  expect(parseEnv({ DATABASE_URL }).seedDemo).toBe(false);
  expect(parseEnv({ DATABASE_URL, SEED_DEMO: 'on' }).seedDemo).toBe(true);
  expect(parseEnv({ SEED_DEMO: 'off' }).seedDemo).toBe(false);
  // The demo accounts' password is published: whoever opens the site to others has to ask for them.
  expect(parseEnv({ SITE_URL: 'https://academy.example' }).seedDemo).toBe(false);
  expect(parseEnv({ HOST: '0.0.0.0' }).seedDemo).toBe(false);
  expect(parseEnv({ HOST: '0.0.0.0', SEED_DEMO: 'on' }).seedDemo).toBe(true);
});

test('keys of the provider and of the sandbox are told apart', () => {
  expect(parseEnv(liveKeys).stripe).toMatchObject({ live: true, sandbox: null });
  expect(parseEnv(testKeys).stripe).toMatchObject({ live: false, sandbox: null });
  expect(
    parseEnv({ ...testKeys, STRIPE_SECRET_KEY: 'sk_test_sandbox_1', PAYMENT_SANDBOX_PORT: '5001' }).stripe,
  ).toMatchObject({ live: false, sandbox: { host: '127.0.0.1', port: 5001 } });
});

test('networks of one’s own are believed, of either kind', () => {
  const list = ['10.0.0.0/8', '192.168.0.0/16', 'fc00::/7', '::1', '203.0.113.7'];
  expect(parseEnv({ TRUST_PROXY: list.join(', ') }).trustProxy).toEqual(list);
});

test('nobody can change the settings', () => {
  const env = parseEnv({ ...testKeys, TRUST_PROXY: '10.0.0.0/8' });
  expect(Object.isFrozen(env) && Object.isFrozen(env.stripe) && Object.isFrozen(env.trustProxy)).toBe(true);
});

test('the largest course is a number of MB', () => {
  expect(parseEnv({}).courseMaxBytes).toBe(8192 * 1_048_576);
  expect(parseEnv({ COURSE_MAX_MB: '500' }).courseMaxBytes).toBe(500 * 1_048_576);
  for (const wrong of ['99', '1e9', '1000000', '-500']) {
    expect(() => parseEnv({ COURSE_MAX_MB: wrong })).toThrow('COURSE_MAX_MB must be a whole number');
  }
});

describe('the second factor of administrators', () => {
  test('is a choice unless it is required, and nothing else', () => {
    expect(parseEnv({}).adminSecondFactor).toBe('optional');
    expect(parseEnv({ ADMIN_SECOND_FACTOR: 'Required' }).adminSecondFactor).toBe('required');
    expect(() => parseEnv({ ADMIN_SECOND_FACTOR: 'yes' })).toThrow(
      'ADMIN_SECOND_FACTOR must be required or optional',
    );
  });
});

describe('a wrong value is refused in one line that names it', () => {
  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80.5' }],
    ['SITE_URL', { SITE_URL: 'academy.example' }],
    ['SITE_URL', { SITE_URL: 'ftp://academy.example' }],
    ['SITE_URL', { SITE_URL: 'https://academy.example/path' }],
    ['SITE_URL', { SITE_URL: 'https://user@academy.example' }],
    ['SITE_URL', { SITE_URL: 'https://academy.example?x' }],
    ['BUILD_DIR', { BUILD_DIR: '/tmp/dist' }],
    ['BUILD_DIR', { BUILD_DIR: '.' }],
    ['BUILD_DIR', { BUILD_DIR: '../dist' }],
    ['BUILD_DIR', { BUILD_DIR: 'src/built' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://u:p@h/d' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://u:p@h' }],
    ['SEED_DEMO', { SEED_DEMO: 'perhaps' }],
    ['STRIPE_SECRET_KEY', { ...testKeys, STRIPE_SECRET_KEY: 'pk_test_abc' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...testKeys, STRIPE_PUBLISHABLE_KEY: '' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...testKeys, STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...liveKeys, STRIPE_PUBLISHABLE_KEY: 'pk_test_abc' }],
    ['STRIPE_WEBHOOK_SECRET', { ...testKeys, STRIPE_WEBHOOK_SECRET: '' }],
    ['STRIPE_SECRET_KEY', { STRIPE_WEBHOOK_SECRET: 'whsec_abc' }],
    ['PAYMENT_SANDBOX_PORT', { ...liveKeys, PAYMENT_SANDBOX_PORT: '4242' }],
    ['PAYMENT_SANDBOX_PORT', { PORT: '4242' }],
    ['SITE_URL', { ...liveKeys, SITE_URL: 'http://academy.example' }],
    ['SEED_DEMO', { ...liveKeys, SEED_DEMO: 'on' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example' }],
    ['SMTP_URL', { MAIL_FROM: 'Academy <hello@academy.example>' }],
    ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
    ['MAIL_FROM', { MAIL_FROM: 'A <a@b.example>\nBcc: x@y.example' }],
    ['SMTP_URL', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@b.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1, ::/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/1 128.0.0.0/1' }],
    ['TRUST_PROXY', { TRUST_PROXY: '::ffff:0:0/96' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['ASTRO_KEY', { ASTRO_KEY: 'abc' }],
    ['SELLS_TO_EU_CONSUMERS is no setting any more', { SELLS_TO_EU_CONSUMERS: 'off' }],
  ])('%s: %j', (name, values) => {
    let failure: unknown;
    try {
      parseEnv(values);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(ConfigurationError);
    const { message } = failure as Error;
    expect(message.startsWith(name), message).toBe(true);
    expect(message).not.toContain('\n');
  });

  test('secrets do not show in it', () => {
    expect(() => parseEnv({ STRIPE_SECRET_KEY: 'oops_very_secret' })).toThrow(/^(?!.*very_secret)/);
    expect(() => parseEnv({ DATABASE_URL: 'http://u:hunter2@h/d' })).toThrow(/^(?!.*hunter2)/);
  });
});

describe('the object store', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  test('is the data folder where nothing is said', () => {
    expect(parseEnv({}).s3).toBeNull();
    expect(parseEnv({ S3_BUCKET: ' ', S3_ENDPOINT: '' }).s3).toBeNull();
  });

  test('is Amazon’s by its region, any other by its address', () => {
    expect(parseEnv({ S3_BUCKET: 'files', S3_REGION: 'eu-central-1', ...keys }).s3).toEqual({
      endpoint: null,
      region: 'eu-central-1',
      bucket: 'files',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    expect(
      parseEnv({ S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example.com/', ...keys }).s3,
    ).toMatchObject({
      endpoint: 'https://s3.example.com',
      region: 'us-east-1',
    });
  });

  test.each([
    [{ S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }, 'S3_ACCESS_KEY_ID is missing while S3_BUCKET is set'],
    [{ S3_ENDPOINT: 'https://s3.example.com' }, 'S3_BUCKET is missing while S3_ENDPOINT is set'],
    [{ S3_BUCKET: 'files', ...keys }, 'S3_ENDPOINT or S3_REGION is missing while S3_BUCKET is set'],
    [{ S3_BUCKET: '../files' }, 'S3_BUCKET must be the name of a bucket'],
    [{ S3_ENDPOINT: 's3.example.com' }, 'S3_ENDPOINT must be an http or https address'],
  ])('is refused half said: %j', (variables, message) => {
    expect(() => parseEnv(variables)).toThrow(message);
  });
});
