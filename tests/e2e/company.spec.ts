import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const PAGES = [
  {
    path: '/',
    title: 'IT recruitment, staffing, AI and software development',
    crumb: null,
    things: null,
    count: 0,
  },
  { path: '/about', title: 'About us', crumb: 'About us', things: 'Person', count: 6 },
  { path: '/services', title: 'Services', crumb: 'Services', things: null, count: 0 },
  { path: '/clients', title: 'Clients', crumb: 'Clients', things: 'Article', count: 2 },
  { path: '/contact', title: 'Contact', crumb: 'Contact', things: null, count: 0 },
  { path: '/insights', title: 'Insights', crumb: 'Insights', things: 'BlogPosting', count: 3 },
  { path: '/accessibility', title: 'Accessibility', crumb: 'Accessibility', things: null, count: 0 },
  { path: '/teams', title: 'Courses for teams', crumb: 'Courses for teams', things: null, count: 0 },
  { path: '/instructors', title: 'Instructors', crumb: 'Instructors', things: null, count: 0 },
] as const;

const MESSAGE = {
  'First Name': 'Ada',
  'Last Name': 'Lovelace',
  Email: 'ada@example.com',
  Subject: 'An engine',
  Message: 'We need two engineers for an analytical engine.\nBoth should know punched cards.',
};

async function fillForm(page: Page, changes: Partial<typeof MESSAGE> = {}): Promise<void> {
  for (const [label, value] of Object.entries({ ...MESSAGE, ...changes })) {
    await page.getByRole('textbox', { name: label, exact: true }).fill(value);
  }
}

/** Waits until everything has been revealed: text that is half faded in has half its contrast. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' });
      await new Promise((done) => setTimeout(done, 60));
      // What comes into view is told after a frame, however long a busy machine takes for one.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  });
  await expect(page.locator('.awaits-reveal')).toHaveCount(0);
  // Where the page ends, the sticky header may cover half a link, which would count as a small target.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .filter(({ timeline }) => timeline === document.timeline)
        .map(({ finished }) => finished),
    ),
  );
}

/** Every heading is at most one level below the one before it. */
async function expectHeadingsInOrder(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1);
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])));
  for (const [index, level] of levels.entries()) {
    expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  }
}

async function expectForSearchEngines(
  page: Page,
  { path, title, crumb, things, count }: (typeof PAGES)[number],
): Promise<void> {
  await expect(page).toHaveTitle(new RegExp(`^${title} \\| `));
  const description = await page.locator('meta[name=description]').getAttribute('content');
  expect(description!.length).toBeGreaterThan(50);
  const canonical = await page.locator('link[rel=canonical]').getAttribute('href');
  expect(new URL(canonical!).pathname).toBe(path);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  const answer = await page.request.get(new URL(image!).pathname);
  expect(answer.headers()['content-type']).toBe('image/png');
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!);
  const types = data['@graph'].map((thing: { '@type': string }) => thing['@type']);
  expect(types.slice(0, 2)).toEqual(crumb ? ['Organization', 'BreadcrumbList'] : ['Organization']);
  expect(types.filter((type: string) => type === things)).toHaveLength(things ? count : 0);
  if (crumb) {
    expect(data['@graph'][1].itemListElement[1]).toMatchObject({ position: 2, name: crumb });
  }
}

async function expectLinksToLead(page: Page): Promise<void> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href')!));
  for (const fragment of links.filter((href) => href.startsWith('#') && href !== '#')) {
    await expect(page.locator(fragment)).toHaveCount(1);
  }
  expect(links).not.toContain('#');
  for (const link of new Set(links.filter((href) => href.startsWith('/')))) {
    const answer = await page.request.get(link);
    expect(answer.status(), link).toBe(200);
  }
}

for (const one of PAGES) {
  test(`the page ${one.path} is accessible, fits the screen, tells what it is, and has no link that leads nowhere`, {
    tag: '@phone',
  }, async ({ page, isMobile }) => {
    await page.goto(one.path);
    // A small screen gets the same head and the same links.
    if (!isMobile) {
      await test.step('for search engines', () => expectForSearchEngines(page, one));
      await test.step('its links', () => expectLinksToLead(page));
    }
    await scrollThrough(page);
    await expectNoOverflow(page);
    await expectHeadingsInOrder(page);
  });
}

