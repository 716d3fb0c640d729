import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('a lesson that needs the one before it stays closed until that is done @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const made = await admin.request.post('/api/courses', {
    headers,
    data: {
      title: `Knots ${Date.now()}`,
      description: 'One after the other.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      originalPrice: '79.00',
      duration: '2 hours',
      level: 'Beginner',
      categoryId: 1,
      isActive: false,
    },
  });
  const { id } = await made.json();
  const lessons: number[] = [];
  for (const title of ['The reef knot', 'The bowline']) {
    const answer = await admin.request.post(`/api/admin/courses/${id}/lessons`, {
      headers,
      data: { type: 'text', title, content: 'Words.' },
    });
    lessons.push((await answer.json()).id);
  }
  const learner = (await newShopper(page)).user as { id: number };
  const enrolled = await admin.request.post(`/api/admin/users/${learner.id}/enroll`, {
    headers,
    data: { courseId: id, reason: 'To learn knots' },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);

  await admin.goto(`/admin/courses/${id}/content/${lessons[1]}`);
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  const days = admin.getByLabel('Days after the purchase');
  await expect(days).toBeHidden();
  const more = admin.getByText('More', { exact: true });
  await more.click();
  await days.fill('0');
  await admin.getByRole('checkbox', { name: 'After the lessons before it' }).click();
  // What was refused unfolds.
  await more.click();
  await expect(days).toBeHidden();
  await admin.getByRole('button', { name: /^Save/ }).click();
  await expect(admin.getByText('Opens after must be 1 to 3650 days')).toBeVisible();
  await expect(days).toBeFocused();
  await days.fill('');
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin.getByRole('button', { name: /^Save/ }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  await page.goto(`/learn/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'The reef knot' })).toBeVisible();
  await page.getByRole('link', { name: 'Next: The bowline' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The bowline' })).toBeVisible();
  await expect(
    page.getByText('This lesson opens once you have completed the required lessons before it.'),
  ).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Go on with “The reef knot”' }).click();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Next: The bowline' }).click();
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeVisible();

  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
