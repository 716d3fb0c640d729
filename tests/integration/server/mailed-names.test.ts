import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { POST as changeEmail } from '#src/pages/api/account/email.ts';
import { PUT as changeName } from '#src/pages/api/account/name.ts';
import { POST as register } from '#src/pages/api/auth/register.ts';
import { POST as contact } from '#src/pages/api/contact.ts';
import { POST as direct } from '#src/pages/api/create-direct-payment.ts';
import { POST as saveBuyer } from '#src/pages/api/save-direct-buyer.ts';
import { POST as createAccount } from '#src/pages/api/create-account-after-purchase.ts';
import { POST as openOrganisation } from '#src/pages/api/organisations.ts';
import * as accountMails from '#src/features/account/mails.server.ts';
import { readPeople } from '#src/features/organisations/people-list.ts';
import { mailMemberInvitation, mailSeatOffer } from '#src/features/organisations/mails.server.ts';
import { orderGreeting } from '#src/features/store/orders/order-greeting.server.ts';
import { MAIL_KINDS, type MailKindRules } from '#src/server/mail/mail-kinds.ts';
import { mailLayout } from '#src/server/mail/mail-layout.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { callRoute, signIn } from '../../support/api.ts';

const LINK = 'Claim your prize at evil.test';
let visitors = 0;
const ip = () => `198.18.0.${++visitors}`;
const mailsTo = (recipient: string, template?: string) =>
  db()
    .select()
    .from(mailOutbox)
    .where(
      and(eq(mailOutbox.recipient, recipient), template ? eq(mailOutbox.template, template) : undefined),
    );

describe('a name with an address in it', () => {
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

  it.each([
    [
      'username',
      register,
      { username: LINK, email: 'n1@example.com', password: 'secret-1', confirmPassword: 'secret-1' },
    ],
    ['firstName', contact, { ...person, firstName: LINK, subject: 'Hi', message: 'Hello out there.' }],
    ['lastName', contact, { ...person, lastName: LINK, subject: 'Hi', message: 'Hello out there.' }],
    ['buyer.firstName', direct, { courseId: 1, amount: 0, buyer: { ...person, firstName: LINK } }],
    ['firstName', saveBuyer, { ...person, firstName: LINK, paymentIntentId: 'pi_1234567890' }],
    ['lastName', createAccount, { ...person, lastName: LINK, password: 'secret-1' }],
  ] as const)('is refused at %s (%#)', async (field, route, body) => {
    const answer = await callRoute(route, { body, ip: ip() });
    expect(answer.status).toBe(400);
    expect(answer.body.fields[field]).toMatch(/must not hold a web or mail address/);
  });

  it('is refused where somebody who is signed in changes it, or names an organisation', async () => {
    const as = await signIn(await makeUser({ emailVerifiedAt: new Date() }));
    const renamed = await callRoute(changeName, { method: 'PUT', body: { username: LINK }, as });
    const opened = await callRoute(openOrganisation, { body: { name: 'evil.test?x' }, as });
    expect([renamed.status, opened.status]).toEqual([400, 400]);
    expect(Object.keys(renamed.body.fields)).toEqual(['username']);
    expect(Object.keys(opened.body.fields)).toEqual(['name']);
  });

  it('of before the rule gives way to other words, in every mail of an account', async () => {
    const user = await makeUser({ username: LINK, emailVerifiedAt: new Date() });
    await accountMails.mailPasswordChanged(db(), user);
    await accountMails.mailFactorChanged(db(), user, 'app-added');
    const { text } = mailLayout({ title: 'x', paragraphs: [`Hello ${LINK},`, 'y'] });
    const mails = await mailsTo(user.email);
    expect(mails).toHaveLength(2);
    for (const mail of [...mails, { text, html: text, subject: '' }]) {
      expect(JSON.stringify(mail)).not.toContain('evil');
      expect(mail.text).toContain('Hello,');
    }
  });
});

