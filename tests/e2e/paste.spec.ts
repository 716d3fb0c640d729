import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

let token = '';
let made: number[] = [];
const headers = () => ({ authorization: `Bearer ${token}` });

// Other tests look for the courses of the demo on the first page.
test.afterEach(async ({ request }) => {
  for (const id of made) await request.delete(`/api/courses/${id}`, { headers: headers() });
  made = [];
});

/** A hidden course with a lesson, whose editor is opened. */
async function openLesson(page: Page, content: string): Promise<string> {
  token = await signIn(page, ADMIN);
  const course = await page.request.post('/api/courses', {
    headers: headers(),
    data: {
      title: `Pasted ${Date.now()}-${Math.round(Math.random() * 1e4)}`,
      description: 'To be read.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      originalPrice: '79.00',
      duration: '2 hours',
      level: 'Beginner',
      categoryId: 1,
      isActive: false,
    },
  });
  expect(course.status(), await course.text()).toBe(201);
  const { id } = await course.json();
  made.push(id);
  const lesson = await page.request.post(`/api/admin/courses/${id}/lessons`, {
    headers: headers(),
    data: { type: 'text', title: 'Pasted', content },
  });
  expect(lesson.ok(), await lesson.text()).toBe(true);
  const address = `/admin/courses/${id}/content/${(await lesson.json()).id}`;
  await page.goto(address);
  await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  return address;
}

/** Pastes into what has the focus, as a program put it on the clipboard. */
const paste = (page: Page, what: { html?: string; text?: string; picture?: boolean }) =>
  page.evaluate(({ html, text, picture }) => {
    const clipboardData = new DataTransfer();
    if (html) clipboardData.setData('text/html', html);
    if (text) clipboardData.setData('text/plain', text);
    if (picture) clipboardData.items.add(new File(['no picture'], 'image.png', { type: 'image/png' }));
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, what);

test('formatted text is pasted as Markdown, and a picture only where there are no words', {
  tag: '@phone',
}, async ({ page }) => {
  await openLesson(page, 'Before.');
  const sent = page.locator('textarea[name="content"]');
  const text = page.getByRole('textbox', { name: 'Content' });
  await text.focus();
  await page.keyboard.press('Control+End');
  await paste(page, {
    html: '<b style="font-weight:normal"><h2>Plan</h2><p><span style="font-weight:700">So</span> it <a href="https://example.com">is</a>.</p><table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table></b>',
    text: 'Plan\nSo it is.\nA\tB\n1\t2',
    picture: true,
  });
  const table = '| A | B |\n| --- | --- |\n| 1 | 2 |';
  const whole = `Before.\n\n## Plan\n\n**So** it [is](https://example.com).\n\n${table}`;
  await expect(sent).toHaveValue(whole);
  await expect(
    page.getByRole('group', { name: 'Preview' }).getByRole('heading', { name: 'Plan' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload a picture' })).toBeHidden();

  // Pictures inside are left out, and said.
  await page.keyboard.press('Control+End');
  await paste(page, { html: '<p> <em>more</em> <img src="data:image/png;base64,AAAA"></p>', text: 'more' });
  await expect(sent).toHaveValue(`${whole}*more*`);
  await expect(page.getByText('1 picture of what you pasted was left out')).toBeVisible();

  // Too much for the lesson: nothing is lost, and the limit is named.
  await paste(page, { html: `<p><b>x</b>${'y'.repeat(120_000)}</p>`, text: `x${'y'.repeat(120_000)}` });
  await expect(
    page.getByText(/Nothing was pasted: it has 120,00\d characters.*\(100,000 altogether\)/),
  ).toBeVisible();
  await paste(page, { text: 'z'.repeat(5_000_000) });
  await expect(page.getByText('Nothing was pasted: it has 5,000,000 characters')).toBeVisible();
  await paste(page, { html: `<p style="${'a'.repeat(5_000_000)}"><b>x</b></p>`, text: ' as words' });
  await expect(page.getByText('What you pasted was put in as plain text')).toBeVisible();
  await expect(sent).toHaveValue(`${whole}*more* as words`);
  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('the picture button opens the file chooser, and asks what the picture shows', { tag: '@phone' }, async ({
  page,
}) => {
  await openLesson(page, 'Behind words');
  await page.getByRole('textbox', { name: 'Content' }).focus();
  await page.keyboard.press('Control+End');
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('toolbar', { name: 'Markdown' })
    .getByRole('button', { name: 'Picture', exact: true })
    .click();
  await (await chooser).setFiles({
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await expect(page.getByLabel('Alternative text')).toBeFocused();
  // It is in the text already; its words take its place there.
  const text = page.locator('textarea[name="content"]');
  await expect(text).toHaveValue(/!\[\]\(\/pictures\/[\w-]+\/dot-1x1\.png\)$/);
  await page.keyboard.type('A dot');
  await page.getByLabel('Caption').fill('How small it is');
  await page.getByRole('button', { name: 'Put into the text' }).click();
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect(preview.getByRole('figure')).toContainText('How small it is');
  await expect(preview.getByRole('img', { name: 'A dot' })).toBeVisible();
  await expect(text).not.toHaveValue(/!\[\]/);
});

test('the preview goes along with the writer, and Ctrl+S saves and stays', { tag: '@phone' }, async ({
  page,
}) => {
  const lines = Array.from({ length: 150 }, (_, at) => `Line ${at + 1}\n`).join('\n');
  const address = await openLesson(page, lines);
  const preview = page.getByRole('group', { name: 'Preview' });
  const editor = page.locator('.cm-editor');
  const [shown, written] = [(await preview.boundingBox())!, (await editor.boundingBox())!];
  expect(Math.abs(shown.height - written.height)).toBeLessThan(4);

  await page.getByRole('textbox', { name: 'Content' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('The end');
  await expect(preview.getByText('The end')).toBeVisible();
  const above = () =>
    preview.evaluate(
      ({ scrollTop, scrollHeight, clientHeight }) => scrollTop / (scrollHeight - clientHeight),
    );
  await expect.poll(above).toBeGreaterThan(0.95);
  await page.keyboard.press('Control+Home');
  await expect.poll(above).toBeLessThan(0.05);

  await page.keyboard.press('Control+s');
  await expect(page.getByText('Lesson saved', { exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(address);
  await expect(page.getByRole('textbox', { name: 'Content' })).toBeFocused();
  // The next one goes on from what was saved.
  await page.keyboard.type('First ');
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.keyboard.press('Control+s');
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.locator('textarea[name="content"]')).toHaveValue(/^First Line 1\n[\s\S]*The end$/);

  // What a browser puts into the field behind the editor, as when it fills in a form, is taken over.
  await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  await page.locator('textarea[name="content"]').evaluate((field: HTMLTextAreaElement) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, 'Filled in');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Filled in');
});

test('the description of a course is written in the same editor', { tag: '@phone' }, async ({ page }) => {
  token = await signIn(page, ADMIN);
  await page.goto('/admin/create-interactive-course');
  await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  const text = page.getByRole('textbox', { name: 'Description', exact: true });
  await text.focus();
  await paste(page, { html: '<p>To be <b>read</b></p>', text: 'To be read' });
  await expect(page.locator('textarea[name="description"]')).toHaveValue('To be **read**');
  await expect(page.getByRole('group', { name: 'Preview' }).locator('strong')).toHaveText('read');
  // Kept on this device with the draft, and put back into the editor.
  await page.reload();
  await page.getByRole('button', { name: 'Restore what I had' }).click();
  await expect(text).toHaveText('To be **read**');
  await expectAccessible(page);
  await expectNoOverflow(page);
});
