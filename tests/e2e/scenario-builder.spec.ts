import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

let token = '';
let courseId = 0;
test.beforeEach(async ({ page }) => {
  token = await signIn(page, ADMIN);
  const made = await page.request.post('/api/courses', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      title: `Simulations ${Date.now()}`,
      description: 'Incidents to train with.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      duration: '2 hours',
      level: 'Intermediate',
      categoryId: 1,
      isActive: false,
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  courseId = (await made.json()).id;
});
test.afterEach(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL! });
  await request.delete(`/api/courses/${courseId}`, { headers: { authorization: `Bearer ${token}` } });
  await request.dispose();
});

const check = (page: Page) => page.getByRole('region', { name: 'Check' });
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

async function open(page: Page, name: string): Promise<void> {
  await tab(page, name).click();
  await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
}

test('an author writes a scenario by form, mends what the check finds, tries it and saves it', async ({
  page,
}) => {
  await page.goto(`/admin/courses/${courseId}/content/new?type=scenario`);
  await page.getByLabel('Lesson title').fill('The site is down');
  await page.getByRole('button', { name: 'Write the scenario' }).click();
  await expect(check(page).getByText('Ready to publish.')).toBeVisible({ timeout: 30_000 });
  await expect(check(page).getByText('Possible', { exact: true })).toBeVisible();
  await page.getByLabel('Title', { exact: true }).fill('The shop is down');

  await test.step('a variable, and a goal that nothing leads to', async () => {
    await open(page, 'Situation');
    await page.getByRole('button', { name: 'Add variable' }).click();
    const name = page.getByLabel('Name', { exact: true }).last();
    await name.fill('running');
    await expect(page.getByText('There is a variable “running” already')).toBeVisible();
    await name.fill('told');
    await name.press('Enter');
    await expect(page.getByRole('group', { name: 'Variable told' })).toBeVisible();

    await open(page, 'Goals');
    await page.getByRole('button', { name: 'Add goal' }).click();
    await expect(page.getByRole('button', { name: /^Goal 3 / })).toBeFocused();
    const goal = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Goal 3' });
    await goal.getByLabel('Title').fill('The team knows');
    await goal.getByLabel('It is met when: variable').selectOption('told');
    await expect(goal.getByText('In words: told is yes.')).toBeVisible();
    const finding = check(page).getByRole('button', { name: /No way leads to the goal "The team knows"/ });
    await expect(finding).toBeVisible({ timeout: 30_000 });
    await expect(check(page).getByText(/stand.? against publishing/)).toBeVisible();
    await expect(tab(page, 'Goals')).toContainText('error');

    await open(page, 'Overview');
    await finding.click();
    await expect(page.getByRole('button', { name: /^Goal 3 / })).toBeFocused();
  });

  await test.step('the rule that mends it', async () => {
    await open(page, 'Rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'Rule 3' });
    await rule.getByLabel('Title').fill('Tell the team');
    await rule.getByLabel('Phrases').fill('tell the team\ncall the team');
    await rule.getByRole('button', { name: 'Add change' }).click();
    await rule.getByLabel('Rule 3, change 1: variable').selectOption('told');
    await rule.getByLabel('Rule 3, change 1: value').selectOption('yes');
    const missing = check(page).getByRole('button', {
      name: /Rule “Tell the team”, feedback: This is required/,
    });
    await expect(missing).toBeVisible({ timeout: 30_000 });
    await missing.click();
    await expect(rule.getByLabel('Feedback')).toBeFocused();
    await page.keyboard.type('They are on their way.');
    await expect(rule.getByLabel('Id', { exact: true })).toHaveValue('tell-the-team');
    await expect(check(page).getByText('Ready to publish.')).toBeVisible({ timeout: 30_000 });
    await expect(check(page).getByRole('listitem').filter({ hasText: 'Tell the team' })).toBeVisible();
  });

  await test.step('a rule deleted and brought back, by keyboard', async () => {
    await page.getByRole('button', { name: 'Rule 1: move, copy or delete' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move down' }).press('Enter');
    await expect(page.getByRole('button', { name: /^Rule 2 Read the logs/ })).toBeVisible();
    await page.getByRole('button', { name: 'Rule 2: move, copy or delete' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await expect(page.getByText('“Read the logs” was deleted.')).toBeVisible();
    await expect(tab(page, 'Rules')).toContainText('Rules 2');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Rule 2 Read the logs/ })).toBeVisible();
  });

  await test.step('played as it is', async () => {
    await open(page, 'Try it');
    await page.getByLabel('Your action').fill('free some disk space');
    await page.getByRole('button', { name: 'Which rule?' }).click();
    await expect(page.getByText('fits, but its condition does not hold now')).toBeVisible();
    for (const action of ['free some disk space', 'call the team', 'read the logs', 'free disk space']) {
      await page.getByLabel('Your action').fill(action);
      await page.getByLabel('Your action').press('Enter');
    }
    await expect(page.getByText(/The run is over with 100 points/)).toBeVisible();
  });

  await test.step('the same as text', async () => {
    await open(page, 'Source');
    const source = page.getByRole('textbox', { name: 'Source' });
    const text = await source.inputValue();
    expect(text).toContain('title: The shop is down');
    await source.fill(text.replace('timeLimit: 10', 'timeLimit: soon'));
    await expect(page.getByText(/^Line \d+ cannot be read$/)).toBeVisible();
    await expect(page.getByText('timeLimit must be a number')).toBeVisible();
    await open(page, 'Overview');
    await expect(page.getByText('The source has a line that cannot be read')).toBeVisible();
    await expect(page.getByLabel('Time limit in minutes')).toHaveValue('10');
    await open(page, 'Source');
    await expect(source).toHaveValue(/timeLimit: soon/);
    await source.fill(text.replace('timeLimit: 10', 'timeLimit: 12'));
    await expect(page.getByText(/^Line \d+ cannot be read$/)).toBeHidden();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('the-shop-is-down.yaml');
    const taken = await readFile(await file.path(), 'utf8');
    await page.getByLabel('Scenario file').setInputFiles({
      name: 'mine.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(taken.replace('12', '15')),
    });
    await expect(page.getByText('mine.yaml was brought in.')).toBeVisible();
    await open(page, 'Overview');
    await expect(page.getByLabel('Time limit in minutes')).toHaveValue('15');
  });

  await test.step('saved, and there again', async () => {
    await page.getByRole('button', { name: 'Add Content' }).click();
    await page.waitForURL(`**/admin/courses/${courseId}/content`);
    await page
      .getByRole('link', { name: /The site is down/ })
      .first()
      .click();
    await open(page, 'Rules');
    await expect(page.getByRole('button', { name: /^Rule 3 Tell the team/ })).toBeVisible();
    await open(page, 'Overview');
    await expect(page.getByLabel('Time limit in minutes')).toHaveValue('15');
  });
});

test('every part of the form fits its screen and can be read aloud', { tag: '@phone' }, async ({ page }) => {
  await page.goto(`/admin/courses/${courseId}/content/new?type=scenario`);
  await page.getByRole('button', { name: 'Write the scenario' }).click();
  await expect(check(page).getByText('Ready to publish.')).toBeVisible({ timeout: 30_000 });
  for (const [name, item] of [
    ['Overview', null],
    ['Situation', /^Panel 1 /],
    ['Goals', /^Goal 1 /],
    ['Rules', /^Rule 2 /],
    ['Try it', null],
    ['Source', null],
  ] as const) {
    await open(page, name);
    if (item) await page.getByRole('button', { name: item }).click();
    else await expect(page.getByRole('tabpanel').getByRole('textbox').first()).toBeVisible();
    await expectNoOverflow(page);
    if (name === 'Situation' || name === 'Rules' || name === 'Source') await expectAccessible(page);
  }
});
