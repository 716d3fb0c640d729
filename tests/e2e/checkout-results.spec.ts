import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import {
  fillCard,
  fillCart,
  findCourse,
  newShopper,
  ordersOf,
  PASSWORD,
  payButton,
  type Shopper,
} from './shopper.ts';

const COURSE = 'SQL and PostgreSQL in Practice';
const OTHER = 'JavaScript Fundamentals';

const toast = (page: Page, title: string) => page.getByText(title, { exact: true });
const completed = async (page: Page, shopper: Shopper) =>
  (await ordersOf(page, shopper)).filter((order) => order.status === 'completed');

/** A shopper in front of the card form, with one course in the cart. */
async function inCheckout(page: Page, ...titles: string[]): Promise<Shopper> {
  const shopper = await newShopper(page);
  await fillCart(page, shopper, ...(titles.length > 0 ? titles : [COURSE]));
  await page.goto('/checkout');
  await expect(payButton(page)).toBeVisible();
  return shopper;
}

test.describe('the result of a card payment', () => {
  test.use({ allowed: [/status of (400|402|409|500)|ERR_FAILED|^500 /] });

  test('declined: the bank’s word and the catalogue’s, and the same order stays to be paid', async ({
    page,
  }) => {
    const shopper = await inCheckout(page);
    await fillCard(page, '4000000000000002');
    await payButton(page).click();
    await expect(toast(page, 'Payment Failed')).toBeVisible();
    await expect(toast(page, 'Your payment method was declined. Please try a different card.')).toBeVisible();
    await expectAccessible(page);
    await fillCard(page, '4000000000009995');
    await payButton(page).click();
    await expect(page.getByRole('alert').getByText('Your card has insufficient funds.')).toBeVisible();
    // Nothing is paid yet, and the history is of purchases.
    expect(await ordersOf(page, shopper)).toEqual([]);
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await ordersOf(page, shopper)).toMatchObject([{ status: 'completed' }]);
  });

  test('processing: the buyer is told to wait, and the page goes on by itself', async ({ page }) => {
    const shopper = await inCheckout(page);
    await fillCard(page, '4000000000770000');
    await payButton(page).click();
    await expect(toast(page, 'Payment Processing')).toBeVisible();
    await expect(page.getByText('Your payment is being processed. Please wait...').first()).toBeVisible();
    // Neither a reload nor another visit offers to pay again.
    await page.reload();
    await expect(page.getByText('Please do not pay again.')).toBeVisible();
    await expect(payButton(page)).toHaveCount(0);
    await page.waitForURL('**/dashboard?order=*', { timeout: 40_000 });
    await expect(toast(page, 'Payment Successful!')).toBeVisible();
    expect(await completed(page, shopper)).toHaveLength(1);
  });

  test('incomplete: any other status is shown as it is', async ({ page }) => {
    const shopper = await inCheckout(page);
    await page.route('**/payment_intents/*/confirm*', async (route) => {
      const id = /payment_intents\/(pi_\w+)\/confirm/.exec(route.request().url())![1]!;
      await route.fulfill({
        json: { id, object: 'payment_intent', status: 'requires_capture', client_secret: `${id}_secret_x` },
      });
    });
    await fillCard(page);
    await payButton(page).click();
    await expect(toast(page, 'Payment Incomplete')).toBeVisible();
    await expect(
      page.getByRole('alert').getByText('Your payment was not completed. Payment status: requires_capture'),
    ).toBeVisible();
    await page.unroute('**/payment_intents/*/confirm*');
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await completed(page, shopper)).toHaveLength(1);
  });

  test('3-D Secure: refused leaves the order unpaid, completed pays it', async ({ page }) => {
    const shopper = await inCheckout(page);
    await fillCard(page, '4000002760003184');
    await payButton(page).click();
    await page.getByRole('button', { name: 'Fail authentication' }).click();
    await expect(toast(page, 'Payment Failed')).toBeVisible();
    expect(await ordersOf(page, shopper)).toEqual([]);
    await payButton(page).click();
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await completed(page, shopper)).toHaveLength(1);
  });

  test('3-D Secure given up in the middle: a reload takes the same order up again', async ({ page }) => {
    const shopper = await inCheckout(page);
    await fillCard(page, '4000002760003184');
    await payButton(page).click();
    await expect(page.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
    await page.reload();
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await ordersOf(page, shopper)).toMatchObject([{ status: 'completed' }]);
  });

  test('a double click and a second tab are one charge', async ({ page, context }) => {
    const shopper = await inCheckout(page);
    const second = await context.newPage();
    await second.goto('/checkout');
    await fillCard(second);
    await fillCard(page);
    await payButton(page).dblclick();
    await page.waitForURL('**/dashboard?order=*');
    // The other tab still shows its form: paying there finds the order paid.
    await payButton(second).click();
    await second.waitForURL('**/dashboard?order=*');
    expect(await ordersOf(page, shopper)).toMatchObject([{ status: 'completed' }]);
    await second.close();
  });

  test('a cart that changed in another tab closes the old form, and the page shows the new total', async ({
    page,
    context,
  }) => {
    const shopper = await inCheckout(page);
    const old = await payButton(page).textContent();
    await fillCart(page, shopper, OTHER);
    const second = await context.newPage();
    await second.goto('/checkout');
    await expect(payButton(second)).toBeVisible();
    await fillCard(page);
    await payButton(page).click();
    await expect(page.getByText('Your cart was changed in another window.', { exact: false })).toBeVisible();
    await expect(payButton(page)).not.toHaveText(old!);
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await completed(page, shopper)).toHaveLength(1);
    await second.close();
  });

  test('paid, and the server does not answer: said plainly, and another try completes it', async ({
    page,
  }) => {
    const shopper = await inCheckout(page);
    await page.route('**/api/confirm-payment', (route) => route.abort());
    await fillCard(page);
    await payButton(page).click();
    await expect(toast(page, 'Payment Processing Error')).toBeVisible();
    await expect(
      page
        .getByText(
          'Payment succeeded but enrollment failed. Please contact support with your payment details.',
        )
        .first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/confirm-payment');
    await page.route('**/api/confirm-payment', (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(
      page
        .getByText('Failed to process enrollment. Please contact support with your payment confirmation.')
        .first(),
    ).toBeVisible();
    await page.unroute('**/api/confirm-payment');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.waitForURL('**/dashboard?order=*');
    expect(await completed(page, shopper)).toHaveLength(1);
  });
});

test.describe('a checkout that cannot be set up', () => {
  test.use({ allowed: [/status of 503|^503 /] });

  test('says so in the catalogue’s words and works at the next try', async ({ page }) => {
    const shopper = await newShopper(page);
    await fillCart(page, shopper, COURSE);
    await page.route('**/api/create-payment-intent', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/checkout');
    await expect(page.getByRole('heading', { name: 'Payment Setup Failed' })).toBeVisible();
    await expect(page.getByText('Unable to setup payment. Please try again.').first()).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/create-payment-intent');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payButton(page)).toBeVisible();
  });

  test('waits with its words until there is a client secret', async ({ page }) => {
    const shopper = await newShopper(page);
    await fillCart(page, shopper, COURSE);
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/create-payment-intent', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/checkout');
    await expect(page.getByText('Preparing secure payment...').first()).toBeVisible();
    await expect(payButton(page)).toHaveCount(0);
    release();
    await expect(payButton(page)).toBeVisible();
  });
});

test.describe('an action that a sign-in interrupts', () => {
  test.use({ allowed: [/status of 401/] });

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page
      .getByRole('main')
      .getByRole('button', { name: /sign in/i })
      .click();
  }

  /** Before, they are a plain form's, which says nothing. */
  async function buttonsAreAwake(page: Page): Promise<void> {
    await page.mouse.move(9, 9);
    await expect(page.locator('course-actions[ssr]')).toHaveCount(0);
  }

  async function signedOutShopper(page: Page): Promise<Shopper> {
    const shopper = await newShopper(page);
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    return shopper;
  }

  test('Add to Cart: asks to sign in, then the course is in the cart and the visitor is back', async ({
    page,
  }) => {
    const shopper = await signedOutShopper(page);
    const { id } = await findCourse(page, COURSE);
    await page.goto(`/courses/${id}`);
    await buttonsAreAwake(page);
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await expect(toast(page, 'Please sign in to add courses to your cart')).toBeVisible();
    await signIn(page, shopper.email);
    await page.waitForURL(`**/courses/${id}`);
    await expect(toast(page, 'Course added to cart')).toBeVisible();
    await expect(page.getByRole('button', { name: 'In Cart' })).toBeDisabled();
    // Once: a reload adds nothing and says nothing.
    await page.reload();
    await expect(page.getByRole('button', { name: 'In Cart' })).toBeDisabled();
    await expect(toast(page, 'Course added to cart')).toHaveCount(0);
  });

  test('Buy Now: asks to sign in, then leads to the checkout of that course', async ({ page }) => {
    const shopper = await signedOutShopper(page);
    const { id, price } = await findCourse(page, COURSE);
    await page.goto(`/courses/${id}`);
    await buttonsAreAwake(page);
    await page.getByRole('button', { name: 'Buy Now' }).click();
    await expect(toast(page, 'Please sign in to purchase courses')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Buy without an account' })).toHaveAttribute(
      'href',
      `/buy/${id}`,
    );
    await signIn(page, shopper.email);
    await page.waitForURL('**/checkout');
    await expect(page.getByRole('button', { name: `Pay ${price}` })).toBeVisible();
  });

  test('the checkout: leads back to it after the sign-in', async ({ page }) => {
    const shopper = await signedOutShopper(page);
    await fillCart(page, shopper, COURSE);
    await page.goto('/checkout');
    await page.waitForURL('**/login?next=%2Fcheckout');
    await signIn(page, shopper.email);
    await page.waitForURL('**/checkout');
    await expect(payButton(page)).toBeVisible();
  });

  test('paying without a stored token: asks for the sign-in, charges nothing, and leads back', async ({
    page,
  }) => {
    const shopper = await inCheckout(page);
    await fillCard(page);
    await page.evaluate(() => localStorage.removeItem('auth_token'));
    await payButton(page).click();
    await page.waitForURL('**/login?next=%2Fcheckout');
    await expect(toast(page, 'Authentication Error')).toBeVisible();
    await expect(toast(page, 'Please log in again to complete your purchase.')).toBeVisible();
    await signIn(page, shopper.email);
    await page.waitForURL('**/checkout');
    const token = await page.evaluate(() => localStorage.getItem('auth_token')!);
    expect(await ordersOf(page, { ...shopper, token })).toEqual([]);
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
    await expect(page.getByRole('main').getByText(COURSE).first()).toBeVisible();
  });

  test('paying after a sign-out elsewhere: says so, charges nothing, and leads back', async ({ page }) => {
    const shopper = await inCheckout(page);
    await fillCard(page);
    await page.request.post('/api/auth/logout', { headers: { authorization: `Bearer ${shopper.token}` } });
    await page.evaluate(() => localStorage.clear());
    await payButton(page).click();
    await page.waitForURL('**/login?next=%2Fcheckout');
    await expect(toast(page, 'Authentication Error')).toBeVisible();
    await expect(toast(page, 'Please log in again to complete your purchase.')).toBeVisible();
    await signIn(page, shopper.email);
    await page.waitForURL('**/checkout');
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL('**/dashboard?order=*');
  });
});

