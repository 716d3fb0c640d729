import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { ADMIN, signIn } from './admin-session.ts';
import { fillCard, fillCart, mailTo, newShopper, ordersOf, payButton } from './shopper.ts';

const BUNDLE = 'Build Web Pages by Practice';
const COURSES = ['HTML by Practice', 'CSS by Practice', 'JavaScript by Practice'];

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

test(
  'a guest buys a bundle and gets every course of it',
  { tag: '@phone' },
  async ({ page }, { project }) => {
    const email = `bundle-${project.name}-${Date.now()}@example.com`;
    await page.goto('/courses');
    // The courses come first: bundles stand below them, and a link leads there.
    const card = page.getByRole('link', { name: BUNDLE });
    await page.getByRole('link', { name: '2 bundles at a lower price' }).click();
    await expect(card).toBeInViewport();
    await card.click();
    await expect(page.getByRole('heading', { level: 1, name: BUNDLE })).toBeVisible();
    await expect(page.getByText('You save $28.00', { exact: true })).toBeVisible();
    const structured = await page.locator('script[type="application/ld+json"]').last().textContent();
    expect(JSON.parse(structured!)).toMatchObject({
      name: BUNDLE,
      offers: { price: '59.00', priceCurrency: 'USD' },
    });
    await page.getByRole('link', { name: 'Buy without an account' }).click();
    for (const course of COURSES)
      await expect(page.getByRole('listitem').filter({ hasText: course })).toBeVisible();
    await fillCard(page);
    await page.getByLabel('First name').fill('Katherine');
    await page.getByLabel('Last name').fill('Johnson');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await payButton(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    const bought = page.getByRole('definition').first();
    for (const course of COURSES) await expect(bought).toContainText(course);
    expect(await mailTo(email, 'Your receipt')).toContain(BUNDLE);
    // The browser that paid cannot pay twice.
    await page.goto('/bundles/1');
    await page.getByRole('link', { name: 'Buy without an account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
  },
);

test('a bundle is one row of the cart, is paid, and one course of it is refunded', { tag: '@phone' }, async ({
  browser,
  page,
}) => {
  const shopper = await newShopper(page);
  await fillCart(page, shopper, COURSES[0]!);
  await page.goto('/courses');
  await page.getByRole('link', { name: BUNDLE }).click();
  // Before its script the button posts the form, which leads to the cart.
  await expect(page.locator('course-actions:not([ssr])')).toBeVisible();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(
    page.getByText(`“${COURSES[0]}” was in your cart already and is part of the bundle now.`, {
      exact: true,
    }),
  ).toBeVisible();
  await page.goto('/cart');
  const rows = page.getByRole('list', { name: 'Courses in your cart' }).getByRole('heading', { level: 2 });
  await expect(rows).toHaveText([BUNDLE]);
  await expect(page.getByText('You save $28.00', { exact: true })).toBeVisible();
  // Removed as one, and put back.
  // The row goes at once; the next page asks the server.
  const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: `Remove ${BUNDLE}` }).click();
  await removed;
  await expect(page.getByText('Your cart is empty')).toBeVisible();
  await page.goto('/bundles/1');
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page.getByText('Bundle added to cart', { exact: true })).toBeVisible();
  await page.goto('/checkout');
  await expect(page.getByText(`Bundle of 3 courses`)).toBeVisible();
  await fillCard(page);
  await looksRight(page);
  await payButton(page).click();
  await expect(page).toHaveURL(/\/dashboard/);
  const [order] = await ordersOf(page, shopper);
  expect(order!.total).toBe('59.00');

  const admin = await browser.newPage({ baseURL: process.env.SITE_URL! });
  await signIn(admin, ADMIN);
  await admin.goto(`/admin/orders/${order!.id}`);
  const line = admin
    .getByRole('region', { name: 'Courses' })
    .getByRole('listitem')
    .filter({ hasText: COURSES[2]! });
  await expect(line).toContainText(`Bundle “${BUNDLE}”`);
  await line.getByRole('button', { name: `Refund ${COURSES[2]}` }).click();
  await admin.getByRole('dialog').getByLabel('Reason').fill('Asked for it');
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund \$19\.6/ })
    .click();
  await expect(line).toContainText('Paid back');
  await admin.close();
  await page.goto(`/orders/${order!.id}`);
  await expect(page.getByText(`Part of the bundle “${BUNDLE}”`)).toHaveCount(3);
  await looksRight(page);
  // The other two are still theirs.
  await page.goto('/bundles/1');
  await expect(page.getByText('You own a part of this bundle')).toBeVisible();
  await expect(page.getByText(`You can buy “${COURSES[2]}” singly.`)).toBeVisible();
});

test.describe('of administrators', () => {
  // A price that saves nothing is tried.
  test.use({ allowed: [/status of 400/] });

  test('an administrator makes a bundle out of courses that are searched for', async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto('/admin/bundles');
    await expect(
      page.getByRole('list', { name: 'Bundles' }).getByRole('heading', { name: BUNDLE }),
    ).toBeVisible();
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await page.getByRole('button', { name: 'New bundle' }).click();
    const title = `Practice ${Date.now()}`;
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Description').fill('Two courses of exercises.');
    for (const course of ['Python by Practice', 'React by Practice']) {
      await page.getByRole('searchbox', { name: 'Courses' }).fill(course);
      await page.getByRole('button', { name: `Add ${course}` }).click();
    }
    await page.getByRole('button', { name: 'Move React by Practice up' }).click();
    await page.getByLabel('Price in dollars').fill('58.00');
    await expect(page.getByText('Singly: $58.00')).toBeVisible();
    await looksRight(page);
    await page.getByRole('button', { name: 'Create bundle' }).click();
    await expect(page.getByText('The price must be below what the courses cost singly')).toBeVisible();
    await page.getByLabel('Price in dollars').fill('45');
    await page.getByRole('button', { name: 'Create bundle' }).click();
    const row = page.getByRole('listitem').filter({ hasText: title });
    await expect(row.getByText('React by Practice, Python by Practice')).toBeVisible();
    await expect(row.getByText('Hidden', { exact: true })).toBeVisible();
    await row.getByRole('button', { name: `Delete ${title}` }).click();
    await page.getByRole('button', { name: 'Delete bundle' }).click();
    await expect(page.getByText('Bundle deleted', { exact: true })).toBeVisible();
    await expect(row).toHaveCount(0);
  });
});
