import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('what one owns is searched from its list, and leads to the lesson and to the notes @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    title: `Searched ${Date.now()}`,
    description: 'One after the other.',
    thumbnail: '/favicon.svg',
    price: '49.00',
    originalPrice: '79.00',
    duration: '2 hours',
    level: 'Beginner',
    categoryId: 1,
    isActive: false,
  });
  const lesson = await send(`/api/admin/courses/${id}/lessons`, {
    type: 'text',
    title: 'Knots at sea',
    content: `${'Before it there is much to read. '.repeat(20)}A <b>bowline</b> does not slip.${' And after it, too.'.repeat(20)}`,
  });
  const { token, user } = await newShopper(page);
  await send(`/api/admin/users/${(user as { id: number }).id}/enroll`, { courseId: id, reason: 'To learn' });
  const saved = await page.request.put(`/api/lessons/${lesson.id}/notes`, {
    headers: { authorization: `Bearer ${token}` },
    data: { notes: 'Try the marlinspike', version: 0 },
  });
  expect(saved.ok(), await saved.text()).toBe(true);

  await page.goto('/my-courses');
  const box = page.getByRole('searchbox', { name: 'Search in your courses' });
  await box.fill('bowlines');
  await box.press('Enter');
  await expect(page).toHaveURL('/my-courses/search?search=bowlines');
  await expect(page.getByRole('status')).toHaveText('1 place');
  // Shown as it is written, never run.
  await expect(page.getByText('A <b>bowline</b> does not slip.')).toBeVisible();
  await expect(page.locator('main mark')).toHaveText(['bowline']);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Knots at sea' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Knots at sea' })).toBeVisible();

  await page.goto('/my-courses/search?search=marlinspike');
  await page.getByRole('link', { name: 'Knots at sea' }).click();
  await expect(page).toHaveURL(/#notes-heading$/);
  await expect(page.locator('#notes-heading')).toBeInViewport();

  await page.goto(`/my-courses/search?search=${'granny '.repeat(60)}`);
  await expect(page.getByText('Only the first 200 characters were looked for.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Nothing on “granny/ })).toBeVisible();
  await expectNoOverflow(page);
  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
