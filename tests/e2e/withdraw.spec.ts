import { mailedLink } from '../support/mail-folder.ts';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { fillCard, fillCart, findCourse, mailTo, newShopper, ordersOf, payButton } from './shopper.ts';

// What is refused, such as a card, the console says too.
test.use({ allowed: [/status of 40[24]/] });

test('a guest withdraws from a purchase by a mailed link, and is paid back', {
  tag: '@phone',
}, async ({ page }) => {
  const email = `guest-${Date.now()}@example.com`;
  const { id } = await findCourse(page, 'Product Photography at Home');
  await page.goto(`/buy/${id}`);
  await page.getByLabel('First name').fill('Katherine');
  await page.getByLabel('Last name').fill('Johnson');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await fillCard(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/purchase-success/);
  const receipt = await mailedLink(process.env.SITE_DATA_DIR!, email, /Your receipt/);
  expect(receipt).toBeTruthy();

  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract here' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Withdraw from contract' })).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expectNoOverflow(page);
  const orderNumber = await newestOrder(page, email);
  await page.getByLabel('Order number').fill(orderNumber);
  await page.getByLabel('Email', { exact: true }).fill('somebody@example.com');
  await page.getByRole('button', { name: 'Find my order' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  const said = await page.getByText(/^If an order with this number/).textContent();
  await page.getByRole('button', { name: 'Another order' }).click();
  await page.getByLabel('Order number').fill(orderNumber);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Find my order' }).click();
  await expect(page.getByText(said!)).toBeVisible();
  await page.goto(await mailedLink(process.env.SITE_DATA_DIR!, email, /Withdraw from your purchase/));
  await page.getByRole('button', { name: 'Show my order' }).click();

  await expect(page.getByRole('heading', { level: 2, name: `Order ${orderNumber}` })).toBeFocused();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText('Choose the country you live in')).toBeVisible();
  await page.getByLabel('Your name').fill('Katherine Johnson');
  await page.getByRole('combobox', { name: 'Country you live in' }).click();
  await page.getByRole('option', { name: 'Austria' }).click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByRole('heading', { name: 'Your withdrawal is with us' })).toBeFocused();
  await expect(
    page.getByText(/Received .* UTC\. A receipt with this time is on its way to you/),
  ).toBeVisible();
  await expectAccessible(page);
  await mailedLink(process.env.SITE_DATA_DIR!, email, /Your withdrawal from order/);
  await mailedLink(process.env.SITE_DATA_DIR!, email, /Your refund for order/);

  await signIn(page, ADMIN);
  await page.goto('/admin/withdrawals');
  await expect(page.getByRole('list', { name: 'Withdrawals' })).toContainText(email);
  await expect(page.getByRole('list', { name: 'Withdrawals' })).toContainText('Paid back at once');
  await expectNoOverflow(page);
  await expectAccessible(page);
});

const BEGIN = /^I want you to begin with the contract at once/;
const LOSS = /^I know that I lose my right of withdrawal/;

test('a shopper agrees to begin at once, which lasts over a refused card, and the withdrawal waits for a look', {
  tag: '@phone',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const shopper = await newShopper(page);
  await fillCart(page, shopper, 'Product Photography at Home');
  const { id } = await findCourse(page, 'Product Photography at Home');
  // The provider's form takes its colors as it is made; the direct checkout below is looked at in the light ones.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/checkout');
  await fillCard(page, '4000000000000002');
  const [begin, loss] = [
    page.getByRole('checkbox', { name: BEGIN }),
    page.getByRole('checkbox', { name: LOSS }),
  ];
  await expect(begin).not.toBeChecked();
  await expect(loss).not.toBeChecked();
  await begin.press('Space');
  await expect(
    page.getByText(/“Loss of the right” is not ticked, so neither of the two counts/),
  ).toBeVisible();
  await expect(loss).toHaveAccessibleDescription(/“Loss of the right” is not ticked/);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
  await expectAccessible(page);
  await page.getByText(LOSS).click();
  await expect(page.getByText(/is not ticked, so neither/)).toHaveCount(0);
  await payButton(page).click();
  await expect(page.getByText(/declined/).first()).toBeVisible();
  await expect(begin).toBeChecked();
  await expect(loss).toBeChecked();
  await fillCard(page);
  await payButton(page).click();
  await page.waitForURL(/\/dashboard/);

  const [order] = await ordersOf(page, shopper);
  await page.goto(`/learn/${id}`);
  await page.goto(`/orders/${order!.id}`);
  await expect(page.getByText(/^Before you paid, on .* UTC, you agreed to this:$/)).toBeVisible();
  await expect(page.getByText(LOSS)).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Withdraw from contract here' }).click();
  await page.getByRole('button', { name: 'Find my order' }).click();
  await expect(page.getByText(/^You have begun this course, and agreed before paying/)).toBeVisible();
  await page.getByLabel('Your name').fill('Dorothy Vaughan');
  await page.getByRole('combobox', { name: 'Country you live in' }).click();
  await page.getByRole('option', { name: 'Austria' }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(page.getByText('One of us looks at it and writes to you.')).toBeVisible();
});

test('a guest is asked above Pay at the direct checkout', async ({ page }) => {
  const { id } = await findCourse(page, 'Product Photography at Home');
  await page.goto(`/buy/${id}`);
  await fillCard(page);
  await expect(page.getByRole('checkbox', { name: BEGIN })).not.toBeChecked();
  await page.getByText(BEGIN).click();
  await page.getByText(LOSS).click();
  await expectNoOverflow(page);
  await expectAccessible(page);
  const email = `guest-${Date.now()}@example.com`;
  await page.getByLabel('First name').fill('Katherine');
  await page.getByLabel('Last name').fill('Johnson');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await payButton(page).click();
  await page.waitForURL(/\/purchase-success/);
  await mailTo(email, 'you agreed to this');
});

/** The number of an address's order, as administrators find it. */
async function newestOrder(page: import('@playwright/test').Page, email: string): Promise<string> {
  const { token } = await (await page.request.post('/api/auth/login', { data: ADMIN })).json();
  const html = await (
    await page.request.get(`/admin/orders?search=${encodeURIComponent(email)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).text();
  await page.context().clearCookies();
  return /\/admin\/orders\/(\d+)/.exec(html)![1]!;
}
