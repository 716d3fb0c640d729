import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { newShopper, type Shopper } from './shopper.ts';

// The worker's requests fail while there is no line, and so do those of the pages.
test.use({
  serviceWorkers: 'allow',
  allowed: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 40[134]/],
});

/** A course of two texts and a quiz, with the page's learner in it. */
async function courseFor(page: Page): Promise<{
  shopper: Shopper;
  id: number;
  texts: number[];
  quiz: number;
  send: (path: string, data: unknown) => Promise<{ id: number }>;
}> {
  const office = await page.context().browser()!.newContext({ baseURL: process.env.SITE_URL! });
  const admin = await office.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    ...{ title: `On the train ${Date.now()}`, description: 'Through hills.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  const texts: number[] = [];
  for (const title of ['Valleys', 'Bridges', 'Tunnels']) {
    const made = await send(`/api/admin/courses/${id}/lessons`, {
      ...{ type: 'text', title, content: `All about ${title.toLowerCase()}.` },
    });
    texts.push(made.id);
  }
  const { id: quiz } = await send(`/api/admin/courses/${id}/lessons`, {
    ...{ type: 'quiz', title: 'A quiz' },
    questions: [
      { question: 'Which is even?', options: ['One', 'Two'], correctAnswer: 1, explanation: 'Halves.' },
    ],
  });
  const shopper = await newShopper(page);
  await send(`/api/admin/users/${(shopper.user as { id: number }).id}/enroll`, {
    courseId: id,
    reason: 'To learn',
  });
  return { shopper, id, texts, quiz, send };
}

const keptPages = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('-pages-'));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname + new URL(url).search);
  });

