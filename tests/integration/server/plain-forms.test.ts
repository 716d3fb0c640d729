import type { APIRoute } from 'astro';
import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeUser } from '../../support/factories.ts';
import { contactMessages } from '#db/schema/company.ts';
import { cartItems } from '#db/schema/store.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { POST as addToCart } from '#src/pages/api/cart.ts';
import { POST as sendMessage } from '#src/pages/api/contact.ts';
import { type FormCall, submitForm } from '#src/server/plain-form.ts';
import { callRoute, SITE, signIn } from '../../support/api.ts';

type Options = NonNullable<Parameters<typeof callRoute>[1]>;
type Typed = Partial<Record<string, string>>;

/** Posts fields as a browser does, to a page that keeps some of them and stands for a call. */
function post(
  fields: Record<string, string>,
  keep: string[],
  toCall: (typed: Typed) => FormCall,
  options: Options = {},
) {
  const page: APIRoute = async (context) => Response.json(await submitForm(context, keep, toCall));
  return callRoute(page, {
    path: '/form',
    body: new URLSearchParams(fields).toString(),
    ...options,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: SITE, ...options.headers },
  });
}

let lastAddress = 0;
/** An address of its own, so that one test's messages do not use up another's. */
const freshIp = () => `198.51.100.${++lastAddress}`;

const message = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  subject: 'An engine',
  message: 'We need two engineers for an analytical engine.',
};
const send = (changes: Record<string, string> = {}, options: Options = {}) =>
  post({ ...message, ...changes }, Object.keys(message), (input) => ({ endpoint: sendMessage, input }), {
    ip: freshIp(),
    ...options,
  });
const lastMessage = async () =>
  (await db().select().from(contactMessages).orderBy(desc(contactMessages.id)).limit(1))[0];

const SENT = { refusal: null, answer: { message: 'Your message has arrived.' } };

describe('a form posted without a script', () => {
  it('does what its call does, with line breaks as a script would send them', async () => {
    expect((await send({ message: 'One line\r\nand another\r\n' })).body).toMatchObject(SENT);
    expect(await lastMessage()).toMatchObject({ message: 'One line\nand another', status: 'new' });
  });

  it('counts a line break as one character', async () => {
    const lines = `${'x\r\n'.repeat(2499)}xx`;
    expect(lines.length).toBeGreaterThan(5000);
    expect((await send({ message: lines })).body).toMatchObject(SENT);
  });

  it('gives back what was typed, with the message at each wrong field', async () => {
    const { body } = await send({ email: 'ada@', message: 'short' });
    expect(body).toMatchObject({
      typed: { ...message, email: 'ada@', message: 'short' },
      refusal: {
        status: 400,
        fields: {
          email: 'Please enter a valid email address',
          message: 'Message must be at least 10 characters',
        },
      },
    });
  });

  it('is counted against the same limit, and still gives back what was typed', async () => {
    const ip = freshIp();
    for (let count = 0; count < 5; count += 1) expect((await send({}, { ip })).body).toMatchObject(SENT);
    expect((await send({}, { ip })).body).toMatchObject({
      refusal: { status: 429, fields: {}, typed: { message: message.message } },
    });
  });

  it('keeps what fills the hidden field as spam', async () => {
    expect((await send({ website: 'x', subject: 'Form spam' })).body).toMatchObject(SENT);
    expect(await lastMessage()).toMatchObject({ subject: 'Form spam', status: 'spam' });
  });

  it.each([
    ['multipart/form-data; boundary=x', 415],
    ['text/plain', 415],
    ['application/json', 415],
  ])('sent as %s is refused', async (type, status) => {
    const { body } = await send({}, { headers: { 'content-type': type } });
    expect(body).toMatchObject({ refusal: { status, typed: {} } });
  });

  it('refuses more than a call may hold', async () => {
    // In a field that its call never gets to see, since the call has a limit of its own.
    const fields = { ...message, unknown: 'x'.repeat(1_100_000) };
    const { body } = await post(fields, Object.keys(message), ({ unknown, ...input }) => ({
      endpoint: sendMessage,
      input,
    }));
    expect(body).toMatchObject({ refusal: { status: 413 }, typed: {} });
  });
});

describe('a form that another site posts', () => {
  const foreign = { headers: { origin: 'https://evil.example' } };

  it('is refused, and nothing of it is repeated', async () => {
    const before = await lastMessage();
    const { status, text } = await send({}, foreign);
    expect([status, text]).toEqual([403, '']);
    expect(await lastMessage()).toEqual(before);
  });

  const add = (courseId: number, options: Options) =>
    post(
      { course: String(courseId) },
      [],
      ({ course }) => ({ endpoint: addToCart, input: { courseId: Number(course) } }),
      options,
    );
  const linesOf = (userId: number) => db().select().from(cartItems).where(eq(cartItems.userId, userId));

  it('changes nothing of somebody who is signed in; their own form does', async () => {
    const [buyer, course] = [await makeUser(), await makeCourseForSale()];
    const withCookie = await signIn(buyer);
    expect((await add(course.id, { withCookie, ...foreign })).status).toBe(403);
    const fromElsewhere = { 'sec-fetch-site': 'cross-site' };
    expect((await add(course.id, { withCookie, headers: fromElsewhere })).status).toBe(403);
    expect(await linesOf(buyer.id)).toEqual([]);
    expect((await add(course.id, { withCookie })).body).toMatchObject({ refusal: null });
    // Sent twice, as by a second click.
    expect((await add(course.id, { withCookie })).body).toMatchObject({ refusal: null });
    expect(await linesOf(buyer.id)).toHaveLength(1);
  });

  it('needs a sign-in where the call does', async () => {
    expect((await add((await makeCourseForSale()).id, {})).body).toMatchObject({
      refusal: { status: 401, code: 'unauthenticated' },
    });
  });
});

describe('the sign-in without a script', () => {
  const enter = (fields: Record<string, string>) =>
    post(fields, ['email'], ({ email, password }) => ({ endpoint: login, input: { email, password } }), {
      ip: freshIp(),
    });

  it('sets the session cookie', async () => {
    const user = await makeUser({ password: 'seven grey herons' });
    const answer = await enter({ email: user.email, password: 'seven grey herons' });
    expect(answer.body).toMatchObject({ refusal: null });
    expect([...answer.cookies.values()].some((value) => value.length > 20)).toBe(true);
  });

  it('gives back the address and never the password', async () => {
    const user = await makeUser({ password: 'seven grey herons' });
    const answer = await enter({ email: user.email, password: 'seven gray herons' });
    expect(answer.body).toMatchObject({
      refusal: { status: 401, message: 'Invalid email or password.', typed: { email: user.email } },
    });
    expect(JSON.stringify(answer.body)).not.toContain('herons');
    expect(answer.cookies.size).toBe(0);
  });
});
