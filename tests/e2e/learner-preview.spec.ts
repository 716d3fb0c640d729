import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test('an author sees a hidden course as a learner, begins anew and leaves @phone', async ({
  page,
  isMobile,
}) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const title = `Seen ${Date.now()}`;
  const data = {
    ...{
      title,
      description: 'To be seen.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      originalPrice: '79.00',
    },
    ...{ duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
  };
  const { id } = await (await page.request.post('/api/courses', { headers, data })).json();
  const add = async (lesson: object) =>
    (await page.request.post(`/api/admin/courses/${id}/lessons`, { headers, data: lesson })).json();
  await add({ type: 'text', title: 'Read this', content: 'Words.' });
  const coding = await add({
    type: 'interactive_coding',
    title: 'Add two numbers',
    instructions: 'Write `add(a, b)`.',
    codingLanguage: 'javascript',
    starterCode: 'const add = (a, b) => a + b;',
    solution: 'const add = (a, b) => a + b;',
    testCases: [{ input: 'add(1, 2)', expectedOutput: '3' }],
  });

  await page.goto(`/admin/courses/${id}/content`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Preview as learner' }).click();
  await page.waitForURL(`**/learn/${id}`);
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar.getByText(`You see “${title}” as a learner.`)).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(page.getByRole('progressbar', { name: 'Course progress' })).toHaveAttribute(
    'aria-valuenow',
    '50',
  );
  await expectAccessible(page);
  await expectNoOverflow(page);

  // The judge works, and the lesson's own screen has the bar too.
  await page.goto(`/lesson/${coding.id}`);
  await expect(bar).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  await expect(page.getByText('Correct!').first()).toBeVisible({ timeout: 30_000 });
  // It was the last lesson.
  const finished = page.getByRole('dialog', { name: 'You finished the course' });
  await expect(finished).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(finished).toHaveCount(0);
  await expectAccessible(page);
  await expectNoOverflow(page);

  await bar.getByRole('button', { name: 'Begin anew' }).click();
  await page.waitForURL(`**/learn/${id}`);
  await expect(page.getByRole('progressbar', { name: 'Course progress' })).toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await bar.getByRole('button', { name: 'Leave preview' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);
  await expect(bar).toHaveCount(0);
  expect((await page.request.get(`/learn/${id}`)).status()).toBe(404);

  // From the editor of a lesson, that lesson.
  await page.goto(`/admin/courses/${id}/content/${coding.id}`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Preview as learner' }).click();
  await page.waitForURL(`**/lesson/${coding.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Add two numbers' })).toBeVisible();
});