test('every page can be read whole without JavaScript', { tag: '@phone' }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL! });
  const page = await context.newPage();
  for (const { path } of PAGES) {
    await page.goto(path);
    const texts = page.locator('main :is(h1, h2, h3, p, li, dd)');
    expect(await texts.count(), path).toBeGreaterThan(5);
    const hidden = await texts.evaluateAll((elements) =>
      elements
        // What is folded opens without a script.
        .filter((element) => !element.closest('.sent, template, [aria-hidden=true], details:not([open])'))
        .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(
      hidden.filter((html) => !html.includes('data-copy-status')),
      path,
    ).toEqual([]);
  }
  await context.close();
});

test.describe('the home page', () => {
  // Most of what moves on the site is here.
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('leads to a project, the services, and the ways to reach the firm', { tag: '@phone' }, async ({
    page,
  }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Start a Project', exact: true }).click();
    await expect(page).toHaveURL(/#start-a-project$/);
    const block = page.locator('#start-a-project');
    await expect(block.getByRole('heading', { name: 'Start A Project' })).toBeInViewport();
    await expect(block.locator('a[href^="tel:+"]')).toBeVisible();
    await expect(block.locator('a[href^="mailto:"]')).toBeVisible();
    await expect(block.locator('a[href="/contact"]')).toBeVisible();
    await expect(block.locator('a[href="/services"]')).toBeVisible();
    // A click during the smooth way back up would miss.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.getByRole('link', { name: 'Our Services', exact: true }).click();
    await expect(page).toHaveURL(/\/services$/);
  });

  test('counts its figures up once they are seen, to exactly what is claimed', async ({ page }) => {
    await page.goto('/');
    const figures = page.locator('[data-count]');
    await expect(figures).toHaveText(['99%', '500+', '250+', '100+']);
    const seen = await figures.nth(1).evaluate(async (element) => {
      const texts = new Set<string>();
      new MutationObserver(() => texts.add(element.textContent!)).observe(element, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      element.scrollIntoView({ behavior: 'instant', block: 'center' });
      await new Promise((done) => setTimeout(done, 2600));
      return [...texts];
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.every((text) => /^\d+\+$/.test(text))).toBe(true);
    await expect(figures).toHaveText(['99%', '500+', '250+', '100+']);
  });

  test('moves its approach on every three seconds, and holds while it is pointed at, focused or paused', async ({
    page,
    isMobile,
  }) => {
    await page.clock.install();
    await page.goto('/');
    const section = page.locator('[data-approach]');
    const current = section.locator('[aria-current=step] h3');
    const toggle = section.locator('[data-approach-toggle]');
    await toggle.scrollIntoViewIfNeeded();
    await expect(section).toHaveAttribute('data-running', '');
    await expect(current).toHaveText('Understand');
    await page.clock.runFor(2900);
    await expect(current).toHaveText('Understand');
    await page.clock.runFor(200);
    await expect(current).toHaveText('Match');
    await page.clock.runFor(3000);
    await expect(current).toHaveText('Deliver');
    await page.clock.runFor(3000);
    await expect(current).toHaveText('Understand');

    if (!isMobile) {
      await section.locator('li').first().hover();
      await expect(section).not.toHaveAttribute('data-running');
      // The clock also runs by itself: on a busy machine the step may have moved on before the pointer came.
      const held = (await current.textContent())!;
      await page.clock.runFor(10_000);
      await expect(current).toHaveText(held);
      await page.mouse.move(2, 2);
      await expect(section).toHaveAttribute('data-running', '');
    }

    await section.getByRole('button', { name: 'Deliver' }).focus();
    await expect(section).not.toHaveAttribute('data-running');
    await page.keyboard.press('Enter');
    await expect(current).toHaveText('Deliver');
    await page.clock.runFor(10_000);
    await expect(current).toHaveText('Deliver');

    await toggle.focus();
    await expect(section).toHaveAttribute('data-running', '');
    await toggle.press('Enter');
    await expect(toggle).toHaveText(/Play/);
    await page.clock.runFor(10_000);
    await expect(current).toHaveText('Deliver');
    await toggle.press('Enter');
    await page.clock.runFor(3000);
    await expect(current).toHaveText('Understand');
  });

  test('stands still for whoever wants no motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await expect(page.locator('.awaits-reveal')).toHaveCount(0);
    await expect(page.locator('[data-approach]')).not.toHaveAttribute('data-running');
    const running = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    // The browser's own move from page to page may not have ended yet.
    await expect.poll(running).toBe(0);
  });

  test('moves the drawing behind its first screen at half the speed of the page', { tag: '@phone' }, async ({
    page,
  }) => {
    await page.goto('/');
    const layer = page.locator('[data-parallax]');
    const offset = () =>
      layer.evaluate(
        (element) => element.getBoundingClientRect().top - element.parentElement!.getBoundingClientRect().top,
      );
    expect(await offset()).toBeCloseTo(0, 0);
    await page.evaluate(() => scrollTo({ top: 200, behavior: 'instant' }));
    await expect.poll(offset).toBeCloseTo(100, 0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(offset).toBeCloseTo(0, 0);
  });

  test('lets the strip of logos be paused', async ({ page }) => {
    await page.goto('/');
    const state = () =>
      page
        .locator('.strip .track')
        .first()
        .evaluate((track) => getComputedStyle(track).animationPlayState);
    await page.getByRole('checkbox', { name: 'Pause the moving logos' }).scrollIntoViewIfNeeded();
    expect(await state()).toBe('running');
    await page.getByRole('checkbox', { name: 'Pause the moving logos' }).check();
    expect(await state()).toBe('paused');
  });
});

test('about.html is the About page', async ({ page }) => {
  const answer = await page.goto('/about.html');
  expect(answer!.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'People, software and the learning between them.',
  );
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/about$/);
  await expect(page.getByRole('heading', { name: 'Established in 2022' })).toBeVisible();
  await expect(page.locator('main')).toContainText('E-Verify certified employer');
  await expect(page.getByRole('link', { name: 'Explore Courses' })).toHaveAttribute('href', '/courses');
});

test.describe('the services page', () => {
  test('has six lines with features and technologies, and four specializations', async ({ page }) => {
    await page.goto('/services');
    await expect(page.getByRole('heading', { name: 'Key features' })).toHaveCount(6);
    await expect(page.getByRole('heading', { name: 'Technologies' })).toHaveCount(6);
    for (const name of ['Frontend', 'Backend', 'UI/UX Design', 'Performance Optimization']) {
      await expect(page.getByRole('heading', { name: new RegExp(name) })).toHaveCount(1);
    }
  });

  test('draws how work goes from a brief to a start, as two lines of four stages', { tag: '@phone' }, async ({
    page,
    isMobile,
  }) => {
    await page.goto('/services');
    const section = page.getByRole('region', { name: 'From your brief to the first day' });
    await expect(section.getByRole('list')).toHaveCount(2);
    await expect(section.getByRole('listitem')).toHaveCount(8);
    await expect(section.getByRole('heading', { level: 3 })).toHaveText([
      'Your brief',
      'Search for people',
      'Delivery of software',
      'The start',
    ]);
    const [people, delivery] = await Promise.all(
      [0, 1].map(async (place) => (await section.getByRole('list').nth(place).boundingBox())!),
    );
    // Beside each other on a phone, one above the other where there is room.
    expect(Math.abs(people!.y - delivery!.y) < 5).toBe(isMobile);
    expect(Math.abs(people!.x - delivery!.x) < 5).toBe(!isMobile);
  });

  test('folds its lists on a phone alone', { tag: '@phone' }, async ({ page, isMobile }) => {
    await page.goto('/services');
    const folds = page.locator('summary').filter({ hasText: 'Features and technologies' });
    const feature = page.getByText('Store release and updates');
    await expect(folds.filter({ visible: true })).toHaveCount(isMobile ? 6 : 0);
    if (!isMobile) return void (await expect(feature).toBeVisible());
    await expect(feature).toBeHidden();
    await folds.nth(1).click();
    await expect(feature).toBeVisible();
    await expectNoOverflow(page);
  });

  test('copies the phone number and says so', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/services');
    await page.getByRole('button', { name: /^Call \(704\) 555-0142$/ }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Number copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('(704) 555-0142');
  });

  test('says when copying fails', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await page.goto('/services');
    await page.getByRole('button', { name: /^Call / }).click();
    await expect(page.getByText('Copying did not work. The number is (704) 555-0142.')).toBeVisible();
  });
});

test('the clients page shows eleven logos that load', async ({ page }) => {
  await page.goto('/clients');
  const tiles = page.getByTestId(/^client-/);
  await expect(tiles).toHaveCount(11);
  for (const image of await tiles.getByRole('img').all()) {
    expect(await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(
      220,
    );
    expect((await image.getAttribute('alt'))!.length).toBeGreaterThan(3);
  }
  await expect(page.getByRole('link', { name: 'Get Started Today' })).toHaveAttribute('href', '/contact');
});

test('a case study has its figures, its picture as AVIF, and says that it is an example', async ({
  page,
}) => {
  await page.goto('/clients');
  await page.getByRole('link', { name: 'From nine hours of route planning to forty minutes' }).click();
  await expect(page).toHaveURL(/\/clients\/tidepath-routes$/);
  await expect(page.locator('main')).toContainText(
    'Tidepath Logistics and the figures on this page are made up',
  );
  const picture = page.getByRole('img', { name: /^Map of a city with three delivery routes/ });
  expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.currentSrc))).toMatch(
    /\.avif$/,
  );
  await expect(page.getByText('40 min', { exact: true })).toBeVisible();
});

