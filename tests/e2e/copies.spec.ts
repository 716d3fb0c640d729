import { ADMIN, chooseForCourse, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test('lessons are duplicated and moved, a course is copied, archived and brought back', async ({ page }) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const stamp = Date.now();
  const make = async (title: string): Promise<number> => {
    const data = {
      ...{ title, description: 'To be copied.', thumbnail: '/favicon.svg', price: '49.00' },
      ...{ originalPrice: '79.00', duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
    };
    return (await (await page.request.post('/api/courses', { headers, data })).json()).id;
  };
  const [one, two] = [await make(`Knots ${stamp}`), await make(`Sails ${stamp}`)];
  await page.request.post(`/api/admin/courses/${one}/lessons`, {
    headers,
    data: { type: 'text', title: 'The bowline', content: 'Words.' },
  });

  await page.goto(`/admin/courses/${one}/content`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'More for The bowline' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByText('Lesson duplicated', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: '2. Copy of The bowline' })).toBeVisible();

  await page.getByRole('button', { name: 'More for Copy of The bowline' }).click();
  await page.getByRole('menuitem', { name: 'Move to another course' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Move it there' }).click();
  await expect(dialog.getByText('Choose a course').last()).toBeVisible();
  await dialog.getByLabel('Course').click();
  await page.getByRole('option', { name: `Sails ${stamp}` }).click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move it there' }).click();
  await expect(page).toHaveURL(`/admin/courses/${two}/content`);
  await expect(page.getByRole('link', { name: '1. Copy of The bowline' })).toBeVisible();
  await expectNoOverflow(page);

  const list = `/admin/courses?search=${stamp}`;
  const row = (title: string) =>
    page.getByRole('list', { name: 'Courses' }).getByRole('listitem').filter({ hasText: title });
  await page.goto(list);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await chooseForCourse(page, `Knots ${stamp}`, 'Duplicate');
  await expect(page.getByRole('heading', { level: 1, name: `Copy of Knots ${stamp}` })).toBeVisible();
  await page.goto(list);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await chooseForCourse(page, `Copy of Knots ${stamp}`, 'Archive');
  await expect(page.getByText('Course archived', { exact: true })).toBeVisible();
  await expect(row(`Copy of Knots ${stamp}`)).toHaveCount(0);
  await page.goto(`${list}&state=archived`);
  await expect(row(`Copy of Knots ${stamp}`).getByText('Archived', { exact: true })).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expectAccessible(page);
  await chooseForCourse(page, `Copy of Knots ${stamp}`, 'Bring back');
  await expect(page.getByText('Course brought back', { exact: true })).toBeVisible();
});
