import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const address = (name: string, project: string) => `${name}-${project}-${Date.now()}@example.com`;

/** Signs in over the API and keeps the session as the sign-in form does. */
async function signIn(page: Page, email: string, password = 'learn-demo'): Promise<void> {
  const answer = await page.request.post('/api/auth/login', { data: { email, password } });
  expect(answer.status()).toBe(200);
  await keep(page, await answer.json());
}

async function register(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/api/auth/register', {
    data: {
      username: 'Mary Jackson',
      email,
      password: 'orbit-1958',
      confirmPassword: 'orbit-1958',
      role: 'student',
    },
  });
  expect(answer.ok()).toBe(true);
  await keep(page, await answer.json());
}

async function keep(page: Page, { token, user }: { token: string; user: object }): Promise<void> {
  await page.goto('/about');
  await page.evaluate(
    ([storedToken, storedUser]) => {
      localStorage.setItem('auth_token', storedToken!);
      localStorage.setItem('auth_user', storedUser!);
    },
    [token, JSON.stringify(user)],
  );
}

const header = (page: Page) => page.getByRole('banner');

/** Sums what moved without being asked to, from the first paint on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let total = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) total += entry.value;
      document.documentElement.dataset.shift = String(total);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => Number((await page.locator('html').getAttribute('data-shift')) ?? 0);
}

test.describe('the header of a page that was built before its visitor came', () => {
  test('offers a visitor to sign in, and no cart', { tag: '@phone' }, async ({ page, isMobile }) => {
    await page.goto('/');
    await expect(header(page).getByRole('link', { name: /^Cart/ })).toHaveCount(0);
    await expect(header(page).getByRole('button', { name: 'Account menu' })).toHaveCount(0);
    // Register is in the drawer alone (spec 2).
    await expect(header(page).getByRole('link', { name: 'Register' }).filter({ visible: true })).toHaveCount(
      0,
    );
    if (!isMobile) await expect(header(page).getByRole('link', { name: 'Sign In' })).toBeVisible();
  });

  test(
    'shows a student the cart with its count, and a menu without the admin panel',
    { tag: '@phone' },
    async ({ page }, { project }) => {
      await register(page, address('shell', project.name));
      const shift = await watchShifts(page);
      await page.goto('/services');
      const cart = header(page).getByRole('link', { name: /^Cart/ });
      await expect(cart).toBeVisible();
      await expect(cart).not.toContainText(/\d/);
      await expect(header(page).getByRole('link', { name: 'Sign In' }).filter({ visible: true })).toHaveCount(
        0,
      );

      const [course] = await (await page.request.get('/api/courses?pageSize=1')).json();
      const token = await page.evaluate(() => localStorage.getItem('auth_token'));
      const added = await page.request.post('/api/cart', {
        data: { courseId: course.id },
        headers: { authorization: `Bearer ${token}` },
      });
      expect(added.ok()).toBe(true);
      await page.goto('/clients');
      await expect(header(page).getByRole('link', { name: /^Cart/ })).toContainText('1');

      await header(page).getByRole('button', { name: 'Account menu' }).click();
      const items = page.getByRole('menuitem');
      await expect(items).toHaveText(['Dashboard', 'Account', 'Mail choices', 'Logout']);
      await page.keyboard.press('Escape');
      await expect(header(page).getByRole('button', { name: 'Account menu' })).toBeFocused();
      expect(await shift()).toBeLessThanOrEqual(0.02);
      await expectNoOverflow(page);
    },
  );

  test('follows a cart that another tab changes', async ({ page, context }, { project }) => {
    await register(page, address('tabs', project.name));
    const listed: { id: number; title: string; price: string }[] = await (
      await page.request.get('/api/courses')
    ).json();
    const course = listed.find(({ price }) => price !== '0.00')!;
    await page.goto('/cart');
    await expect(page.getByText('Your cart is empty')).toBeVisible();
    const other = await context.newPage();
    await other.goto(`/courses/${course.id}`);
    await other.getByRole('button', { name: 'Add to Cart' }).click();
    await expect(other.getByRole('button', { name: 'In Cart' })).toBeVisible();
    await expect(page.getByRole('button', { name: `Remove ${course.title}` })).toBeVisible();
    await expect(header(page).getByRole('link', { name: /^Cart/ })).toContainText('1');
    await page.getByRole('button', { name: `Remove ${course.title}` }).click();
    await expect(other.getByRole('button', { name: 'Add to Cart' })).toBeVisible();
    await expect(header(other).getByRole('link', { name: /^Cart/ })).not.toContainText(/\d/);
  });

  test('leads an administrator to the admin panel, and ends with the session', { tag: '@phone' }, async ({
    page,
  }) => {
    await signIn(page, 'admin@example.com');
    await page.goto('/about');
    await header(page).getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Admin Panel' }).click();
    await page.waitForURL('**/admin');
    await page.goto('/contact');
    await header(page).getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL(/\/$/);
    await expect(header(page).getByRole('button', { name: 'Account menu' })).toHaveCount(0);
    expect(await page.evaluate(() => [localStorage.auth_token, localStorage.auth_user])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('tells the other tabs that one has signed out, and how to go on there', async ({ page, context }) => {
    await signIn(page, 'student@example.com');
    await page.goto('/about');
    const other = await context.newPage();
    await other.goto('/my-courses');
    await expect(header(other).getByRole('button', { name: 'Account menu' })).toBeVisible();
    await header(page).getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(other.getByRole('heading', { level: 1, name: 'Please Log In' })).toBeVisible();
    await expect(other.getByText('You signed out in another tab', { exact: true })).toBeVisible();
  });

  test('opens the account menu for a click that came before its script', { tag: '@phone' }, async ({
    page,
  }) => {
    await signIn(page, 'student@example.com');
    await page.route(/\/_astro\/.*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, 1_000));
      await route.continue();
    });
    await page.goto('/services', { waitUntil: 'commit' });
    const menu = header(page).getByRole('button', { name: 'Account menu' });
    await menu.click();
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    const item = page.getByRole('menuitem', { name: 'Mail choices' });
    await expect(item).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(item).toHaveCount(0);
    await expect(menu).toBeFocused();
    await menu.click();
    await expect(item).toBeVisible();
  });

  test('has the account in the drawer too, 72 units wide', { tag: '@only-phone' }, async ({ page }) => {
    await page.goto('/clients');
    await header(page).getByRole('button', { name: /menu/i }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(drawer.getByRole('link', { name: 'Register' })).toBeVisible();
    await expect.poll(async () => (await drawer.boundingBox())!.width).toBe(72 * 4);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(header(page).getByRole('button', { name: /menu/i })).toBeFocused();
  });

  test('searches the catalogue with trimmed text, and does nothing with none', { tag: '@phone' }, async ({
    page,
    isMobile,
  }) => {
    await page.goto('/about');
    if (isMobile) await header(page).getByRole('button', { name: /menu/i }).click();
    const box = page.getByLabel('Search courses').filter({ visible: true });
    await box.fill('   ');
    await box.press('Enter');
    await expect(page).toHaveURL(/\/about$/);
    await box.fill('  c & python  ');
    await box.press('Enter');
    await page.waitForURL('**/courses?**');
    expect(new URL(page.url()).searchParams.get('search')).toBe('c & python');
    await expect(page.getByRole('banner').getByLabel('Search courses').first()).toHaveValue('c & python');
    // What another page calls `search` is no search for courses.
    await page.goto('/my-courses?search=python');
    await expect(page.getByRole('banner').getByLabel('Search courses').first()).toHaveValue('');
  });
});

