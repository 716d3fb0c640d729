import { ADMIN, signIn, verificationLink } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

// The refusal of an address that is not verified.
test.use({ allowed: [/status of 400/] });

test('an author of one course is added, writes and publishes it, finds no other, and is removed @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const token = await signIn(page, ADMIN);
  const headers = { authorization: `Bearer ${token}` };
  const title = `Taught ${Date.now()}`;
  const made = await page.request.post('/api/courses', {
    headers,
    data: {
      ...{ title, description: 'By its own author.', thumbnail: '/favicon.svg', price: '49.00' },
      ...{ originalPrice: '79.00', duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
    },
  });
  const { id } = await made.json();
  const context = await browser.newContext({ baseURL: baseURL! });
  try {
    const theirs = await context.newPage();
    const author = await newShopper(theirs, 'Mary Jackson');
    await theirs.goto('/teaching');
    await expect(theirs.getByRole('heading', { level: 1, name: 'You teach no course' })).toBeVisible();

    // An address that is not proven is invited; the role comes with the proof.
    await page.goto(`/admin/courses/${id}/content`);
    await page.getByRole('link', { name: 'Staff', exact: true }).click();
    await page.waitForURL(/\/staff$/);
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await page.getByLabel('Their email').fill(author.email);
    await page.getByRole('button', { name: 'Add to the staff' }).click();
    await expect(page.getByRole('list', { name: 'Staff' })).toContainText('Invited until');
    await expect(page.getByRole('button', { name: `Resend to ${author.email}` })).toBeVisible();
    await theirs.goto(await verificationLink(author.email));
    await theirs.getByRole('button', { name: 'Verify my email address' }).click();
    await expect(theirs.getByRole('heading', { name: 'Email verified' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Remove Mary Jackson' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Staff' })).toContainText(author.email);
    await expectAccessible(page);
    await expectNoOverflow(page);

    // From the menu to the course, its lessons, and into the store.
    await theirs.goto('/dashboard');
    await theirs.getByRole('button', { name: 'Account menu' }).click();
    await theirs.getByRole('menuitem', { name: 'Teaching' }).click();
    await theirs.waitForURL('**/teaching');
    await expectAccessible(theirs);
    await expectNoOverflow(theirs);
    await theirs.getByRole('link', { name: `Content of ${title}` }).click();
    await theirs.waitForURL(/\/content$/);
    // The course's own fields, without its prices.
    await expect(theirs.locator('astro-island[ssr]')).toHaveCount(0);
    await theirs.getByRole('button', { name: `Edit ${title}` }).click();
    await expect(theirs.getByLabel('Duration')).toHaveValue('2 hours');
    await expect(theirs.getByLabel(/price/i)).toHaveCount(0);
    await theirs.getByLabel('Duration').fill('3 hours');
    await theirs.getByRole('button', { name: 'Save course' }).click();
    await expect(theirs.getByText('Course saved', { exact: true }).first()).toBeVisible();
    await expect(theirs.getByRole('navigation', { name: 'Teaching' }).getByRole('link')).toHaveText([
      'Teaching',
      'Grading',
      'Questions',
    ]);
    await expect(theirs.getByRole('link', { name: 'Staff', exact: true })).toHaveCount(0);
    await theirs.getByRole('main').getByRole('link', { name: 'Text', exact: true }).first().click();
    await theirs.waitForURL(/\/content\/new\?type=/);
    await expect(theirs.locator('astro-island[ssr]')).toHaveCount(0);
    await theirs.getByLabel('Lesson title').fill('Welcome');
    await theirs.getByLabel('Content', { exact: true }).fill('Written by its author.');
    await theirs.getByRole('button', { name: 'Add Content' }).click();
    await theirs.waitForURL(/\/content$/);
    await theirs.getByRole('main').getByRole('link', { name: 'Publish', exact: true }).click();
    await theirs.waitForURL(/\/publish$/);
    await expect(theirs.locator('astro-island[ssr]')).toHaveCount(0);
    await theirs.getByRole('button', { name: /^Check (the course|again)$/ }).click();
    await expect(theirs.getByText('Proven', { exact: true })).toHaveCount(1, { timeout: 60_000 });
    await theirs.goto(`/admin/courses/${id}/analytics`);
    await expect(theirs.getByRole('heading', { level: 2, name: 'Where learners stop' })).toBeVisible();
    await expectAccessible(theirs);
    await expectNoOverflow(theirs);

    // Nothing else is theirs.
    const status = async (path: string) => (await theirs.request.get(path, { maxRedirects: 0 })).status();
    expect(await status('/admin/courses/1/content')).toBe(404);
    expect(await status('/admin/analytics/lessons.csv?course=1')).toBe(404);
    expect(await status('/admin/analytics/sales.csv')).toBe(302);
    expect(await status('/admin/orders')).toBe(302);
    expect(await status('/admin/grading')).toBe(200);
    expect(await status(`/admin/courses/${id}/gradebook`)).toBe(200);
    expect(await status(`/admin/courses/${id}/gradebook.csv`)).toBe(200);
    expect(await status('/admin/courses/1/gradebook')).toBe(404);
    expect(await status('/admin/courses/1/gradebook.csv')).toBe(404);
    expect(await status('/admin/courses/1/export.zip')).toBe(404);
    expect(await status(`/admin/courses/${id}/staff`)).toBe(302);

    await page.getByRole('button', { name: 'Remove Mary Jackson' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(
      page.getByText('Mary Jackson is no author of this course any more', { exact: true }).first(),
    ).toBeVisible();
    await theirs.goto('/teaching');
    await expect(theirs.getByRole('heading', { level: 1, name: 'You teach no course' })).toBeVisible();
    expect(await status(`/admin/courses/${id}/content`)).toBe(302);
  } finally {
    await context.close();
    await page.request.delete(`/api/courses/${id}`, { headers });
  }
});
