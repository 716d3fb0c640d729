import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('a lesson waits for two lessons that its author ticked @phone', async ({ page, browser, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const made = await admin.request.post('/api/courses', {
    headers,
    data: {
      title: `Programs ${Date.now()}`,
      description: 'Some after others.',
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
  const lessons: Record<string, number> = {};
  for (const [title, section] of [
    ['Values', 'Basics'],
    ['Loops', 'Basics'],
    ['Arrays', 'Data'],
    ['A game', 'Projects'],
  ] as const) {
    const answer = await admin.request.post(`/api/admin/courses/${id}/lessons`, {
      headers,
      data: { type: 'text', title, section, content: 'Words.' },
    });
    lessons[title] = (await answer.json()).id;
  }
  const learner = (await newShopper(page)).user as { id: number };
  const enrolled = await admin.request.post(`/api/admin/users/${learner.id}/enroll`, {
    headers,
    data: { courseId: id, reason: 'To learn programs' },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);

  const list = admin.getByRole('group', { name: 'Lessons that it waits for' });
  const open = async (title: string) => {
    await admin.goto(`/admin/courses/${id}/content/${lessons[title]}`);
    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
    if (!(await list.isVisible())) await admin.getByText('More', { exact: true }).click();
  };
  const save = () => admin.getByRole('button', { name: /^Save/ }).click();
  const search = admin.getByRole('searchbox', { name: /After single lessons/ });

  await open('A game');
  await expect(list.getByRole('checkbox')).toHaveCount(3);
  await expect(list.getByText('Basics')).toBeVisible();
  await search.fill('loo');
  await expect(list.getByRole('checkbox')).toHaveCount(1);
  await list.getByRole('checkbox', { name: 'Loops' }).click();
  await search.fill('arr');
  // What is chosen stays in sight.
  await expect(list.getByRole('checkbox')).toHaveCount(2);
  await list.getByRole('checkbox', { name: 'Arrays' }).click();
  await expect(admin.getByText('2 of 3 chosen')).toBeVisible();
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await save();
  await expect(admin).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  await open('Loops');
  await list.getByRole('checkbox', { name: 'A game' }).click();
  await save();
  await expect(admin.getByText('“A game” waits for “Loops” already')).toBeVisible();
  await expect(search).toBeFocused();
  await list.getByRole('checkbox', { name: 'A game' }).click();
  await save();
  await expect(admin).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  await open('A game');
  await expect(list.getByRole('checkbox', { name: 'Loops' })).toBeChecked();
  await expect(list.getByRole('checkbox', { name: 'Values' })).not.toBeChecked();

  await page.goto(`/learn/${id}?lesson=${lessons['A game']}`);
  await expect(page.getByRole('heading', { level: 1, name: 'A game' })).toBeVisible();
  await expect(
    page.getByText('This lesson opens once you have completed “Loops” and “Arrays”.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Arrays', exact: true })).toHaveAttribute(
    'href',
    `/learn/${id}?lesson=${lessons.Arrays}`,
  );
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Go on with “Loops”' }).click();
  for (const title of ['Loops', 'Arrays']) {
    if (title === 'Arrays') await page.goto(`/learn/${id}?lesson=${lessons.Arrays}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Mark Complete' }).click();
    await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  }
  // It opened with the last press, without another look at the course.
  await page.getByRole('link', { name: 'Next: A game' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'A game' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeVisible();

  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
