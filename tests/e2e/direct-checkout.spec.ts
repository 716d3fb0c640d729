import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, PlaywrightWorkerArgs } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

type Playwright = PlaywrightWorkerArgs['playwright'];

const COURSE = 'SQL and PostgreSQL in Practice';

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

/** The id of a course of the demo catalogue. */
async function courseId(page: Page, title: string): Promise<number> {
  const courses = await (await page.request.get('/api/courses')).json();
  return courses.find((course: { title: string }) => course.title === title).id;
}

async function fillBuyer(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Katherine');
  await page.getByLabel('Last name').fill('Johnson');
  await page.getByLabel('Email', { exact: true }).fill(email);
}

async function fillCard(page: Page, number = '4242424242424242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
}

/** The newest mail of the site to an address that holds a text, as it was sent. */
async function mailTo(email: string, text: string): Promise<string> {
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

/** Makes an account without the form and without signing a browser in. */
async function signUp(playwright: Playwright, email: string): Promise<{ token: string; user: object }> {
  const request = await playwright.request.newContext({ baseURL: process.env.SITE_URL! });
  const response = await request.post('/api/auth/register', {
    data: {
      username: 'Dorothy Vaughan',
      email,
      password: 'apollo-1969',
      confirmPassword: 'apollo-1969',
      role: 'student',
    },
  });
  expect(response.status()).toBe(201);
  const answer = await response.json();
  await request.dispose();
  return answer;
}

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('apollo-1969');
  await page
    .getByRole('main')
    .getByRole('button', { name: /sign in/i })
    .click();
}

