import type { Page } from '@playwright/test';
import { ADMIN, STUDENT, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const PATH = '/admin/create-interactive-course';
const unique = (name: string) => `${name} ${Date.now()}-${Math.round(Math.random() * 1e4)}`;
const toastTitle = (page: Page, title: string) => page.getByText(title, { exact: true });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${label}`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Writes into one of the code fields, once its editor is there. */
async function write(page: Page, label: string, code: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: `${label}. Press Escape` });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

test('only administrators build courses', async ({ page }) => {
  await page.goto(PATH);
  await expect(page).toHaveURL('/');
  await signIn(page, STUDENT);
  await page.goto(PATH);
  await expect(page).toHaveURL('/');
});

/** The builder keeps what is typed from now on. */
const isAwake = (page: Page) => expect(page.locator('main astro-island[ssr]')).toHaveCount(0);

test('a course with a lesson of each type is built, tried, kept as a draft, made and changed', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  const token = await signIn(page, ADMIN);
  const title = unique('Compilers');
  await page.goto(PATH);
  await isAwake(page);
  const create = page.getByRole('button', { name: 'Create course' });
  const add = page.getByRole('button', { name: 'Add lesson', exact: true });
  const rows = page.locator('section[aria-labelledby="lessons-heading"] > ol > li');
  await expect(create).toBeDisabled();
  await expectNoOverflow(page);

  // The course needs its four fields, then lessons.
  await page.getByLabel('Title', { exact: true }).press('Enter');
  await expect(toastTitle(page, 'Missing Course Information')).toBeVisible();
  for (const message of ['Title', 'Description', 'Category', 'Price']) {
    await expect(page.getByText(`${message} is required`, { exact: true })).toBeVisible();
  }
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused();
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByLabel('Description', { exact: true }).fill('How a language becomes a program.');
  await choose(page, 'Category', 'Programming');
  await page.getByLabel('Price', { exact: true }).fill('0.20');
  await page.getByLabel('Title', { exact: true }).press('Enter');
  await expect(page.getByText('Price must be 0 for a free course, or at least 0.50')).toBeVisible();
  await page.getByLabel('Price', { exact: true }).fill('49');
  await page.getByLabel('Title', { exact: true }).press('Enter');
  await expect(toastTitle(page, 'No Lessons Added')).toBeVisible();

  // A text lesson, by keyboard; points fall back to 10.
  await page.getByRole('button', { name: 'Text lesson' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Lesson title')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toastTitle(page, 'Missing Information')).toBeVisible();
  await expect(page.getByText('Instructions are required', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Lesson title').fill('Stages');
  await page.getByLabel('Instructions', { exact: true }).fill('A compiler **reads** first.');
  await expect(page.getByRole('group', { name: 'Preview' }).locator('strong')).toHaveText('reads');
  await page.getByLabel('Points').fill('many');
  await page.getByLabel('Points').press('Enter');
  await expect(rows).toHaveText([/Stages.*10 points/]);
  await expect(page.getByRole('button', { name: 'Edit Stages' })).toBeFocused();
  await expect(create).toBeEnabled();

  // A quiz.
  await page.getByRole('button', { name: 'Quiz', exact: true }).click();
  await page.getByLabel('Lesson title').fill('Check yourself');
  await page.getByLabel('Instructions', { exact: true }).fill('One question.');
  await page.getByRole('button', { name: 'Add question' }).click();
  await page.getByLabel('Question', { exact: true }).fill('What does a lexer make?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tokens');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Trees');
  await add.click();
  await expect(page.getByText('Choose the correct option')).toBeVisible();
  await page.getByRole('radio', { name: 'Option 1 is correct' }).check();
  await add.click();
  await expect(rows).toHaveCount(2);

  // A coding lesson: no test and no hint is added while one is blank; the judge says what learners would read.
  await page.getByRole('button', { name: 'Coding lesson' }).click();
  await page.getByLabel('Lesson title').fill('Add two numbers');
  await page.getByLabel('Instructions', { exact: true }).fill('Write `add`.');
  await write(page, 'Starter code', 'const add = () => 0;');
  await write(page, 'Reference solution', 'const add = (a, b) => a + b;');
  const addTest = page.getByRole('button', { name: 'Add test case' });
  await addTest.click();
  await addTest.click();
  const first = page.getByRole('group', { name: 'Test 1', exact: true });
  await expect(first.getByText('Input is required', { exact: true })).toBeVisible();
  await first.getByLabel('Input', { exact: true }).fill('add(2, 3)');
  await first.getByLabel('Expected output', { exact: true }).fill('5');
  await addTest.click();
  const second = page.getByRole('group', { name: 'Test 2', exact: true });
  await second.getByLabel('Input', { exact: true }).fill('add(-1, 1)');
  await second.getByLabel('Expected output', { exact: true }).fill('0');
  await second.getByLabel('Hidden from learners').click();
  await page.getByRole('button', { name: 'Add hint' }).click();
  await page.getByRole('button', { name: 'Add hint' }).click();
  await expect(page.getByText('Write this hint first')).toBeVisible();
  await page.getByRole('textbox', { name: 'Hint 1' }).fill('Which sign adds?');

  const report = page.getByRole('region', { name: 'Try as learner' });
  await report.getByRole('button', { name: 'Run the tests' }).click();
  await expect(report.getByRole('heading', { name: 'Correct!' })).toBeVisible();
  await choose(page, 'Code to run', 'The starter code');
  await report.getByRole('button', { name: 'Run the tests' }).click();
  await expect(report.getByRole('heading', { name: 'Not quite right' })).toBeVisible();
  await expect(report).toContainText('1 of 2 tests passed.');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await add.click();
  await expect(page.getByText('A hidden test needs a description')).toBeVisible();
  await second.getByLabel('Description').fill('numbers that cancel out');

  // Everything is back after the page was left, the open lesson included; now its form is sent.
  await page.reload();
  await expect(page.getByText('There are changes of yours that were not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Restore what I had' }).click();
  await expect(page.locator('input[name="title"]').last()).toHaveValue(title);
  await expect(second.getByLabel('Description')).toHaveValue('numbers that cancel out');
  await expect(report.getByRole('button', { name: 'Run the tests' })).toBeEnabled();
  await add.click();
  await expect(rows).toHaveCount(3);

  // A scenario that begins with the example.
  await page.getByRole('button', { name: 'Scenario', exact: true }).click();
  await page.getByLabel('Lesson title').fill('Outage');
  await page.getByLabel('Instructions', { exact: true }).fill('Stay calm.');
  await page.getByRole('button', { name: 'Write the scenario' }).click();
  await expect(page.getByText('Ready to publish.').filter({ visible: true }).first()).toBeVisible({
    timeout: 30_000,
  });
  await add.click();
  await expect(rows).toHaveCount(4);

  // Into another order, by keyboard and by mouse; one is deleted after a question.
  await page.getByRole('button', { name: 'Move Outage up' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Outage is now lesson 3 of 4.')).toBeAttached();
  const names = () =>
    rows.evaluateAll((all) => all.map((row) => row.querySelector('p')!.textContent!.trim()));
  expect(await names()).toEqual(['1. Stages', '2. Check yourself', '3. Outage', '4. Add two numbers']);
  if (!isMobile) {
    const handle = (name: string) =>
      rows.filter({ hasText: name }).locator('[title="Drag to another place"]');
    await page
      .getByRole('heading', { level: 2, name: 'Lessons' })
      .evaluate((heading) => heading.scrollIntoView());
    await expect(async () => {
      await handle('Add two numbers').dragTo(handle('Stages'), { targetPosition: { x: 10, y: 2 } });
      expect(await names()).toEqual(['1. Add two numbers', '2. Stages', '3. Check yourself', '4. Outage']);
    }).toPass();
  }
  await page.getByRole('button', { name: 'Delete Stages' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Are you sure you want to delete this lesson?');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(rows).toHaveCount(3);
  await expectNoOverflow(page);

  await create.click();
  await page.waitForURL('**/admin');
  await expect(toastTitle(page, 'Course created')).toBeVisible();
  await page.goto(`/admin?search=${encodeURIComponent(title)}`);
  const row = page.getByRole('list', { name: 'Courses' }).getByRole('listitem').filter({ hasText: title });
  await expect(row).toContainText('3 lessons');
  const found: { id: number; title: string }[] = await (
    await page.request.get('/api/courses?includeHidden=true', {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json();
  const { id } = found.find((course) => course.title === title)!;

  // The draft is gone, and what it became is changed where every lesson is.
  await page.goto(PATH);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('');
  await page.goto(`/admin/courses/${id}/content`);
  await page.getByRole('link', { name: 'Add two numbers' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Hint 1' })).toHaveValue('Which sign adds?');
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await write(page, 'Reference solution', 'const add = (a, b) => b + a;');
  await page
    .getByRole('region', { name: 'Try as learner' })
    .getByRole('button', { name: 'Run the tests' })
    .click();
  // On a busy machine the judge gives a program more time.
  await expect(page.getByRole('heading', { name: 'Correct!' })).toBeVisible({ timeout: 30_000 });
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Save lesson' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);
  await expect(toastTitle(page, 'Lesson saved')).toBeVisible();
  const deleted = await page.request.delete(`/api/courses/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(deleted.status()).toBe(200);
});

