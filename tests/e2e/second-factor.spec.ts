import type { Page } from '@playwright/test';
import { generate } from 'otplib/functional';
import { mailedLink } from '../support/mail-folder.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

const dataDir = process.env.SITE_DATA_DIR ?? '';
const PASSWORD = 'seven grey herons';
const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');
const address = (name: string, project: string) => `${name}-${project}-${Date.now()}@example.com`;

async function register(page: Page, email: string) {
  await newShopper(page, 'Annie Easley', { email, password: PASSWORD });
}

async function logIn(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await main(page).getByRole('button', { name: 'Sign In', exact: true }).click();
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL(/\/$/);
}

async function provePassword(page: Page) {
  await dialog(page).getByLabel('Your password').fill(PASSWORD);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
}

/** A device with a passkey store, whose holder is always recognised. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

// The browser's console names each refusal that the page then tells of.
test.use({ allowed: [/status of (400|401|403)/] });

test('a passkey is set up, signs in alone, takes the second step, and is removed', async ({ page }, {
  project,
}) => {
  await addDevice(page);
  const email = address('passkey', project.name);
  await register(page, email);
  await page.goto('/account');
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await provePassword(page);
  const codes = dialog(page).getByRole('list', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
  const keys = page.getByRole('list', { name: 'Your passkeys' });
  await expect(keys.getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(await mailedLink(dataDir, email, /A passkey was added/)).toContain('/account');

  await logOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/dashboard');

  await logOut(page);
  await logIn(page, email);
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await page.waitForURL('**/dashboard');

  await page.goto('/account');
  await page.getByRole('button', { name: /^Remove the passkey/ }).click();
  await dialog(page).getByRole('button', { name: 'Use my passkey' }).click();
  // Said by the page that came anew: on the one before, a sign-out would be overtaken by its reload.
  await expect(
    page.getByText('The passkey is removed. Delete it from your device too.').first(),
  ).toBeVisible();
  await expect(keys).toHaveCount(0);
  await logOut(page);
  await logIn(page, email);
  await page.waitForURL('**/dashboard');
});

test('an app’s codes and recovery codes take the second step', async ({ page }, { project }) => {
  const email = address('app', project.name);
  await register(page, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await provePassword(page);
  await dialog(page).getByText('No camera? Type the secret').click();
  const secret = (await dialog(page).locator('.font-mono').textContent())!.replaceAll(/\s/g, '');
  const inApp = dialog(page).getByRole('link', { name: 'Open in your authenticator app' });
  expect(new URL((await inApp.getAttribute('href'))!).searchParams.get('secret')).toBe(secret);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog(page).getByRole('button', { name: 'Copy the secret' }).click();
  await expect(dialog(page).getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expectAccessible(page);
  await dialog(page).getByLabel('Code from the app').fill('000000');
  await dialog(page).getByRole('button', { name: 'Switch it on' }).click();
  await expect(dialog(page).getByText('This code is not right.')).toBeVisible();
  await dialog(page)
    .getByLabel('Code from the app')
    .fill(await generate({ secret }));
  await dialog(page).getByRole('button', { name: 'Switch it on' }).click();
  const codes = dialog(page).getByRole('list', { name: 'Recovery codes' });
  const recoveryCode = await codes.getByRole('listitem').first().textContent();
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('button', { name: 'Remove the authenticator app' })).toBeVisible();

  await logOut(page);
  await logIn(page, email);
  await page.getByLabel('One-time code').fill('12');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('A code has 6 digits')).toBeVisible();
  await page.getByLabel('One-time code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This is not right. Please try again.')).toBeVisible();
  await expectAccessible(page);
  // The code that set the app up is used; the next one counts already.
  await page
    .getByLabel('One-time code')
    .fill(await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/dashboard');

  await logOut(page);
  await logIn(page, email);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode!);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/account');
  await expect(page.getByText('9 of 10 left.')).toBeVisible();
});

test('the email address changes by a link that is mailed to the new one', async ({ page }, { project }) => {
  const email = address('before', project.name);
  const next = address('after', project.name);
  await register(page, email);
  await page.goto('/account');
  await page.getByLabel('New email address').fill(next);
  await page.getByRole('button', { name: 'Change email' }).click();
  await provePassword(page);
  await expect(page.getByText(`We sent a link to ${next}`)).toBeVisible();
  await page.goto(await mailedLink(dataDir, next, /new email address/i));
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByRole('heading', { name: 'Email address changed' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/account');
  await logOut(page);
  await logIn(page, next);
  await page.waitForURL('**/dashboard');
});

test('an account is deleted by its owner, who is told what stays', async ({ page }, { project }) => {
  const email = address('leaving', project.name);
  await register(page, email);
  // Slow to forget what it keeps: the page must not be loaded anew before it leads on.
  await page.addInitScript(() => {
    const keys = caches.keys.bind(caches);
    caches.keys = async () => {
      for (let times = 0; times < 5; times++) await fetch('/account').then((page) => page.text());
      return keys();
    };
  });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(dialog(page).getByText('What stays, and why')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete for good' }).click();
  await provePassword(page);
  await page.waitForURL('**/login');
  await expect(page.getByText(/deleted/).first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
  await logIn(page, email);
  await expect(main(page).getByText('Invalid email or password.', { exact: true })).toBeVisible();
});

test('a weak password is told while it is typed, and loads its word lists only then', async ({ page }) => {
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.goto('/register');
  await expect(main(page).getByRole('button', { name: 'Create account' })).toBeVisible();
  await expect.poll(() => loaded.some((url) => url.includes('RegisterForm'))).toBe(true);
  expect(loaded.filter((url) => url.includes('password-estimator'))).toEqual([]);
  await page.getByLabel('Password', { exact: true }).fill('password1');
  await expect(page.getByText('Very weak password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('seven grey herons over the weir');
  await expect(page.getByText('Strong password.')).toBeVisible();
});
