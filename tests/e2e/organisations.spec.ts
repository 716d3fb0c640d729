import type { Page } from '@playwright/test';
import { mailedLink } from '../support/mail-folder.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';
import { ADMIN, signIn, verificationLink } from './admin-session.ts';

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
  await newShopper(page, 'Grace Hopper');
  await page.goto('/courses');
  await page.getByRole('link', { name: COURSE }).first().click();
  await page.getByRole('link', { name: 'Buy for a team' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Buy for your team' })).toBeVisible();
  await looksRight(page);
  await page.getByLabel('Name of the organization').fill('Example Shipping Ltd');
  await page.getByRole('button', { name: 'Open the organization' }).click();

  await page.waitForURL(/\/organisations\/\d+\/buy/);
  await page.getByLabel('Seats', { exact: true }).fill('many');
  await page.getByRole('button', { name: 'Show the price' }).click();
  await expect(page.getByText('Seats must be a whole number from 1 to 10,000')).toBeVisible();
  await page.getByLabel('Seats', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Show the price' }).click();
  const price = page.getByRole('region', { name: 'Price' });
  await expect(price).toContainText('3 × $');
  await page.getByLabel('Seats', { exact: true }).fill('4');
  await expect(price).toContainText('4 × $');
  await page.getByLabel('Seats', { exact: true }).fill('3');
  await expect(price).toContainText('3 × $');
  await looksRight(page);
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('Address is required')).toBeVisible();
  await looksRight(page);
  await page.getByLabel('Address').fill('1 Harbour Road\nBaltimore, MD 21230');
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: 'United States', exact: true }).click();
  await page.getByLabel('Purchase order number').fill('PO-42');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('button', { name: 'Change billing details' }).click();
  await expect(page.getByLabel('Purchase order number')).toHaveValue('PO-42');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('The invoice names Example Shipping Ltd.')).toBeVisible();
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  await looksRight(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();

  await page.waitForURL(/\/organisations\/\d+#course-\d+$/);
  await expect(page.getByText('Now give the seats to your people.', { exact: true }).first()).toBeVisible();
  const home = new URL(page.url()).pathname;
  await expectNoOverflow(page);

  const ana = `ana-${Date.now()}@example.com`;
  await page.getByRole('button', { name: `Give seats: ${COURSE}` }).click();
  await page.getByLabel('Email addresses').fill(`${ana}\nnobody`);
  await page.getByRole('button', { name: 'Check the list' }).click();
  await expect(page.getByText('1 person gets a seat; 2 seats stay free.')).toBeVisible();
  await expect(page.getByText('Line 2, “nobody”: no email address')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  await expect(page.getByRole('list', { name: 'People with seats' })).toContainText(ana);
  await looksRight(page);

  const link = await mailedLink(process.env.SITE_DATA_DIR!, ana, /your place in/i);
  const other = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const learner = await other.newPage();
  await newShopper(learner, 'Somebody Else');
  await learner.goto(link);
  await expect(learner.getByText('This invitation is for another address.')).toBeVisible();
  await looksRight(learner);
  await learner.getByRole('button', { name: 'Sign out and go on' }).click();
  await expect(learner.getByRole('link', { name: 'Make an account' })).toBeVisible();
  await expect(learner.getByText('It never sees answers, notes, questions or programs.')).toBeVisible();
  await learner.getByRole('link', { name: 'Make an account' }).click();
  await learner.getByLabel('Full Name').fill('Ana Lind');
  await expect(learner.getByLabel('Email', { exact: true })).toHaveValue(ana);
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

test('a company orders by invoice, and the seats open when the money is there', { tag: '@phone' }, async ({
  page,
  browser,
}) => {
  await newShopper(page, 'Katherine Johnson');
  await page.goto('/organisations');
  await page.getByLabel('Name of the organization').fill('Example Orbit Ltd');
  await page.getByRole('button', { name: 'Open the organization' }).click();
  await page.waitForURL(/\/organisations\/\d+$/);
  const home = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Buy seats' }).first().click();
  await page
    .getByLabel('Course or bundle', { exact: true })
    .selectOption({ label: await optionWith(page, COURSE) });
  await page.getByLabel('Seats', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page.getByRole('button', { name: 'Pay by invoice' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Order by invoice' })).toBeVisible();
  await looksRight(page);
  const quote = await page.request.get(
    (await page.getByRole('link', { name: 'Quote as PDF' }).getAttribute('href'))!,
  );
  expect(quote.headers()['content-type']).toBe('application/pdf');
  await page.getByLabel('Address').fill('Musterweg 1\n10115 Berlin');
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.getByLabel('Purchase order number').fill('PO-4711');
  await page.getByRole('button', { name: /^Order for \$/ }).click();

  await page.waitForURL(/\/orders\/\d+$/);
  const order = page.url();
  await expect(page.getByText(/at the latest when \$[\d.,]+ has arrived by bank transfer/)).toBeVisible();
  await looksRight(page);

  const office = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const desk = await office.newPage();
  await signIn(desk, ADMIN);
  await desk.goto('/admin/orders?status=look');
  const number = /\d+$/.exec(order)![0];
  await desk
    .getByRole('link', { name: `#${number}`, exact: false })
    .first()
    .click();
  await desk.waitForURL(/\/admin\/orders\/\d+$/);
  await looksRight(desk);
  await desk.getByRole('button', { name: 'Record a transfer' }).click();
  await desk.getByLabel('Reference').fill('Statement 12');
  await desk.getByRole('button', { name: 'Record it' }).click();
  await expect(desk.getByText('Day is required')).toBeVisible();
  await desk.getByLabel('Day').fill('2026-01-02');
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Record it' }).click();
  await expect(desk.getByText(/^All is paid: the seats are open/).first()).toBeVisible();
  await expectNoOverflow(desk);
  await office.close();

  await page.goto(order);
  await expect(page.getByText(/paid by bank transfer\./)).toBeVisible();
  await page.getByRole('link', { name: 'View invoice' }).click();
  await expect(page.getByText('PO-4711')).toBeVisible();
  await expectNoOverflow(page);
  await page.goto(`${home}/orders`);
  await expect(page.getByRole('list', { name: 'Orders' })).toContainText('Paid');
  await looksRight(page);
  await page.goto(home);
  await expect(page.getByRole('button', { name: `Give seats: ${COURSE}` })).toBeVisible();
});

test('a company buys 25 seats of a bundle and some of a course, and invites its people', {
  tag: '@phone',
}, async ({ page }) => {
  await newShopper(page, 'Annie Easley');
  await page.goto('/bundles/1');
  const title = (await page.getByRole('heading', { level: 1 }).textContent())!.trim();
  await page.getByRole('link', { name: 'Buy for a team' }).click();
  await page.getByLabel('Name of the organization').fill('Example Rockets Ltd');
  await page.getByRole('button', { name: 'Open the organization' }).click();
  await page.waitForURL(/\/organisations\/\d+\/buy\?of=bundle-1/);
  const line = (number: number) => page.getByRole('group', { name: `Line ${number}` });
  await expect(line(1).getByLabel('Course or bundle').locator('option:checked')).toContainText(title);
  await line(1).getByLabel('Seats').fill('25');
  await page.getByRole('button', { name: 'Add another course or bundle' }).click();
  await line(2)
    .getByLabel('Course or bundle')
    .selectOption({ label: await optionWith(page, COURSE) });
  await line(2).getByLabel('Seats').fill('2');
  await page.getByRole('button', { name: /^Show the price/ }).click();
  const price = page.getByRole('region', { name: 'Price' });
  await expect(price).toContainText('25 × $');
  await expect(price).toContainText(/each with \d+ courses/);
  await expect(price).toContainText('2 × $');
  await looksRight(page);
  await page.getByRole('link', { name: 'Remove line 2' }).click();
  await expect(line(2)).toHaveCount(0);
  await expect(line(1).getByLabel('Seats')).toHaveValue('25');
  await page.goBack();
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await page.getByLabel('Address').fill('21000 Brookpark Road\nCleveland, OH 44135');
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: 'United States', exact: true }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  await looksRight(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/organisations\/\d+#bundle-1$/);
  await page.getByRole('button', { name: `Give seats: ${title}` }).click();
  const people = Array.from({ length: 25 }, (_, index) => `rocket-${index}-${Date.now()}@example.com`);
  await page.getByLabel('Email addresses').fill(people.join('\n'));
  await page.getByRole('button', { name: 'Check the list' }).click();
  await expect(page.getByText('25 people get a seat; 0 seats stay free.')).toBeVisible();
  await page.getByRole('button', { name: 'Invite 25 people' }).click();
  await expect(page.getByRole('list', { name: 'People with seats' })).toContainText(people[24]!);
  await looksRight(page);
  await page.getByRole('button', { name: `Day to be done by: ${title}` }).click();
  await page.getByLabel('Day', { exact: true }).fill('2020-01-31');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save the day' }).click();
  await expect(page.getByText('To be done by Jan 31, 2020')).toBeVisible();
  await expect(page.getByRole('list', { name: 'People with seats' }).getByText('Late').first()).toBeVisible();
  await looksRight(page);
  const mail = await mailedLink(process.env.SITE_DATA_DIR!, people[24]!, /your place in/i);
  expect(mail).toContain('/join?token=');
});

/** The whole label of the choice that begins with a course's title. */
async function optionWith(page: Page, title: string): Promise<string> {
  const labels = await page.getByLabel('Course or bundle').last().locator('option').allTextContents();
  return labels.find((label) => label.startsWith(title))!;
}

test('an owner connects a system and sees what was sent', { tag: '@phone' }, async ({ page }) => {
  const { email } = await newShopper(page, 'Ada Byron');
  // Who adds a webhook has shown that the address is theirs.
  const verified = await page.request.post('/verify-email', {
    headers: { origin: new URL(page.url()).origin },
    form: { token: new URL(await verificationLink(email)).searchParams.get('token')! },
  });
  expect(verified.status()).toBe(200);
  await page.goto('/organisations');
  await page.getByLabel('Name of the organization').fill('Example Rail Ltd');
  await page.getByRole('button', { name: 'Open the organization' }).click();
  await page.waitForURL(/\/organisations\/\d+/);
  const [path] = /\/organisations\/\d+/.exec(page.url())!;
  await page.goto(path);
  await page.getByRole('link', { name: /^Webhooks/ }).click();
  await expect(page.getByText('No webhook yet')).toBeVisible();
  await expectNoOverflow(page);

  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('http://hooks.example.com/in');
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await expect(page.getByText('Address must begin with https://')).toBeVisible();
  await address.fill('https://hooks.invalid.example/in');
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await expect(page.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await expect(page.getByRole('list', { name: 'Webhooks' })).toContainText('hooks.invalid.example');
  await expectNoOverflow(page);

  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('A test is on its way').first()).toBeVisible();
  // The name does not exist, so that the log tells of a failed try.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('list', { name: 'Deliveries' })).toContainText('could not be reached', {
      timeout: 1000,
    });
  }).toPass({ timeout: 30_000 });
  await looksRight(page);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await page.locator('astro-island[ssr]').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('No webhook yet')).toBeVisible();
});
