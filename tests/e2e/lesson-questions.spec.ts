import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, expectNoOverflowWhenNarrow, test } from './fixtures.ts';
import { fillCart, newShopper } from './shopper.ts';

const COURSE = 'First Programs in Five Languages';

test('a learner asks about a line and an attempt, and the team answers @phone', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const word = `kingfisher${Date.now()}`;
  const shopper = await newShopper(page);
  await fillCart(page, shopper, COURSE);
  const headers = { authorization: `Bearer ${shopper.token}` };
  const bought = await page.request.post('/api/create-payment-intent', { headers, data: { amount: 0 } });
  expect(bought.ok(), await bought.text()).toBe(true);
  const [enrollment] = await (await page.request.get('/api/my-enrollments', { headers })).json();
  const courseId: number = enrollment.course.id;
  const lessonId: number = enrollment.course.content[1].id;

  await page.goto(`/lesson/${lessonId}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Ask about this line' }).click();
  const questions = page.getByRole('region', { name: 'Questions' });
  await expect(questions.getByText(/^About line 1/)).toBeVisible();
  await questions.getByRole('button', { name: 'Ask the team' }).click();
  await expect(questions.getByText('Text is required')).toBeVisible();
  await questions.getByLabel('Your question').fill(`Why is \`${word}\` here?`);
  await questions.getByRole('checkbox', { name: /may read it/ }).click();
  await expectAccessible(page);
  await expectNoOverflow(page);
  // Both ways to other lessons stand above the task.
  await expectNoOverflowWhenNarrow(page);
  await questions.getByRole('button', { name: 'Ask the team' }).click();
  await expect(questions.getByText('The team has your question.', { exact: false })).toBeVisible();
  await expect(questions.getByRole('article')).toContainText('Waits for an answer');

  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  await page.getByRole('button', { name: 'Ask about this attempt' }).click();
  await questions.getByLabel('Your question').fill(`And why does ${word} fail?`);
  await questions.getByRole('button', { name: 'Ask the team' }).click();
  await expect(questions.getByRole('article')).toHaveCount(2);
  await expect(questions.getByText('Your attempt 1')).toBeVisible();
  await expectNoOverflow(page);

  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  await signIn(admin, ADMIN);
  await admin.goto(`/admin/questions?search=${word}`);
  await expect(admin.locator('main astro-island[ssr]')).toHaveCount(0);
  const list = admin.getByRole('list', { name: 'Questions', exact: true });
  await expect(list.getByText('Unanswered')).toHaveCount(2);
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin
    .getByRole('button', { name: /^Answer:/ })
    .first()
    .click();
  await admin.getByLabel(/^Your answer to/).fill('It is a **name**.');
  await admin.getByRole('button', { name: 'Send the answer' }).click();
  await expect(admin.getByText('Your answer was sent.', { exact: true })).toBeVisible();
  await expect(list.getByText('Answered', { exact: true })).toHaveCount(1);
  await context.close();

  await page.goto(`/learn/${courseId}?lesson=${lessonId}&view=course`);
  await questions.scrollIntoViewIfNeeded();
  const answered = questions.getByRole('article').filter({ hasText: 'Answered' });
  await expect(answered.locator('strong')).toHaveText('name');
  await answered.getByRole('button', { name: 'Mark as solved' }).click();
  await expect(questions.getByText('Marked as solved.')).toBeVisible();
  const waiting = questions.getByRole('article').filter({ hasText: 'Waits for an answer' });
  await expect(waiting).toHaveCount(1);
  await expectAccessible(page);
  await waiting.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(questions.getByRole('article')).toHaveCount(1);
  await expectNoOverflow(page);
});
