import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('an author sends news once, and a learner reads them and stops the mails @phone', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const title = `News ${Date.now()}`;
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const token = await signIn(admin, ADMIN);
  const headers = { authorization: `Bearer ${token}` };
  const { id } = await (
    await admin.request.post('/api/courses', {
      headers,
      data: {
        title,
        description: 'To be told about.',
        thumbnail: '/favicon.svg',
        price: '49.00',
        originalPrice: '79.00',
        duration: '2 hours',
        level: 'Beginner',
        categoryId: 1,
        isActive: false,
      },
    })
  ).json();
  const lesson = await admin.request.post(`/api/admin/courses/${id}/lessons`, {
    headers,
    data: { type: 'text', title: 'One', content: 'Words.', order: 1 },
  });
  expect(lesson.status(), await lesson.text()).toBe(201);
  const shopper = await newShopper(page);
  const user = shopper.user as { id: number };
  const enrolled = await admin.request.post(`/api/admin/users/${user.id}/enroll`, {
    headers,
    data: { courseId: id, reason: 'To read its news' },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);

  await admin.goto(`/admin/courses/${id}/content`);
  await admin.getByRole('link', { name: 'News', exact: true }).click();
  await admin.getByRole('link', { name: 'Write news' }).first().click();
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  await admin.getByRole('button', { name: 'Save draft' }).click();
  await expect(admin.getByText('Title is required')).toBeVisible();
  await admin.getByLabel('Title').fill('A lesson on knots');
  await admin.getByRole('textbox', { name: 'Text' }).fill('It is **new**. Look at lesson 1.');
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin.getByRole('button', { name: 'Save draft' }).click();
  await expect(admin.getByText('Draft saved', { exact: true })).toBeVisible();
  await expect(admin.getByText('Draft', { exact: true })).toBeVisible();
  const opened = admin.waitForEvent('popup');
  await admin.getByRole('link', { name: 'See the mail of A lesson on knots' }).click();
  const mail = await opened;
  await expect(mail.locator('strong')).toHaveText('new');
  await expect(mail.getByRole('link', { name: 'Read it in the course' })).toBeVisible();
  await mail.close();
  await page.goto(`/learn/${id}/news`);
  await expect(page.getByText('No news yet')).toBeVisible();

  await admin.getByRole('button', { name: 'Send A lesson on knots' }).click();
  await expect(admin.getByText('1 learner will read it on the course’s page')).toBeVisible();
  await expectAccessible(admin);
  await admin.getByRole('button', { name: 'Send it' }).click();
  await expect(admin.getByText('News sent', { exact: true })).toBeVisible();
  await expect(admin.getByText(/^Sent /)).toBeVisible();
  await expect(admin.getByRole('button', { name: 'Send A lesson on knots' })).toHaveCount(0);
  await expectAccessible(admin);
  await expectNoOverflow(admin);

  await page.goto(`/learn/${id}`);
  if (isMobile) await page.getByRole('button', { name: /Course content, lessons done/ }).click();
  await page.getByRole('link', { name: 'News (1)' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'A lesson on knots' })).toBeVisible();
  await expect(page.locator('main .prose strong')).toHaveText('new');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'your account' }).click();
  await expect(page.getByLabel('Courses you take')).toHaveValue('daily');

  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
