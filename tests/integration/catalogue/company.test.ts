import { desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { contactMessages } from '#db/schema/company.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { siteFacts } from '#src/features/company/site-facts.server.ts';
import { POST } from '#src/pages/api/contact.ts';
import { callRoute } from '../../support/api.ts';

const message = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'Ada@Example.com',
  subject: 'An engine',
  message: 'We need two engineers for an analytical engine.',
  website: '',
  elapsedMs: 60_000,
};

let lastAddress = 0;
/** An address of its own, so that one test's messages do not use up another's. */
const freshIp = () => `198.51.100.${++lastAddress}`;

const send = (changes: Record<string, unknown> = {}, ip = freshIp()) =>
  callRoute(POST, { path: '/api/contact', body: { ...message, ...changes }, ip });

const stored = () => db().select().from(contactMessages).orderBy(desc(contactMessages.id));
const mails = () => db().select().from(mailOutbox).orderBy(desc(mailOutbox.id));

describe('POST /api/contact', () => {
  it('stores the message and queues a mail to the firm with the sender as the one to reply to', async () => {
    const answer = await send();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: 'Your message has arrived.' });
    const [row] = await stored();
    expect(row).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      subject: 'An engine',
      message: message.message,
      status: 'new',
    });
    const [mail] = await mails();
    expect(mail).toMatchObject({
      recipient: (await siteFacts()).email,
      replyTo: 'ada@example.com',
      subject: 'Contact form: An engine',
      status: 'queued',
    });
    expect(mail!.text).toContain(message.message);
    expect(mail!.text).toContain('Ada Lovelace (ada@example.com)');
  });

  it.each([
    ['firstName', '', 'First Name is required'],
    ['firstName', '   ', 'First Name is required'],
    ['firstName', 'x'.repeat(81), 'First Name must be at most 80 characters'],
    ['lastName', undefined, 'Last Name must be text'],
    ['lastName', 'x'.repeat(81), 'Last Name must be at most 80 characters'],
    ['lastName', 'a\0b', 'Last Name contains characters that cannot be stored'],
    ['email', 'ada@', 'Please enter a valid email address'],
    ['email', `${'a'.repeat(250)}@b.co`, 'Please enter a valid email address'],
    ['email', ['a@example.com', 'b@example.com'], 'Please enter a valid email address'],
    ['subject', '', 'Subject is required'],
    ['subject', 'x'.repeat(151), 'Subject must be at most 150 characters'],
    ['message', '123456789', 'Message must be at least 10 characters'],
    ['message', 'x'.repeat(5001), 'Message must be at most 5000 characters'],
    ['message', { $gt: '' }, 'Message must be text'],
  ])('refuses %s %j at the field', async (field, value, text) => {
    const before = (await stored()).length;
    const answer = await send({ [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_input', message: text, fields: { [field]: text } });
    expect((await stored()).length).toBe(before);
  });

  it('takes every field at its limits, counted in characters', async () => {
    const answer = await send({
      firstName: 'é'.repeat(80),
      lastName: '🚀'.repeat(80),
      subject: 's'.repeat(150),
      message: '🚀'.repeat(5000),
    });
    expect(answer.status).toBe(201);
    const [row] = await stored();
    expect([...row!.message]).toHaveLength(5000);
  });

  it.each(['subject', 'firstName', 'lastName', 'email'])(
    'refuses a line break in %s, so that no header can be added to the mail',
    async (field) => {
      const before = (await mails()).length;
      const answer = await send({ [field]: 'ada@example.com\r\nBcc: everyone@example.com' });
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toHaveProperty(field);
      expect((await mails()).length).toBe(before);
    },
  );

  it.each([
    ['the hidden field is filled', { website: 'https://spam.example' }],
    ['it was written in less than three seconds', { elapsedMs: 2999 }],
    ['the time is nonsense', { elapsedMs: -1 }],
  ])('keeps a message as spam and mails nobody when %s', async (_, changes) => {
    const before = (await mails()).length;
    const answer = await send({ ...changes, subject: 'Cheap watches' });
    expect(answer.status).toBe(201);
    const [row] = await stored();
    expect(row).toMatchObject({ subject: 'Cheap watches', status: 'spam' });
    expect((await mails()).length).toBe(before);
  });

  it('ignores what is not its to set', async () => {
    const answer = await send({ id: 1, status: 'replied', createdAt: '2001-01-01', subject: 'Mass' });
    expect(answer.status).toBe(201);
    const [row] = await stored();
    expect(row).toMatchObject({ subject: 'Mass', status: 'new' });
    expect(row!.createdAt.getFullYear()).toBeGreaterThan(2001);
  });

  it('refuses the eleventh message of an address within ten minutes, and not another address', async () => {
    const ip = freshIp();
    for (let count = 0; count < 10; count += 1) expect((await send({}, ip)).status).toBe(201);
    const answer = await send({}, ip);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send()).status).toBe(201);
  });

  it('does not count what it refused', async () => {
    const ip = freshIp();
    for (let count = 0; count < 8; count += 1) expect((await send({ subject: '' }, ip)).status).toBe(400);
    expect((await send({}, ip)).status).toBe(201);
  });

  it('refuses a form that another site posts', async () => {
    const answer = await callRoute(POST, {
      path: '/api/contact',
      body: message,
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
  });

  it('takes JSON only', async () => {
    const answer = await callRoute(POST, {
      path: '/api/contact',
      body: 'firstName=Ada',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
  });
});
