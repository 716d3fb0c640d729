import type { Page } from '@playwright/test';
import { STUDENT, signIn } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

/** Whether this view of a page is one of those that are measured. */
const drawLots = (page: Page, drawn: number) =>
  page.addInitScript((value) => {
    Math.random = () => value;
  }, drawn);

const scriptsOf = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('page-vitals')),
  );

test('one view in ten of a signed-in page tells its speed, by the pattern of its address', async ({
  page,
  baseURL,
}) => {
  await signIn(page, STUDENT);
  await drawLots(page, 0.05);
  // What a page sends while it is left is not shown to us.
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, data) => {
      if (data instanceof Blob) {
        const told = new FileReader();
        told.onload = () => localStorage.setItem(`told ${url}`, String(told.result));
        told.readAsText(data);
      }
      return send(url, data);
    };
  });
  for (const [path, route] of [
    ['/courses/1?from=mail', '/courses/[id]'],
    ['/about', '/about'],
  ] as const) {
    await page.goto(path);
    await expect.poll(() => scriptsOf(page)).toHaveLength(1);
    await page.getByRole('main').click({ position: { x: 5, y: 5 } });
    // Another tab comes to the front.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    const told = await page.waitForFunction(() => localStorage.getItem('told /api/page-vitals'));
    const body = JSON.parse((await told.jsonValue())!);
    expect(body.route).toBe(route);
    expect(body.lcp).toBeGreaterThan(0);
    expect(body.cls).toBeGreaterThanOrEqual(0);
    const taken = await page.request.post('/api/page-vitals', { data: body, headers: { origin: baseURL! } });
    expect(taken.status(), await taken.text()).toBe(204);
    await page.evaluate(() => localStorage.removeItem('told /api/page-vitals'));
  }
});

test('the other views of a page do not even fetch the script', async ({ page }) => {
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('page-vitals')) told.push(request.url());
  });
  await drawLots(page, 0.1);
  await signIn(page, STUDENT);
  await page.goto('/courses/1');
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.goto('/about');
  await page.waitForLoadState('networkidle');
  expect(told).toEqual([]);
});

test('a signed-out visitor is never measured', async ({ page }) => {
  const told: string[] = [];
  page.on('request', (request) => {
    if (/page-vitals|account-menu/.test(request.url())) told.push(request.url());
  });
  await drawLots(page, 0);
  for (const path of ['/', '/courses/1', '/marketplace', '/']) {
    await page.goto(path, { waitUntil: 'networkidle' });
  }
  expect(told).toEqual([]);
});

test('the price of a course does not move when the rest of its page comes', async ({ page, request }) => {
  const html = await (await request.get('/courses/1')).text();
  const place = () => page.getByRole('complementary', { name: 'Price and access' }).boundingBox();
  const atOnce = html.slice(0, html.indexOf('</aside>'));
  await page.route('/courses/1', (route) => route.fulfill({ contentType: 'text/html', body: atOnce }));
  await page.goto('/courses/1');
  const before = await place();
  await page.unroute('/courses/1');
  await page.goto('/courses/1');
  const { x, y, width } = (await place())!;
  expect(before).toMatchObject({ x, y, width });
});
