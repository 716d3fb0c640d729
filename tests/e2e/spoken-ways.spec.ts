import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { asAdmin, newShopper } from './shopper.ts';
import { expectInOrder, spokenBy } from './spoken.ts';

/** A course of these lessons that a new learner has, who is signed in. */
async function learnerOf(
  page: Page,
  lessons: object[],
): Promise<{ id: number; lessons: number[]; email: string }> {
  const { id } = await asAdmin(page, 'POST', '/api/courses', {
    ...{ title: `Heard ${Date.now()}`, description: 'By ear.', thumbnail: '/favicon.svg', price: '49.00' },
    ...{ duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
  });
  const made: number[] = [];
  for (const lesson of lessons)
    made.push((await asAdmin(page, 'POST', `/api/admin/courses/${id}/lessons`, lesson)).id);
  const { user, email } = await newShopper(page);
  const enrolment = { courseId: id, reason: 'To listen' };
  await asAdmin(page, 'POST', `/api/admin/users/${(user as { id: number }).id}/enroll`, enrolment);
  return { id, lessons: made, email };
}

const PROGRAM = {
  ...{ type: 'interactive_coding', title: 'Double', codingLanguage: 'javascript', content: '' },
  ...{ instructions: 'Double the number.', hints: ['Twice.'] },
  ...{ starterCode: 'const double = (n) => n;', solution: 'const double = (n) => n * 2;' },
  testCases: [
    { input: 'double(4)', expectedOutput: '8', description: 'Doubles four' },
    { input: 'double(1)', expectedOutput: '2', description: 'Doubles one' },
  ],
};

const opened = (page: Page) => expect(page.locator('main astro-island[ssr][client="load"]')).toHaveCount(0);

/** Presses a button by keyboard. */
const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .locator('visible=true')
    .press('Enter');

/** Writes into the editor for small screens, which takes the place of the plain field. */
async function write(page: Page, code: string): Promise<void> {
  const editor = page.locator('.cm-content');
  await expect(editor).toBeAttached();
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(code);
}

test('a quiz that tells at once says what an answer came to and why, and the focus goes with it', {
  tag: '@only-phone',
}, async ({ page }) => {
  const questions = ['One', 'Two'].map((question) => ({
    ...{ question: `${question}?`, options: ['wrong', 'right'], correctAnswer: 1 },
    ...{ feedback: [`Not ${question}.`, ''], explanation: `Because of ${question}.` },
  }));
  const { id } = await learnerOf(page, [
    { type: 'quiz', title: 'Told', questions, quizSettings: { feedback: 'each', passPercent: 50 } },
    { type: 'text', title: 'What follows', content: 'Read this.' },
  ]);
  await page.goto(`/learn/${id}`);
  await opened(page);
  const line = page.getByRole('button', { name: /Course content, lessons done: 0 of 2$/ });
  expect(await spokenBy(page, 'aside')).not.toContain('list');
  await line.press('Enter');
  await expect(line).toBeFocused();
  expectInOrder(await spokenBy(page, 'aside'), [
    'complementary, Course content',
    'link, My courses',
    'progressbar, Course progress, max value 100, min value 0, current value 0%',
    'link, Told Quiz , not completed, current page',
    'link, What follows Text , not completed',
  ]);
  await line.press('Enter');

  const quiz = page.getByRole('region', { name: 'Quiz' });
  const told = quiz.getByRole('group').getByRole('status');
  await expect(told).toHaveText('');
  await quiz.getByRole('radio', { name: 'wrong' }).press('Space');
  await press(page, 'Check');
  await expect(told).toHaveText('Not rightNot One.Because of One.');
  await expect(page.getByRole('button', { name: 'Next question' })).toBeFocused();
  const phrases = await spokenBy(page, 'section[aria-label="Quiz"]');
  expectInOrder(phrases, [
    'group, Question 1 of 2 One?',
    'Your answer',
    'Right answer',
    'status',
    'Not right',
    'Because of One.',
    'end of group, Question 1 of 2 One?',
    'button, Next question',
  ]);
  expect(phrases.filter((phrase) => phrase === 'Not right')).toHaveLength(1);
  await press(page, 'Next question');
  await expect(quiz.getByRole('radio', { name: 'wrong' })).toBeFocused();
  await expect(told).toHaveText('');
  await quiz.getByRole('radio', { name: 'right' }).press('Space');
  await press(page, 'Check');
  await expect(told).toHaveText('RightBecause of Two.');
  await press(page, 'See the result');

  await expect(page.getByRole('heading', { name: 'Once more: the one that was wrong' })).toBeFocused();
  const practice = page.getByRole('region', { name: /^Once more/ });
  // Asked by itself it is not "1 of 1", whatever there is to come.
  await practice.getByRole('group', { name: 'One?', exact: true }).getByRole('radio').last().press('Space');
  await press(page, 'Check');
  await expect(practice.getByRole('group').getByRole('status')).toHaveText('Right.Because of One.');
  await press(page, 'See the result');
  await expect(quiz.getByRole('status').first()).toBeFocused();
  expectInOrder(await spokenBy(page, 'section[aria-label="Quiz"]'), [
    'status',
    'Passed',
    'link, Next lesson: What follows',
    'button, Try again',
    'group, Question 1 of 2 One?',
  ]);
});

test('a coding lesson on a phone leads from part to part, and compares; its program comes back in the review', {
  tag: '@only-phone',
}, async ({ page }) => {
  const { lessons, email } = await learnerOf(page, [PROGRAM]);
  await page.goto(`/lesson/${lessons[0]}`);
  await opened(page);
  await press(page, 'Show hint 1 of 1');
  await expect(page.getByText('You have seen the only hint.')).toBeFocused();
  await press(page, 'Write the code');
  await expect(page.getByRole('heading', { name: 'JavaScript' })).toBeFocused();
  expectInOrder(await spokenBy(page), [
    'button, Task, not pressed',
    'button, Code, pressed',
    'heading, Double, level 1',
    'progressbar, Attempts, max value 5, min value 0, current value 0 attempts',
    'region, Code',
    'heading, JavaScript, level 2',
    'button, Run',
  ]);
  await write(page, PROGRAM.solution);
  await press(page, 'Run');
  await expect(page.getByRole('dialog', { name: 'You finished the course' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused();
  expectInOrder(await spokenBy(page), [
    'button, Result, pressed',
    'region, Result, not busy',
    'status',
    'Correct! All tests passed.',
    'heading, Correct!, level 3',
    'button, Compare',
    'button, Run',
  ]);
  await press(page, 'Compare');
  await expect(page.getByRole('dialog', { name: 'Compare' }).getByText('By the author')).toBeVisible();
  const compared = await spokenBy(page, '[role=dialog]');
  expectInOrder(compared, [
    'heading, Compare, level 2',
    'heading, Your program, level 3',
    'group, Your program',
    'heading, Solution, level 3',
    'group, Solution',
    'By the author of this lesson, and the same as yours.',
    'button, Close',
  ]);
  // Its name as a heading and as a box is enough.
  expect(compared).not.toContain('region, Your program');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeFocused();

  await promisify(execFile)(process.execPath, ['tests/support/pass-review-days.ts', email, '4'], {
    env: { ...process.env, DATA_DIR: process.env.SITE_DATA_DIR! },
  });
  await page.goto('/review');
  await opened(page);
  await expect(page.getByRole('link', { name: 'My learning, 1 review due' })).toBeVisible();
  const review = page.getByRole('region', { name: 'Double' });
  await write(page, PROGRAM.starterCode);
  await press(page, 'Run');
  await expect(review.getByText('Not quite right. 0 of 2 tests passed.', { exact: true })).toBeAttached();
  await press(page, /^I had forgotten it/);
  await expect(review.getByText('Not this time')).toBeVisible();
  expectInOrder(await spokenBy(page, 'section[aria-labelledby="review-heading"]'), [
    'heading, Double, level 2',
    'heading, JavaScript, level 3',
    'heading, Not quite right, level 3',
    'heading, Your solution, level 3',
    'Not this time',
    'button, Go on',
  ]);
  await press(page, 'Go on');
  await expect(page.getByRole('heading', { name: 'That is all for today' })).toBeFocused();
});

test('whoever chooses their time in a scenario stays where they are, and hears what changed', async ({
  page,
}) => {
  await newShopper(page);
  await page.goto('/scenario/1');
  await opened(page);
  const choose = async (name: string, key: string) => {
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('combobox', { name }).press(key);
    await kept;
  };
  await choose('Your time', 'ArrowDown');
  await expect(page.getByText('You have 45 minutes from the moment you start.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Your time' })).toBeFocused();
  await press(page, 'Start Scenario');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const said = page.locator('main p[role=status]');
  await choose('Give me more time', 'ArrowDown');
  await expect(said).toHaveText('You have more time.');
  await expect(page.getByRole('combobox', { name: 'Give me more time' })).toBeFocused();
  await choose('Give me more time', 'End');
  await expect(said).toHaveText('Your time does not run out any more.');
  await expect(page.getByRole('combobox', { name: 'Give me more time' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start over' })).toBeFocused();
});
