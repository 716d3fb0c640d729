import type { Page } from '@playwright/test';
import { STUDENT, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { fillCart, findCourse, newShopper } from './shopper.ts';

const found = (page: Page) => page.getByText(/^\d+ course\(s\) found$/);
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('link');
const cards = (page: Page) => page.getByRole('main').getByRole('article');
const select = (page: Page, label: string) => page.getByRole('main').getByLabel(label);

/** On phones the lists wait behind a button. */
async function openFilters(page: Page): Promise<void> {
  const more = page.getByRole('checkbox', { name: 'Filters' });
  if (await more.isVisible()) await more.check();
}

/** Marks the document, so that a page that was loaded again can be told from one that was changed in place. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-same', ''));
const isSame = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute('data-same'));

test('every filter changes the list in place, stands in the address as a chip, and back and forward work', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/courses');
  const count = async () => Number(/\d+/.exec((await found(page).textContent()) ?? '')?.[0]);
  await mark(page);
  await openFilters(page);

  await select(page, 'Category').selectOption({ value: '2' });
  await expect(page).toHaveURL(/\/courses\?category=2$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Business courses');
  await expect(page).toHaveTitle(/^Business courses/);
  await select(page, 'Level').selectOption('beginner');
  await expect(page).toHaveURL(/category=2&level=beginner$/);
  for (const sort of ['rating', 'newest', 'price-low', 'price-high']) {
    await select(page, 'Sort by').selectOption(sort);
    await expect(page).toHaveURL(new RegExp(`sort=${sort}$`));
    await expect(chips(page)).toHaveCount(3);
  }
  const cents = await cards(page).evaluateAll((all) =>
    all.map(({ textContent }) => Number(/\$([\d,]+\.\d\d)/.exec(textContent)?.[1]?.replace(',', '') ?? 0)),
  );
  expect(cents).toEqual(cents.toSorted((a, b) => b - a));
  expect(await found(page).textContent()).toBe(`${cents.length} course(s) found`);
  await expect(select(page, 'Level').locator('option:checked')).toHaveText(`Beginner (${cents.length})`);

  await page.getByRole('main').getByRole('searchbox').fill('zzzzzz');
  await page.getByRole('main').getByRole('searchbox').press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing on “zzzzzz” yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask for this course' })).toHaveAttribute(
    'href',
    '/contact/course?about=zzzzzz',
  );
  await expect(page.getByRole('link', { name: 'Clear Filters' })).toBeVisible();
  await expect(found(page)).toHaveText('0 course(s) found');
  await expect(chips(page)).toHaveText([/“zzzzzz”/, /Business/, /Beginner/, /Sorted by price: high to low/]);
  await expectNoOverflow(page);

  await chips(page).filter({ hasText: 'zzzzzz' }).click();
  await expect(page).toHaveURL(/\/courses\?category=2&level=beginner&sort=price-high$/);
  await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('');
  await expect(found(page)).toBeFocused();
  await page.goBack();
  await expect(chips(page)).toHaveCount(4);
  await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('zzzzzz');
  await page.goForward();
  await expect(chips(page)).toHaveCount(3);
  await page.goBack();
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL(/\/courses$/);
  // The whole list again. How long it is changes meanwhile: other tests put courses into the store and take them out.
  await expect.poll(count).toBeGreaterThan(cents.length);
  await expect(chips(page)).toHaveCount(0);
  expect(await isSame(page)).toBe(true);
});

test('four placeholders stand while the list is fetched', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/courses');
  await mark(page);
  await openFilters(page);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/courses?level=advanced', async (route) => {
    await held;
    await route.continue();
  });
  await select(page, 'Level').selectOption('advanced');
  await expect(page.locator('[data-results] [data-loading] > li')).toHaveCount(4);
  await expect(page.locator('[data-results]')).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.locator('[data-loading]')).toHaveCount(0);
  await expect(found(page)).toBeVisible();
  expect(await isSame(page)).toBe(true);
});

test.describe('on a line that breaks', () => {
  test.use({ allowed: [/ERR_CONNECTION_RESET/] });

  test('the page is loaded instead', async ({ page }) => {
    await page.goto('/courses');
    await mark(page);
    let refused = false;
    await page.route('**/courses?level=beginner', async (route) => {
      if (refused) return route.continue();
      refused = true;
      return route.abort('connectionreset');
    });
    await select(page, 'Level').selectOption('beginner');
    await page.waitForURL(/level=beginner/);
    await expect(chips(page)).toHaveText([/Beginner/]);
    await expect.poll(() => isSame(page)).toBe(false);
  });
});

