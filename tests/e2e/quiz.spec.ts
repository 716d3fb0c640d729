import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

test(
  'an author writes a question of every kind, and is told what is missing where',
  {
    tag: '@phone',
  },
  async ({ page }, { project }) => {
    test.setTimeout(120_000);
    const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
    const made = await page.request.post('/api/courses', {
      headers,
      data: {
        title: `Questions ${project.name} ${Date.now()}`,
        description: 'To be written.',
        thumbnail: '/favicon.svg',
        price: '20.00',
        duration: '1 hour',
        level: 'Beginner',
        categoryId: 1,
        isActive: false,
      },
    });
    const { id } = await made.json();
    try {
      await page.goto(`/admin/courses/${id}/content`);
      await page.getByRole('link', { name: 'Quiz', exact: true }).click();
      await page.getByLabel('Lesson title').fill('Every kind');
      for (const kind of [
        'Single choice',
        'Several answers',
        'True or false',
        'Short text',
        'Number',
        'Ordering',
        'Matching',
        'Fill the gaps',
      ]) {
        await page.getByRole('combobox', { name: 'Kind of the new question' }).click();
        await page.getByRole('option', { name: kind, exact: true }).click();
        await page.getByRole('button', { name: 'Add question' }).click();
      }
      await page.getByRole('button', { name: 'Draw from a tag' }).click();
      await page.getByLabel('Pass mark in percent').fill('101');
      await page.getByRole('button', { name: 'Add Content' }).click();
      const group = (number: number) => page.getByRole('group', { name: new RegExp(`^Question ${number},`) });
      await expect(group(1).getByText('Question is required')).toBeVisible();
      await expect(group(1).getByText('Option is required').first()).toBeVisible();
      await expect(group(2).getByText('Choose at least one correct option')).toBeVisible();
      await expect(group(4).getByText('Accepted answer is required')).toBeVisible();
      await expect(group(5).getByText('The right number must be a number')).toBeVisible();
      await expect(group(6).getByText('Item is required').first()).toBeVisible();
      await expect(group(7).getByText('Match is required').first()).toBeVisible();
      await expect(group(8).getByText('Text with gaps is required')).toBeVisible();
      await expect(page.getByText('The pass mark must be at most 100')).toBeVisible();
      await expect(page.getByText('Tag is required')).toBeVisible();
      await looksRight(page);

      await page.getByRole('button', { name: 'Remove drawing 1' }).click();
      await page.getByLabel('Pass mark in percent').fill('80');
      const fill = (number: number, label: string, text: string) =>
        group(number).getByRole('textbox', { name: label, exact: true }).fill(text);
      for (const number of [1, 2, 3, 4, 5, 6, 7]) {
        await group(number).getByRole('textbox', { name: 'Question' }).fill(`Number ${number}?`);
      }
      for (const number of [1, 2]) {
        await fill(number, 'Option 1', 'yes');
        await fill(number, 'Option 2', 'no');
      }
      await group(1).getByRole('radio', { name: 'Option 1 is correct' }).check();
      await group(2).getByRole('checkbox', { name: 'Option 2 is correct' }).check();
      await group(3).getByRole('radio', { name: 'False' }).click();
      await fill(4, 'Accepted answer 1', 'Paris');
      await group(5).getByLabel('Right number').fill('3.5');
      await group(5).getByLabel('Unit').fill('kg');
      await fill(6, 'Item 1', 'second');
      await fill(6, 'Item 2', 'first');
      await group(6).getByRole('button', { name: 'Move item 2 up' }).click();
      await fill(7, 'Prompt 1', 'a');
      await fill(7, 'Match 1', '1');
      await fill(7, 'Prompt 2', 'b');
      await fill(7, 'Match 2', '2');
      await group(8).getByLabel('Text with gaps').fill('It is [[raining|snowing]].');
      await expect(group(8).getByText('1 gap.')).toBeVisible();
      await group(1).getByRole('button', { name: 'Duplicate question 1' }).click();
      await expect(group(2).getByRole('textbox', { name: 'Option 1', exact: true })).toHaveValue('yes');
      await group(2).getByRole('button', { name: 'Remove question 2' }).click();
      await page.getByRole('button', { name: 'Add Content' }).click();
      await page.waitForURL(`**/admin/courses/${id}/content`);
      await page.getByRole('link', { name: 'Every kind' }).first().click();
      await expect(page.getByLabel('Pass mark in percent')).toHaveValue('80');
      await expect(group(6).getByRole('textbox', { name: 'Item 1', exact: true })).toHaveValue('first');
      await expect(group(3).getByRole('radio', { name: 'False' })).toBeChecked();
      await expect(group(8).getByLabel('Text with gaps')).toHaveValue('It is [[raining|snowing]].');
    } finally {
      await page.request.delete(`/api/courses/${id}`, { headers });
    }
  },
);
