import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test('an earlier version of a lesson is compared and brought back @phone', async ({ page }) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const { id: courseId } = await (
    await page.request.post('/api/courses', {
      headers,
      data: {
        ...{ title: `Ropes ${Date.now()}`, description: 'Versions.', thumbnail: '/favicon.svg' },
        ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
        ...{ categoryId: 1, isActive: false },
      },
    })
  ).json();
  const first = { type: 'text', title: 'The bowline', content: 'Make a loop.\n\nPass the end.' };
  const { id } = await (
    await page.request.post(`/api/admin/courses/${courseId}/lessons`, { headers, data: first })
  ).json();
  const lesson = `/admin/courses/${courseId}/content/${id}`;
  const data = { ...first, content: 'Make a loop.\n\nForget the end.', version: 1 };
  expect((await page.request.put(`/api/admin/lessons/${id}`, { headers, data })).status()).toBe(200);

  await page.goto(lesson);
  await page.getByRole('link', { name: 'Versions' }).click();
  await expect(page.getByText('Changed: Content')).toBeVisible();
  await page.getByRole('link', { name: 'What version 2 changed' }).click();
  await expect(page.getByRole('deletion')).toHaveText('− Pass the end.');
  await expect(page.getByRole('insertion')).toHaveText('+ Forget the end.');
  await expectAccessible(page);
  await expectNoOverflow(page);

  await page.getByRole('link', { name: 'Bring version 1 back' }).click();
  await expect(page.getByText('Version 1, not saved yet')).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save lesson' }).click();
  await expect(page).toHaveURL(`/admin/courses/${courseId}/content`);
  await page.goto(`${lesson}/versions?version=1&against=now`);
  await expect(page.getByRole('heading', { name: 'Version 3 (as it is now)' })).toBeVisible();
  await expect(page.getByText('They say the same.')).toBeVisible();
});