test('what an address asks for in vain is said on a chip, and the default shows', async ({ page }) => {
  const answer = await page.goto('/courses?category=99&level=expert&sort=cheapest&page=777&search=');
  expect(answer!.status()).toBe(200);
  await expect(chips(page)).toHaveText([
    /No category “99”/,
    /No level “expert”/,
    /No sort “cheapest”/,
    /No page “777”/,
  ]);
  expect(await cards(page).count()).toBeGreaterThan(5);
  await chips(page).first().click();
  await expect(page).toHaveURL(/\/courses$/);
  for (const odd of ['%27%3Bdrop', '.*%2B%3F', '%26%7C!()', 'a%07b']) {
    expect((await page.request.get(`/courses?search=${odd}&category=${odd}&page=${odd}`)).status()).toBe(200);
  }
  expect((await page.request.get(`/courses?search=${'x'.repeat(10_240)}`)).status()).toBeLessThan(500);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the same filters, chips and searches work as plain pages', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/courses');
    await openFilters(page);
    await select(page, 'Category').selectOption({ value: '1' });
    await page.getByRole('main').getByRole('searchbox').fill('javascirpt');
    await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByText('These courses match “javascript”.')).toBeVisible();
    await expect(cards(page).first()).toContainText('JavaScript');
    await expect(chips(page)).toHaveCount(2);
    await chips(page).filter({ hasText: 'javascirpt' }).click();
    await expect(page).toHaveURL(/\/courses\?category=1$/);
    await expect(chips(page)).toHaveText([/Programming/]);
    await expect(select(page, 'Sort by').locator('option').first()).toHaveText('Popular');
    await page.goto('/courses?search=java');
    await expect(page.getByText('No course teaches exactly that. Closest to “java”:')).toBeVisible();
    await expect(select(page, 'Sort by').locator('option').first()).toHaveText('Most relevant');
    await expect(page.getByRole('link', { name: 'Ask for this course' })).toHaveAttribute(
      'href',
      '/contact/course?about=java',
    );
    await page.goto('/courses?category=1');
    await cards(page).first().getByRole('link').click();
    await page.getByRole('tab', { name: 'Curriculum' }).click();
    await expect(page.getByRole('tabpanel', { name: 'Curriculum' })).toBeVisible();
  });
});

test('the search box suggests courses and categories, by keyboard alone', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/suggestions/.test(request.url())) asked.push(request.url());
  });
  await page.goto('/about');
  if (isMobile) await page.getByRole('button', { name: 'Open menu' }).click();
  expect(asked.filter((url) => !url.endsWith('.css'))).toEqual([]);
  const box = page.locator(isMobile ? '#search-menu' : '#search-header');
  await box.focus();
  // A slow machine also asks for what is typed so far.
  const answered = page.waitForResponse((response) => response.url().endsWith('suggestions?search=progr'));
  await box.pressSequentially('progr', { delay: 30 });
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const { courses, categories } = await (await answered).json();
  const count = courses.length + categories.length;
  await expect(page.getByText(`${count} suggestions`, { exact: true })).toBeAttached();
  await expect(list.getByRole('option')).toHaveCount(count);
  await expect(list.getByRole('option', { name: /^Programming/ })).toBeVisible();
  await expect(box).toHaveAttribute('aria-expanded', 'true');
  await box.press('ArrowDown');
  const first = list.getByRole('option').first();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(box).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id'))!);
  // In the drawer; `page-states` has it in the header.
  if (isMobile) await expectAccessible(page);
  await box.press('Escape');
  await expect(list).toBeHidden();
  await expect(box).toHaveValue('progr');
  await box.press('ArrowDown');
  await expect(list).toBeVisible();
  for (let step = 0; step < count; step += 1) await box.press('ArrowDown');
  await expect(list.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await box.press('Enter');
  await page.waitForURL(/\/courses\?category=1$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programming courses');
});

/** Clicks a star as a visitor does: its radio button is drawn by its label. */
async function rate(page: Page, stars: string): Promise<void> {
  const radio = page.getByRole('radio', { name: stars });
  await page.locator('label', { has: radio }).click();
  await expect(radio).toBeChecked();
}

