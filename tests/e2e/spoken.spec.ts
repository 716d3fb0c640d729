import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { newShopper, type Shopper } from './shopper.ts';
import { expectInOrder, spokenBy } from './spoken.ts';

type Lesson = { id: number; type: string; title: string };

/** A free course for a new learner; gives its lessons. */
async function enroll(
  page: Page,
  shopper: Shopper,
  title: string,
): Promise<{ id: number; lessons: Lesson[] }> {
  const headers = { authorization: `Bearer ${shopper.token}` };
  const found: { id: number; title: string }[] = await (await page.request.get('/api/courses')).json();
  const { id } = found.find((course) => course.title === title)!;
  await page.request.post('/api/cart', { headers, data: { courseId: id } });
  const bought = await page.request.post('/api/create-payment-intent', { headers, data: { amount: 0 } });
  expect(bought.status(), await bought.text()).toBe(200);
  const { course } = await (await page.request.get(`/api/my-enrollments/${id}`, { headers })).json();
  return { id, lessons: course.content };
}

const count = (phrases: string[], phrase: string) => phrases.filter((one) => one === phrase).length;

test.describe('read on by a screen reader', () => {
  test('a text lesson says where one is, its text, and the ways on', async ({ page }) => {
    const { id, lessons } = await enroll(page, await newShopper(page), 'Prepare for a Technical Interview');
    await page.goto(`/learn/${id}?lesson=${lessons[0]!.id}`);
    await expect(page.locator('main astro-island[ssr][client="load"]')).toHaveCount(0);
    const phrases = await spokenBy(page);
    expectInOrder(phrases, [
      'complementary, Course content',
      'link, Prepare for a Technical Interview',
      'progressbar, Course progress, max value 100, min value 0, current value 0%',
      'listitem, level 2, position 1, set size 2',
      'link, Read the advertisement like an interviewer Text · 15 min , not completed, current page',
      'end of complementary, Course content',
      'Lesson 1 of 5 · Text · 15 min · 5 points',
      'heading, Read the advertisement like an interviewer, level 1',
      'columnheader, What they need',
      'region, Notes',
      'textbox, Your notes on this lesson, placeholder What do you want to remember?',
      'navigation, Lessons',
      'button, Mark Complete',
      'link, Next: Six stories that carry you, Alt + Page Down, key shortcuts Alt+PageDown',
      'end of main',
    ]);
    // The words that are seen above the bar are the bar's own.
    expect(count(phrases, 'Course progress')).toBe(0);
  });

  test('a quiz says its questions with their answers, then the result first', async ({ page }) => {
    const { id, lessons } = await enroll(page, await newShopper(page), 'Prepare for a Technical Interview');
    const quiz = lessons.find(({ type }) => type === 'quiz')!;
    await page.goto(`/learn/${id}?lesson=${quiz.id}`);
    await expect(page.locator('main astro-island[ssr][client="load"]')).toHaveCount(0);
    const question = 'Question 1 of 4 In a STAR story, which part takes more than half of the time?';
    expectInOrder(await spokenBy(page, 'section[aria-label="Quiz"]'), [
      'region, Quiz',
      `group, ${question}`,
      'radio, Situation, not checked, position 1, set size 4',
      'radio, Action, not checked, position 3, set size 4',
      `end of group, ${question}`,
      'button, Submit answers',
    ]);
    for (const group of await page.getByRole('group', { name: /^Question/ }).all()) {
      await group.getByRole('radio').first().check();
    }
    await page.getByRole('button', { name: 'Submit answers' }).click();
    await expect(page.getByText('Not passed yet', { exact: true })).toBeVisible();
    expectInOrder(await spokenBy(page, 'section[aria-label="Quiz"]'), [
      'region, Quiz',
      'status',
      'Not passed yet',
      'button, Try again',
      `group, ${question}`,
      'Situation',
      'Your answer',
      'Action',
      'Right answer',
      `end of group, ${question}`,
    ]);
  });

  test('a coding lesson says the task before the editor, and a verdict before its reasons', async ({
    page,
  }) => {
    const { lessons } = await enroll(page, await newShopper(page), 'First Programs in Five Languages');
    await page.goto(`/lesson/${lessons[0]!.id}`);
    await expect(page.locator('.monaco-editor').first()).toBeVisible({ timeout: 20_000 });
    expectInOrder(await spokenBy(page), [
      'link, First Programs in Five Languages',
      'heading, A greeting in JavaScript, level 1',
      'progressbar, Attempts, max value 5, min value 0, current value 0 attempts',
      'region, Task',
      'heading, Expected output, level 2',
      'heading, Tests, level 2',
      'Greets by name',
      "greet('Ada')",
      'should give',
      'Hello, Ada!',
      'region, Hints',
      'region, Code',
      'button, Run, Ctrl + Enter',
      'region, Result, not busy',
      'Run your code to see what it prints and which tests pass.',
    ]);
    await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
    await expect(page.locator('section[aria-labelledby="run-verdict"]')).toBeVisible({ timeout: 30_000 });
    expectInOrder(await spokenBy(page, 'section[aria-label="Result"]'), [
      'region, Result, not busy',
      'heading, Not quite right, level 3',
      '0 of 5 tests passed.',
      'heading, Test results, level 3',
      'Failed:',
      'Greets by name',
      'term',
      'Expected',
      'term',
      'Got',
    ]);
  });

  test('a scenario says its situation, the box, and what came of an action', async ({ page }) => {
    await newShopper(page);
    await page.goto('/scenario/1');
    expectInOrder(await spokenBy(page), [
      'heading, Checkout is down on a Friday evening, level 1',
      'button, Start Scenario',
      'heading, Goals, level 2',
      'Open:',
      'Customers can pay again',
      'heading, How it begins, level 2',
      'term',
      'Failing orders',
      'definition',
      '34 %',
    ]);
    await page.getByRole('button', { name: 'Start Scenario' }).click();
    await page.getByLabel('Your action').fill('look at the logs');
    const status = page.locator('main p[role=status]');
    await page.keyboard.press('Enter');
    await expect(status).toContainText('The flag LOG_EVERY_QUERY=true is printed');
    await expect(status).toHaveText('');
    const phrases = await spokenBy(page);
    expectInOrder(phrases, [
      'heading, Action history, level 2',
      'look at the logs',
      'LOG_EVERY_QUERY=true',
      'heading, What do you do?, level 2',
      'textbox, Your action, One action at a time, in your own words or as a command.',
      'button, Do it',
      'heading, The situation, level 2',
      'Failing orders',
      'heading, Goals, level 2',
    ]);
    // In the story; not a second time where it was announced.
    expect(phrases.filter((phrase) => phrase.includes('could not extend file'))).toHaveLength(1);
    // The same again is said again.
    await page.getByLabel('Your action').fill('look at the logs');
    await page.keyboard.press('Enter');
    await expect(status).not.toHaveText('');
  });
});
