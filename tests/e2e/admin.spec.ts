import { globSync } from 'node:fs';
import type { APIRequestContext, Page } from '@playwright/test';
import { ADMIN, chooseForCourse, keepSignIn, STUDENT, signIn, verificationLink } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// Every page of the administration is found by its file, so that a new one cannot be forgotten here (fault I7).
const PAGES = globSync('**/*.astro', { cwd: 'src/pages/admin' })
  .map((file) => `/admin/${file}`.replace(/\.astro$/, '').replace(/\/index$/, ''))
  .map((path) => path.replace('[lesson]', 'new').replace(/\[\w+\]/g, '1'))
  .toSorted();
const ALL_HOME = PAGES.map(() => '/');
const ALL_OPEN = PAGES.map(() => null);

/** Where the server sends whoever asks for these pages; null for who gets them. */
async function destinations(request: APIRequestContext): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const path of PAGES) {
    const answer = await request.get(path, { maxRedirects: 0 });
    // That an order, a person or a cell is not there, or a new lesson's versions or groups, is said to an administrator alone.
    const isOpen =
      answer.status() === 200 ||
      (answer.status() === 404 &&
        /^\/admin\/(orders|users)\/|\/new\/(stuck|versions)$|\/gradebook\/./.test(path));
    found.push(isOpen ? null : (answer.headers().location ?? String(answer.status())));
    if (!isOpen) expect(await answer.text()).not.toContain('Total Revenue');
  }
  return found;
}

const courseRow = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Courses' }).getByRole('listitem').filter({ hasText: title });

/** The figure under a label at the top of the page. */
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd').first();

test('visitors and students are sent home by the server', async ({ page, playwright, baseURL }) => {
  expect(PAGES.length).toBeGreaterThanOrEqual(12);
  const visitor = await playwright.request.newContext({ baseURL });
  expect(await destinations(visitor)).toEqual(ALL_HOME);
  await visitor.dispose();
  await signIn(page, STUDENT);
  expect(await destinations(page.request)).toEqual(ALL_HOME);
  await page.goto('/admin');
  await expect(page).toHaveURL(/:\d+\/$/);
});