// One after the other: there is one demo learner who may review a course, once.
test.describe('a review', () => {
  test.describe.configure({ mode: 'serial' });

  test.describe('on a slow line', () => {
    test.use({ allowed: [/status of 400/] });

    test('begun before its script has come loses nothing', async ({ page }) => {
      const course = await findCourse(page, 'JavaScript Fundamentals');
      await signIn(page, STUDENT);
      await page.route(/\/_astro\/RatingEditor.*\.js/, async (route) => {
        await new Promise((done) => setTimeout(done, 1500));
        await route.continue();
      });
      await page.goto(`/courses/${course.id}?tab=about#reviews`);
      const text = page.getByRole('textbox', { name: 'Review' });
      await text.fill('Short lessons.');
      await page.getByRole('button', { name: 'Publish review' }).click();
      await expect(page.getByText('Choose one to five stars')).toBeVisible();
      await expect(page).toHaveURL(`/courses/${course.id}#reviews`);
      await expect(text).toHaveValue('Short lessons.');

      await page.goto(`/courses/${course.id}?tab=about#reviews`);
      await rate(page, '4 stars');
      await text.pressSequentially('Short lesons.');
      for (let step = 0; step < 4; step += 1) await text.press('ArrowLeft');
      await expect(page.locator('astro-island[ssr]', { has: text })).toHaveCount(0);
      await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
      await text.pressSequentially('s');
      await expect(text).toHaveValue('Short lessons.');
      await page.route('**/api/courses/*/review', (route) => route.fulfill({ status: 400, body: '{}' }));
      const sent = page.waitForRequest('**/api/courses/*/review');
      await page.getByRole('button', { name: 'Publish review' }).click();
      expect((await sent).postDataJSON()).toEqual({ rating: 4, review: 'Short lessons.' });
    });
  });

  test('is written by a learner, changed and taken back', async ({ page }) => {
    const course = await findCourse(page, 'JavaScript Fundamentals');
    await page.goto(`/courses/${course.id}`);
    await expect(page.getByText('Nobody has reviewed this course yet.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Publish review' })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Related courses' }).getByRole('article')).toHaveCount(3);

    await signIn(page, STUDENT);
    await page.goto(`/courses/${course.id}?tab=about#reviews`);
    const publish = page.getByRole('button', { name: 'Publish review' });
    // Before its script the form is posted, and the page comes anew.
    await expect(page.locator('astro-island[ssr]', { has: publish })).toHaveCount(0);
    await publish.click();
    await expect(page.getByText('Choose one to five stars')).toBeVisible();
    await rate(page, '4 stars');
    await page.getByLabel('Review', { exact: false }).last().fill('Short lessons.\n<b>Good</b> exercises.');
    await expectAccessible(page);
    await publish.click();
    await expect(page.getByText('Thank you for your review', { exact: true })).toBeVisible();
    const reviews = page.getByRole('region', { name: 'Reviews' });
    await expect(reviews).toContainText('4.0');
    await expect(reviews).toContainText('1 review');
    await expect(reviews).toContainText('<b>Good</b> exercises.');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Edit review' }).click();
    await rate(page, '5 stars');
    await page.getByRole('button', { name: 'Save review' }).click();
    await expect(page.getByText('Review changed', { exact: true })).toBeVisible();
    await expect(reviews).toContainText('5.0');

    await page.getByRole('button', { name: 'Delete review' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete review' }).click();
    await expect(page.getByText('Review deleted', { exact: true })).toBeVisible();
    await expect(page.getByText('Nobody has reviewed this course yet.')).toBeVisible();
  });
});

test('a course says what one can do afterwards and what is inside, and its first lesson can be tried', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  await page.goto('/courses?search=CSS+by+Practice');
  const card = page.getByRole('article').filter({ hasText: 'CSS by Practice' }).first();
  await expect(card.getByText('12 lessons · 12 exercises')).toBeVisible();
  await card.getByRole('link').click();
  const main = page.getByRole('main');
  await expect(
    main.getByRole('listitem').filter({ hasText: 'Predict which of two rules wins' }),
  ).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Who it is for' })).toBeVisible();
  await expect(main.getByText('12 coding exercises', { exact: true })).toBeVisible();
  await main.getByRole('link', { name: 'Try the first lesson' }).click();
  await expect(main.getByText('A style sheet is a list of rules.')).toBeVisible();
  const bar = main.getByRole('button', { name: 'Get this course' });
  if (!isMobile) return expect(bar).toHaveCount(0);
  await expect(bar).toBeInViewport();
  await expectAccessible(page);
  await bar.click();
  // As “Buy Now” does: the wish comes back with the visitor.
  await expect(page).toHaveURL(/\/login\?/);
  expect(decodeURIComponent(page.url())).toMatch(/\/courses\/(\d+)\?buy=\1/);
});

test.describe('a line that breaks', () => {
  test.use({ allowed: [/Failed to load resource/] });

  test('a purchase whose script is lost on the way is sent as a plain form', async ({ page }) => {
    await page.route('**/_astro/CourseActions*.js', (script) => script.abort());
    await page.goto('/courses?search=CSS+by+Practice');
    await page.getByRole('article').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Buy Now' }).click();
    await expect(page).toHaveURL(/\/login\?next=.*courses.*buy/);
  });
});

test('the cards tell a signed-in person which courses are in the cart and which are theirs', {
  tag: '@phone',
}, async ({ page }) => {
  const shopper = await newShopper(page);
  const all: { id: number; title: string; price: string }[] = await (
    await page.request.get('/api/courses')
  ).json();
  const free = all.find(({ price }) => price === '0.00')!;
  const sold = all.find(({ price }) => price !== '0.00')!;
  await fillCart(page, shopper, sold.title);
  await page.goto(`/courses/${free.id}`);
  await page.getByRole('button', { name: 'Enroll for free' }).first().click();
  await page.waitForURL(/\/(learn|lesson)\//);

  const card = (title: string) => cards(page).filter({ has: page.getByRole('heading', { name: title }) });
  for (const { title, word } of [
    { title: sold.title, word: 'In Cart' },
    { title: free.title, word: 'Enrolled' },
  ]) {
    await page.goto(`/courses?search=${encodeURIComponent(title)}`);
    await expect(card(title).getByText(word, { exact: true })).toBeVisible();
  }
  await expectNoOverflow(page);
  await card(free.title).getByRole('link', { name: 'Go to Course' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  // Token first: a page with a token and no cookie fetches the cookie and reloads.
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await page.goto('/courses');
  await expect(cards(page).getByText(/^(In Cart|Enrolled)$/)).toHaveCount(0);
});
