import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loggableUrl, loggerOptions } from './log.ts';

function written(content: object): Record<string, unknown> {
  let line = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      line += chunk;
      done();
    },
  });
  pino({ ...loggerOptions(), level: 'info' }, sink).info(content, 'something');
  return JSON.parse(line);
}

test('secrets are blanked at every depth that we log', () => {
  const secret = 'hunter2';
  const line = written({
    password: secret,
    token: secret,
    user: { id: 7, password: secret, sessionId: secret },
    req: { headers: { authorization: secret, cookie: secret, 'set-cookie': [secret], host: 'x' } },
    intent: { clientSecret: secret, client_secret: secret },
  });
  expect(JSON.stringify(line)).not.toContain(secret);
  expect(line).toMatchObject({ user: { id: 7 }, req: { headers: { host: 'x' } }, level: 'info' });
});

test('times are ISO 8601 in UTC', () => {
  expect(written({}).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('an address in the log shows no token', () => {
  expect(loggableUrl('/reset-password?token=abc&x=1')).toBe('/reset-password?token=[redacted]&x=1');
  expect(loggableUrl('/done?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2')).toBe(
    '/done?payment_intent=pi_1&payment_intent_client_secret=[redacted]',
  );
  expect(loggableUrl(`/${'a'.repeat(5_000)}`)).toHaveLength(2_000);
});

test('an address in the log shows no secret that is nested in another parameter', () => {
  expect(loggableUrl('/login?next=%2Fverify-email%3Ftoken%3Dabc%26x%3D1&y=2')).toBe(
    '/login?next=%2Fverify-email%3Ftoken%3D[redacted]%26x%3D1&y=2',
  );
  expect(loggableUrl('/login?next=/claim%3fa=1%26token=abc%2526d&y=2')).toBe(
    '/login?next=/claim%3fa=1%26token=[redacted]&y=2',
  );
  expect(loggableUrl('/login?next=%2Flogin%3Fnext%3D%252Fclaim%253Ftoken%253Dabc%2526x%253D1')).toBe(
    '/login?next=%2Flogin%3Fnext%3D%252Fclaim%253Ftoken%253D[redacted]%2526x%253D1',
  );
});

test('an address in the log names no buyer', () => {
  const buyer = new URLSearchParams({ email: 'ada@x.test', firstName: 'Ada', lastName: 'King & Co' });
  const path = `/purchase-success?course=7&${buyer}`;
  const blanked = '/purchase-success?course=7&email=[redacted]&firstName=[redacted]&lastName=[redacted]';
  expect(loggableUrl(`${path}&payment_intent=pi_1`)).toBe(`${blanked}&payment_intent=pi_1`);
  expect(loggableUrl(`/login?next=${encodeURIComponent(path)}`)).not.toMatch(/ada|king|co\b(?!urse)/i);
});
