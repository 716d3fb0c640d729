import { expect, test } from 'vitest';
import { parseEnv } from './env.ts';
import { problemWithSettingsFile } from './setting-names.ts';

test.each([
  ['DATABASE_URl', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['SITE_ULR', 'SITE_URL'],
  ['DATA_DRI', 'DATA_DIR'],
  ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_KEY', 'STRIPE_SECRET_KEY'],
  ['SMTP_URI', 'SMTP_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['port', 'PORT'],
])('%s is refused in one line that names %s', (written, meant) => {
  const refused = () => parseEnv({ [written]: '' });
  expect(refused).toThrow(written);
  expect(refused).toThrow(meant === 'STRIPE_SECRET_KEY' ? /STRIPE_/ : meant);
});

test('the address of a database under another name does not lead to the embedded one', () => {
  const url = 'postgres://user:secret-word@host/academy';
  expect(() => parseEnv({ POSTGRES_URL: url })).toThrow(/POSTGRES_URL names a database.*DATABASE_URL/);
  expect(() => parseEnv({ POSTGRES_URL: url })).not.toThrow(/secret-word/);
  expect(parseEnv({ POSTGRES_URL: url, DATABASE_URL: url }).databaseUrl).toBe(url);
  expect(() => parseEnv({ DATABASE_URL: '' })).toThrow(/DATABASE_URL is empty/);
  expect(() => parseEnv({ DATABASE_URL: ' ' })).toThrow(/DATABASE_URL is empty/);
});

test('variables of other programs are left alone', () => {
  const others = {
    PATH: '/bin',
    HOSTNAME: 'here',
    HOSTTYPE: 'x86_64',
    MAIL: '/var/mail/me',
    BUILD_ID: '7',
    BASE_URL: 'https://x.example',
    NODE_VERSION: '24',
    NODE_OPTIONS: '',
    AWS_REGION: 'eu-central-1',
    XDG_DATA_DIRS: '/usr/share',
    STRIPE_API_KEY: 'sk_test_1',
    DATABASE_SERVICE_HOST: '10.0.0.1',
    DATABASE_PORT: 'tcp://10.0.0.1:5432',
    DATABASE_PORT_5432_TCP_ADDR: '10.0.0.1',
    JUDGE_PORT: '4330',
    TEST_DATABASE_URL: 'postgres://u:p@host/test',
    ASTRO_TELEMETRY_DISABLED: '1',
    npm_config_user_agent: 'npm',
  };
  expect(parseEnv(others)).toEqual(parseEnv({}));
});

test('a settings file is read line by line, and a line that is none is named without being shown', () => {
  expect(
    problemWithSettingsFile(
      '# a remark\n\nPORT=1\nexport HOST = "::1" # why\r\nASTRO_KEY=a=b\nMAIL_FROM="two\nlines"\nEMPTY=\n',
    ),
  ).toBeNull();
  expect(problemWithSettingsFile('PORT=1\nsk_live_secret\n')).toBe(
    '.env, line 2, is not of the form NAME=value',
  );
  expect(problemWithSettingsFile('PORT: 4321')).toMatch('line 1');
  expect(problemWithSettingsFile('<<<<<<< HEAD')).toMatch('line 1');
  expect(problemWithSettingsFile('PORT=1\nMAIL_FROM="Academy\nHOST=x\n')).toMatch(/line 2.*not closed/);
});
