import { afterEach, expect, test } from 'vitest';
import { setEnvironment } from './env.ts';
import { startWarnings } from './start-checks.ts';

afterEach(() => setEnvironment({ SITE_URL: undefined, SMTP_URL: undefined, MAIL_FROM: undefined }));

test('a site at a public address that sends no mail is warned of', () => {
  setEnvironment({ SITE_URL: 'https://academy.example' });
  const [line, ...more] = startWarnings();
  expect(line).toMatch(/^SMTP_URL is not set: no mail leaves https:\/\/academy\.example/);
  expect(line).not.toContain('\n');
  expect(more).toEqual([]);
});

test('one that sends them, or is for this machine alone, is not', () => {
  setEnvironment({
    SITE_URL: 'https://academy.example',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'a@b.example',
  });
  expect(startWarnings()).toEqual([]);
  setEnvironment({ SITE_URL: 'http://localhost:4321', SMTP_URL: undefined, MAIL_FROM: undefined });
  expect(startWarnings()).toEqual([]);
});
