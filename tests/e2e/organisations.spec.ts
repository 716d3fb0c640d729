import type { Page } from '@playwright/test';
import { mailedLink } from '../support/mail-folder.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

const COURSE = 'Structured Technical Interviews';

async function looksRight(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expectNoOverflow(page);
  await expectAccessible(page);
}

test('a company buys seats, invites its people, and sees one of them begin', { tag: '@phone' }, async ({
  page,
  browser,
}) => {
  test.slow();
  await newShopper(page, 'Grace Hopper');
  await page.goto('/courses');
  await page.getByRole('link', { name: COURSE }).first().click();
  await page.getByRole('link', { name: 'Buy for a team' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Buy for your team' })).toBeVisible();
  await looksRight(page);
  await page.getByLabel('Name of the organisation').fill('Example Shipping Ltd');
  await page.getByRole('button', { name: 'Open the organisation' }).click();

  await page.waitForURL(/\/organisations\/\d+\/buy/);
  await page.getByLabel('Seats', { exact: true }).fill('many');
  await page.getByRole('button', { name: 'Show the price' }).click();
  await expect(page.getByText('Seats must be a whole number from 1 to 10,000')).toBeVisible();
  await page.getByLabel('Seats', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Show the price' }).click();
  await expect(page.getByRole('heading', { level: 2, name: COURSE })).toBeVisible();
  await looksRight(page);
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  await looksRight(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();

  await page.waitForURL(/\/organisations\/\d+#course-\d+$/);
  await expect(page.getByText('Now give the seats to your people.', { exact: true }).first()).toBeVisible();
  const home = new URL(page.url()).pathname;
  await looksRight(page);

  const ana = `ana-${Date.now()}@example.com`;
  await page.getByRole('button', { name: `Give seats: ${COURSE}` }).click();
  await page.getByLabel('Email addresses').fill(`${ana}\nnobody`);
  await page.getByRole('button', { name: 'Check the list' }).click();
  await expect(page.getByText('1 person gets a seat; 2 seats stay free.')).toBeVisible();
  await expect(page.getByText('Line 2, “nobody”: no email address, or more than one')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  await expect(page.getByRole('list', { name: 'People with seats' })).toContainText(ana);
  await looksRight(page);

  const link = await mailedLink(process.env.SITE_DATA_DIR!, ana, /Your place in a course/);
  const other = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const learner = await other.newPage();
  await learner.goto(link);
  await expect(learner.getByText('It never sees answers, notes, questions or programs.')).toBeVisible();
  await learner.getByRole('link', { name: 'Make an account' }).click();
  await learner.getByLabel('Full Name').fill('Ana Lind');
  await learner.getByLabel('Email', { exact: true }).fill(ana);
  await learner.getByLabel('Password', { exact: true }).fill('apollo-1969');
  await learner.getByLabel('Confirm Password').fill('apollo-1969');
  await learner.getByRole('button', { name: /create account|sign up|register/i }).click();
  await learner.waitForURL(/\/join\?token=/);
  await looksRight(learner);
  await learner.getByRole('button', { name: 'Take my place' }).click();
  await learner.waitForURL(/\/(learn|lesson)\/\d+/);
  await expect(learner.getByRole('heading', { level: 1 })).toBeVisible();
  await other.close();

  await page.goto(home);
  const row = page.getByRole('list', { name: 'People with seats' }).getByRole('listitem').first();
  await expect(row).toContainText('Ana Lind');
  await expect(row).toContainText(/Learning|Not begun/);
  await page.getByRole('link', { name: 'Buy seats' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Buy seats' })).toBeVisible();
});