test.describe('an administrator', () => {
  test.beforeEach(({ page }) => signIn(page, ADMIN));

  test('sees the figures, what waits, the purchases and the courses', async ({ page }) => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
    for (const label of ['Total Courses', 'Active Courses', 'Total Students']) {
      await expect(figure(page, label)).toHaveText(/^[1-9]\d*$/);
    }
    await expect(figure(page, 'Total Revenue')).toHaveText(/^\$[\d,]+\.\d\d$/);
    for (const name of ['Things to do', 'Recent purchases', 'Courses', 'Last changes']) {
      await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    }
    const chart = page.getByRole('img', { name: /^Revenue: \$/ });
    await expect(chart).toBeVisible();
    await page.getByText('Show as a table').first().click();
    await expect(page.getByRole('table', { name: 'Revenue' }).getByRole('row')).toHaveCount(31);
    await page.getByRole('link', { name: '12 months' }).click();
    await page.waitForURL('**/admin?time=12-months');
    await expect(page.getByRole('img', { name: /^Enrollments: / })).toBeVisible();
    await expectNoOverflow(page);
    await page.goto('/admin?search=JavaScript+Fundamentals');
    await expect(courseRow(page, 'JavaScript Fundamentals')).toContainText('Programming · Beginner');
    await expect(courseRow(page, 'JavaScript Fundamentals')).toContainText('$49.00');
    await page.goto('/admin?search=Web+API+Security&state=inactive');
    await expect(courseRow(page, 'Web API Security for Developers')).toContainText('Inactive');

    await page.goto('/admin');
    await page.getByRole('searchbox', { name: 'Search courses' }).last().fill('postgresql');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/admin?search=postgresql*');
    await expect(courseRow(page, 'SQL and PostgreSQL in Practice')).toBeVisible();
    await expect(courseRow(page, 'Agile Project Delivery')).toHaveCount(0);
    await page.goto('/admin?search=xyzzy');
    await expect(page.getByRole('heading', { name: 'No courses match' })).toBeVisible();
  });

  test('copies the link that friends buy with', async ({ page, context, baseURL }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/admin?search=JavaScript+Fundamentals');
    const row = courseRow(page, 'JavaScript Fundamentals');
    const view = await row.getByRole('link', { name: 'View JavaScript Fundamentals' }).getAttribute('href');
    const link = `${baseURL}/buy/${view!.split('/').at(-1)}`;
    await chooseForCourse(page, 'JavaScript Fundamentals', 'Copy shareable link');
    await expect(page.getByText('Link copied', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await chooseForCourse(page, 'JavaScript Fundamentals', 'Copy shareable link');
    await expect(page.getByText('Copy Failed', { exact: true })).toBeVisible();
    await expect(page.getByText(link, { exact: true })).toBeVisible();
  });

  test('hides a course and shows it again', async ({ page, playwright, baseURL, isMobile }) => {
    const visitor = await playwright.request.newContext({ baseURL });
    // The two projects share the site and must not flip the same course.
    const title = isMobile ? 'UI Design Systems' : 'Email Campaigns and Analytics';
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    const row = courseRow(page, title);
    const path = (await row.getByRole('link', { name: `View ${title}` }).getAttribute('href'))!;
    const active = Number(await figure(page, 'Active Courses').textContent());

    await chooseForCourse(page, title, 'Hide');
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible();
    await expect(row.getByRole('button', { name: `More for ${title}` })).toBeFocused();
    await expect(figure(page, 'Active Courses')).toHaveText(String(active - 1));
    expect((await visitor.get(path)).status()).toBe(404);

    await chooseForCourse(page, title, 'Show');
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await expect(figure(page, 'Active Courses')).toHaveText(String(active));
    expect((await visitor.get(path)).status()).toBe(200);
    await visitor.dispose();

    await page.goto('/admin/audit?about=course');
    await expect(page.getByText(`Demo Admin hid the course “${title}”`).first()).toBeVisible();
  });

  test.describe('whose change fails', () => {
    test.use({ allowed: [/status of 503|^503 /] });

    test('is told so, and nothing else changes', async ({ page }) => {
      await page.goto('/admin?search=JavaScript+Fundamentals');
      const row = courseRow(page, 'JavaScript Fundamentals');
      await page.route('**/api/courses/*/toggle', (route) => route.fulfill({ status: 503, body: 'busy' }));
      await chooseForCourse(page, 'JavaScript Fundamentals', 'Hide');
      await expect(page.getByText('Failed to update course visibility', { exact: true })).toBeVisible();
      await expect(row.getByText('Active', { exact: true })).toBeVisible();

      await page.route('**/api/courses/*', (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { message: 'The service is busy.' } })
          : route.fallback(),
      );
      await chooseForCourse(page, 'JavaScript Fundamentals', 'Delete');
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Delete/ })
        .click();
      await expect(page.getByText('The service is busy.', { exact: true })).toBeVisible();
      await expect(row).toBeVisible();
    });
  });

  test('is asked before a course is deleted, and told what will happen', async ({ page, isMobile }) => {
    await page.goto('/admin?search=JavaScript+Fundamentals');
    const dialog = page.getByRole('alertdialog');
    const question = 'Are you sure you want to delete this course?';

    await chooseForCourse(page, 'JavaScript Fundamentals', 'Delete');
    await expect(dialog.getByRole('heading', { name: question, exact: true })).toBeVisible();
    await expect(dialog).toContainText(/(person owns|people own) “JavaScript Fundamentals”/);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'More for JavaScript Fundamentals' })).toBeFocused();

    const title = isMobile ? 'Content Marketing for Tech Companies' : 'Agile Project Delivery';
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    await chooseForCourse(page, title, 'Delete');
    await expect(dialog).toContainText(
      `“${title}” and all of its lessons will be removed for good. Nobody has bought it.`,
    );
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page.getByText('Course deleted', { exact: true })).toBeVisible();
    await expect(courseRow(page, title)).toHaveCount(0);
    await page.goto('/admin/audit?about=course');
    await expect(page.getByText(`Demo Admin deleted the course “${title}”`)).toBeVisible();
  });

  test('approves a request once the address is verified, and takes the access back', async ({
    page,
    browser,
    baseURL,
  }, { project }) => {
    const email = `applicant-${project.name}-${Date.now()}@example.com`;
    const username = `Annie ${project.name} Easley`;
    const applicantContext = await browser.newContext({ baseURL: baseURL! });
    const applicant = await applicantContext.newPage();
    const registered = await applicant.request.post('/api/auth/register', {
      data: { username, email, password: 'centaur-1963', confirmPassword: 'centaur-1963', role: 'admin' },
    });
    expect(registered.ok()).toBe(true);
    await keepSignIn(applicant, await registered.json());
    expect(await destinations(applicant.request)).toEqual(ALL_HOME);

    const request = page
      .getByRole('list', { name: 'Open requests' })
      .getByRole('listitem')
      .filter({ hasText: email });
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Open requests for administrator access' }).click();
    await expect(request).toContainText('Email not verified');
    await expect(request.getByRole('button')).toHaveText(['Decline']);
    await expectNoOverflow(page);

    await applicant.goto(await verificationLink(email));
    await applicant.getByRole('button', { name: 'Verify my email address' }).click();
    await expect(applicant.getByRole('heading', { name: 'Email verified' })).toBeVisible();

    await page.reload();
    await request.getByRole('button', { name: `Approve ${username}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Teaches the SQL course');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`${username} is now an administrator`, { exact: true })).toBeVisible();
    await expect(request).toHaveCount(0);
    expect(await destinations(applicant.request)).toEqual(ALL_OPEN);

    await page.getByRole('searchbox', { name: 'Search users' }).fill(email.toUpperCase());
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    const account = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem');
    await expect(account).toHaveCount(1);
    await expect(account).toContainText('Administrator');
    await account.getByRole('button', { name: `Make student: ${username}` }).click();
    await dialog.getByLabel('Reason').fill('Left the team');
    await dialog.getByRole('button', { name: 'Make student' }).click();
    await expect(page.getByText(`${username} is now a student`, { exact: true })).toBeVisible();
    await expect(account).toContainText('Student');
    const changes = page.getByRole('region', { name: 'Last changes' });
    await expect(changes.getByText(`Demo Admin took administrator access from ${email}`)).toBeVisible();
    await expect(changes.getByText('Reason: Left the team').first()).toBeVisible();
    // The former administrator is still signed in, as a student.
    expect(await destinations(applicant.request)).toEqual(ALL_HOME);
    await applicantContext.close();
  });

  test.describe('demoting the last administrator', () => {
    test.use({ allowed: [/status of 409/] });

    test('reads the refusal where they are', async ({ page }) => {
      await page.route('**/api/admin/users/*/role', (route) =>
        route.fulfill({ status: 409, json: { message: 'The last administrator cannot be demoted.' } }),
      );
      await page.goto('/admin/users?role=admin&search=admin@example.com');
      await page.getByRole('button', { name: 'Make student: Demo Admin' }).click();
      await expect(page.getByRole('dialog')).toContainText('This is your own account');
      await page.getByRole('dialog').getByRole('button', { name: 'Make student' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'The last administrator' })).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('button', { name: 'Make student: Demo Admin' })).toBeFocused();
    });
  });

  test('reads the messages of the contact form and marks them', async ({ page, isMobile }, { project }) => {
    // The contact form takes five messages from one address in ten minutes, and its own tests send four.
    const subject = isMobile ? null : `Engines for ${project.name} ${Date.now()}`;
    if (subject) {
      const sent = await page.request.post('/api/contact', {
        headers: { origin: new URL(test.info().project.use.baseURL!).origin },
        data: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          subject,
          message: 'We need two engineers.\nWhen can they start?',
          elapsedMs: 20_000,
        },
      });
      expect(sent.ok()).toBe(true);
    }
    await page.goto('/admin/messages');
    await expect(page.getByRole('heading', { level: 1, name: 'Enquiries' })).toBeVisible();
    await expectNoOverflow(page);
    if (!subject) return;

    const message = page
      .getByRole('list', { name: 'Messages' })
      .getByRole('listitem')
      .filter({ hasText: subject });
    await expect(message).toContainText('We need two engineers.');
    await expect(message.getByRole('link', { name: 'Reply by email to Ada Lovelace' })).toHaveAttribute(
      'href',
      /^mailto:ada%40example\.com\?subject=Re%3A%20Engines/,
    );
    await message.getByRole('button', { name: 'Replied' }).click();
    await expect(message.getByRole('button', { name: 'Replied' })).toHaveAttribute('aria-pressed', 'true');
    await expect(message.getByRole('button', { name: 'New' })).toHaveAttribute('aria-pressed', 'false');
    await page.getByRole('link', { name: /^Replied/ }).click();
    await page.waitForURL('**/admin/messages?status=replied');
    await expect(message).toHaveCount(1);
    await page.goto('/admin/messages?status=new');
    await expect(message).toHaveCount(0);
    await page.goto('/admin/audit?about=contact_message');
    await expect(page.getByText(`Demo Admin marked the message “${subject}” as replied`)).toBeVisible();
  });
});
