import type { Page } from '@playwright/test';
import { addressOf, takeFreeCourse } from '../e2e/addresses.ts';
import { ADMIN, buyer, paidCourses, STUDENT, signIn } from '../e2e/admin-session.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { PAGE_STATES } from '../e2e/page-states.ts';
import { findCourse } from '../e2e/shopper.ts';

// What the pages look like in one build; `run.ts` has it done for two. States and addresses are those of the browser tests.

/** Pages by their routes, as those who may open them. A star: on a phone in the dark theme too. */
const PAGES = {
  student: [
    ...['/dashboard *', '/dashboard?tab=courses', '/dashboard?tab=progress', '/dashboard?tab=purchases'],
    ...['/my-courses', '/learn/[id]', '/learn/[id]/finished', '/learn/[id]/news', '/account *', '/checkout'],
    ...['/orders/[id] *', '/orders/[id]/invoice', '/review', '/scenario/[id]', '/organisations'],
    ...['/organisations/[id] *', '/organisations/[id]/buy', '/organisations/[id]/buy?course=1&seats=5'],
    ...['/organisations/[id]/invoice', '/organisations/[id]/orders', '/organisations/[id]/webhooks'],
  ],
  visitor: [
    ...['/ *', '/about', '/services', '/clients', '/clients/[id]', '/insights', '/insights/[id]', '/contact'],
    ...['/marketplace', '/courses *', '/courses?search=python&level=beginner', '/courses?search=zzzzqqqq'],
    ...['/courses/[id] *', '/bundles/[id] *', '/buy/[id] *', '/cart', '/lesson/[id]', '/login', '/register'],
    ...['/forgot-password', '/demo', '/api-reference', '/404'],
  ],
  admin: [
    ...['/admin *', '/admin/courses', '/admin/courses/import', '/admin/courses/[id]/content'],
    ...['/admin/courses/[id]/content/[lesson]', '/admin/courses/[id]/publish', '/admin/courses/[id]/news'],
    ...['/admin/analytics *', '/admin/analytics?days=30', '/admin/analytics?course=1', '/admin/coupons'],
    ...['/admin/orders', '/admin/orders/[id]', '/admin/users', '/admin/users/[id]'],
    ...['/admin/bundles', '/admin/organisations', '/admin/reviews', '/admin/messages'],
  ],
};

/** What becomes of pages, of `page-states`. */
const STATES = new Set([
  ...['a registration with mistakes', 'a sign-in that is refused', 'suggestions of the search'],
  ...['the account menu, open', 'the dashboard of a newcomer', 'what can be done with a course'],
  ...['a coding lesson in its editor', 'a paid order, as the administration sees it', 'a filled cart'],
  ...['the certificate of a finished course', 'a purchase that succeeded', 'an order that is not paid'],
  ...['a purchase of one’s own, its order and its invoice', 'a checkout of what one owns'],
]);

/** Words for what no two runs have in common: moments, addresses made up for the run, secrets. */
function fixWords() {
  const words: [RegExp, string][] = [
    [/[\w.+-]*\d[\w.+-]*@/g, 'somebody@'],
    [/\b(\d+|an?) (second|minute|hour)s? ago\b|\bjust now\b/g, 'today'],
    [/\b\d{1,2}:\d{2}(:\d{2})?(\s?[AP]M)?\b/g, '00:00'],
    [/\bwhsec_\w+|\bpi_\w+|\b\d{10,}\b|\b[0-9a-f]{8}-[0-9a-f-]{20,}/g, 'secret'],
    [/\b\d+ s\b/g, '0 s'],
    [/\b[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\b/g, '0000-0000-0000-0000'],
    [/\bE2E-[\d-]+/g, 'E2E'],
  ];
  const fixed = (text: string) => words.reduce((all, [what, word]) => all.replace(what, word), text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.data !== fixed(node.data)) node.data = fixed(node.data);
  }
  for (const field of document.querySelectorAll('input')) {
    if (field.type === 'text' || field.type === 'email') field.value = fixed(field.value);
  }
}

