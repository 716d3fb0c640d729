import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const ADMIN = { email: 'admin@example.com', password: 'learn-demo' };
export const STUDENT = { email: 'student@example.com', password: 'learn-demo' };

/** Signs the page's browser in, without the form: the cookie for pages, the token for calls. Gives the token. */
export async function signIn(page: Page, who: { email: string; password: string }): Promise<string> {
  const answer = await page.request.post('/api/auth/login', { data: who });
  expect(answer.status()).toBe(200);
  const { token, user } = await answer.json();
  await keepSignIn(page, { token, user });
  return token;
}

/** Keeps a sign-in in every page that is opened from now on, as the forms do: a cookie alone counts as signed out. */
export async function keepSignIn(
  page: Page,
  { token, user }: { token: string; user: object },
): Promise<void> {
  await page.addInitScript(
    ([storedToken, storedUser]) => {
      // The preview of a program has no storage of its own.
      if (window !== window.top) return;
      localStorage.setItem('auth_token', storedToken!);
      localStorage.setItem('auth_user', storedUser!);
    },
    [token, JSON.stringify(user)],
  );
}

/**
 * Makes a coding lesson in a course of its own that the store does not list, as the signed-in administrator may open it.
 *
 * @param token of an administrator
 * @returns the lesson's number
 */