test('tests of a page are written from examples, and say what they find in the reference', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Coding lesson' }).click();
  await choose(page, 'Language', 'HTML');
  const first = page.getByRole('group', { name: 'Test 1', exact: true });
  const second = page.getByRole('group', { name: 'Test 2', exact: true });
  const insert = async (group: typeof first, kind: RegExp) => {
    await group.getByRole('button', { name: /^Insert an example/ }).click();
    await page.getByRole('menuitem', { name: kind }).click();
  };

  // Without a reference: how such a test is written.
  await page.getByRole('button', { name: 'Add test case' }).click();
  await insert(first, /^Text/);
  await expect(first.getByLabel('Input', { exact: true })).toHaveValue('h1');
  await expect(page.getByText('There is no reference solution yet.').first()).toBeVisible();
  await expect(page.getByText('Once there is a reference solution, each test says here')).toBeVisible();

  // With one, each test says what it finds there, soon after it was typed.
  await write(page, 'Reference solution', '<h1>Tea</h1><ul><li>Green</li><li>Black</li></ul>');
  await expect(first.getByText('Text: “Tea”, which is not what you expect.')).toBeVisible();
  await first.getByLabel('Input', { exact: true }).fill('li | count');
  await first.getByLabel('Expected output', { exact: true }).fill('2');
  await expect(first.getByText('Finds 2 elements, as expected.')).toBeVisible();
  await expect(page.getByText('Test 1, in the reference: Finds 2 elements, as expected.')).toHaveAttribute(
    'aria-live',
    'polite',
  );
  await first.getByLabel('Input', { exact: true }).fill('h2');
  await expect(first.getByText('Not found. No element matches h2.')).toBeVisible();
  await first.getByLabel('Input', { exact: true }).fill('h1 |');
  await expect(first.getByText(/In the reference:.*(cannot be read|Not found)/)).toBeVisible();

  // What is written stays: the example becomes a test of its own, and it fits the reference.
  await first.getByRole('button', { name: /^Insert an example/ }).click();
  await expect(page.getByText('It becomes a new test: this one is written.')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.keyboard.press('Escape');
  await insert(first, /^Markup/);
  await expect(second.getByLabel('Input', { exact: true })).toHaveValue('ul | html');
  await expect(second.getByLabel('Expected output', { exact: true })).toHaveValue(
    '<li>Green</li><li>Black</li>',
  );
  await expect(second.getByText('as expected.')).toBeVisible();
  await expect(first.getByLabel('Input', { exact: true })).toHaveValue('h1 |');

  // A program's reference that does not read says so, and nothing breaks.
  await choose(page, 'Language', 'React');
  await expect(second.getByText(/In the reference:/)).toBeVisible();
});

