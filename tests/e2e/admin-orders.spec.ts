import { ADMIN, buy, buyAsGuest, paidCourses, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test.beforeEach(({ page }) => signIn(page, ADMIN));

test('an administrator finds an order, reads what happened, and pays one line back', async ({
  page,
  playwright,
  baseURL,
}, { project }) => {
  const buyer = await playwright.request.newContext({ baseURL: baseURL! });
  const [first, second] = await paidCourses(buyer);
  const { orderId, email, token } = await buy(buyer, `Ada ${project.name}`, [first!, second!]);

  await page.goto('/admin/orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await expectNoOverflow(page);
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(email.toUpperCase());
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  const listed = page.getByRole('list', { name: 'Orders' }).getByRole('listitem');
  await expect(listed).toHaveCount(1);
  // The provider's notice may still be on its way.
  await expect(async () => {
    await page.reload();
    await expect(listed).toContainText('Completed', { timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await expect(listed).toContainText(first!.title);
  await page.getByRole('link', { name: `Order #${orderId}` }).click();

  await page.waitForURL(`**/admin/orders/${orderId}`);
  const happened = page.getByRole('region', { name: 'What happened' });
  await expect(happened).toContainText(/arrived, and the order was completed with invoice INV-\d{4}-\d{6}/);
  await expect(page.getByRole('region', { name: 'Ledger', exact: true })).toContainText('Payment provider');
  await expect(page.getByRole('region', { name: 'Buyer' })).toContainText(email);
  await expectNoOverflow(page);

  const line = page
    .getByRole('region', { name: 'Courses' })
    .getByRole('listitem')
    .filter({ hasText: first!.title });
  await expect(line).toContainText('Has access');
  await line.getByRole('button', { name: `Refund ${first!.title}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: `Refund $${first!.price}?` })).toBeVisible();
  // A part leaves the course to its buyer unless somebody says otherwise.
  await expect(dialog.getByRole('checkbox', { name: 'End access to the course' })).toBeChecked();
  await dialog.getByLabel('Amount in US dollars').fill('1.50');
  await expect(dialog.getByRole('checkbox', { name: 'End access to the course' })).not.toBeChecked();
  await expect(dialog.getByText('They keep their access to the course.')).toBeVisible();
  await dialog.getByLabel('Amount in US dollars').fill(first!.price);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Refund $${first!.price}` }).click();
  await expect(dialog.getByText('Reason is required')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Reason').fill('Bought by mistake');
  await dialog.getByRole('button', { name: `Refund $${first!.price}` }).click();
  await expect(page.getByText(/is on its way to the buyer\.$/).first()).toBeVisible();
  await expect(line).toContainText('Paid back');
  await expect(line.getByRole('button')).toHaveCount(0);
  await expect(happened).toContainText(`The refund of $${first!.price} was sent to the buyer`);
  const owned = await (
    await buyer.get('/api/enrollments', { headers: { authorization: `Bearer ${token}` } })
  ).json();
  expect(owned.map(({ courseId }: { courseId: number }) => courseId)).toEqual([second!.id]);

  await page.getByRole('button', { name: 'Resend receipt' }).click();
  await expect(page.getByText(`The receipt is on its way to ${email}.`, { exact: true })).toBeVisible();
  await expect(happened).toContainText('The receipt was mailed again');
  await page.getByRole('button', { name: 'Check with the provider' }).click();
  await expect(
    page.getByText('There was nothing to mend: the order is as it should be.', { exact: true }),
  ).toBeVisible();

  await page.goto('/admin/audit?about=order');
  await expectNoOverflow(page);
  await expect(
    page.getByText(`refunded $${first!.price} for “${first!.title}” of order #${orderId}`),
  ).toBeVisible();
  await buyer.dispose();
});

test('a guest’s claim link is mailed again', async ({ page, playwright, baseURL }) => {
  const guest = await playwright.request.newContext({ baseURL: baseURL! });
  const courses = await paidCourses(guest);
  const { orderId, email } = await buyAsGuest(guest, baseURL!, courses[2]!);
  await page.goto(`/admin/orders/${orderId}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Resend claim link' })).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: 'Buyer' })).toContainText('Bought as a guest');
  await page.getByRole('button', { name: 'Resend claim link' }).click();
  await expect(page.getByText(`We sent a new link to ${email}.`, { exact: true })).toBeVisible();
  await guest.dispose();
});

test.describe('an order that is not there', () => {
  test.use({ allowed: [/status of 404/] });

  test('is said so', async ({ page }) => {
    const answer = await page.goto('/admin/orders/2147483647');
    expect(answer!.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Order not found' })).toBeVisible();
  });
});

test('the books are compared for the time that is asked for', async ({ page }) => {
  await page.goto('/admin/reconciliation');
  for (const name of ['Received', 'Paid back', 'Withheld']) {
    await expect(page.getByRole('rowheader', { name: new RegExp(`^${name}`) })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Paid without access' })).toBeVisible();
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Everything' }).click();
  await page.waitForURL('**/admin/reconciliation?days=all');
  await expect(page.getByRole('link', { name: 'Everything' })).toHaveAttribute('aria-current', 'page');
});

test.describe('books that cannot be compared', () => {
  test.use({ allowed: [/\b503\b/] });

  test('say so, and are compared at the next try', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    let isDown = true;
    await page.route('**/api/admin/reconciliation*', async (route) => {
      await held;
      if (!isDown) return route.continue();
      await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Please try again later.' } });
    });
    // The page is there before the provider has answered.
    await page.goto('/admin/reconciliation');
    await expect(page.getByText('Comparing orders, ledger and payment provider…')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Everything' })).toBeVisible();
    await expectAccessible(page);
    release();
    await expect(page.getByRole('alert')).toContainText('Please try again later.');
    await expectAccessible(page);
    await expectNoOverflow(page);
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('rowheader', { name: /^Received/ })).toBeVisible();
    await expect(page.getByText(/^Checked /)).toBeVisible();
  });
});

test.describe('coupons', () => {
  test.use({ allowed: [/status of 409/] });

  test('are made, refused with the reason at the field, and switched off', async ({ page }, { project }) => {
    const code = `E2E-${project.name.toUpperCase()}-${Date.now() % 1e6}`;
    await page.goto('/admin/coupons');
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'New coupon' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create coupon' }).click();
    await expect(dialog.getByText('Percent must be a whole number from 1 to 100')).toBeVisible();
    await expect(dialog.getByLabel('Code')).toBeFocused();
    await dialog.getByLabel('Code').fill(code.toLowerCase());
    await dialog.getByLabel('Percent').fill('101');
    await dialog.getByRole('button', { name: 'Create coupon' }).click();
    await expect(dialog.getByText('Percent must be a whole number from 1 to 100')).toBeVisible();
    await dialog.getByLabel('Percent').fill('20');
    await dialog.getByLabel('Orders in all').fill('5');
    await expectAccessible(page);
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/admin/coupons', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Create coupon' }).click();
    // The button stands outside of the form that is sent, and says so too.
    await expect(dialog.getByRole('button', { name: 'Create coupon' })).toHaveAttribute('aria-busy', 'true');
    release();
    await expect(page.getByText('Coupon created', { exact: true })).toBeVisible();
    await page.unroute('**/api/admin/coupons');
    const coupon = page
      .getByRole('list', { name: 'Coupons' })
      .getByRole('listitem')
      .filter({ hasText: code });
    await expect(coupon).toContainText('20% off');
    await expect(coupon).toContainText('Used 0 of 5');

    await page.getByRole('button', { name: 'New coupon' }).click();
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByLabel('Percent').fill('10');
    await dialog.getByRole('button', { name: 'Create coupon' }).click();
    await expect(dialog.getByText('There is a coupon with this code already.')).toBeVisible();
    await page.keyboard.press('Escape');

    await coupon.getByRole('button', { name: `Switch off: ${code}` }).click();
    await expect(coupon).toContainText('Switched off');
    await coupon.getByRole('button', { name: `Switch on: ${code}` }).click();
    await expect(coupon).toContainText('Active');
  });
});

test('the lists work without scripts', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.request.post('/api/auth/login', { data: ADMIN });
  await page.goto('/admin/orders');
  await page.getByLabel('State').selectOption('Look at it');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/status=look/);
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await context.close();
});
