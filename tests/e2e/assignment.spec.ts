import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('an assignment with a rubric is written, handed in, annotated, done again and completed @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    viewport: page.viewportSize(),
  });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const { id } = await (
    await admin.request.post('/api/courses', {
      headers,
      data: {
        title: `Reports ${Date.now()}`,
        description: 'To write one.',
        thumbnail: '/favicon.svg',
        price: '49.00',
        originalPrice: '79.00',
        duration: '2 hours',
        level: 'Beginner',
        categoryId: 1,
        isActive: false,
      },
    })
  ).json();

  // Its author writes it.
  await admin.goto(`/admin/courses/${id}/content/new?type=assignment`);
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  await admin.getByLabel('Lesson title').fill('A report of a page');
  await admin.getByRole('textbox', { name: 'Task' }).fill('Write **one page** about a site.');
  await admin.getByLabel('Due note').fill('Hand it in within two weeks.');
  await admin.getByLabel('Complete from a grade of').fill('60');
  await admin.getByRole('button', { name: 'Add a criterion' }).click();
  await admin.getByRole('button', { name: 'Add Content' }).click();
  await expect(admin.getByText('Criterion is required')).toBeVisible();
  await admin.getByRole('textbox', { name: 'Criterion 1' }).fill('Findings');
  await admin.getByLabel('What it means').fill('At least six of them.');
  await admin.getByRole('button', { name: 'Add a criterion' }).click();
  await admin.getByRole('textbox', { name: 'Criterion 2' }).fill('Language');
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin.getByRole('button', { name: 'Add Content' }).click();
  await expect(admin).toHaveURL(/\/content$/);

  const { user, email } = await newShopper(page);
  const { id: userId } = user as { id: number };
  const enrolled = await admin.request.post(`/api/admin/users/${userId}/enroll`, {
    headers,
    data: { courseId: id, reason: 'To write a report' },
  });
  expect(enrolled.ok(), await enrolled.text()).toBe(true);

  // Its learner hands it in.
  await page.goto(`/learn/${id}`);
  const work = page.getByRole('region', { name: 'Your work' });
  await expect(
    work.getByText('Completed by a grade of at least 60. Hand it in within two weeks.'),
  ).toBeVisible();
  await expect(work.getByRole('row', { name: 'Findings At least six of them. up to 10' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toHaveCount(0);
  await work.getByLabel('Your text').fill('The header is fine.\n\nThe links are not.');
  await work.getByRole('button', { name: 'Hand in' }).click();
  await expect(work.getByText('Handed in', { exact: true })).toBeVisible();

  // It is annotated and graded below what it asks for.
  const grade = async (points: [string, string]) => {
    await admin.goto('/admin/grading');
    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
    const card = admin
      .getByRole('listitem')
      .filter({ hasText: 'A report of a page' })
      .filter({ hasText: email });
    await card.getByLabel('Findings').fill(points[0]);
    await card.getByLabel('Language').fill(points[1]);
    return card;
  };
  const card = await grade(['11', '4']);
  await card.getByRole('button', { name: 'Quote the text to annotate it' }).click();
  const feedback = card.getByRole('textbox', { name: 'Feedback' });
  await expect(feedback).toContainText('> The links are not.');
  await feedback.focus();
  await admin.keyboard.press('ControlOrMeta+End');
  await admin.keyboard.insertText('\n\nWhich **ones**?');
  await expect(card.locator('.prose blockquote')).toHaveCount(2);
  await card.getByRole('button', { name: 'Save grade' }).click();
  await expect(card.getByText('“Findings” has at most 10 points')).toBeVisible();
  await card.getByLabel('Findings').fill('5');
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await card.getByRole('button', { name: 'Save grade' }).click();
  await expect(admin.getByText('Grade saved', { exact: true })).toBeVisible();

  // It is read, done again, and completed by a better grade.
  await page.reload();
  await expect(work.getByText('60 points are needed. Change your work and hand it in again.')).toBeVisible();
  await expect(work.getByRole('row', { name: /^Findings .* 5 of 10$/ })).toBeVisible();
  await expect(work.locator('.prose strong')).toHaveText('ones');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await work.getByRole('button', { name: 'Hand in again' }).click();
  await work.getByLabel('Your text').fill('The links in the footer have no underline.');
  await work.getByRole('button', { name: 'Hand in', exact: true }).click();
  await expect(work.getByText('Feedback on what you handed in before')).toBeVisible();
  await (await grade(['9', '8'])).getByRole('button', { name: 'Save grade' }).click();
  await expect(admin.getByText('Grade saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Lessons' }).getByText('Completed')).toBeVisible();
  await expect(work.getByRole('button', { name: 'Hand in again' })).toHaveCount(0);
  await context.close();
});
