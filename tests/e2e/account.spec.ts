import type { Page } from '@playwright/test';
import { mailedLink } from '../support/mail-folder.ts';
import { ADMIN } from './admin-session.ts';
import { expect, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

const dataDir = process.env.SITE_DATA_DIR ?? '';
const main = (page: Page) => page.getByRole('main');
const address = (name: string, project: string) => `${name}-${project}-${Date.now()}@example.com`;

async function register(page: Page, email: string, password: string, name = 'Katherine Johnson') {
  await page.goto('/register');
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await main(page).getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/dashboard');
}

async function logIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await main(page).getByRole('button', { name: 'Sign In' }).click();
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL(/\/$/);
}

test.describe('refused forms', () => {
  // The browser's console names each refusal; the page must too.
  test.use({ allowed: [/status of (400|401|409)/] });

  test('registration says at each field what is wrong', async ({ page }) => {
    await page.goto('/register');
    await page.getByLabel('Full Name').fill('Dorothy');
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Password', { exact: true }).fill('secret1');
    await page.getByLabel('Confirm Password').fill('secret2');
    await main(page).getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText("Passwords don't match", { exact: true })).toBeVisible();
    await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible();
    await page.getByLabel('Email').fill('student@example.com');
    await page.getByLabel('Confirm Password').fill('secret1');
    await main(page).getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Full Name')).toHaveValue('Dorothy');
  });

  test('a wrong password is said in the same words as an unknown email', async ({ page }) => {
    for (const email of ['student@example.com', 'nobody@example.com']) {
      await page.goto('/login');
      await logIn(page, email, 'wrong password');
      // At the form, which keeps saying it, and as the notification of spec 8.
      await expect(main(page).getByText('Invalid email or password.', { exact: true })).toBeVisible();
      await expect(page.getByText('Invalid email or password.', { exact: true })).toHaveCount(2);
      await expect(page.getByLabel('Email')).toHaveValue(email);
    }
  });
});

test('logging out ends the session on the server and in every open tab', async ({ page, context }, {
  project,
}) => {
  await register(page, address('tabs', project.name), 'orbit-1962');
  const stored = await page.evaluate(() => localStorage.getItem('auth_token'));
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await logOut(page);
  expect(await page.evaluate(() => [localStorage.auth_token, localStorage.auth_user])).toEqual([
    undefined,
    undefined,
  ]);
  await other.waitForURL(/\/login/);
  const answer = await page.request.get('/api/cart', { headers: { authorization: `Bearer ${stored}` } });
  expect(answer.status()).toBe(401);
});

test('signed-in visitors of /login and /register go to their dashboard', async ({ page }, { project }) => {
  await newShopper(page, 'Katherine Johnson', { email: address('back', project.name) });
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  }
});

test('an administrator begins in the admin area, and back on the page where the wish to sign in came up', async ({
  page,
}) => {
  await page.goto('/login');
  await logIn(page, ADMIN.email, ADMIN.password);
  await page.waitForURL('**/admin');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/courses/1');
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await logIn(page, ADMIN.email, ADMIN.password);
  await page.waitForURL('**/courses/1');
});

test('a forgotten password is replaced by a mailed link, once', async ({ page }, { project }) => {
  const email = address('forgot', project.name);
  await register(page, email, 'old-password');
  await logOut(page);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForURL('**/forgot-password');
  await page.getByLabel('Email').fill(email);
  await main(page).getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await expect(
    page.getByText("If an account exists with this email, you'll receive a password reset link.", {
      exact: true,
    }),
  ).toBeVisible();

  const link = await mailedLink(dataDir, email, /password/i);
  expect(link).toContain(`${new URL(page.url()).origin}/reset-password?token=`);
  await page.goto(link);
  await page.getByLabel('New Password', { exact: true }).fill('new-password');
  await page.getByLabel(/Confirm/).fill('new-password');
  await expectNoOverflow(page);
  await main(page)
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(page.getByRole('heading', { name: 'Your password has been changed' })).toBeFocused();

  await page.goto('/login');
  await logIn(page, email, 'new-password');
  await page.waitForURL('**/dashboard');
});

