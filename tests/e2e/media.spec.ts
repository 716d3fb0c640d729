import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// What a picture is refused with.
test.use({ allowed: [/status of (409|415)/] });

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
  test.slow();
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
  await expect(text).toHaveValue(
    /^Look:\n\n!\[A blue \\\[plan\\\]\]\(\/pictures\/[\w-]+\/plan-1200x700\.png "The \\"plan\\" of the house"\)$/,
  );
  const preview = page.getByRole('region', { name: 'Preview' });
  const shown = preview.getByRole('img', { name: 'A blue [plan]' });
  await expect(preview.locator('figcaption')).toHaveText('The "plan" of the house');
  await expect
    .poll(() =>
      shown.evaluate((image: HTMLImageElement) => [image.complete, image.currentSrc.split('.').at(-1)]),
    )
    .toEqual([true, 'avif']);

  await give(page, 'paste', 'textarea[name="content"]', 'pasted.png', await picture(300, 200, '#aa3355'));
  await expect(page.getByRole('group', { name: 'Picture pasted.png' })).toBeVisible();
  await page.getByLabel('Decoration only').click();
  await page.getByRole('button', { name: 'Put into the text' }).click();
  await expect(text).toHaveValue(/!\[\]\(\/pictures\/[\w-]+\/pasted-300x200\.png\)$/);
  await give(page, 'drop', 'textarea[name="content"]', 'dropped.png', await picture(310, 200, '#33aa55'));
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
  await expect(page.getByText('The picture is shown in: Plans.')).toBeVisible();
});
