import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { findCourse, newShopper, PASSWORD } from './shopper.ts';

/** The solutions of a course of the demo, in the order of its steps. */
function solutionsOf(course: string): string[] {
  const folder = new URL(`../../db/seed/courses/${course}/code/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.includes('.solution.'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
}
const SOLUTIONS = solutionsOf('javascript-in-small-steps');

const verdict = (page: Page) => page.locator('section[aria-labelledby="run-verdict"]');
const check = (page: Page) => page.getByRole('button', { name: 'Check', exact: true });
const next = (page: Page) => page.getByRole('link', { name: 'Next step' });

/** Waits for the editor that takes the place of the plain field. */
async function editorOf(page: Page) {
  const editor = page.locator('.cm-content');
  await expect(editor).toBeAttached({ timeout: 20_000 });
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  return editor;
}

async function write(page: Page, code: string): Promise<void> {
  const editor = await editorOf(page);
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(code);
}

/** The step that the page shows. */
const expectStep = (page: Page, step: number, solutions = SOLUTIONS) =>
  expect(page.getByText(`Step ${step} of ${solutions.length}`, { exact: true })).toBeVisible();

async function pass(page: Page, step: number, solutions = SOLUTIONS): Promise<void> {
  await expectStep(page, step, solutions);
  await write(page, solutions[step - 1]!);
  await check(page).click();
  await expect(verdict(page)).toContainText('Correct!');
  await expect(next(page)).toBeFocused();
}

/** The lessons of the course that the account has completed. */
async function completed(page: Page, courseId: number): Promise<number> {
  return page.evaluate(async (id) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('auth_token')}` };
    const answer = await fetch(`/api/my-enrollments/${id}`, { headers });
    if (!answer.ok) return -1;
    const { course } = await answer.json();
    return course.content.filter((lesson: { completed: boolean }) => lesson.completed).length;
  }, courseId);
}

const courseIn = (page: Page) => Number(/\/course\/(\d+)\/steps/.exec(page.url())![1]);

