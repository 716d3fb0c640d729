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
  await expect(dialog.getByRole('heading', { name: '1 mistake found' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Add', exact: false })).toHaveCount(0);
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
  await expect(page.getByText('Question 1: GIFT cannot say it (ordering)')).toBeVisible();
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
  await expect(dialog.getByRole('heading', { name: '2 questions read' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: /^Save/ }).first().click();
  await expect(page).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));
  await page.request.delete(`/api/courses/${id}`, { headers });
});