test.describe('a used or missing reset link', () => {
  test.use({ allowed: [/status of 400/] });

  test('is explained', async ({ page }) => {
    await page.goto('/reset-password');
    await expect(page.getByText('Invalid reset link').first()).toBeVisible();
    await page.waitForURL('**/forgot-password');
    await page.goto('/reset-password?token=made-up');
    await page.getByLabel('New Password', { exact: true }).fill('new-password');
    await page.getByLabel(/Confirm/).fill('new-password');
    await main(page)
      .getByRole('button', { name: /password/i })
      .last()
      .click();
    await expect(page.getByText('Reset failed', { exact: true })).toBeVisible();
  });
});

test('an account that asks to be an administrator is a student, and is told so', async ({ page }, {
  project,
}) => {
  await page.goto('/register');
  const email = address('asks', project.name);
  await page.getByLabel('Full Name').fill('Mary Jackson');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: /admin/i }).click();
  await page.getByLabel('Password', { exact: true }).fill('engineer-1958');
  await page.getByLabel('Confirm Password').fill('engineer-1958');
  await main(page).getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/dashboard');
  await expect(page.getByText('Administrator access requested', { exact: true })).toBeVisible();
  for (const path of ['/dashboard', '/account']) {
    await page.goto(path);
    const notice = page.getByText('Your request for administrator access is waiting').locator('..');
    await expect(notice).toContainText('confirmed email address, and then the approval by an administrator');
    await expect(notice.getByRole('link')).toHaveAttribute('href', '/verify-email');
    await expectNoOverflow(page);
  }
  const link = await mailedLink(dataDir, email, /confirm|verify/i);
  await page.goto(link);
  await main(page).getByRole('button', { name: 'Verify my email address' }).click();
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByText('What is missing is the approval by an administrator.')).toBeVisible();
  await page.goto('/admin');
  expect(new URL(page.url()).pathname).toBe('/');
});

test('A20: a role edited in the browser opens nothing', async ({ page }, { project }) => {
  await newShopper(page, 'Katherine Johnson', { email: address('tamper', project.name) });
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.auth_user);
    localStorage.auth_user = JSON.stringify({ ...user, role: 'admin' });
  });
  const token = await page.evaluate(() => localStorage.auth_token as string);
  await page.goto('/admin');
  expect(new URL(page.url()).pathname).toBe('/');
  const answer = await page.request.get('/api/analytics/courses', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(403);
});

test('A11: names and searches that are scripts are shown as text', async ({ page }, { project }) => {
  const payload = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  // A name holds no address, as which “document.title” counts.
  await register(page, address('script', project.name), 'orbit-1962', '<img src=x onerror=alert(1)>');
  await expect(main(page)).toContainText('<img src=x');
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
  for (const path of [
    `/courses?search=${encodeURIComponent(payload)}`,
    `/courses?search=${encodeURIComponent('"><svg onload=document.title="owned">')}`,
    `/login?next=${encodeURIComponent('javascript:document.title="owned"')}`,
  ]) {
    await page.goto(path);
    expect(await page.title()).not.toBe('owned');
    await expect(page.locator('main img[src="x"], main svg[onload]')).toHaveCount(0);
  }
});

test.describe('a quick visitor on a slow line', () => {
  // Chromium reports a page transition that it gives up because the next page's styles come late.
  test.use({ allowed: [/Transition was aborted/] });
  test.beforeEach(async ({ page }) => {
    await page.route(/\/_astro\/.*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
  });

  test('is not sent past the sign-in form, and nothing typed is lost', async ({ page }) => {
    await page.goto('/login', { waitUntil: 'commit' });
    await page.getByLabel('Email').fill('student@example.com');
    await page.getByLabel('Password', { exact: true }).fill('learn-demo');
    const button = page.getByRole('main').getByRole('button', { name: 'Sign In' });
    await expect(button).toBeDisabled();
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await expect(button).toBeEnabled();
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await page.waitForURL('**/dashboard');
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).not.toBeNull();
  });

  test('has an early click on Buy Now sent as a plain form', async ({ page }) => {
    await page.goto('/courses?search=javascript');
    await page.getByRole('link', { name: 'JavaScript Fundamentals' }).first().click({ noWaitAfter: true });
    await page.getByRole('button', { name: 'Buy Now' }).click();
    await page.waitForURL('**/login?next=*');
  });
});
