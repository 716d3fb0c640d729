import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, expectNoOverflowWhenNarrow, test } from './fixtures.ts';

test('the administration is found in a menu, in tabs and by keys @phone', async ({ page, isMobile }) => {
  await signIn(page, ADMIN);
  await page.goto('/admin');
  const nav = page.getByRole('navigation', { name: 'Administration' });
  const orders = nav.getByRole('link', { name: /^Orders/ });
  if (isMobile) {
    await expect(orders).toBeHidden();
    await nav.getByText('Administration:').click();
  }
  await expect(nav.getByRole('link')).toHaveCount(11);
  await expect(nav.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  await expectNoOverflowWhenNarrow(page);
  await orders.click();
  await page.waitForURL('**/admin/orders');
  await expect(nav.locator('[aria-current=page]')).toHaveText(/^Orders/);
  await expectNoOverflow(page);

  // Letters that are typed stay letters.
  await page.getByRole('searchbox', { name: 'Search orders' }).pressSequentially('gc');
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue('gc');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('z');
  await page.keyboard.press('c');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.waitForURL('**/admin/users');
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.waitForURL('**/admin/grading');

  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toBeHidden();
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
  await expectAccessible(page);
  await keys.getByRole('link', { name: 'Audit log' }).click();
  await page.waitForURL('**/admin/audit');
  await expect(nav.locator('[aria-current]')).toHaveText(/^Operations/);
  const tabs = page.getByRole('navigation', { name: 'Operations' });
  await expect(tabs.getByRole('link', { name: 'Audit log' })).toHaveAttribute('aria-current', 'page');
  await tabs.getByRole('link', { name: 'Health' }).click();
  await page.waitForURL('**/admin/health');
});

test('what waits is counted beside its page', async ({ page, baseURL }) => {
  await signIn(page, ADMIN);
  const sent = await page.request.post('/api/contact', {
    headers: { origin: baseURL! },
    data: {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@example.com',
      subject: 'To be counted',
      message: 'How many messages wait for an answer?',
    },
  });
  expect(sent.ok(), await sent.text()).toBe(true);
  await page.goto('/admin/orders');
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: /^Enquiries \d+ waiting$/ })
    .click();
  await page.waitForURL('**/admin/messages');
});
