import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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
  await expectNoOverflow(page);
  await context.close();
});

test('whoever previews a video goes to its chapters in the page @phone', async ({ page }) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const film = await readFile(
    resolve(import.meta.dirname, '../../db/seed/courses/accessible-web-design/files/focus-path.mp4'),
  );
  const uploaded = await page.request.post('/api/admin/files', {
    headers,
    multipart: { file: { name: 'focus.mp4', mimeType: 'video/mp4', buffer: film } },
  });
  expect(uploaded.ok(), await uploaded.text()).toBe(true);
  const made = await page.request.post('/api/courses', {
    headers,
    data: {
      title: `Chapters ${Date.now()}`,
      description: 'One film.',
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
  const added = await page.request.post(`/api/admin/courses/${id}/lessons`, {
    headers,
    data: {
      ...{ type: 'video', title: 'The film', fileUrl: (await uploaded.json()).fileUrl, isPreview: true },
      ...{ durationSeconds: 32, chapters: '0:00 The first Tab\n0:15 Into the dialog' },
    },
  });
  expect(added.ok(), await added.text()).toBe(true);
  await page.goto(`/courses/${id}`);
  await page.getByRole('tab', { name: 'Curriculum' }).click();
  await page.getByText('The film').click();
  const player = page.locator('video');
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0);
  await page
    .getByRole('navigation', { name: 'Chapters' })
    .getByRole('link', { name: '0:15 Into the dialog' })
    .press('Enter');
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => Math.floor(video.currentTime)))
    .toBeGreaterThanOrEqual(15);
  await expect(page).toHaveURL(new RegExp(`/courses/${id}\\?tab=curriculum$`));
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.request.delete(`/api/courses/${id}`, { headers });
});
