import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

// Saving over a colleague's change.
test.use({ allowed: [/status of 409/] });

let token = '';
let made: number[] = [];
const headers = () => ({ authorization: `Bearer ${token}` });

// Other tests look for the courses of the demo on the first page.
test.afterEach(async ({ request }) => {
  for (const id of made) await request.delete(`/api/courses/${id}`, { headers: headers() });
});

/** Makes a hidden course by the call, so that no other test counts it. */
async function makeCourse(page: Page): Promise<number> {
  token = await signIn(page, ADMIN);
  const answer = await page.request.post('/api/courses', {
    headers: headers(),
    data: {
      title: `Texts ${Date.now()}-${Math.round(Math.random() * 1e4)}`,
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
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = await answer.json();
  made = [id];
  return id;
}

test('an author writes a text by toolbar and keyboard, and a learner reads it', { tag: '@phone' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const courseId = await makeCourse(page);
  await page.goto(`/admin/courses/${courseId}/content/new?type=text`);
  const toolbar = page.getByRole('toolbar', { name: 'Markdown' });
  await expect(toolbar).toBeVisible();
  const text = page.getByRole('textbox', { name: 'Content' });
  const sent = page.locator('textarea[name="content"]');
  const tool = (name: string) => toolbar.getByRole('button', { name, exact: true });

  // Without a title and a text; the focus goes to what is missing.
  await page.getByLabel('Lesson title').fill('All of it');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('Content is required', { exact: true })).toBeVisible();
  await expect(text).toBeFocused();

  await page.keyboard.press('Control+Alt+h');
  await page.keyboard.type('Means');
  await page.keyboard.press('Enter');
  // On a phone the editor waits a moment after Enter, for keyboards that announce it twice.
  await expect(sent).toHaveValue('## Means\n');
  await page.keyboard.type('A ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('mean');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('End');
  await page.keyboard.type(' is short.');
  // The toolbar is one stop of the Tab key; arrows move in it.
  await page.keyboard.press('Shift+Tab');
  await expect(tool('Heading')).toBeFocused();
  for (let at = 1; at <= 11; at++) {
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.getByRole('button').nth(at)).toBeFocused();
  }
  await expect(tool('Footnote')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await page.keyboard.type('Said by Euler.');
  await expect(sent).toHaveValue('## Means\nA **mean** is short.[^1]\n\n[^1]: Said by Euler.');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await tool('Formula').click();
  await page.keyboard.type('x^2');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await tool('Call-out').click();
  await page.keyboard.type('Take care.');
  await page.keyboard.press('Control+End');
  await tool('Table').click();
  await page.keyboard.press('Control+End');
  await tool('Task list').click();
  await page.keyboard.type('Try it');
  await page.keyboard.press('Enter');
  await expect(sent).toHaveValue(/- \[ \] Try it\n- \[ \] $/);
  await page.keyboard.press('Enter');
  // Enter in the empty item ended the list.
  await expect(sent).toHaveValue(/- \[ \] Try it\n+$/);
  await tool('Block of code').click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('const a = 1;');

  const preview = page.getByRole('group', { name: 'Preview' });
  const isAllThere = async (shown: typeof preview) => {
    await expect(shown.getByRole('heading', { name: 'Means' })).toBeVisible();
    await expect(shown.locator('strong')).toHaveText('mean');
    await expect(shown.locator('math msup')).toHaveText('x2');
    await expect(shown.locator('.markdown-alert-note')).toHaveText(/Note\s*Take care\./);
    await expect(shown.getByRole('cell', { name: 'b', exact: true })).toBeVisible();
    await expect(shown.getByRole('checkbox', { name: 'To do' })).toBeVisible();
    await expect(shown.locator('.hljs-keyword')).toHaveText('const');
    await expect(shown.getByRole('group', { name: 'Footnotes' })).toContainText('Said by Euler.');
  };
  await isAllThere(preview);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${courseId}/content`);

  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const learner = await context.newPage();
  const { user } = await newShopper(learner);
  const enrolled = await page.request.post(`/api/admin/users/${(user as { id: number }).id}/enroll`, {
    headers: headers(),
    data: { courseId, reason: 'To read it' },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);
  await learner.setViewportSize(page.viewportSize()!);
  await learner.goto(`/learn/${courseId}`);
  await isAllThere(learner.locator('.prose'));
  await expectAccessible(learner);
  await expectNoOverflow(learner);
  await learner.getByRole('link', { name: 'Footnote 1' }).first().click();
  await expect(learner).toHaveURL(/#fn-[0-9a-f]{8}-1$/);
  await context.close();
});

test('what was typed comes back after a crash, and other tabs and people are told of', async ({
  page,
  context,
}) => {
  const courseId = await makeCourse(page);
  const created = await page.request.post(`/api/admin/courses/${courseId}/lessons`, {
    headers: headers(),
    data: { type: 'text', title: 'Crash', content: 'As it was.' },
  });
  const lesson = await created.json();
  const address = `/admin/courses/${courseId}/content/${lesson.id}`;
  const sent = page.locator('textarea[name="content"]');
  const text = page.getByRole('textbox', { name: 'Content' });
  const restore = page.getByRole('button', { name: 'Restore what I had' });

  await page.goto(address);
  await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' And more.');
  await page.getByLabel('Lesson title').fill('Crashed');
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('Crashed'))))
    .toBe(true);
  // Nothing is asked: nothing would be lost.
  await page.goto('/about');
  await page.goto(address);
  await expect(restore).toBeVisible();
  await expect(sent).toHaveValue('As it was.');
  await expectAccessible(page);
  await restore.click();
  await expect(sent).toHaveValue('As it was. And more.');
  await expect(page.getByLabel('Lesson title')).toHaveValue('Crashed');
  await expect(page.getByRole('group', { name: 'Preview' })).toHaveText('As it was. And more.');

  // Somebody else saves; what was typed is offered with that word, and nothing of theirs is written over unasked.
  const saved = await page.request.put(`/api/admin/lessons/${lesson.id}`, {
    headers: headers(),
    data: { type: 'text', title: 'Crash', content: 'Theirs.', version: lesson.version },
  });
  expect(saved.ok(), await saved.text()).toBe(true);
  await page.reload();
  await expect(page.getByText('The lesson was saved since then')).toBeVisible();
  await restore.click();
  await page.getByRole('button', { name: 'Save lesson' }).click();
  await expect(page.getByText('Somebody else changed this lesson meanwhile')).toBeVisible();
  await expect(page.getByText('Theirs.')).toBeVisible();
  await page.getByRole('button', { name: 'Save mine over theirs' }).click();
  await page.waitForURL(`**/admin/courses/${courseId}/content`);

  // Saved: nothing is offered any more. A second tab that changes the same lesson is named.
  await page.goto(address);
  await expect(sent).toHaveValue('As it was. And more.');
  await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  await expect(restore).toBeHidden();
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
  await other.getByLabel('Lesson title').fill('In the other tab');
  await expect(page.getByText('This lesson is being changed in another tab')).toBeVisible();
  await other.getByRole('button', { name: 'Save lesson' }).click();
  await other.waitForURL(`**/admin/courses/${courseId}/content`);
  await expect(page.getByText('This lesson was saved or discarded in another tab')).toBeVisible();
  await other.close();

  // Discarded for good.
  await page.goto(address);
  await page.getByLabel('Lesson title').fill('Never mind');
  await page.goto('/admin');
  await page.goto(address);
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(restore).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Lesson title')).toHaveValue('In the other tab');
  await expect(restore).toBeHidden();
});