test.describe('the cart', () => {
  test.use({ allowed: [/status of 500|^500 /] });

  test('a course goes at once and comes back where the server refuses; the focus stays in the list', async ({
    page,
  }) => {
    const shopper = await newShopper(page);
    await fillCart(page, shopper, COURSE, OTHER);
    await page.goto('/cart');
    // Before its script the button posts the form, and the page comes anew.
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await expectNoOverflow(page);
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: COURSE });
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/cart/*', async (route) => {
      await held;
      await route.fulfill({ status: 500, body: '' });
    });
    await page.getByRole('button', { name: `Remove ${COURSE}` }).click();
    await expect(line).toHaveCount(0);
    await expect(page.getByRole('button', { name: `Remove ${OTHER}` })).toBeFocused();
    release();
    await expect(toast(page, 'Failed to remove item from cart')).toBeVisible();
    await expect(line).toBeVisible();
    await page.unroute('**/api/cart/*');
    await page.getByRole('button', { name: `Remove ${COURSE}` }).click();
    await expect(toast(page, 'Item removed from cart')).toBeVisible();
    await expect(line).toHaveCount(0);
    await page.getByRole('button', { name: `Remove ${OTHER}` }).click();
    await expect(page.getByText('Your cart is empty')).toBeVisible();
  });

  test('adding by keyboard keeps the focus where it was', async ({ page }) => {
    await newShopper(page);
    const { id } = await findCourse(page, COURSE);
    await page.goto(`/courses/${id}`);
    await page.getByRole('button', { name: 'Add to Cart' }).focus();
    await page.keyboard.press('Enter');
    const inCart = page.getByRole('button', { name: 'In Cart' });
    await expect(inCart).toBeDisabled();
    await expect(inCart).toBeFocused();
    // It does nothing any more, and lets the focus go on.
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/courses/${id}$`));
    await page.keyboard.press('Tab');
    await expect(inCart).not.toBeFocused();
    await expect(inCart).toBeDisabled();
  });
});
