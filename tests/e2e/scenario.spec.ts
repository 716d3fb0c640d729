import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page, PlaywrightWorkerArgs } from '@playwright/test';
import { ADMIN } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

/** Registers a learner and gives the account; the first scenario of the demo is open to everybody who is signed in. */
async function asLearner(page: Page, name: string): Promise<{ id: number; email: string }> {
  const email = `${name}-${Date.now()}@example.com`;
  const answer = await page.request.post('/api/auth/register', {
    data: {
      username: 'Hedy Lamarr',
      email,
      password: 'hop-1942',
      confirmPassword: 'hop-1942',
      role: 'student',
    },
  });
  expect(answer.ok()).toBe(true);
  const { token, user } = await answer.json();
  await page.goto('/about');
  await page.evaluate(
    ([storedToken, storedUser]) => {
      localStorage.setItem('auth_token', storedToken!);
      localStorage.setItem('auth_user', storedUser!);
    },
    [token, JSON.stringify(user)],
  );
  return user;
}

/** Leaves the learner's open run a few seconds, as if the rest of its time had passed. */
async function runOutOfTime(email: string, secondsLeft: number): Promise<void> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['tests/support/run-out-of-time.ts', email, String(secondsLeft)],
    { env: { ...process.env, DATA_DIR: process.env.SITE_DATA_DIR! } },
  );
  expect(stdout).toContain('moved 1 runs');
}