test.describe('a course that cannot be made', () => {
  test.use({ allowed: [/status of 503|^503 /] });

  test('says so, keeps the draft, and the draft can be discarded', async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(PATH);
    await isAwake(page);
    await page.getByLabel('Title', { exact: true }).fill('Parsers');
    await page.getByLabel('Description', { exact: true }).fill('Trees.');
    await choose(page, 'Category', 'Design');
    await page.getByLabel('Price', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Text lesson' }).click();
    await page.getByLabel('Lesson title').fill('Trees');
    await page.getByLabel('Instructions', { exact: true }).fill('Grow.');
    // What is open is not lost unasked, and not left out in silence either.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Leave this lesson?');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Add lesson', exact: true }).click();
    await page.route('**/api/admin/interactive-courses', (route) =>
      route.fulfill({ status: 503, body: 'busy' }),
    );
    await page.getByRole('button', { name: 'Create course' }).click();
    await expect(toastTitle(page, 'Error Creating Course')).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Restore what I had' }).click();
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Parsers');
    await expect(page.getByRole('combobox', { name: /^Category/ })).toHaveText('Design');
    await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveText('Trees.');
    await expect(page.getByRole('button', { name: 'Edit Trees' })).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Create course' })).toBeDisabled();
    await page.reload();
    await expect(page.getByText('Add the first lesson')).toBeVisible();
    await expect(page.getByText('There are changes of yours that were not saved')).toHaveCount(0);
  });
});
