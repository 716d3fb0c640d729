import { readFile } from 'node:fs/promises';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const BROKEN = 'What is 2 + 2? {\n=4#Right.\n~5\n\nWater is wet. {T}';
const WHOLE = `// [tag:sums]
What is 2 + 2? {
=4#Right.
~5#One too many.
####Sums.
}

Water is wet. {T}

Capitals {
=France -> Paris
=Spain -> Madrid
}
`;

test('an author brings questions in from a text, mends it by its lines, and takes them out again @phone', async ({
  page,
}) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const made = await page.request.post('/api/courses', {
    headers,
    data: {
      title: `Questions ${Date.now()}`,
      description: 'From files.',
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
      type: 'quiz',
      title: 'Sums',
      questions: [{ kind: 'ordering', question: 'Order.', items: ['one', 'two'], explanation: 'Counting.' }],
    },
  });
  const lesson = await added.json();
  await page.goto(`/admin/courses/${id}/content/${lesson.id}`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Import questions' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import questions' });
  const text = dialog.getByLabel('Text in GIFT');
  await dialog.getByRole('button', { name: 'Read the text' }).click();
  await expect(dialog.getByText('Paste a text, or choose a file')).toBeVisible();
  await text.fill(BROKEN);
  await dialog.getByRole('button', { name: 'Read the text' }).click();
  await expect(dialog.getByRole('heading', { name: '1 question read' })).toBeFocused();
  await expect(dialog.getByText('Left out, because of a mistake')).toBeVisible();
  await dialog.getByRole('button', { name: 'Line 1' }).click();
  await expect(text).toBeFocused();
  await expectAccessible(page);

  await text.fill(WHOLE);
  await dialog.getByRole('button', { name: 'Read the text' }).click();
  await expect(dialog.getByRole('heading', { name: '3 questions read' })).toBeFocused();
  await expect(dialog.getByText('France → Paris')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await dialog.getByRole('button', { name: 'Add 3 questions' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('group', { name: 'Question 4, Matching' })).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export questions' }).click();
  await page.getByRole('menuitem', { name: 'GIFT (Moodle)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('questions.gift.txt');
  const gift = await readFile(await file.path(), 'utf8');
  expect(gift).toContain('// [tag:sums]\n::Question 2::[plain]What is 2 + 2? {\n=4');
  await expect(page.getByText('Question 1: GIFT cannot say it, Moodle XML can (ordering)')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  const second = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export questions' }).click();
  await page.getByRole('menuitem', { name: 'QTI 3 package' }).click();
  const zip = await second;
  expect(zip.suggestedFilename()).toBe('questions-qti-3.zip');
  await page.getByRole('button', { name: 'Import questions' }).click();
  await dialog.getByLabel('Choose a file').setInputFiles({
    name: 'questions.zip',
    mimeType: 'application/zip',
    buffer: await readFile(await zip.path()),
  });
  await expect(dialog.getByRole('heading', { name: '3 questions read' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: /^Save/ }).first().click();
  await expect(page).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  // The list of all questions of the course: found by a word, tagged, copied, taken out and brought in.
  await page.getByRole('link', { name: 'Questions', exact: true }).last().click();
  await expect(page.getByRole('heading', { name: 'Questions', exact: true })).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  const questions = page.getByRole('list', { name: 'Questions' });
  await expect(questions.getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('searchbox', { name: 'Search questions' }).fill('wet');
  await page.getByRole('searchbox', { name: 'Search questions' }).press('Enter');
  await expect(questions.getByRole('listitem')).toHaveCount(1);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Water is wet.' }).click();
  await page.getByLabel('Tag', { exact: true }).last().fill('Nature');
  await page.getByRole('button', { name: 'Add the tag' }).click();
  await expect(questions.getByText('nature', { exact: true })).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Choose all on this page' }).click();
  await expect(page.getByText('1 question chosen')).toBeVisible();
  await page.getByRole('combobox', { name: 'Quiz' }).last().click();
  await page.getByRole('option', { name: 'A new quiz' }).click();
  await page.getByLabel('Title of the new quiz').fill('Nature again');
  await page.getByRole('button', { name: 'Copy into this quiz' }).click();
  await expect(page.getByText('1 question added to Nature again', { exact: true }).first()).toBeVisible();
  await expect(questions.getByRole('listitem')).toHaveCount(2);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Choose all on this page' }).click();
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Moodle XML' }).click();
  const third = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const xml = await readFile(await (await third).path(), 'utf8');
  expect(xml).toContain('<question type="truefalse">');
  await page.getByRole('button', { name: 'Import questions' }).click();
  await text.fill(xml.replaceAll('Water is wet.', 'Ice is cold.'));
  await dialog.getByRole('button', { name: 'Read the text' }).click();
  await dialog.getByRole('button', { name: 'Add 2 questions' }).click();
  await expect(page.getByText('1 question added to Sums', { exact: true }).first()).toBeVisible();
  await page
    .getByRole('link', { name: /, question \d$/ })
    .first()
    .click();
  await page.waitForURL(/#question-\d+$/);
  const asked = new URL(page.url()).hash.replace('#question-', 'Question ');
  await expect(page.getByRole('group', { name: new RegExp(`^${asked}, `) })).toBeVisible();
  await page.request.delete(`/api/courses/${id}`, { headers });
});