/** Gives the learner the scenario's course, so that what they do counts. */
async function enroll(
  playwright: PlaywrightWorkerArgs['playwright'],
  baseURL: string,
  id: number,
): Promise<void> {
  const request = await playwright.request.newContext({ baseURL });
  const signedIn = await request.post('/api/auth/login', { data: ADMIN });
  const headers = { authorization: `Bearer ${(await signedIn.json()).token}` };
  const { courseId } = await (await request.get('/api/scenarios/1', { headers })).json();
  const data = { courseId, reason: 'Plays the scenario of the course.' };
  const answer = await request.post(`/api/admin/users/${id}/enroll`, { headers, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  await request.dispose();
}

async function openScenario(page: Page): Promise<void> {
  await page.goto('/scenario/1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout is down on a Friday evening');
}

async function act(page: Page, action: string): Promise<void> {
  await page.getByLabel('Your action').fill(action);
  await page.keyboard.press('Enter');
}

test.describe('a scenario', () => {
  test.use({ allowed: [/status of (404|409|422)/] });

  test('is not found for a visitor without access', async ({ page }) => {
    await page.goto('/scenario/99999');
    await expect(page.getByText("Scenario not found or you don't have access to it.")).toBeVisible();
  });

  test('is opened by a visitor from the page of the course that previews it', async ({ page }) => {
    const [course] = await (
      await page.request.get('/api/courses?search=incident+response+simulations')
    ).json();
    await page.goto(`/courses/${course.id}`);
    await page.getByRole('tab', { name: 'Curriculum' }).click();
    await page.getByText('Checkout is down on a Friday evening').click();
    await page.getByRole('link', { name: 'Open the scenario' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout is down on a Friday evening');
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /sign in/i })
        .first(),
    ).toBeVisible();
  });

  test('is played by keyboard to the end, looked back on, and tried another way', async ({
    page,
    playwright,
    baseURL,
  }, { project }) => {
    // A whole run, action by action.
    await enroll(playwright, baseURL!, (await asLearner(page, project.name)).id);
    await openScenario(page);
    await page.getByRole('button', { name: 'Start Scenario' }).click();
    await expect(page.getByRole('timer')).toContainText(/^(30:00|29:5\d)$/);

    await act(page, '   ');
    await expect(page.getByText('Empty Action', { exact: true })).toBeVisible();
    await act(page, 'sing a song');
    await expect(page.getByText('Action Failed', { exact: true })).toBeVisible();
    const story = page.getByRole('region', { name: 'Action history' });
    await expect(story.getByText('Jo from support:')).toBeVisible();
    // What is only weighed is asked about, and a trap is not proposed.
    await act(page, 'should I restart the database?');
    await expect(story.getByText('say it in one plain sentence')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Did you mean' })).toBeHidden();
    await act(page, 'I looked at the logs');
    await page.getByRole('button', { name: 'Yes: Read the logs of the checkout' }).click();
    await expect(page.getByText('could not extend file').first()).toBeVisible();
    await expectAccessible(page);

    await page.getByLabel('Your action').press('ArrowUp');
    await expect(page.getByLabel('Your action')).toHaveValue('Read the logs of the checkout');
    await page.getByLabel('Your action').press('ArrowDown');
    await expect(page.getByLabel('Your action')).toHaveValue('');

    await act(page, 'git diff 4.11 4.12');
    await expect(page.getByText('Met: You know what caused it')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Met: You know what caused it')).toBeVisible();
    for (const action of ['roll back the release', 'rotate the logs', 'post on the status page']) {
      await act(page, action);
      await expect(page.getByLabel('Your action')).toHaveValue('');
    }
    await act(page, 'tell the team');
    await expect(page.getByText('Your score: 100 out of 100.').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Passed', exact: true })).toBeVisible();
    await expect(page.getByText(/^\d+% of the course is done\. You have \d+ points in it\.$/)).toBeVisible();
    await expect(page.getByText(/The best known: 5 actions/)).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'What if… from the beginning' }).click();
    await page.getByLabel('Another action').fill('rm -rf pg_wal');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/This way ends here with 0 of 100 points/)).toBeVisible();
  });

  test(
    'goes by the server’s clock, whatever the browser’s says, and fits a phone',
    { tag: '@only-phone' },
    async ({ page }, { project }) => {
      // It waits for the end of a run's time.
      await page.clock.install();
      const { email } = await asLearner(page, project.name);
      await openScenario(page);
      await page.getByRole('button', { name: 'Start Scenario' }).click();
      await act(page, 'wait');
      await expect(page.getByText('Ten minutes pass').first()).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.clock.fastForward('31:00');
      // The page asks, the server says that there is time left, and the run goes on.
      await expect(page.getByRole('timer')).toContainText(/^(30:00|29:\d\d)$/);
      await expect(page.getByText('Ten minutes pass').first()).toBeVisible();
      await act(page, 'post on the status page');
      await expect(page.getByText('Support sighs with relief.').first()).toBeVisible();
      await act(page, 'tell the team');
      await expect(page.getByText('The release engineer and support join').first()).toBeVisible();

      await runOutOfTime(email, 12);
      await page.reload();
      await expect(page.getByRole('timer')).toContainText(/^0:(0\d|1[0-2])$/);
      await expect(page.getByText("Time's Up!", { exact: true })).toBeVisible({ timeout: 30_000 });
      await expect(page.getByText('Final score: 20 out of 100.').first()).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Not passed yet' })).toBeVisible();
      await expect(page.getByText('20 of 100', { exact: true })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('timer')).toContainText(/^(30:00|29:\d\d)$/);
    },
  );

  test(
    'gives a learner the time that they choose, before it starts and while it runs',
    {
      tag: '@phone',
    },
    async ({ page }, { project }) => {
      await asLearner(page, `time-${project.name}`);
      await openScenario(page);
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
      const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await page.getByRole('combobox', { name: 'Your time' }).selectOption('45 minutes (× 1.5)');
      await kept;
      await expect(page.getByText('You have 45 minutes from the moment you start.')).toBeVisible();
      await page.reload();
      await expect(page.getByText('You have 45 minutes from the moment you start.')).toBeVisible();
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
      await page.getByRole('button', { name: 'Start Scenario' }).click();
      await expect(page.getByRole('timer')).toContainText(/^(45:00|44:\d\d)$/);

      await act(page, 'post on the status page');
      await expect(page.getByText('Support sighs with relief.').first()).toBeVisible();
      const more = page.getByRole('combobox', { name: 'Give me more time' });
      // Less is not among what a run is given.
      await expect(more.getByRole('option')).toHaveText([
        '45 minutes (× 1.5)',
        '60 minutes (× 2)',
        'No time limit',
      ]);
      await more.selectOption('No time limit');
      await expect(page.getByRole('timer')).toHaveCount(0);
      await expect(page.getByText('No time limit · Score 0/100')).toBeVisible();
      await expect(more).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.reload();
      await expect(page.getByText('No time limit · Score 0/100')).toBeVisible();
    },
  );
});