test(
  'a guest buys a course, makes an account, and finds the course on the dashboard',
  { tag: '@phone' },
  async ({ page }, { project }) => {
    const email = `direct-${project.name}-${Date.now()}@example.com`;
    const id = await courseId(page, COURSE);
    await page.goto(`/buy/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible();
    await expect(page.getByText(COURSE)).toBeVisible();
    await expect(page.getByText('40% off')).toBeVisible();
    await expect(page.getByText('Test mode: no card is charged')).toBeVisible();
    await fillCard(page);

    // Nothing is charged without the buyer's details.
    await page.getByRole('button', { name: 'Pay $59.00' }).click();
    await expect(page.getByText('Missing Information', { exact: true })).toBeVisible();
    await expect(page.getByLabel('First name')).toBeFocused();
    await looksRight(page);

    await fillBuyer(page, ` ${email.toUpperCase()} `);
    const returned = page.waitForRequest((request) => request.url().includes('/purchase-success?'));
    await page.getByRole('button', { name: 'Pay $59.00' }).click();
    const address = new URL((await returned).url());
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      course: String(id),
      email,
      firstName: 'Katherine',
      lastName: 'Johnson',
      redirect_status: 'succeeded',
    });
    expect(address.searchParams.get('payment_intent_client_secret')).toMatch(/^pi_\w+_secret_\w+$/);

    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    // Neither the payment's secret nor the person's data stays in the address.
    await expect(page).toHaveURL(new RegExp(`/purchase-success\\?course=${id}$`));
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Katherine Johnson');
    await expect(page.getByLabel('Name', { exact: true })).toBeDisabled();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    await expect(page.getByLabel('Email', { exact: true })).toBeDisabled();

    // The claim cookie proves a reload.
    await page.reload();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    await page.getByLabel('Password', { exact: true }).fill('trajectory');
    await page.getByLabel('Confirm Password').fill('trajectories');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Password Mismatch', { exact: true })).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm Password').fill('short');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Password Too Short', { exact: true })).toBeVisible();
    await looksRight(page);
    await page.getByLabel('Password', { exact: true }).fill('trajectory');
    await page.getByLabel('Confirm Password').fill('trajectory');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeFocused();
    await looksRight(page);
    const stored = await page.evaluate(() => ({ ...localStorage }));
    expect(JSON.parse(stored.auth_user!)).toMatchObject({ email, username: 'Katherine Johnson' });

    // Who pays owns: the course is there at once, and the mailbox is proven when there is time.
    await expect(page.getByText('We have mailed you a link to confirm the address.')).toBeVisible();
    await expect(page.getByText('Password Too Short', { exact: true })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Start lesson 1' })).toHaveAttribute('href', `/learn/${id}`);
    await page.goto(`/purchase-success?course=${id}`);
    await expect(page.getByText(`You own “${COURSE}”.`)).toBeVisible();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    await page.waitForURL('**/dashboard');
    await expect(page.getByRole('main').getByText(COURSE).first()).toBeVisible();
    await page.goto('/dashboard?tab=purchases');
    await expect(page.getByRole('main').getByText('$59.00').first()).toBeVisible();

    await page.goto(`/courses/${id}/checkout`);
    await expect(page.getByRole('heading', { level: 1, name: 'You already own this course' })).toBeVisible();
  },
);

test.describe('refusals on the way', () => {
  // The browser's console repeats the status of each refusal.
  test.use({ allowed: [/status of (402|403|404|409)/] });

  test('a declined card is said plainly, and another card pays; the receipt’s link opens the course later', async ({
    page,
    browser,
  }, { project }) => {
    const email = `later-${project.name}-${Date.now()}@example.com`;
    const id = await courseId(page, 'JavaScript Fundamentals');
    await page.goto(`/buy/${id}`);
    await fillBuyer(page, email);
    await fillCard(page, '4000000000000002');
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await expect(page.getByText('Payment Failed', { exact: true })).toBeVisible();
    await expectNoOverflow(page);
    await fillCard(page);
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();

    // Coming back to the checkout leads to the purchase, not to a second payment.
    await page.goto(`/buy/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();

    const link = /http:\S+\/claim\?token=[\w-]+/.exec(await mailTo(email, '/claim?token='))?.[0];
    const other = await browser.newContext({ viewport: page.viewportSize() });
    const elsewhere = await other.newPage();
    // Somebody who only knows the address sees what it says, and nothing of the purchase.
    await elsewhere.goto(
      `/purchase-success?course=${id}&email=${email}&firstName=Katherine&lastName=Johnson`,
    );
    await expect(elsewhere.getByLabel('Email', { exact: true })).toHaveValue(email);
    await expect(elsewhere.getByRole('main')).not.toContainText(/JavaScript Fundamentals|\$\d|Order #/);
    await elsewhere.goto(`/purchase-success?course=${id}`);
    await expect(
      elsewhere.getByRole('heading', { level: 1, name: 'No purchase to show here' }),
    ).toBeVisible();

    // What an address owns is told to nobody before a payment.
    await elsewhere.goto(`/buy/${id}`);
    await fillBuyer(elsewhere, email);
    await fillCard(elsewhere, '4000000000000002');
    await elsewhere.getByRole('button', { name: 'Pay $49.00' }).click();
    await expect(elsewhere.getByText('Payment Failed', { exact: true })).toBeVisible();

    await elsewhere.goto(link!);
    await expect(elsewhere.getByRole('heading', { level: 1, name: 'Get to your course' })).toBeVisible();
    await elsewhere.getByLabel('Password', { exact: true }).fill('trajectory');
    await elsewhere.getByLabel('Confirm Password').fill('trajectory');
    await elsewhere.getByRole('button', { name: 'Create Account' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
    await elsewhere.getByRole('link', { name: 'Start lesson 1' }).click();
    await elsewhere.waitForURL(`**/learn/${id}`);
    await elsewhere.goto(link!);
    await expect(elsewhere.getByRole('heading', { level: 1, name: 'This link has been used' })).toBeVisible();
    await looksRight(elsewhere);
    await other.close();

    await page.goto(`/purchase-success?course=${id}`);
    await expect(
      page.getByRole('heading', { level: 1, name: 'This purchase is in an account' }),
    ).toBeVisible();
    await expect(page.getByText('If the account had the course already')).toContainText(email);
    await looksRight(page);
  });

  test('a hidden course cannot be bought', async ({ page, playwright }) => {
    const admin = await playwright.request.newContext({ baseURL: process.env.SITE_URL! });
    const login = await admin.post('/api/auth/login', {
      data: { email: 'admin@example.com', password: 'learn-demo' },
    });
    const { token } = await login.json();
    const all = await admin.get('/api/courses?includeHidden=true', {
      headers: { authorization: `Bearer ${token}` },
    });
    const hidden = (await all.json()).find((course: { isActive: boolean }) => !course.isActive);
    expect(hidden, 'the demo catalogue has a hidden course').toBeTruthy();
    for (const path of [`/buy/${hidden.id}`, `/courses/${hidden.id}/checkout`, '/buy/999999', '/buy/x']) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: 'Course not found' })).toBeVisible();
      expect(await page.content()).not.toContain(hidden.title);
    }
    await admin.dispose();
  });
});