test('the feed tells of every article, with the newest first', async ({ request, baseURL }) => {
  const answer = await request.get('/insights/rss.xml');
  expect(answer.headers()['content-type']).toBe('application/rss+xml; charset=utf-8');
  const links = [...(await answer.text()).matchAll(/<link>(.*?)<\/link>/g)].map((match) => match[1]);
  expect(links.slice(1)).toEqual([
    `${baseURL}/insights/the-open-seat-is-rarely-one-job`,
    `${baseURL}/insights/a-handover-you-can-test`,
    `${baseURL}/insights/learning-at-work-in-small-pieces`,
  ]);
});

test('each kind of public page has a title, a description and a picture for previews', async ({
  page,
  baseURL,
}) => {
  const pictures = new Map<string, string>();
  for (const path of [
    '/clients/tidepath-routes',
    '/insights',
    '/insights/a-handover-you-can-test',
    '/marketplace',
    '/courses',
    '/api-reference',
  ]) {
    await page.goto(path);
    const said = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content');
    expect((await said('title'))!.length, path).toBeGreaterThan(3);
    expect((await said('description'))!.length, path).toBeGreaterThan(50);
    const image = (await said('image'))!;
    expect(image, path).toMatch(new RegExp(`^${baseURL}/`));
    expect((await page.request.get(image)).headers()['content-type'], path).toMatch(/^image\//);
    pictures.set(path, new URL(image).pathname);
  }
  expect(pictures.get('/insights')).toBe('/og/insights.png');
  expect(pictures.get('/insights/a-handover-you-can-test')).toBe('/og/insights.png');
  expect(pictures.get('/marketplace')).toBe('/og/marketplace.png');
});

test.describe('the contact form', () => {
  test('sends a message without leaving the page', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/contact');
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAttribute('rows', '6');
    await fillForm(page);
    await page.goto('/services');
    await page.goto('/contact');
    await expect(page.getByRole('textbox', { name: 'Message' })).not.toHaveValue('');
    const answered = page.waitForResponse('**/api/contact');
    await page.getByRole('button', { name: 'Send Message' }).click();
    expect((await answered).status()).toBe(201);
    await expect(page.getByRole('heading', { name: 'Your message has arrived.' })).toBeVisible();
    await expect(page.locator('#message-sent')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Write another message' }).click();
    await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue('');
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue('');
  });

  test('takes the wish for a quote where courses for teams are told of', { tag: '@phone' }, async ({
    page,
  }) => {
    await page.goto('/services');
    await page.getByRole('link', { name: 'Courses for teams' }).click();
    await expect(page.getByRole('row', { name: 'From 10 10% less $90.00' })).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Ask for a quote' }).click();
    await fillForm(page, { Subject: 'Courses for a team', Message: 'Twenty-five seats of SQL, please.' });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('heading', { name: 'Your message has arrived.' })).toBeVisible();
    await page.getByRole('link', { name: 'Write another message' }).click();
    await expect(page.getByRole('textbox', { name: 'Subject' })).toBeVisible();
  });

  test('says at each field what is wrong, and clears it when it is right', { tag: '@phone' }, async ({
    page,
  }) => {
    await page.goto('/contact');
    await fillForm(page, { 'First Name': '  ', Email: 'ada@', Message: 'Too short' });
    await page.getByRole('button', { name: 'Send Message' }).click();
    const name = page.getByRole('textbox', { name: 'First Name' });
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription('First Name is required');
    const email = page.getByRole('textbox', { name: 'Email' });
    await expect(email).toHaveAccessibleDescription('Please enter a valid email address');
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(
      'Message must be at least 10 characters',
    );
    await name.fill('Ada');
    await expect(name).not.toHaveAttribute('aria-invalid');
    await expect(page.getByText('First Name is required')).toHaveCount(0);
  });

  test.describe('when the server refuses', () => {
    test.use({ allowed: [/status of (400|429)|ERR_FAILED/] });

    test('keeps what was typed and says why', async ({ page }) => {
      await page.route('**/api/contact', (route) =>
        route.fulfill({
          status: 429,
          json: { message: 'Too many requests.', code: 'too_many_requests', requestId: 'x' },
        }),
      );
      await page.goto('/contact');
      await fillForm(page);
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('alert')).toContainText('Too many requests.');
      await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(MESSAGE.Message);
      await page.unroute('**/api/contact');
      await page.route('**/api/contact', (route) => route.abort('failed'));
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('alert')).toContainText('Nothing is lost');
      await page.unroute('**/api/contact');
      await page.route('**/api/contact', (route) =>
        route.fulfill({ status: 400, json: { message: 'No', fields: { subject: 'Subject is odd' } } }),
      );
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveAccessibleDescription(
        'Subject is odd',
      );
      await expect(page.getByRole('textbox', { name: 'Subject' })).toBeFocused();
    });
  });

  test('works without JavaScript, and gives back what was typed when it refuses', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL! });
    const page = await context.newPage();
    await page.goto('/contact');
    // Passes the browser's own checks and fails the server's.
    await fillForm(page, { 'First Name': '   ' });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert')).toContainText('Please look at one field below.');
    await expect(page.getByText('First Name is required')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'First Name' })).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('textbox', { name: 'First Name' })).toBeFocused();
    await expect(page).toHaveTitle(/^Not sent: Contact/);
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(MESSAGE.Message);
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(MESSAGE.Email);
    await page.getByRole('textbox', { name: 'First Name' }).fill('Ada');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page).toHaveURL(/\/contact#message-sent$/);
    await expect(page.getByRole('heading', { name: 'Your message has arrived.' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeHidden();
    await context.close();
  });

  test('leads from its posting address back to the form', async ({ page }) => {
    await page.goto('/contact/send');
    await expect(page).toHaveURL(/\/contact$/);
  });
});

test('the sitemap and robots.txt name what everybody may find', async ({ request, baseURL }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  const sitemap = await request.get('/sitemap.xml');
  expect(sitemap.headers()['content-type']).toContain('application/xml');
  const addresses = [...(await sitemap.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!);
  expect(addresses).toContain(`${baseURL}/about`);
  expect(addresses).toContain(`${baseURL}/clients/tidepath-routes`);
  expect(addresses).toContain(`${baseURL}/insights/a-handover-you-can-test`);
  expect(addresses.some((address) => /\/courses\/\d+$/.test(address))).toBe(true);
  for (const address of addresses) {
    expect((await request.get(address)).status(), address).toBe(200);
  }
});
