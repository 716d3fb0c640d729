import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// What a picture is refused with.
test.use({ allowed: [/status of (400|404|409|415)/] });

let token = '';
let made: number[] = [];
test.beforeEach(async ({ page }) => {
  token = await signIn(page, ADMIN);
  made = [];
});
// Other tests look for the courses of the demo on the first page.
test.afterEach(async ({ page }) => {
  for (const id of made) {
    await page.request.delete(`/api/courses/${id}`, { headers: { authorization: `Bearer ${token}` } });
  }
});

/** Makes a hidden course by the call, so that no other test counts it. */
async function makeCourse(page: Page): Promise<number> {
  const answer = await page.request.post('/api/courses', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      title: `Media ${Date.now()}-${Math.round(Math.random() * 1e4)}`,
      description: 'What is in lessons besides text.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      originalPrice: '79.00',
      duration: '2 hours',
      level: 'Beginner',
      categoryId: 1,
      isActive: false,
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = await answer.json();
  made.push(id);
  return id;
}

const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** Pastes or drops a file onto an element, as the browser hands it over. */
async function give(page: Page, event: 'paste' | 'drop', selector: string, name: string, bytes: Buffer) {
  await page.locator(selector).evaluate(
    (element, { event, name, base64 }) => {
      const data = new DataTransfer();
      const file = new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, {
        type: 'image/png',
      });
      data.items.add(file);
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { event, name, base64: bytes.toString('base64') },
  );
}

test('pictures are added by button, paste and drop, described, and shown in a lesson', {
  tag: '@phone',
}, async ({ page }) => {
  const id = await makeCourse(page);
  await page.goto(`/admin/courses/${id}/content/new?type=text`);
  await page.getByLabel('Lesson title').fill('Plans');
  const text = page.getByLabel('Content', { exact: true });
  await text.fill('Look:\n\n');
  const opener = page.getByRole('button', { name: 'Pictures of this course' });
  await opener.click();
  await expect(page.getByText('No pictures yet.')).toBeVisible();
  await page.getByLabel('Upload a picture').setInputFiles({
    name: 'plan.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(page.getByText('The file is not what its name says: .png')).toBeVisible();
  await page.getByLabel('Upload a picture').setInputFiles({
    name: 'plan.png',
    mimeType: 'image/png',
    buffer: await picture(1200, 700, '#2a5bd7'),
  });
  const alt = page.getByLabel('Alternative text');
  await expect(alt).toBeFocused();
  await expect(page.getByText('The file is not what its name says: .png')).toBeHidden();
  await page.getByRole('button', { name: 'Put into the text' }).click();
  await expect(page.getByText('Alternative text is required')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await alt.fill('A blue [plan]');
  await page.getByLabel('Caption').fill('The "plan" of the house');
  await alt.press('Enter');
  await expect(page.locator('textarea[name="content"]')).toHaveValue(
    /^Look:\n\n!\[A blue \\\[plan\\\]\]\(\/pictures\/[\w-]+\/plan-1200x700\.png "The \\"plan\\" of the house"\)$/,
  );
  const preview = page.getByRole('group', { name: 'Preview' });
  const shown = preview.getByRole('img', { name: 'A blue [plan]' });
  await expect(preview.locator('figcaption')).toHaveText('The "plan" of the house');
  await expect
    .poll(() =>
      shown.evaluate((image: HTMLImageElement) => [image.complete, image.currentSrc.split('.').at(-1)]),
    )
    .toEqual([true, 'avif']);

  await give(page, 'paste', '.cm-content', 'pasted.png', await picture(300, 200, '#aa3355'));
  await expect(page.getByRole('group', { name: 'Picture pasted.png' })).toBeVisible();
  await page.getByLabel('Decoration only').click();
  await page.getByRole('button', { name: 'Put into the text' }).click();
  await expect(page.locator('textarea[name="content"]')).toHaveValue(
    /!\[\]\(\/pictures\/[\w-]+\/pasted-300x200\.png\)$/,
  );
  await give(page, 'drop', '.cm-content', 'dropped.png', await picture(310, 200, '#33aa55'));
  await expect(page.getByRole('group', { name: 'Picture dropped.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove from the library' }).click();
  await expect(page.getByRole('group', { name: 'Picture dropped.png' })).toBeHidden();

  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);
  await page.getByRole('link', { name: 'Plans' }).first().click();
  await opener.click();
  await page.getByRole('button', { name: 'A blue [plan]' }).click();
  await expect(page.getByText('shown in: Plans')).toBeVisible();
  await page.getByRole('button', { name: 'Remove from the library' }).click();
  await expect(page.getByText('The picture is shown in: Plans.').first()).toBeVisible();
});

const VIDEO = resolve(
  import.meta.dirname,
  '../../db/seed/courses/accessible-web-design/files/focus-path.mp4',
);

test('a video is uploaded, goes on after a reload, and plays', { tag: '@phone' }, async ({ page }) => {
  const id = await makeCourse(page);
  const begun: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/admin/video-uploads'))
      begun.push(request.url());
  });
  await page.goto(`/admin/courses/${id}/content/new?type=video`);
  const chooser = page.getByLabel('Upload a video');
  await isStarted(page);
  await chooser.setInputFiles({ name: 'film.avi', mimeType: 'video/x-msvideo', buffer: Buffer.from('RIFF') });
  await expect(page.getByText('.avi cannot be played. Choose a video: mp4')).toBeVisible();
  expect(begun).toEqual([]);

  // The first part never arrives.
  await page.route('**/api/admin/video-uploads/*', () => {});
  const created = page.waitForResponse((answer) => answer.url().endsWith('/api/admin/video-uploads'));
  await chooser.setInputFiles(VIDEO);
  expect((await created).status()).toBe(201);
  await expect(page.getByRole('progressbar', { name: /^focus-path\.mp4, / })).toBeVisible();
  await page.reload();
  await isStarted(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(page.getByText('Not all of it is here. Choose the same file to go on.')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: /^focus-path\.mp4, / })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await chooser.setInputFiles(VIDEO);
  const address = page.getByLabel('File URL');
  await expect(address).toHaveValue(/^\/files\/[\w-]+\/focus-path\.mp4$/, { timeout: 30_000 });
  expect(begun).toHaveLength(1);
  await expect(page.getByLabel('Length in seconds')).toHaveValue('33');
  await page.getByLabel('Lesson title').fill('Focus');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);

  await page.getByRole('link', { name: 'Focus' }).first().click();
  await expect(page.getByText(/focus-path\.mp4, .*: (ready|being converted)/).first()).toBeVisible();
  const lesson = Number(new URL(page.url()).pathname.split('/').at(-1));
  await enrol(page, id);
  await page.goto(`/learn/${id}?lesson=${lesson}`);
  const player = page.locator('video');
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => Math.round(video.duration))).toBe(32);
});

