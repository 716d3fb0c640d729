import { generate } from 'otplib/functional';
import { expect, expectNoOverflow, test } from './fixtures.ts';
import { findCourse, newCoupon, PASSWORD } from './shopper.ts';

const FREE = 'Prepare for a Technical Interview';
const PAID = 'JavaScript Fundamentals';

// The browser's console names each refusal that the page then tells of.
test.use({ javaScriptEnabled: false, allowed: [/status of 4\d\d/] });

let people = 0;
const newAddress = () => `plain-${process.pid}-${Date.now()}-${++people}@example.com`;

test('an account, a cart, a free order, a review and a way out need no script', async ({ page, baseURL }) => {
  const [free, paid] = [await findCourse(page, FREE), await findCourse(page, PAID)];
  const email = newAddress();
  const main = page.getByRole('main');

  // With a script the wish would be granted on the way back.
  const wish = `/courses/${paid.id}?add=${paid.id}`;
  // Who is not signed in is led to the sign-in, and from there to the registration, with the way back.
  await page.goto(`/courses/${paid.id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(wish)}`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Full Name').fill('Annie Easley');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(`${PASSWORD}!`);
  await main.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await expect(page.getByLabel('Confirm Password')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Full Name')).toHaveValue('Annie Easley');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  for (const label of ['Password', 'Confirm Password']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
    await page.getByLabel(label, { exact: true }).fill(PASSWORD);
  }
  await expectNoOverflow(page);
  await main.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(wish);

  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page).toHaveURL('/cart');
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  // Playwright's own searches leave out what stands in `noscript`.
  await expect(page.locator('noscript h2')).toHaveText('Payment');
  await page.getByLabel('Coupon code').fill('NO-SUCH-CODE');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByLabel('Coupon code')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Coupon code')).toHaveValue('NO-SUCH-CODE');
  const code = await newCoupon(page, { kind: 'percent', percentOff: 50 });
  await page.getByLabel('Coupon code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(main).toContainText(`Coupon ${code}`);
  await expectNoOverflow(page);
  await page.goto('/cart');
  await page.getByRole('button', { name: `Remove ${PAID}` }).click();
  await expect(page.getByText('Your cart is empty')).toBeVisible();

  await page.goto(`/courses/${free.id}`);
  await page.getByRole('button', { name: 'Enroll for free' }).click();
  await expect(page).toHaveURL('/checkout');
  await page.locator('noscript button[value=enroll]').click();
  await expect(page).toHaveURL(/\/dashboard\?order=\d+$/);
  const bought = page.getByRole('region', { name: 'Thank you for your order' });
  await expect(bought.getByRole('link', { name: /^Lesson 1 of / })).toHaveAttribute(
    'href',
    `/learn/${free.id}`,
  );
  await bought.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL('/dashboard');

  const headers = { origin: baseURL! };
  const course = await (await page.request.get(`/api/courses/${free.id}`)).json();
  const text = course.content.find(({ type }: { type: string }) => type === 'text');
  const path = `/api/courses/${free.id}/content/${text.id}/complete`;
  expect((await page.request.post(path, { headers, data: {} })).status()).toBe(200);
  await page.goto(`/courses/${free.id}`);
  await page.getByLabel('Review', { exact: false }).last().fill('Short lessons.');
  await page.getByRole('button', { name: 'Publish review' }).click();
  await expect(page.getByText('Choose one to five stars')).toBeVisible();
  const radio = page.getByRole('radio', { name: '4 stars' });
  await page.locator('label', { has: radio }).click();
  await page.getByRole('button', { name: 'Publish review' }).click();
  await expect(page).toHaveURL(`/courses/${free.id}#reviews`);
  await expect(page.getByRole('heading', { name: 'Your review' })).toBeVisible();
  await page.getByRole('link', { name: 'Edit review' }).click();
  await expect(page.getByRole('textbox', { name: 'Review' })).toHaveValue('Short lessons.');
  // Other tests look at what people say of this course.
  await page.request.delete(`/api/courses/${free.id}/review`, { headers });

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.locator('noscript button[role=menuitem]').click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/login?next=%2Fdashboard');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('not-my-password');
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Invalid email or password.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('the second step of a sign-in takes a code without a script', async ({ page, baseURL, browser }) => {
  const email = newAddress();
  const setUp = await browser.newContext({ baseURL: baseURL! });
  const data = { username: 'Annie Easley', email, password: PASSWORD, confirmPassword: PASSWORD };
  const headers = { origin: baseURL! };
  await setUp.request.post('/api/auth/register', { data });
  await setUp.request.post('/api/account/proof', { headers, data: { password: PASSWORD } });
  const { secret } = await (await setUp.request.post('/api/account/authenticator', { headers })).json();
  const added = await setUp.request.put('/api/account/authenticator', {
    headers,
    data: { code: await generate({ secret }) },
  });
  expect(added.status(), await added.text()).toBe(200);
  const { recoveryCodes } = await added.json();
  await setUp.close();

  const main = page.getByRole('main');
  await page.goto('/login?next=%2Faccount');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByLabel('One-time code').fill('abc');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('A code has 6 digits')).toBeVisible();
  await page.locator('summary').click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]);
  await page.getByRole('button', { name: 'Confirm' }).last().click();
  await expect(page).toHaveURL('/account');
});