describe('an address that nobody has proven', () => {
  const NAME = 'Your account is locked';

  it('is told no name of an account', async () => {
    const user = await makeUser({ username: NAME });
    await accountMails.mailVerificationLink(db(), user, 'x'.repeat(43), 24, []);
    await accountMails.mailEmailChangeLink(db(), user, 'x'.repeat(43), 24);
    await accountMails.mailResetLink(db(), user, 'x'.repeat(43), 60, `reset:${user.id}`);
    const mails = await mailsTo(user.email);
    expect(mails).toHaveLength(3);
    expect(JSON.stringify(mails)).not.toContain(NAME);

    await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, user.id));
    const [proven] = await db().select().from(users).where(eq(users.id, user.id));
    await accountMails.mailPasswordChanged(db(), proven!);
    expect((await mailsTo(user.email, 'password-changed'))[0]!.text).toContain(`Hello ${NAME},`);
  });

  it('is told no name of an order', async () => {
    const user = await makeUser({ emailVerifiedAt: new Date() });
    const unproven = await makeUser();
    const order = (userId: number | null, buyerEmail: string) => ({
      userId,
      buyerEmail,
      buyerFirstName: NAME,
    });
    expect(await orderGreeting(db(), order(null, user.email))).toBe('Hello,');
    expect(await orderGreeting(db(), order(unproven.id, unproven.email))).toBe('Hello,');
    expect(await orderGreeting(db(), order(user.id, 'somebody@example.com'))).toBe('Hello,');
    expect(await orderGreeting(db(), order(user.id, user.email))).toBe(`Hello ${NAME},`);
  });

  it('is told the organisation that invites, and a sender by a proven address alone', async () => {
    const by = { name: 'Grace Hopper', email: 'grace@acme.example' };
    const secret = 'x'.repeat(43);
    const to = 'never-seen@example.com';
    const expiresAt = new Date('2030-01-02T12:00:00Z');
    const member = { to, role: 'manager' as const, expiresAt, secret };
    const seat = { to, title: 'C++', about: 'Pointers, slowly.', dueOn: '2030-12-31', secret };
    await mailMemberInvitation(db(), { ...member, organisation: 'Acme Ltd', by });
    await mailSeatOffer(db(), { ...seat, organisation: 'Acme Ltd', by });
    const [invitation] = await mailsTo(to, 'organisation-invitation');
    expect(invitation!.subject).toContain('Run Acme Ltd with us');
    expect(invitation!.text).toContain('Grace Hopper (grace@acme.example) of Acme Ltd invites you');
    expect(invitation!.text).toContain('until Jan 2, 2030');
    const [offer] = await mailsTo(to, 'seat-offer');
    expect(offer!.subject).toContain('Acme Ltd: your place in “C++”');
    expect(offer!.text).toContain('from Grace Hopper (grace@acme.example) of Acme Ltd');
    expect(offer!.text).toContain('Pointers, slowly.');
    expect(offer!.text).toContain('Please finish by Dec 31, 2030.');

    const other = 'other@example.com';
    await mailMemberInvitation(db(), {
      ...member,
      to: other,
      organisation: LINK,
      by: { ...by, name: LINK },
    });
    await mailSeatOffer(db(), { ...seat, to: other, organisation: LINK, by: null });
    const mails = JSON.stringify(await mailsTo(other));
    expect(mails).not.toContain('evil');
    expect((await mailsTo(other, 'seat-offer'))[0]!.text).toContain('waits for you, from an organization.');
  });
});

describe('mails to one address', () => {
  const mail = { subject: 'S', content: { title: 'S', paragraphs: ['T'] } };

  it.each<[string, MailKindRules]>(Object.entries(MAIL_KINDS))(
    'of the kind %s are limited in a day',
    async (template, { perDay, beyond, choice }: MailKindRules) => {
      const to = `${template}@flooded.example`;
      const queued = choice === 'daily' ? 'gathered' : 'queued';
      for (const email of choice ? [to, `other-${to}`] : [])
        await makeUser({ email, emailVerifiedAt: new Date() });
      const kind = template as keyof typeof MAIL_KINDS;
      const earlier = (count: number) =>
        db()
          .insert(mailOutbox)
          .values(
            Array.from({ length: count }, () => ({
              subject: 'S',
              text: 'T',
              template,
              recipient: to,
              status: 'sent' as const,
            })),
          );
      await earlier(perDay - 1);
      await queueMail(db(), { ...mail, to, template: kind });
      await queueMail(db(), { ...mail, to, template: kind });
      const rows = (await mailsTo(to)).filter(({ status }) => status === queued);
      const late = rows.filter(({ dueAt }) => dueAt.getTime() > Date.now() + 23 * 3_600_000);
      expect([rows.length, late.length]).toEqual(beyond === 'waits' ? [2, 1] : [1, 0]);
      // Another address and another kind have numbers of their own.
      await queueMail(db(), { ...mail, to: `other-${to}`, template: kind });
      expect(await mailsTo(`other-${to}`)).toHaveLength(1);
    },
  );
});

describe('an address that can have no mailbox', () => {
  const NOWHERE = ['preview-1-3@preview.invalid', 'ADA@Sub.Invalid', 'ada@mail.localhost'];

  it.each(NOWHERE)('is refused: %s', async (email) => {
    const person = { firstName: 'Ada', lastName: 'Lovelace', email };
    const as = await signIn(await makeUser());
    const answers = [
      await callRoute(register, {
        body: { username: 'Ada', email, password: 'secret-1', confirmPassword: 'secret-1' },
        ip: ip(),
      }),
      await callRoute(changeEmail, { body: { email }, as }),
      await callRoute(contact, { body: { ...person, subject: 'Hi', message: 'Hello out there.' }, ip: ip() }),
      await callRoute(saveBuyer, { body: { ...person, paymentIntentId: 'pi_1234567890' }, ip: ip() }),
      await callRoute(createAccount, { body: { ...person, password: 'secret-1' }, ip: ip() }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.fields.email).toMatch(/^No mail can be sent/);
    }
    expect(readPeople(email)).toMatchObject([{ email: null }]);
  });
});
