import { expect, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

const COURSE = 'SQL and PostgreSQL in Practice';

test(
  'a newcomer registers, finds a course, buys it with a test card, and completes its first lesson',
  { tag: '@phone' },
  async ({ page, isMobile }, { project }) => {
    const email = `newcomer-${project.name}-${Date.now()}@example.com`;

    await page.goto('/register');
    await page.getByLabel('Full Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('cobol-1959');
    await page.getByLabel('Confirm Password').fill('cobol-1959');
    await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();

    await page.waitForURL('**/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const stored = await page.evaluate(() => ({ ...localStorage }));
    expect(JSON.parse(stored.auth_user!)).toMatchObject({ email, role: 'student' });
    expect(stored.auth_token).toMatch(/^[\w-]{20,}$/);

    await page.goto('/courses');
    await expect(page.getByText(/^\d+ course\(s\) found$/)).toBeVisible();
    await page.getByRole('main').getByRole('searchbox').fill('postgresql');
    await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForURL(/\/courses\?.*search=postgresql/);
    await page.getByRole('link', { name: COURSE }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: COURSE })).toBeVisible();

    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await expect(page.getByText('Course added to cart', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'In Cart' })).toBeDisabled();
    const cart = page.getByRole('banner').getByRole('link', { name: /cart/i });
    await expect(cart).toContainText('1');
    await cart.click();
    await page.waitForURL('**/cart');
    await expect(page.getByRole('main').getByText(COURSE)).toBeVisible();

    await page.getByRole('link', { name: /checkout/i }).click();
    await page.waitForURL('**/checkout');
    await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible();
    await expect(page.getByText('Secure Payment Processing')).toBeVisible();
    await expect(page.getByText('Test mode: no card is charged')).toBeVisible();
    await expect(
      page.getByText('By completing your purchase, you agree to our Terms of Service and Privacy Policy.'),
    ).toBeVisible();
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel('Expiration date').fill('12 / 40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /^Pay \$59\.00/ }).click();

    await page.waitForURL('**/dashboard?order=*');
    await expect(page.getByText('Payment Successful!', { exact: true })).toBeVisible();
    await expect(
      page.getByText('Welcome to your new courses! Check your email for confirmation.', { exact: true }),
    ).toBeVisible();
    const bought = page.getByRole('region', { name: 'Thank you for your order' });
    await expect(bought).toContainText(COURSE);
    await expect(bought.getByRole('link', { name: /^INV-/ })).toHaveAttribute(
      'href',
      /\/orders\/\d+\/invoice$/,
    );
    await expect(bought.getByRole('link', { name: /^#\d+$/ })).toBeVisible();
    await expect(bought.getByRole('link', { name: `Lesson 1 of “${COURSE}”` })).toBeVisible();
    await bought.getByRole('link', { name: 'Close' }).click();
    await page.waitForURL('**/dashboard');
    await expect(bought).toBeHidden();
    await expect(page.getByRole('main').getByText(COURSE).first()).toBeVisible();
    if (!isMobile)
      await expect(page.getByRole('banner').getByRole('link', { name: /cart/i })).not.toContainText('1');
    await page.getByRole('link', { name: 'Purchase History' }).click();
    await expect(page.getByText('$59.00')).toBeVisible();
    await expect(page.getByText('completed', { exact: true })).toBeVisible();

    await page.goto('/my-courses');
    await page.getByRole('link', { name: 'Start Course' }).click();
    await page.waitForURL('**/learn/*');
    await page.getByRole('button', { name: 'Mark Complete' }).click();
    await expect(page.getByRole('progressbar').first()).not.toHaveAttribute('aria-valuenow', '0');

    await page.goto('/my-courses');
    await expect(page.getByRole('link', { name: 'Continue Learning' })).toBeVisible();
  },
);

test.describe('a declined card', () => {
  // The provider answers a decline with 402, and the browser's console says so.
  test.use({ allowed: [/status of 402/] });

  test('is said plainly, and another card pays the same order', async ({ page }) => {
    await newShopper(page, 'Ada Lovelace');
    await page.goto('/courses?search=javascript');
    await page.getByRole('link', { name: 'JavaScript Fundamentals' }).first().click();
    await page.getByRole('button', { name: 'Buy Now' }).click();
    await page.waitForURL('**/checkout');
    await page.getByLabel('Card number').fill('4000000000000002');
    await page.getByRole('button', { name: /^Pay / }).click();
    await expect(page.getByLabel('Expiration date')).toBeFocused();
    await page.keyboard.type('1240');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
    await expect(page.getByText('Payment Failed', { exact: true })).toBeVisible();

    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel('Expiration date').fill('12 / 40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL('**/dashboard?order=*');
    await page.getByRole('link', { name: 'Purchase History' }).click();
    await expect(page.getByText('completed', { exact: true })).toHaveCount(1);
  });
});
