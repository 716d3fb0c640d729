import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const PASSWORD = 'apollo-1969';

export type Shopper = { email: string; token: string; user: object };

let shoppers = 0;

/** Makes an account of its own, and signs the page's browser in to it, without the forms. */
export async function newShopper(
  page: Page,
  username = 'Dorothy Vaughan',
  own: { email?: string; password?: string } = {},
): Promise<Shopper> {
  shoppers += 1;
  const { email = `shopper-${process.pid}-${Date.now()}-${shoppers}@example.com`, password = PASSWORD } = own;
  const response = await page.request.post('/api/auth/register', {
    data: { username, email, password, confirmPassword: password, role: 'student' },
  });
  expect(response.status(), await response.text()).toBe(201);
  const { token, user } = await response.json();
  await page.goto('/about');
  await page.evaluate(
    ([storedToken, storedUser]) => {
      localStorage.setItem('auth_token', storedToken!);
      localStorage.setItem('auth_user', storedUser!);
    },
    [token, JSON.stringify(user)],
  );
  return { email, token, user };
}

/** A course of the demo catalogue by its title, with its price as the pages write it. */
export async function findCourse(page: Page, title: string): Promise<{ id: number; price: string }> {
  const courses: { id: number; title: string; price: string }[] = await (
    await page.request.get('/api/courses')
  ).json();
  const course = courses.find((one) => one.title === title);
  expect(course, title).toBeDefined();
  return { id: course!.id, price: `$${course!.price}` };
}

const authorized = (shopper: Pick<Shopper, 'token'>) => ({ authorization: `Bearer ${shopper.token}` });

/** Puts courses into the shopper's cart. */
export async function fillCart(page: Page, shopper: Shopper, ...titles: string[]): Promise<void> {
  for (const title of titles) {
    const { id } = await findCourse(page, title);
    const answer = await page.request.post('/api/cart', {
      headers: authorized(shopper),
      data: { courseId: id },
    });
    expect(answer.status()).toBe(200);
  }
}

export async function fillCard(page: Page, number = '4242424242424242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

/** The shopper's orders as the server has them. */
export async function ordersOf(
  page: Page,
  shopper: Shopper,
): Promise<{ id: number; status: string; total: string; invoiceNumber: string | null }[]> {
  return (await page.request.get('/api/orders', { headers: authorized(shopper) })).json();
}

/** Calls an address as the administrator of the demo data. */
export async function asAdmin(page: Page, method: 'GET' | 'POST' | 'PUT', path: string, data?: unknown) {
  const request = await page.context().browser()!.newContext({ baseURL: process.env.SITE_URL! });
  const login = await request.request.post('/api/auth/login', {
    data: { email: 'admin@example.com', password: 'learn-demo' },
  });
  const { token } = await login.json();
  const answer = await request.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(data === undefined ? {} : { data }),
  });
  const body = await answer.json();
  expect(answer.ok(), JSON.stringify(body)).toBe(true);
  await request.close();
  return body;
}

let coupons = 0;

/** Makes a coupon; gives its code. */
export async function newCoupon(page: Page, values: Record<string, unknown>): Promise<string> {
  coupons += 1;
  const code = `E2E-${process.pid}-${coupons}-${Date.now() % 100_000}`;
  await asAdmin(page, 'POST', '/api/admin/coupons', { code, ...values });
  return code;
}

/** The newest mail of the site to an address that holds a text, as it was sent. */
export async function mailTo(email: string, text: string): Promise<string> {
  const folder = join(process.env.SITE_DATA_DIR!, 'mail');
  let found: string | undefined;
  await expect(async () => {
    found = readdirSync(folder)
      .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
      .map((name) =>
        readFileSync(join(folder, name), 'utf8')
          .replace(/=\r?\n/g, '')
          .replaceAll('=3D', '='),
      )
      .find((mail) => mail.includes(`To: ${email}`) && mail.includes(text));
    expect(found).toBeTruthy();
  }).toPass({ timeout: 20_000 });
  return found!;
}