test.describe('links to public pages', () => {
  test('are fetched ahead when a visitor points at them, and never for somebody signed in', async ({
    page,
  }) => {
    const rules = await page.request.get('/about');
    expect(rules.headers()['speculation-rules']).toBe('"/prefetch-rules.json"');
    const ahead: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['sec-purpose']?.startsWith('prefetch'))
        ahead.push(new URL(request.url()).pathname);
    });
    await page.goto('/about', { waitUntil: 'networkidle' });
    await page.getByRole('banner').getByRole('link', { name: 'Services' }).hover();
    await expect.poll(() => ahead).toContain('/services');

    await signIn(page, 'student@example.com');
    const signedIn = await page.request.get('/about');
    expect(signedIn.headers()['speculation-rules']).toBeUndefined();
  });
});

test('a button that is only an icon says what it does after 700 ms, the next one at once, and none while a menu is open', async ({
  page,
}) => {
  await signIn(page, 'student@example.com');
  await page.clock.install({ time: new Date('2026-01-01T08:00:00Z') });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  await page.clock.pauseAt(new Date('2026-01-01T09:00:00Z'));
  const note = page.locator('.icon-tooltip');
  const loaded = page.waitForResponse(/icon-tooltips/);
  await page.getByRole('link', { name: /^Cart/ }).hover();
  await loaded;
  await expect(note).toBeAttached();
  await page.clock.runFor(650);
  await expect(note).toBeHidden();
  await page.clock.runFor(100);
  await expect(note).toHaveText(/^Cart/);
  await page.getByRole('button', { name: 'Account menu' }).hover();
  await page.clock.runFor(10);
  await expect(note).toHaveText('Account menu');
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
});

test.describe('one half of a sign-in', () => {
  // The restored cookie's page is loaded anew, which ends a transition.
  const hasCookie = async (page: Page) =>
    (await page.context().cookies()).some(({ name }) => name.endsWith('session'));

  test('the token without its cookie gets the cookie back, on any page', async ({ page }) => {
    await signIn(page, 'student@example.com');
    await page.context().clearCookies();
    await page.goto('/courses');
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
    await expect.poll(() => hasCookie(page)).toBe(true);
    await expect(page.locator('#account-part')).toHaveAttribute('data-email', 'student@example.com');
  });

  test('the cookie without its token counts as signed out, and ends', async ({ page }) => {
    await register(page, address('half', 'cookie'));
    await page.evaluate(() => localStorage.clear());
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await expect(page.locator('html[data-unsure]')).toBeAttached();
    await expect(page.getByText(/^Welcome, /)).toBeHidden();
    await page.waitForURL('**/login?next=*');
    await expect.poll(() => hasCookie(page)).toBe(false);
    await page.goto('/dashboard');
    await page.waitForURL('**/login?next=*');
  });
});

test('the account menu takes several letters and forgets them after a second', async ({ page }) => {
  await signIn(page, 'admin@example.com');
  await page.clock.install({ time: new Date('2026-01-01T08:00:00Z') });
  // The menu's keys work once its script is there, which asks for the cart.
  const woken = page.waitForResponse('**/api/cart/count');
  await page.goto('/dashboard');
  await woken;
  await page.clock.pauseAt(new Date('2026-01-01T09:00:00Z'));
  const button = page.getByRole('button', { name: 'Account menu' });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  // The focus comes a moment after the menu.
  await expect(page.locator('#account-menu:focus-within')).toBeVisible();
  await page.keyboard.type('ad');
  await expect(item('Admin Panel')).toBeFocused();
  await page.clock.runFor(1100);
  await page.keyboard.type('ac');
  await expect(item('Account')).toBeFocused();
});
