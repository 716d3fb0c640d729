import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test.use({ allowed: [/ERR_INTERNET_DISCONNECTED/] });

test('a lost line is named, and what was done is sent once when it is back @only-phone', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const office = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await office.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    ...{ title: `In the tunnel ${Date.now()}`, description: 'Underground.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  const lesson = async (data: object): Promise<number> =>
    (await send(`/api/admin/courses/${id}/lessons`, data)).id;
  const text = await lesson({ type: 'text', title: 'A text', content: 'Read me.' });
  const quiz = await lesson({
    type: 'quiz',
    title: 'A quiz',
    questions: [
      { question: 'Which is even?', options: ['One', 'Two'], correctAnswer: 1, explanation: 'Halves.' },
    ],
  });
  const program = await lesson({
    ...{ type: 'interactive_coding', title: 'A program', content: '', codingLanguage: 'javascript' },
    ...{ instructions: 'Write `double(n)`.', starterCode: 'const double = (n) => n;' },
    ...{ solution: 'const double = (n) => 2 * n;', hints: [] },
    testCases: [{ input: 'double(4)', expectedOutput: '8', description: 'Doubles' }],
  });
  const { user } = await newShopper(page);
  await send(`/api/admin/users/${(user as { id: number }).id}/enroll`, {
    courseId: id,
    reason: 'To learn',
  });
  await office.close();

  const arrived: string[] = [];
  page.on('response', (answer) => {
    if (answer.request().method() === 'POST') arrived.push(new URL(answer.url()).pathname);
  });
  const open = async (path: string) => {
    await page.goto(path);
    await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
    // What says things comes after the page, and not without a line.
    await expect(notice).toBeAttached();
  };
  const notice = page.getByRole('region', { name: /notifications/i });
  const lose = async () => {
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
  };
  const comeBack = async () => {
    await expect(
      notice.getByText(/^The connection was lost\. .*It is sent once you are online again/),
    ).toBeVisible();
    await context.setOffline(false);
    // Once for a machine that has no line at all but to itself, and because it may be told twice.
    await page.evaluate(() => dispatchEvent(new Event('online')));
  };
  const once = (path: string) => expect(arrived.filter((one) => one === path)).toHaveLength(1);

  await open(`/learn/${id}?lesson=${text}`);
  await lose();
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(notice.getByText('Saved on this device', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await comeBack();
  const bar = page.getByRole('navigation', { name: 'Lessons' });
  await expect(bar.getByText('Completed', { exact: true })).toBeVisible();
  once(`/api/courses/${id}/content/${text}/complete`);

  await open(`/learn/${id}?lesson=${quiz}`);
  await page.getByRole('radio', { name: 'Two' }).check();
  await lose();
  await page.getByRole('button', { name: 'Submit answers' }).click();
  await expect(notice.getByText('Saved on this device', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Two' })).toBeChecked();
  await comeBack();
  await expect(page.getByText('100%', { exact: true }).first()).toBeVisible();
  once(`/api/lessons/${quiz}/quiz`);

  await open(`/lesson/${program}`);
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await lose();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  await expect(notice.getByText('Not run', { exact: true })).toBeVisible();
  await comeBack();
  await expect(page.locator('section[aria-labelledby="run-verdict"]')).toContainText('Not quite right', {
    timeout: 20_000,
  });
  await expect(page.getByRole('progressbar', { name: 'Attempts' })).toHaveAttribute('aria-valuenow', '1');
  once('/api/execute-code');

  await open('/scenario/1');
  await page.getByRole('button', { name: 'Start Scenario' }).click();
  const box = page.getByLabel('Your action');
  await box.fill('wait');
  await lose();
  await box.press('Enter');
  await expect(notice.getByText('Action Failed', { exact: true })).toBeVisible();
  await expect(box).toHaveValue('wait');
  await comeBack();
  await expect(page.getByText('Ten minutes pass').first()).toBeVisible();
  await expect(box).toHaveValue('');
  once('/api/execute-scenario-action');
});
