import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

const VIDEO = resolve(
  import.meta.dirname,
  '../../db/seed/courses/accessible-web-design/files/focus-path.mp4',
);

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
}

/** Writes into one of the code fields, once its editor is there. */
async function write(page: Page, label: string, code: string): Promise<void> {
  await page.getByRole('textbox', { name: `${label}. Press Escape` }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

/** From the list of the course's content to the form of a new lesson. */
async function begin(page: Page, type: string, title: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: type, exact: true }).first().click();
  await page.waitForURL(/\/content\/new\?type=/);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByLabel('Lesson title').fill(title);
}

/** Saves the form; the author is back at the list, where the lesson stands. */
async function save(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(/\/content$/);
  await expect(page.getByRole('main').getByRole('link', { name: title }).first()).toBeVisible();
}

async function addQuestion(page: Page, kind: string, number: number, text: string): Promise<Locator> {
  await choose(page, page.getByRole('combobox', { name: 'Kind of the new question' }), kind);
  await page.getByRole('button', { name: 'Add question' }).click();
  const question = page.getByRole('group', { name: `Question ${number}, ${kind}` });
  await question.getByLabel('Question', { exact: true }).fill(text);
  return question;
}

test('an author goes from nothing to a published course with every type of lesson', async ({ page }) => {
  const token = await signIn(page, ADMIN);
  const began = Date.now();

  // The course itself.
  const title = `From nothing ${began}`;
  await page.goto('/admin');
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'New course' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill('Everything that a course can have.');
  await choose(page, dialog.getByRole('combobox', { name: /^Category/ }), 'Programming');
  await choose(page, dialog.getByRole('combobox', { name: /^Level/ }), 'Beginner');
  await dialog.getByLabel('Price', { exact: true }).fill('29');
  await dialog.getByLabel('Duration').fill('3 hours');
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#2a5bd7' } })
    .png()
    .toBuffer();
  await dialog.getByLabel('Upload a picture').setInputFiles({
    ...{ name: 'cover.png', mimeType: 'image/png', buffer: picture },
  });
  await expect(dialog.getByLabel('Thumbnail', { exact: true })).toHaveValue(/^\/media\//);
  await dialog.getByRole('button', { name: 'Create course' }).click();
  await page.waitForURL(/\/admin\/courses\/\d+\/content$/);
  const courseId = Number(/courses\/(\d+)/.exec(page.url())![1]);

  try {
    // A text with a picture from the clipboard.
    await begin(page, 'Text', 'Welcome');
    await page.getByLabel('Content', { exact: true }).fill('Look at **this**:\n\n');
    await page.locator('.cm-content').evaluate((element, base64) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], 'plan.png', { type: 'image/png' }));
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    }, picture.toString('base64'));
    await page.getByLabel('Alternative text').fill('A blue plan');
    await page.getByRole('button', { name: 'Put into the text' }).click();
    await expect(
      page.getByRole('group', { name: 'Preview' }).getByRole('img', { name: 'A blue plan' }),
    ).toBeVisible();
    await save(page, 'Welcome');

    await begin(page, 'Video', 'Watch');
    await page.getByLabel('Upload a video').setInputFiles(VIDEO);
    await expect(page.getByLabel('File URL')).toHaveValue(/^\//, { timeout: 30_000 });
    await save(page, 'Watch');

    await begin(page, 'Document', 'Keep');
    await page.getByLabel('Upload a file').setInputFiles({
      ...{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('What to remember.') },
    });
    await expect(page.getByLabel('File URL')).toHaveValue(/^\/files\//);
    await save(page, 'Keep');

    // A quiz with a question of each kind.
    await begin(page, 'Quiz', 'Every question');
    const single = await addQuestion(page, 'Single choice', 1, 'What is 2 + 2?');
    await single.getByRole('textbox', { name: 'Option 1' }).fill('3');
    await single.getByRole('textbox', { name: 'Option 2' }).fill('4');
    await single.getByRole('radio', { name: 'Option 2 is correct' }).check();
    const several = await addQuestion(page, 'Several answers', 2, 'Which are even?');
    await several.getByRole('textbox', { name: 'Option 1' }).fill('2');
    await several.getByRole('textbox', { name: 'Option 2' }).fill('4');
    await several.getByRole('button', { name: 'Add option' }).click();
    await several.getByRole('textbox', { name: 'Option 3' }).fill('5');
    await several.getByRole('checkbox', { name: 'Option 1 is correct' }).check();
    await several.getByRole('checkbox', { name: 'Option 2 is correct' }).check();
    await addQuestion(page, 'True or false', 3, 'Water is wet.');
    const short = await addQuestion(page, 'Short text', 4, 'What is the capital of France?');
    await short.getByRole('textbox', { name: 'Accepted answer 1' }).fill('Paris');
    const number = await addQuestion(page, 'Number', 5, 'How many minutes has an hour?');
    await number.getByLabel('Right number').fill('60');
    const ordering = await addQuestion(page, 'Ordering', 6, 'Which comes first?');
    await ordering.getByRole('textbox', { name: 'Item 1' }).fill('Spring');
    await ordering.getByRole('textbox', { name: 'Item 2' }).fill('Summer');
    const matching = await addQuestion(page, 'Matching', 7, 'Which capital is whose?');
    for (const [at, [country, city]] of [
      ['France', 'Paris'] as const,
      ['Spain', 'Madrid'] as const,
    ].entries()) {
      await matching.getByLabel(`Prompt ${at + 1}`).fill(country);
      await matching.getByLabel(`Match ${at + 1}`).fill(city);
    }
    const gaps = await addQuestion(page, 'Fill the gaps', 8, 'Fill the gap.');
    await gaps.getByLabel('Text with gaps').fill('Two and two are [[four|4]].');
    await save(page, 'Every question');

    // A coding lesson whose tests are proven while they are written.
    await begin(page, 'Coding', 'Write a page');
    await page.getByLabel('Instructions', { exact: true }).fill('Write a heading that says **Tea**.');
    await choose(page, page.getByRole('combobox', { name: /^Language/ }), 'HTML');
    await write(page, 'Starter code', '<h1>Coffee</h1>');
    await write(page, 'Reference solution', '<h1>Tea</h1>');
    await page.getByRole('button', { name: 'Add test case' }).click();
    const first = page.getByRole('group', { name: 'Test 1', exact: true });
    await first.getByRole('button', { name: /^Insert an example/ }).click();
    await page.getByRole('menuitem', { name: /^Text/ }).click();
    await expect(first.getByLabel('Expected output', { exact: true })).toHaveValue('Tea');
    await expect(first.getByText('Text: “Tea”, as expected.')).toBeVisible();
    await save(page, 'Write a page');

    await begin(page, 'Scenario', 'Outage');
    await page.getByRole('button', { name: 'Write the scenario' }).click();
    await expect(page.getByText('Ready to publish.').filter({ visible: true }).first()).toBeVisible({
      timeout: 30_000,
    });
    await save(page, 'Outage');

    await begin(page, 'Assignment', 'A report');
    await page.getByRole('textbox', { name: 'Task' }).fill('Write **one page** about a site.');
    await save(page, 'A report');

    // Checked, listed, and there for everybody.
    await page.getByRole('main').getByRole('link', { name: 'Publish', exact: true }).click();
    await page.waitForURL(/\/publish$/);
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await page.getByRole('button', { name: /^Check (the course|again)$/ }).click();
    await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled({ timeout: 60_000 });
    await expect(page.getByText('Proven', { exact: true })).toHaveCount(7, { timeout: 60_000 });
    await page.getByRole('button', { name: 'Publish changes' }).click();
    await expect(page.getByRole('heading', { name: 'In the store, and proven' })).toBeVisible();
    await page.goto(`/courses/${courseId}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    for (const lesson of [
      'Welcome',
      'Watch',
      'Keep',
      'Every question',
      'Write a page',
      'Outage',
      'A report',
    ]) {
      await expect(page.getByRole('main').getByText(lesson, { exact: true }).first()).toBeAttached();
    }
    console.info(`From nothing to a published course: ${Math.round((Date.now() - began) / 1000)} s`);
  } finally {
    // Other tests count what is in the catalogue.
    await page.request.delete(`/api/courses/${courseId}`, { headers: { authorization: `Bearer ${token}` } });
  }
});
