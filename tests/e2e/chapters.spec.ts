import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('an author writes the chapters of a video, and a learner goes from one to the other @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const courses = await (await admin.request.get('/api/courses', { headers })).json();
  const course = courses.find(({ title }: { title: string }) => title === 'Accessible Web Design');
  const { content } = await (await admin.request.get(`/api/courses/${course.id}`, { headers })).json();
  const film = content.find(({ type }: { type: string }) => type === 'video');

  await admin.goto(`/admin/courses/${course.id}/content/${film.id}`);
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  const chapters = admin.getByLabel('Chapters');
  await expect(chapters).toHaveValue(/^0:00 The first Tab\n0:06 In reading order\n/);
  await chapters.fill('0:00 The first Tab\nlater');
  await admin.getByRole('button', { name: /^Save/ }).first().click();
  await expect(admin.getByText('Line 2 needs a time and a title')).toBeVisible();
  await expect(chapters).toHaveValue('0:00 The first Tab\nlater');
  await expectAccessible(admin);
  await expectNoOverflow(admin);

  const learner = (await newShopper(page)).user as { id: number };
  await admin.request.post(`/api/admin/users/${learner.id}/enroll`, {
    headers,
    data: { courseId: course.id, reason: 'To watch' },
  });
  await page.goto(`/learn/${course.id}?lesson=${film.id}`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  const list = page.getByRole('navigation', { name: 'Chapters' });
  const player = page.locator('video');
  const time = () => player.evaluate((video: HTMLVideoElement) => Math.round(video.currentTime));
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0);
  await expect(list.getByRole('button', { name: '0:00 The first Tab' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await list.getByRole('button', { name: '0:15 Into the dialog' }).press('Enter');
  await expect.poll(time).toBe(15);
  await expect(list.getByRole('button', { name: '0:15 Into the dialog' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await player.focus();
  await page.keyboard.press('n');
  await expect.poll(time).toBe(26);
  await page.keyboard.press('p');
  await expect.poll(time).toBe(15);
  await list.getByTitle('In reading order').click();
  await expect.poll(time).toBe(6);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await context.close();
});
