import type { Page } from '@playwright/test';
import { buyer, paidCourses } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import {
  asAdmin,
  fillCard,
  fillCart,
  findCourse,
  mailTo,
  newCoupon,
  newShopper,
  ordersOf,
  payButton,
} from './shopper.ts';

const COURSE = 'SQL and PostgreSQL in Practice';
const OTHER = 'JavaScript Fundamentals';

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

test.describe('a coupon in the checkout', () => {
  test.use({ allowed: [/status of (404|409)/] });

  test('is refused with a reason, applied, kept over a reload, removed, and paid with', async ({ page }) => {
    const code = await newCoupon(page, { kind: 'percent', percentOff: 10, usageLimit: 50 });
    const expired = await newCoupon(page, { kind: 'fixed', amountOff: '5.00', usageLimit: 1 });
    const shopper = await newShopper(page);
    await fillCart(page, shopper, COURSE, OTHER);
    await page.goto('/checkout');
    await expect(page.getByRole('button', { name: 'Pay $108.00' })).toBeVisible();
    const summary = page.locator('dl').filter({ hasText: 'Subtotal' });
    await expect(summary).not.toContainText('Coupon');
    await expect(summary).toContainText(/Discount already in the prices\$\d+\.\d\d/);
    await page.getByRole('button', { name: 'Have a coupon?' }).click();
    const field = page.getByLabel('Coupon code');
    await expect(field).toBeFocused();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Enter a coupon code.')).toBeVisible();
    await field.fill('no-such-code');
    await field.press('Enter');
    await expect(page.getByText('There is no coupon with this code.')).toBeVisible();
    await expect(field).toHaveValue('no-such-code');
    await looksRight(page);
    // The card form stays as it is until there is a coupon to apply.
    await fillCard(page);
    await field.fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('button', { name: 'Pay $97.20' })).toBeVisible();
    await expect(summary).toContainText(`Coupon ${code}-$10.80`);
    await expect(summary).toContainText('Subtotal$108.00');
    await expect(page.getByRole('button', { name: `Remove coupon ${code}` })).toBeFocused();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Pay $97.20' })).toBeVisible();
    await page.getByRole('button', { name: `Remove coupon ${code}` }).click();
    await expect(page.getByRole('button', { name: 'Pay $108.00' })).toBeVisible();
    await expect(field).toBeFocused();
    await field.fill(code);
    await field.press('Enter');
    await expect(page.getByRole('button', { name: 'Pay $97.20' })).toBeVisible();
    await fillCard(page);
    await page.getByRole('button', { name: 'Pay $97.20' }).click();
    await page.waitForURL('**/dashboard?order=*');
    const orders = await ordersOf(page, shopper);
    expect(orders).toMatchObject([{ status: 'completed', total: '97.20' }]);
    expect(expired).toBeTruthy();

    // Once for each buyer.
    await fillCart(page, shopper, 'Structured Technical Interviews');
    await page.goto(`/checkout?coupon=${code}`);
    await expect(page.getByText('You have used this coupon already. It can be used once.')).toBeVisible();
    await expect(payButton(page)).toHaveText('Pay $69.00');
  });

  test('that takes everything off needs no card, for a guest too', async ({ page }) => {
    const code = await newCoupon(page, { kind: 'percent', percentOff: 100 });
    const { id } = await findCourse(page, COURSE);
    await page.goto(`/buy/${id}?coupon=${code}`);
    await expect(page.getByText('Your coupon covers the whole price. No card is needed.')).toBeVisible();
    await page.getByLabel('First name').fill('Mary');
    await page.getByLabel('Last name').fill('Jackson');
    await page.getByLabel('Email', { exact: true }).fill(`covered-${process.pid}-${Date.now()}@example.com`);
    await page.getByRole('button', { name: 'Enroll for free' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'The course is yours' })).toBeVisible();
  });
});