/** Waits until the form hears what is chosen in it. */
async function isStarted(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]').filter({ has: page.locator('form') })).toHaveCount(0);
}

/** Gives the administrator the course, as a learner has it. */
async function enrol(page: Page, courseId: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const me = await (await page.request.get('/api/auth/me', { headers })).json();
  const answer = await page.request.post(`/api/admin/users/${(me.user ?? me).id}/enroll`, {
    headers,
    data: { courseId, reason: 'To look at it.' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

test('a YouTube video plays on its page alone, and only when it is asked for', { tag: '@phone' }, async ({
  page,
}) => {
  const id = await makeCourse(page);
  const asked: string[] = [];
  await page.route(/youtube|vimeo/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<p>Player</p>' });
  });
  await page.goto(`/admin/courses/${id}/content/new?type=video`);
  await page.getByLabel('Lesson title').fill('A talk');
  const address = page.getByLabel('File URL');
  await address.fill('https://www.youtube.com/@someone');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('No video can be played from this address.')).toBeVisible();
  await address.fill('https://youtu.be/dQw4w9WgXcQ?t=1m5s');
  await page.getByLabel('Must be watched').click();
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(
    page.getByText('How much of a YouTube or Vimeo video was watched cannot be told.'),
  ).toBeVisible();
  await page.getByLabel('Must be watched').click();
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);
  await enrol(page, id);
  const opened = await page.goto(`/learn/${id}`);
  expect(opened!.headers()['content-security-policy']).toContain('https://www.youtube-nocookie.com');
  expect(opened!.headers()['content-security-policy']).not.toContain('vimeo');
  const play = page.getByRole('button', { name: 'Play the video from YouTube' });
  await expect(play).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(asked).toEqual([]);
  await play.click();
  await expect(page.frameLocator('iframe[title="A talk"]').getByText('Player')).toBeVisible();
  expect(asked).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&start=65']);
  const elsewhere = await page.goto('/dashboard');
  expect(elsewhere!.headers()['content-security-policy']).not.toContain('youtube');
});