test('a guest whose address somebody registered and never verified: the mailed link hands the account over', async ({
  page,
  playwright,
}, { project }) => {
  const email = `member-${project.name}-${Date.now()}@example.com`;
  await signUp(playwright, email);
  const id = await courseId(page, COURSE);
  await page.goto(`/courses/${id}/checkout`);
  await fillBuyer(page, email);
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $59.00' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('trajectory');
  await page.getByLabel('Confirm Password').fill('trajectory');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Please check your email')).toBeVisible();
  await looksRight(page);
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
  const link = /http:\S+\/claim\?token=[\w-]+/.exec(await mailTo(email, 'Get to the course you bought'))![0];
  await page.goto(link);
  await page.getByLabel('Password', { exact: true }).fill('trajectory');
  await page.getByLabel('Confirm Password').fill('trajectory');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
  await mailTo(email, 'whoever was signed in to it before is signed out');
  await page.getByRole('link', { name: 'Start lesson 1' }).click();
  await page.waitForURL(`**/learn/${id}`);
});

test(
  'a signed-in buyer pays for the account, with the fields filled in',
  { tag: '@phone' },
  async ({ page, playwright }, { project }) => {
    const email = `signed-${project.name}-${Date.now()}@example.com`;
    await signUp(playwright, email);
    const id = await courseId(page, COURSE);
    // The way from the checkout to the sign-in leads back to it.
    await page.goto(`/buy/${id}`);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signInAs(page, email);
    await page.waitForURL(`**/buy/${id}`);
    await expect(page.getByLabel('First name')).toHaveValue('Dorothy');
    await expect(page.getByLabel('Last name')).toHaveValue('Vaughan');
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable();
    await fillCard(page);
    await looksRight(page);
    // Two clicks in a row are one payment.
    await page.getByRole('button', { name: 'Pay $59.00' }).dblclick();
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Start lesson 1' }).click();
    await page.waitForURL(`**/learn/${id}`);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Purchase History' }).click();
    await expect(page.getByText('completed', { exact: true })).toHaveCount(1);
  },
);

test('a guest who registers later gets the purchase when the address is verified', async ({
  page,
  playwright,
}, { project }) => {
  const email = `verified-${project.name}-${Date.now()}@example.com`;
  const id = await courseId(page, COURSE);
  await page.goto(`/buy/${id}`);
  await fillBuyer(page, email);
  await fillCard(page);
  await page.getByRole('button', { name: 'Pay $59.00' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();

  await signUp(playwright, email);
  await page.goto('/login');
  await signInAs(page, email);
  await page.waitForURL('**/dashboard');
  await expect(page.getByRole('main').getByText(COURSE)).toHaveCount(0);
  // The purchase waits for the proof of the address: nobody pays twice without being asked.
  await page.goto(`/buy/${id}`);
  await expect(page.getByText(`You have bought “${COURSE}” already`)).toBeVisible();
  await looksRight(page);
  await page.getByRole('link', { name: 'Buy it once more' }).click();
  await expect(page.getByRole('button', { name: 'Pay $59.00' })).toBeVisible();
  const link = /http:\S+\/verify-email\?token=[\w-]+/.exec(await mailTo(email, '/verify-email?token='))?.[0];
  await page.goto(link!);
  await page.getByRole('button', { name: 'Verify my email address' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Email verified' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('main').getByText(COURSE).first()).toBeVisible();
});

test('a guest takes a free course without a card', { tag: '@phone' }, async ({ page }, { project }) => {
  const email = `free-${project.name}-${Date.now()}@example.com`;
  const id = await courseId(page, 'Prepare for a Technical Interview');
  await page.goto(`/buy/${id}`);
  await expect(page.getByText('This course is free. No card is needed.')).toBeVisible();
  await fillBuyer(page, email);
  await page.getByRole('button', { name: 'Enroll for free' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The course is yours' })).toBeVisible();
  // Nothing was paid that could prove anything: the mailed link leads on.
  await expect(page.getByRole('heading', { name: 'Open the link in your email' })).toBeVisible();
  await looksRight(page);
  await page.goto(/http:\S+\/claim\?token=[\w-]+/.exec(await mailTo(email, '/claim?token='))![0]);
  await page.getByLabel('Password', { exact: true }).fill('trajectory');
  await page.getByLabel('Confirm Password').fill('trajectory');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
});

test.describe('a browser that blocks the card provider', () => {
  test.use({ allowed: [/ERR_FAILED|Failed to load resource/] });

  test('says so and offers another try', async ({ page }) => {
    const id = await courseId(page, COURSE);
    await page.route('**/payment-sandbox/page.js', (route) => route.abort());
    await page.goto(`/buy/${id}`);
    await expect(page.getByRole('heading', { name: 'Payment Setup Failed' })).toBeVisible();
    await page.unroute('**/payment-sandbox/page.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Pay $59.00' })).toBeVisible();
  });
});
