import type { Page } from '@playwright/test';
import { ADMIN, buy, paidCourses, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// Refusals are tried on purpose.
test.use({ allowed: [/status of (400|409)/] });

const toast = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('region', { name: 'Notifications' }).filter({ hasText: text }).first()).toBeVisible();

test('an administrator looks after a person from the list to the last device', async ({
  page,
  playwright,
  baseURL,
}) => {
  const theirs = await playwright.request.newContext({ baseURL: baseURL! });
  const [course, other] = await paidCourses(theirs);
  const { email } = await buy(theirs, 'Mary Jackson', [course!]);
  await signIn(page, ADMIN);

  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email);
  await page.getByRole('button', { name: 'Search' }).last().click();
  await page.getByRole('link', { name: 'Mary Jackson' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mary Jackson');
  const courses = page.getByRole('list', { name: 'Courses of this person' });
  // The webhook completes the order in its own time.
  await expect(async () => {
    await page.reload();
    await expect(courses.getByText(course!.title)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await expectNoOverflow(page);

  // What was paid for is not taken by hand.
  await courses.getByRole('button', { name: /^Unenroll/ }).click();
  await page.getByLabel('Reason').fill('By mistake');
  await page.getByRole('dialog').getByRole('button', { name: 'Unenroll' }).click();
  await expect(page.getByRole('dialog').getByText(/was paid for with order #\d+/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: /^Enroll/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Prize of the spring contest');
  await dialog.getByRole('button', { name: 'Enroll' }).click();
  await expect(dialog.getByText('Choose a course').last()).toBeVisible();
  await dialog.getByLabel('Course').click();
  await page.getByRole('option', { name: other!.title }).click();
  // While it fades out, the list is still part of the page.
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enroll' }).click();
  await expect(courses.getByText(other!.title)).toBeVisible();
  await expect(courses.getByRole('listitem').filter({ hasText: other!.title })).toContainText(
    'given by hand',
  );
  await expect(page.getByText('Reason: Prize of the spring contest')).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^user-\d+\.json$/);

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
  await theirs.dispose();

  await page.getByRole('button', { name: 'Delete Mary Jackson' }).click();
  await dialog.getByLabel('Reason').fill('Asked for it');
  await dialog.getByLabel('Their email').fill('somebody@else.example');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(dialog.getByText('This is not the email address of the account')).toBeVisible();
  await dialog.getByLabel('Their email').fill(email);
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  // The address changes before the list is there.
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await page.goto(`/admin/users?search=${encodeURIComponent(email)}`);
  await expect(page.getByText('Nobody matches')).toBeVisible();
});

test('analytics count what visitors do, and every figure comes as a file', async ({
  page,
  browser,
  baseURL,
}) => {
  const visitor = await browser.newContext({ baseURL: baseURL! });
  const [course] = await paidCourses(visitor.request);
  const looking = await visitor.newPage();
  const counted = looking.waitForResponse((answer) =>
    answer.url().endsWith(`/api/courses/${course!.id}/view`),
  );
  await looking.goto(`/courses/${course!.id}`);
  expect((await counted).status()).toBe(204);
  await visitor.close();

  await signIn(page, ADMIN);
  await page.goto('/admin/analytics');
  await expect(page.getByRole('heading', { name: 'From a look to the end' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Table of courses' })).toBeVisible();
  // The people whose lessons these are stand first, and every figure is explained.
  await expect(
    page.getByRole('region', { name: 'Table of lessons' }).getByRole('rowheader').first(),
  ).toHaveText('Enrolled');
  await page.getByRole('link', { name: 'What the figures mean' }).click();
  const meaning = page.getByRole('region', { name: 'What the figures mean' });
  for (const term of ['Bought', 'Stopped here', 'Most chosen, Most given', 'Fails most']) {
    await expect(meaning.getByRole('term').filter({ hasText: term })).toBeVisible();
  }
  await expectNoOverflow(page);
  for (const report of ['of each course', 'of the lessons', 'of revenue and enrollments over time']) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `CSV ${report}` }).click();
    expect((await download).suggestedFilename()).toMatch(
      /^(courses|lessons|sales)-\d{4}-\d{2}-\d{2}-.*\.csv$/,
    );
  }
  await page
    .getByRole('region', { name: 'Table of courses' })
    .getByRole('link', { name: course!.title })
    .click();
  await expect(page).toHaveURL(new RegExp(`course=${course!.id}`));
  await expect(page.getByRole('heading', { name: course!.title, level: 3 })).toBeVisible();
});

test('everybody has an account page: name, password, devices, data', async ({ page, playwright, baseURL }, {
  project,
}) => {
  const email = `own-account-${project.name}-${Date.now()}@example.com`;
  const elsewhere = await playwright.request.newContext({ baseURL: baseURL! });
  const registered = await elsewhere.post('/api/auth/register', {
    data: {
      username: 'Hedy',
      email,
      password: 'first-password',
      confirmPassword: 'first-password',
      role: 'student',
    },
  });
  expect(registered.status()).toBe(201);
  await signIn(page, { email, password: 'first-password' });

  await page.goto('/dashboard');
  // The menu answers once its island is there.
  await expect(async () => {
    await page.getByRole('button', { name: 'Account menu' }).click({ timeout: 2000 });
    await page.getByRole('menuitem', { name: 'Account' }).click({ timeout: 2000 });
  }).toPass();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account');
  await expectNoOverflow(page);
  const main = page.getByRole('main');
  await main.getByLabel('Full name').fill('Hedy Lamarr');
  await main.getByRole('button', { name: 'Save name' }).click();
  await toast(page, 'Your name has been changed');

  await main.getByLabel('Current password').fill('not this one');
  await main.getByLabel('New password', { exact: true }).fill('second-password');
  await main.getByLabel('Repeat the new password').fill('second-password');
  await main.getByRole('button', { name: 'Change password' }).click();
  await expect(main.getByText('This is not your current password')).toBeVisible();
  await expect(main.getByLabel('New password', { exact: true })).toHaveValue('second-password');
  await main.getByLabel('Current password').fill('first-password');
  await main.getByRole('button', { name: 'Change password' }).click();
  await toast(page, 'Every other device was signed out');
  await expect(main.getByRole('list', { name: 'Devices' }).getByRole('listitem')).toHaveCount(1);
  expect((await elsewhere.get('/api/auth/me')).status()).toBe(401);
  await elsewhere.dispose();

  const download = page.waitForEvent('download');
  await main.getByRole('link', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toBe('my-data.json');
});
