import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { dailyMailJob } from '#src/server/mail/daily-mail.ts';
import {
  answerMailLink,
  closedChoicesUrl,
  mailChoicesPath,
  openChoicesUrl,
  readerOf,
  setMailChoices,
} from '#src/server/mail/mail-choices.ts';
import { deliverMail, queueMail } from '#src/server/mail/mail.ts';
import { env } from '#src/server/start/env.ts';
import { mailsTo } from '../../support/account.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';

const reader = (values: Parameters<typeof makeUser>[0] = {}) =>
  makeUser({ emailVerifiedAt: new Date(), ...values });
const news = (to: string, subject: string, template: 'course-news' | 'lesson-questions' = 'course-news') =>
  queueMail(db(), {
    template,
    to,
    subject,
    content: {
      title: subject,
      paragraphs: ['Hello Ada,', `About ${subject}.`],
      action: { label: 'Read', url: `${env().siteUrl}/learn/1` },
    },
  });
const gather = () => dailyMailJob.run(undefined, { isLast: false });
const digests = async (email: string) =>
  (await mailsTo(email)).filter(({ template }) => template === 'daily-digest');

describe('news of a day', () => {
  it('come in one mail, whatever they are about', async () => {
    const user = await reader();
    await news(user.email, 'A new lesson');
    await news(user.email, 'An answer');
    await news(user.email, 'A question', 'lesson-questions');
    expect((await mailsTo(user.email)).map(({ status }) => status)).toEqual(Array(3).fill('gathered'));
    await Promise.all([gather(), gather()]);
    await gather();
    const [mail, ...more] = await digests(user.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: '3 pieces of news in your courses', status: 'queued' });
    expect(mail!.text).toContain(`A new lesson\n\nAbout A new lesson.`.replace('\n\n', '\n'));
    expect(mail!.unsubscribeUrl).toBe(closedChoicesUrl(['learning', 'teaching']));
    const others = (await mailsTo(user.email)).filter(({ id }) => id !== mail!.id);
    expect(others.map(({ status }) => status)).toEqual(Array(3).fill('sent'));
    expect(JSON.stringify(others)).not.toContain('token=');
  });

  it('come at once for a person who chose so, and not at all where mails are off or the address is not proven', async () => {
    const [now, off, unproven] = [
      await reader({ learningMail: 'at_once' }),
      await reader({ learningMail: 'off' }),
      await reader({ emailVerifiedAt: null }),
    ];
    for (const { email } of [now, off, unproven]) await news(email, 'A new lesson');
    expect((await mailsTo(now.email)).map(({ status }) => status)).toEqual(['queued']);
    expect((await mailsTo(now.email))[0]!.text).toContain(closedChoicesUrl(['learning']));
    expect([await mailsTo(off.email), await mailsTo(unproven.email)]).toEqual([[], []]);
  });

  it('that were gathered before a category was switched off, or the account went, are dropped', async () => {
    const [user, gone] = [await reader(), await reader()];
    await news(user.email, 'A new lesson');
    await news(user.email, 'A question', 'lesson-questions');
    await news(gone.email, 'A new lesson');
    await setMailChoices(user.id, { learning: 'off' });
    await db().delete(users).where(eq(users.id, gone.id));
    await gather();
    const [mail] = await digests(user.email);
    expect(mail!.subject).toBe('A question');
    expect(await digests(gone.email)).toEqual([]);
    expect(await db().$count(mailOutbox, eq(mailOutbox.status, 'gathered'))).toBe(0);
  });

  it('reach the address that the account has by then', async () => {
    const user = await reader();
    await news(user.email, 'A new lesson');
    await db()
      .update(users)
      .set({ email: `new-${user.email}` })
      .where(eq(users.id, user.id));
    await gather();
    expect(await digests(`new-${user.email}`)).toHaveLength(1);
  });
});

it('the link that stops mails is in a sent mail and its headers, and never in the outbox', async () => {
  const user = await reader({ learningMail: 'at_once' });
  await news(user.email, 'A new lesson');
  const [mail] = await mailsTo(user.email);
  await deliverMail.run({ outboxId: mail!.id }, { isLast: true });
  const folder = join(env().dataDir, 'mail');
  const name = (await readdir(folder)).find((one) => one.startsWith(`outbox-${mail!.id}.`));
  const [head, ...body] = (await readFile(join(folder, name!), 'utf8')).split('\n\n');
  const url = await openChoicesUrl(closedChoicesUrl(['learning']), user.id);
  expect(head!.replace(/\n\s+/g, ' ')).toContain(`List-Unsubscribe: <${url}>`);
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(body.join('\n').replace(/=\n/g, '').replaceAll('=3D', '=')).toContain(url);
  expect(JSON.stringify(await mailsTo(user.email))).not.toContain('token=');
});

describe('the link in a mail', () => {
  const ask = (url: string, form?: Record<string, string>) =>
    answerMailLink(new Request(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {}));
  const choicesOf = async (id: number) => {
    const { learning, teaching, organisation } = (await readerOf(db(), { id }))!;
    return [learning, teaching, organisation];
  };

  it('shows the choices that concern its reader, and changes nothing by itself', async () => {
    const [user, admin] = [await reader(), await makeAdmin()];
    const url = await openChoicesUrl(closedChoicesUrl(['learning']), user.id);
    expect(await ask(url)).toMatchObject({ shown: ['learning'], offer: 'mails about courses you take' });
    expect((await ask(env().siteUrl + (await mailChoicesPath(admin.id))))!.shown).toEqual([
      'learning',
      'teaching',
    ]);
    expect(await choicesOf(user.id)).toEqual(['daily', 'daily', 'daily']);
  });

  it('stops its categories by one click, of the page or of a mail program', async () => {
    const user = await reader();
    const url = await openChoicesUrl(closedChoicesUrl(['learning', 'teaching']), user.id);
    expect((await ask(url, { 'List-Unsubscribe': 'One-Click' }))!.saved).toMatch(/^You get no more/);
    expect(await choicesOf(user.id)).toEqual(['off', 'off', 'daily']);
    await ask(url, { learning: 'at_once', teaching: 'daily', organisation: 'off' });
    expect(await choicesOf(user.id)).toEqual(['at_once', 'daily', 'off']);
    await ask(url, { stop: 'yes' });
    expect(await choicesOf(user.id)).toEqual(['off', 'off', 'off']);
  });

  it('takes only known choices', async () => {
    const user = await reader();
    await ask(env().siteUrl + (await mailChoicesPath(user.id)), {
      learning: 'hourly',
      account: 'off',
      teaching: 'off',
    });
    expect(await choicesOf(user.id)).toEqual(['daily', 'off', 'daily']);
  });

  it('proves one account alone', async () => {
    const [user, other] = [await reader(), await reader()];
    const url = await openChoicesUrl(closedChoicesUrl(['learning']), user.id);
    for (const forged of [
      url.replace(/user=\d+/, `user=${other.id}`),
      url.replace(/token=.*/, 'token='),
      url.replace(/token=.*/, 'token=%00'),
      url.replace(/user=\d+/, 'user=1e3'),
    ])
      expect(await ask(forged, { stop: 'yes' })).toBeNull();
    expect(await choicesOf(other.id)).toEqual(['daily', 'daily', 'daily']);
    await db().delete(users).where(eq(users.id, user.id));
    expect(await ask(url)).toBeNull();
  });
});