test.describe('an order', () => {
  test.use({ allowed: [/status of 404/] });

  test('has a page, an invoice and a file, for its owner, in every state', async ({ page, browser }) => {
    const shopper = await newShopper(page, 'Katherine Johnson');
    await fillCart(page, shopper, COURSE, OTHER);
    const opened = page.waitForResponse('**/api/create-payment-intent');
    await page.goto('/checkout');
    await expect(payButton(page)).toBeVisible();
    const open = { id: Number((await (await opened).json()).orderId) };

    // A checkout that was only opened is no purchase.
    await page.goto('/dashboard?tab=purchases');
    await expect(page.getByText('No purchases yet')).toBeVisible();
    await page.goto(`/orders/${open.id}`);
    await expect(page.getByRole('heading', { level: 1, name: `Order #${open.id}` })).toBeVisible();
    await expect(page.getByText('pending', { exact: true })).toBeVisible();
    await expect(page.getByText('Not paid yet. Nothing has been charged.', { exact: false })).toBeVisible();
    const none = await page.goto(`/orders/${open.id}/invoice`);
    expect(none?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'There is no invoice yet' })).toBeVisible();
    await page.goto(`/orders/${open.id}`);
    await page.getByRole('link', { name: 'Continue to pay $108.00' }).click();
    await page.waitForURL('**/checkout');
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');

    await page.getByRole('link', { name: 'Purchase History' }).click();
    await expect(page.getByText('completed', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: /^Invoice INV-/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Invoice' })).toBeVisible();
    await expect(page.getByText('Galaxy IT Partners LLC')).toBeVisible();
    await expect(page.getByText('Katherine Johnson')).toBeVisible();
    await expect(page.getByText('Tax', { exact: true })).toBeVisible();
    // On paper there is the invoice and nothing else.
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Invoice' })).toBeVisible();
    await page.emulateMedia({ media: null });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download PDF' }).click();
    expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/);

    const detail = await page.goto(`/orders/${open.id}`);
    expect(detail?.headers()['cache-control']).toBe('no-store');
    expect(detail?.headers()['referrer-policy']).toBe('no-referrer');
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    await expect(page.getByText('$108.00 paid by card.')).toBeVisible();
    await expect(
      page.getByText(/^The payment of \$108\.00 arrived, and the order was completed/),
    ).toBeVisible();

    await page.getByText('Need an invoice for a company?').click();
    await page.getByLabel('Address').fill('Musterweg 1\n10115 Berlin');
    await page.getByRole('button', { name: 'Issue the invoice' }).click();
    await expect(page.getByText('Country is required')).toBeVisible();
    await looksRight(page);
    await page.getByLabel('Company').fill('Example Orbit GmbH');
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.getByRole('button', { name: 'Issue the invoice' }).click();
    const corrected = page.getByRole('link', { name: /^Corrected invoice INV-/ });
    await expect(corrected).toBeVisible();
    await expect(page.getByText('Need an invoice for a company?')).toHaveCount(0);
    const paper = await page.request.get((await corrected.getAttribute('href'))!);
    expect(paper.headers()['content-type']).toBe('application/pdf');
    await looksRight(page);

    const admin = await asAdmin(page, 'GET', '/api/analytics/recent-purchases');
    expect(JSON.stringify(admin)).toContain(shopper.email);

    // Somebody else, signed in or not, learns nothing.
    const context = await browser.newContext({ baseURL: process.env.SITE_URL! });
    const stranger = await context.newPage();
    await stranger.goto(`/orders/${open.id}`);
    await stranger.waitForURL(`**/login?next=%2Forders%2F${open.id}`);
    await stranger.goto('/orders/999999999');
    await stranger.waitForURL('**/login?next=%2Forders%2F999999999');
    await newShopper(stranger);
    for (const path of [
      `/orders/${open.id}`,
      `/orders/${open.id}/invoice`,
      `/orders/${open.id}/invoice.pdf`,
    ]) {
      const refused = await stranger.goto(path);
      expect(refused?.status(), path).toBe(404);
      expect(await stranger.content()).not.toContain('Katherine');
    }
    await stranger.goto(`/orders/${open.id}`);
    await expect(stranger.getByRole('heading', { level: 1, name: 'Order not found' })).toBeVisible();
    await context.close();
  });

  test('of a guest opens from the receipt, without an account', async ({ page, browser }) => {
    const email = `receipt-${process.pid}-${Date.now()}@example.com`;
    const { id, price } = await findCourse(page, COURSE);
    await page.goto(`/buy/${id}`);
    await page.getByLabel('First name').fill('Christine');
    await page.getByLabel('Last name').fill('Darden');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    // The same browser needs no link.
    await page.getByRole('link', { name: /^#\d+$/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Order #\d+$/ })).toBeVisible();

    const mail = await mailTo(email, 'Your receipt');
    const link = /http:\S+?\/orders\/\d+\?token=[\w-]{43}/.exec(mail)![0];
    const context = await browser.newContext({ viewport: page.viewportSize() });
    const elsewhere = await context.newPage();
    await elsewhere.goto(link);
    await expect(elsewhere.getByText(`${price} paid by card.`)).toBeVisible();
    await expect(elsewhere.getByRole('link', { name: 'Get to your course' })).toBeVisible();
    await elsewhere.getByRole('link', { name: 'View invoice' }).click();
    await expect(elsewhere.getByText('Christine Darden')).toBeVisible();
    await elsewhere.getByRole('link', { name: /^Order #/ }).click();
    await expect(elsewhere.getByText(`${price} paid by card.`)).toBeVisible();
    const wrong = await elsewhere.goto(`${link.slice(0, -4)}aaaa`);
    expect(wrong?.status()).toBe(404);
    await context.close();
  });
});

test('a buyer asks for the money back on the order’s page, once', { tag: '@phone' }, async ({ page }) => {
  const [course] = await paidCourses(page.request);
  const { orderId } = await buyer(page, course!);
  await page.goto(`/orders/${orderId}`);
  await page.getByText('Ask for your money back', { exact: true }).click();
  await looksRight(page);
  await page.getByLabel('Reason').fill('Not what I need.');
  await page.getByRole('button', { name: /^Ask for \$[\d.]+ back$/ }).click();
  await expect(page.getByText(/^You asked for your money back on /)).toBeVisible();
  await expect(page.getByText('We check your request and mail you the outcome.')).toBeVisible();
  await looksRight(page);
  await expect(page.getByText('Ask for your money back', { exact: true })).toHaveCount(0);
});