/** Has everything of the page there: what comes when it is scrolled to, and the scripts that wait for that. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    const { scrollHeight } = document.documentElement;
    for (let y = 0; y <= scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' });
      await new Promise((done) => requestAnimationFrame(done));
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await document.fonts.ready;
    await Promise.all([...document.images].map((one) => one.decode().catch(() => {})));
  });
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {});
  await expect(page.locator('main .animate-pulse'))
    .toHaveCount(0, { timeout: 5000 })
    .catch(() => {});
  await page.mouse.move(0, 0);
  // A clock that runs would write its time again.
  await page.evaluate(() => {
    for (let id = Number(setTimeout(() => {})); id > 0; id -= 1) clearInterval(id);
  });
  await page.evaluate(fixWords);
}

async function picture(page: Page, name: string): Promise<void> {
  await settle(page);
  const file = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.png`;
  // An editor takes the height that it is shown in, which a picture of the whole page changes.
  const fullPage = (await page.locator('.monaco-editor, .cm-editor, [contenteditable]').count()) === 0;
  await expect
    .soft(page)
    .toHaveScreenshot(file, { fullPage, mask: [page.locator('video, [aria-label*="QR" i], [alt*="QR" i]')] });
}

async function darkAndSmall(page: Page, name: string): Promise<void> {
  const usual = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, `${name} phone`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(usual);
}

/** An organisation of the student's with an order and a webhook. */
async function openOrganisation(page: Page): Promise<void> {
  const headers = { origin: process.env.SITE_URL!, authorization: `Bearer ${await signIn(page, STUDENT)}` };
  const opened = await page.request.post('/api/organisations', { headers, data: { name: 'Example Ltd' } });
  const { id } = await opened.json();
  const hook = { url: 'https://hooks.invalid.example/in', kinds: ['seat'] };
  const added = await page.request.post(`/api/organisations/${id}/webhooks`, { headers, data: hook });
  expect(added.ok(), await added.text()).toBe(true);
  const { id: course } = await findCourse(page, 'SQL and PostgreSQL in Practice');
  await page.goto(`/organisations/${id}/invoice?course=${course}&seats=5`);
  await page.getByLabel('Address').fill('Musterweg 1\n10115 Berlin');
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await page.getByRole('button', { name: /^Order for \$/ }).click();
  await page.waitForURL(/\/orders\/\d+$/);
}

test.use({ allowed: [/./] });
test.setTimeout(900_000);

for (const [who, routes] of Object.entries(PAGES)) {
  test(`pages of a ${who}`, async ({ page }) => {
    if (who === 'admin') await signIn(page, ADMIN);
    if (who === 'student') await openOrganisation(page);
    if (who === 'student') await takeFreeCourse(page.request);
    for (const one of routes) {
      const [route, star] = one.split(' ') as [string, string?];
      const [path, query] = route.split('?') as [string, string?];
      const address = await addressOf(path, page.request);
      await page.goto(query ? `${address.split('?')[0]}?${query}` : address);
      await picture(page, `${who} ${route}`);
      if (star) await darkAndSmall(page, `${who} ${route}`);
    }
  });
}

test('lessons of each type', async ({ page }) => {
  const courses = await paidCourses(page.request);
  await buyer(page, courses.find(({ title }) => title === 'Accessible Web Design')!);
  const { id } = await findCourse(page, 'Accessible Web Design');
  const { content } = await (await page.request.get(`/api/courses/${id}`)).json();
  for (const type of ['text', 'video', 'quiz', 'assignment', 'document']) {
    const lesson = content.find((one: { type: string }) => one.type === type);
    if (!lesson) continue;
    await page.goto(`/learn/${id}?lesson=${lesson.id}`);
    await picture(page, `lesson ${type}`);
    if (type === 'quiz') await darkAndSmall(page, `lesson ${type}`);
  }
});

for (const { name, as, open } of PAGE_STATES.filter((one) => STATES.has(one.name))) {
  test(name, async ({ page }) => {
    if (as) await signIn(page, as);
    let looks = 0;
    await open(page, () => picture(page, `state ${name} ${++looks}`));
    await picture(page, `state ${name}`);
    if (name !== 'a filled cart') return;
    await page.goto('/checkout');
    await expect(page.getByLabel('Card number')).toBeVisible();
    await picture(page, 'checkout');
  });
}