test('a visitor plays, comes back, registers, and has the steps in the account', {
  tag: '@phone',
}, async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/');
  await page.getByRole('link', { name: 'Start with step 1' }).click();
  await expect(page).toHaveURL(/\/course\/\d+\/steps\?step=1$/);
  const courseId = courseIn(page);
  await editorOf(page);
  await expectAccessible(page);
  await expectNoOverflow(page);

  // What is wrong is said in words.
  await write(page, "console.log('Hello!');");
  await check(page).click();
  await expect(verdict(page)).toContainText('Not quite right');
  await expect(next(page)).toHaveCount(0);
  await pass(page, 1);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await next(page).click();
  await pass(page, 2);
  await page.keyboard.press('Enter');

  // What is begun is there after a reload, and the page is back at it from anywhere.
  await expectStep(page, 3);
  await write(page, '// half a thought');
  await page.reload();
  await expect(await editorOf(page)).toContainText('// half a thought');
  await page.goto(`/course/${courseId}/steps`);
  await expectStep(page, 3);
  await expect(page.getByRole('progressbar', { name: `2 of ${SOLUTIONS.length} done` })).toBeVisible();
  await page.getByText('All steps', { exact: true }).click();
  await expect(page.getByRole('link', { name: /\(done\)$/ })).toHaveCount(2);
  await expect(page.locator('[aria-current=step]')).toHaveText(/^3\./);

  await page.getByRole('link', { name: 'Create an account and keep it' }).click();
  await page.getByLabel('Full Name').fill('Grace Hopper');
  await page.getByLabel('Email').fill(`steps-${Date.now()}-${process.pid}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(new RegExp(`/course/${courseId}/steps`));
  await expect(page.getByText('2 steps taken along.')).toBeVisible();
  expect(await completed(page, courseId)).toBe(2);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /^kept_/.test(key)))).toEqual(
    [],
  );

  // They are back at the third, with what they had begun, and what passes counts from here on.
  await expectStep(page, 3);
  await expect(await editorOf(page)).toContainText('// half a thought');
  await pass(page, 3);
  expect(await completed(page, courseId)).toBe(3);
});

test('whoever signs in elsewhere has them taken along on the dashboard', async ({ page }) => {
  await page.goto('/steps');
  const courseId = courseIn(page);
  await pass(page, 1);
  await newShopper(page, 'Betty Holberton');
  await page.goto('/dashboard');
  await expect(page.getByText('1 step taken along.')).toBeVisible();
  expect(await completed(page, courseId)).toBe(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('taken along')).toHaveCount(0);
});

test.describe('in the account', () => {
  // The browser's console names the refusal that the page then tells of.
  test.use({ allowed: [/status of 429/] });

  test('a program that does not pass any more is not taken along, and a busy judge is asked again', async ({
    page,
    context,
  }) => {
    await page.goto('/steps');
    const courseId = courseIn(page);
    await pass(page, 1);
    await next(page).click();
    await pass(page, 2);
    // As if the second step had become another one since.
    await page.evaluate((id) => {
      const kept = JSON.parse(localStorage.getItem(`kept_steps:${id}`)!);
      const [, second] = Object.keys(kept).sort((a, b) => Number(a) - Number(b));
      kept[second!].code = "console.log('no');";
      localStorage.setItem(`kept_steps:${id}`, JSON.stringify(kept));
    }, courseId);
    await newShopper(page, 'Jean Bartik');
    let asked = 0;
    await context.route('**/api/execute-code', (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const body = JSON.stringify({ message: 'Too many programs are waiting.', code: 'too_many_requests' });
      return route.fulfill({ status: 429, contentType: 'application/json', body });
    });
    await page.goto(`/course/${courseId}/steps`);
    await expect(page.getByText('2 steps still to come. Too many programs are waiting.')).toBeVisible();
    await expect(page.getByText('1 step taken along. 1 step asks for something else by now')).toBeVisible({
      timeout: 20_000,
    });
    expect(await completed(page, courseId)).toBe(1);
  });
});

test('the keyboard alone is enough, and the first check enrolls who is signed in', async ({ page }) => {
  await page.goto('/steps');
  const courseId = courseIn(page);
  await newShopper(page, 'Mary Jackson');
  await page.goto(`/course/${courseId}/steps`);
  await expect(page.getByText('Your first check enrolls you')).toBeVisible();
  await write(page, SOLUTIONS[0]!);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(next(page)).toBeFocused();
  await expect(page.getByText('Your first check enrolls you')).toHaveCount(0);
  expect(await completed(page, courseId)).toBe(1);
  await page.keyboard.press('Enter');
  await expectStep(page, 2);
  await page.goBack();
  await expectStep(page, 1);
  await expect(await editorOf(page)).toContainText(SOLUTIONS[0]!.trim().split('\n')[0]!);
});

test('an address that names no step is no error, and behind the last one it goes on', async ({ page }) => {
  await page.goto('/steps');
  const courseId = courseIn(page);
  const count = SOLUTIONS.length;
  for (const [step, shown] of [
    ['0', 1],
    ['abc', 1],
    ['', 1],
    ['-4', 1],
    ['999', count],
    ['99999999999999999999', 1],
  ] as const) {
    await page.goto(`/course/${courseId}/steps?step=${step}`);
    await expectStep(page, shown);
  }
  await page.goto(`/course/${courseId}/steps?step=end`);
  await expect(page.getByRole('heading', { name: `0 of ${count} steps done` })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go on with step 1' })).toBeVisible();
  await expectAccessible(page);
  // As if all of them had passed here.
  await page.evaluate(async (id) => {
    const { content } = await (await fetch(`/api/courses/${id}`)).json();
    const kept = content.map((lesson: { id: number }) => [lesson.id, { code: '1', language: 'javascript' }]);
    localStorage.setItem(`kept_steps:${id}`, JSON.stringify(Object.fromEntries(kept)));
  }, courseId);
  await page.goto(`/course/${courseId}/steps`);
  await expect(page).toHaveURL(/step=end$/);
  await expect(page.getByRole('heading', { name: `You have done all ${count} steps` })).toBeVisible();
  await page.getByRole('link', { name: /^See JavaScript/ }).click();
  await expect(page).toHaveURL(/\/courses\/\d+$/);
});

test('the ways in', async ({ page }) => {
  await page.goto('/marketplace');
  await page.getByRole('link', { name: 'Start with step 1' }).click();
  await expectStep(page, 1);
  const courseId = courseIn(page);
  await page.goto(`/courses/${courseId}`);
  await page.getByRole('link', { name: 'Start without an account' }).click();
  await expectStep(page, 1);
  await page.goto('/demo');
  await page.getByRole('link', { name: 'Go on in small steps' }).click();
  await expectStep(page, 1);
});

test('a page of SQL leads to the steps of SQL, which show the tables and the rows that differ', {
  tag: '@phone',
}, async ({ page }) => {
  const solutions = solutionsOf('sql-in-small-steps');
  const course = await findCourse(page, 'SQL and PostgreSQL in Practice');
  await page.goto(`/courses/${course.id}`);
  await page.getByRole('link', { name: '“SQL in Small Steps”' }).click();
  await expectStep(page, 1, solutions);
  await editorOf(page);
  await page.getByText('The tables of this lesson (SQL)').click();
  const bikes = page.getByRole('table', { name: 'bikes' });
  await expect(bikes.getByRole('row', { name: '1 Swift city 12 Station' })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  // The first step begins with a query of the other table.
  await check(page).click();
  await expect(verdict(page)).toContainText('These are the customers.');
  await expect(page.getByRole('table', { name: 'Asked for' })).toContainText('Swift');
  await expect(page.getByRole('table', { name: 'Yours' })).toContainText('Mina');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await pass(page, 1, solutions);
  await next(page).click();
  await expectStep(page, 2, solutions);
  await write(page, 'SELECT name, price FROM bikes WHERE price < 12;');
  await check(page).click();
  await expect(
    page.getByRole('table', { name: 'Asked for' }).getByRole('row', { name: 'missing Swift 12' }),
  ).toBeVisible();
  await pass(page, 2, solutions);
  await next(page).click();
  await expectStep(page, 3, solutions);
});