/** Opens a page of the app, and waits until the device has it. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  // What says things comes after the page, and not without a line.
  await expect(notices(page)).toBeAttached();
  await expect.poll(() => keptPages(page)).toContain(path);
}

const lose = async (page: Page) => {
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
};
const comeBack = async (page: Page) => {
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await page.evaluate(() => dispatchEvent(new Event('online')));
};
const notices = (page: Page) => page.getByRole('region', { name: /notifications/i });

test('opened lessons are read without a line, and what was done there is sent once @phone', async ({
  page,
}) => {
  const { id, texts, quiz } = await courseFor(page);
  const [first, second, third] = texts.map((lesson) => `/learn/${id}?lesson=${lesson}`) as [
    string,
    string,
    string,
  ];
  await open(page, first);
  await open(page, second);
  await open(page, `/learn/${id}?lesson=${quiz}`);

  await lose(page);
  await page.goto(first);
  await expect(page.getByText(/You are offline\. This is the lesson as you last opened it on/)).toBeVisible();
  await expect(page.getByText('All about valleys.')).toBeVisible();
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('All about valleys.')).toBeVisible();
  await page.getByRole('link', { name: /Next/ }).click();
  await expect(page.getByText('All about bridges.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /Previous/ }).click();
  await expect(page.getByText('All about valleys.')).toBeVisible();

  await page.goto(third);
  await expect(page.getByRole('heading', { name: 'This lesson is not on this device yet' })).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Bridges/ })
    .click();
  await expect(page.getByText('All about bridges.')).toBeVisible();
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(notices(page).getByText('Saved on this device', { exact: true })).toBeVisible();

  await page.goto(`/learn/${id}?lesson=${quiz}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Two' }).check();
  await page.getByRole('button', { name: 'Submit answers' }).click();
  await expect(notices(page).getByText('Saved on this device', { exact: true })).toBeVisible();
  // Another lesson is open when the line is back, and another tab too.
  await page.goto(first);
  const beside = await page.context().newPage();
  await beside.goto(second);
  const sent: string[] = [];
  page.context().on('response', (answer) => {
    if (/\/(quiz|complete)$/.test(answer.url()) && answer.request().method() === 'POST')
      sent.push(answer.url());
  });
  await Promise.all([comeBack(page), beside.evaluate(() => dispatchEvent(new Event('online')))]);
  // Waits across the page's own reload, which fetches what the site has now.
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => /^waiting:/.test(key)));
  expect(sent.map((address) => address.split('/').at(-1))).toEqual(['complete', 'quiz']);
  await beside.close();
  await expect(() => page.goto(`/learn/${id}?lesson=${quiz}`)).toPass();
  await expect(page.getByText('100%', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('You are offline')).toHaveCount(0);
  await page.goto(second);
  await expect(page.getByRole('navigation', { name: 'Lessons' }).getByText('Completed')).toBeVisible();
});

test('nothing stays after a sign-out, and another account finds nothing', async ({ page }) => {
  const { id, texts } = await courseFor(page);
  const address = `/learn/${id}?lesson=${texts[0]}`;
  await open(page, address);
  await lose(page);
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(notices(page).getByText('Saved on this device', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: '1 answer is not sent yet' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  expect(await keptPages(page)).toContain(address);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await question.getByRole('button', { name: 'Sign out and drop them' }).click();
  // The home page, which no device has.
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goto('/about');
  const left = await page.evaluate(async () => [
    await caches.keys(),
    (await indexedDB.databases()).map(({ name }) => name),
    Object.keys(localStorage).filter((key) => /^waiting:|^auth/.test(key)),
    navigator.serviceWorker.controller,
  ]);
  expect(left).toEqual([[], [], [], null]);

  await page.context().clearCookies();
  await newShopper(page, 'Katherine Johnson');
  await page.goto('/dashboard');
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? ''))
    .toContain('/learner-worker.js');
  await lose(page);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This lesson is not on this device yet' })).toBeVisible();
  await expect(page.getByText('Valleys')).toHaveCount(0);
});

test('what ended elsewhere leaves this device: the session, and the access', async ({ page }) => {
  const { id, texts, shopper, send } = await courseFor(page);
  const address = `/learn/${id}?lesson=${texts[0]}`;
  await open(page, address);
  await open(page, `/learn/${id}?lesson=${texts[1]}`);
  const user = (shopper.user as { id: number }).id;
  const seat = { courseId: id, reason: 'No seat any more' };
  await send(`/api/admin/users/${user}/unenroll`, seat);
  await page.goto(address);
  await expect.poll(() => keptPages(page)).toEqual([`/learn/${id}?lesson=${texts[1]}`]);
  await send(`/api/admin/users/${user}/enroll`, seat);
  await open(page, address);
  await page.context().clearCookies();
  await page.request.post('/api/auth/logout', { headers: { authorization: `Bearer ${shopper.token}` } });
  await page.goto(address);
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
});

test('pages beside the learner’s app have no worker, and those of the app offer to be installed', async ({
  page,
}) => {
  const { id, texts } = await courseFor(page);
  // Left by a worker of another release.
  await page.evaluate(() => caches.open('learner-0-pages-1'));
  await open(page, `/learn/${id}?lesson=${texts[0]}`);
  expect(await page.evaluate(() => caches.has('learner-0-pages-1'))).toBe(false);
  await expect(page.locator('link[rel=manifest]')).toHaveCount(1);
  const manifest = await page.request.get('/app.webmanifest');
  expect(manifest.headers()['content-type']).toContain('application/manifest+json');
  for (const { src } of (await manifest.json()).icons)
    expect((await page.request.get(src)).status()).toBe(200);
  for (const path of ['/', '/about', '/courses', '/cart', '/account', `/courses/${id}`]) {
    await page.goto(path);
    expect(await page.evaluate(() => navigator.serviceWorker.controller), path).toBeNull();
    await expect(page.locator('link[rel=manifest]')).toHaveCount(0);
  }
});

test('where storage is refused, lessons are as without it', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['open', 'match', 'keys', 'has', 'delete'])
      Object.defineProperty(CacheStorage.prototype, name, {
        value: () => Promise.reject(new DOMException('refused', 'SecurityError')),
      });
  });
  const { id, texts } = await courseFor(page);
  await page.goto(`/learn/${id}?lesson=${texts[0]}`);
  await expect(page.getByText('All about valleys.')).toBeVisible();
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(page.getByRole('navigation', { name: 'Lessons' }).getByText('Completed')).toBeVisible();
});