export async function makeCodingLesson(page: Page, token: string, lesson: object): Promise<number> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()).id;
  };
  const courseId = await post('/api/courses', {
    ...{ title: `Programs ${crypto.randomUUID()}`, description: 'Programs.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  return post(`/api/admin/courses/${courseId}/lessons`, { type: 'interactive_coding', hints: [], ...lesson });
}

/** Pays an intent as the card form would, through the calls that it makes. */
async function payIntent(request: APIRequestContext, html: string, clientSecret: string): Promise<void> {
  const key = /pk_test_\w+/.exec(html)![0];
  const paid = await request.post(
    `/payment-sandbox/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`,
    {
      headers: { authorization: `Bearer ${key}` },
      form: {
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
        'payment_method_data[card][cvc]': '123',
      },
    },
  );
  expect(paid.status(), await paid.text()).toBe(200);
}

export type Course = { id: number; title: string; price: string };

/** The courses that cost something, as the store lists them. */
export async function paidCourses(request: APIRequestContext): Promise<Course[]> {
  const all: Course[] = await (await request.get('/api/courses')).json();
  return all.filter(({ price }) => Number(price) > 0);
}

/** Has the publish check look at a course's lessons, and waits until it has. Gives what it says. */
export async function prove(
  request: APIRequestContext,
  headers: Record<string, string>,
  courseId: number,
): Promise<{ ready: boolean; lessons: { title: string; findings: { message: string }[] }[] }> {
  const path = `/api/admin/courses/${courseId}/publish-check`;
  const begun = await request.post(path, { headers });
  expect(begun.status(), await begun.text()).toBe(202);
  let report = await begun.json();
  await expect(async () => {
    report = await (await request.get(path, { headers })).json();
    expect(report.run.status).toBe('finished');
  }).toPass({ timeout: 60_000 });
  if (report.ready) await publishWaiting(request, headers, courseId);
  return report;
}

/** Gives learners what waits in a course, which is proven. */
async function publishWaiting(
  request: APIRequestContext,
  headers: Record<string, string>,
  courseId: number,
): Promise<void> {
  const changes = `/api/admin/courses/${courseId}/changes`;
  const waiting = async () => (await request.get(changes, { headers })).json();
  const { lessons, moved, seen } = await waiting();
  if (lessons.length === 0 && moved.length === 0) return;
  const data = { seen, newVersions: [] };
  const begun = await request.post(`${changes}/publish`, { headers, data });
  expect(begun.status(), await begun.text()).toBe(202);
  await expect(async () => {
    expect(await waiting()).toMatchObject({ lessons: [], moved: [] });
  }).toPass({ timeout: 60_000 });
}

/** Somebody registers and buys courses; `request` is a browser of their own. */
export async function buy(
  request: APIRequestContext,
  name: string,
  courses: readonly Course[],
): Promise<{ orderId: number; email: string; token: string }> {
  const email = `${name.toLowerCase().replace(/\W+/g, '.')}-${Date.now()}@example.com`;
  const registered = await request.post('/api/auth/register', {
    data: { username: name, email, password: 'cobol-1959', confirmPassword: 'cobol-1959', role: 'student' },
  });
  expect(registered.status(), await registered.text()).toBe(201);
  const { token } = await registered.json();
  const headers = { authorization: `Bearer ${token}` };
  for (const { id } of courses) await request.post('/api/cart', { headers, data: { courseId: id } });
  const amount = courses.reduce((cents, { price }) => cents + Math.round(Number(price) * 100), 0) / 100;
  const intent = await request.post('/api/create-payment-intent', { headers, data: { amount } });
  expect(intent.status(), await intent.text()).toBe(200);
  const { clientSecret, orderId } = await intent.json();
  await payIntent(request, await (await request.get('/checkout')).text(), clientSecret);
  return { orderId, email, token };
}

/** Somebody with an account buys a course in the page's own browser, which stays signed in; the order is complete. */
export async function buyer(page: Page, course: Course): Promise<{ orderId: number; email: string }> {
  const { orderId, email, token } = await buy(page.request, 'Mary Jackson', [course]);
  const headers = { authorization: `Bearer ${token}` };
  await expect(async () => {
    const orders = await (await page.request.get('/api/orders', { headers })).json();
    expect(orders[0].status).toBe('completed');
  }).toPass({ timeout: 20_000 });
  const { user } = await (await page.request.get('/api/auth/me', { headers })).json();
  await keepSignIn(page, { token, user });
  return { orderId, email };
}

/** Somebody buys a course, completes a lesson of it and reviews it, all by calls in a browser of their own. */
export async function reviewer(page: Page, course: Course, review: { rating: number; review: string }) {
  const context = await page.context().browser()!.newContext({ baseURL: process.env.SITE_URL! });
  const { request } = context;
  const { token } = await buy(request, 'Jonas W.', [course]);
  const headers = { authorization: `Bearer ${token}` };
  await expect(async () => {
    const { content } = await (await request.get(`/api/courses/${course.id}`, { headers })).json();
    const { id } = content.find(({ type }: { type: string }) => type === 'text');
    const path = `/api/courses/${course.id}/content/${id}/complete`;
    expect((await request.post(path, { headers, data: {} })).status()).toBe(200);
  }).toPass({ timeout: 20_000 });
  const path = `/api/courses/${course.id}/review`;
  expect((await request.put(path, { headers, data: review })).status()).toBe(200);
  return {
    /** Takes the review back: other tests look at what people say of the course. */
    close: async () => {
      await request.delete(path, { headers });
      await context.close();
    },
  };
}

/** A visitor buys a course without an account; `request` is a browser of their own. */
export async function buyAsGuest(
  request: APIRequestContext,
  origin: string,
  course: Course,
): Promise<{ orderId: number; email: string }> {
  const email = `guest-${Date.now()}-${Math.round(Math.random() * 1e6)}@example.com`;
  const headers = { origin };
  const opened = await request.post('/api/create-direct-payment', {
    headers,
    data: { courseId: course.id, amount: Number(course.price) },
  });
  expect(opened.status(), await opened.text()).toBe(200);
  const { clientSecret, orderId } = await opened.json();
  const saved = await request.post('/api/save-direct-buyer', {
    headers,
    data: {
      firstName: 'Mary',
      lastName: 'Jackson',
      email,
      paymentIntentId: clientSecret.split('_secret_')[0],
      clientSecret,
    },
  });
  expect(saved.status(), await saved.text()).toBe(200);
  await payIntent(request, await (await request.get(`/buy/${course.id}`)).text(), clientSecret);
  return { orderId, email };
}

/** The link of the verification mail that the site wrote for this address. */
export async function verificationLink(email: string): Promise<string> {
  const folder = join(process.env.SITE_DATA_DIR!, 'mail');
  let link: string | undefined;
  await expect(async () => {
    for (const name of await readdir(folder)) {
      const mail = (await readFile(join(folder, name), 'utf8')).replace(/=\r?\n/g, '').replace(/=3D/gi, '=');
      if (mail.includes(email)) link ??= /https?:\/\/\S+\/verify-email\?token=[\w-]+/.exec(mail)?.[0];
    }
    expect(link).toBeDefined();
  }).toPass({ timeout: 20_000 });
  return link!;
}

/** Presses an entry of the menu "More" of a course in the list of courses. */
export async function chooseForCourse(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
