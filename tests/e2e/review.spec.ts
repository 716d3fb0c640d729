import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('what was finished comes back, is answered by keyboard, and is then compared with what was expected @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    title: `Reviewed ${Date.now()}`,
    description: 'One after the other.',
    thumbnail: '/favicon.svg',
    price: '49.00',
    originalPrice: '79.00',
    duration: '2 hours',
    level: 'Beginner',
    categoryId: 1,
    isActive: false,
  });
  const lessons: number[] = [];
  for (const title of ['First quiz', 'Second quiz']) {
    const lesson = await send(`/api/admin/courses/${id}/lessons`, {
      type: 'quiz',
      title,
      questions: [
        { question: 'Which is even?', options: ['One', 'Two'], correctAnswer: 1, explanation: 'Halves.' },
      ],
    });
    lessons.push(lesson.id);
  }
  const program = await send(`/api/admin/courses/${id}/lessons`, {
    type: 'interactive_coding',
    title: 'Third: a program',
    codingLanguage: 'javascript',
    instructions: 'Double the number.',
    content: 'Multiply it.',
    starterCode: 'const double = (n) => n;',
    solution: 'const double = (n) => n * 2;',
    testCases: [{ input: 'double(4)', expectedOutput: '8', description: 'Doubles' }],
  });
  const { email, token, user } = await newShopper(page);
  await send(`/api/admin/users/${(user as { id: number }).id}/enroll`, { courseId: id, reason: 'To learn' });
  const as = { authorization: `Bearer ${token}` };
  for (const lesson of lessons) {
    const quiz = await (await page.request.get(`/api/lessons/${lesson}/quiz`, { headers: as })).json();
    const passed = await page.request.post(`/api/lessons/${lesson}/quiz`, {
      headers: as,
      data: { answers: { [quiz.questions[0].id]: 1 } },
    });
    expect((await passed.json()).attempt.passed).toBe(true);
  }
  const solved = await page.request.post('/api/execute-code', {
    headers: as,
    data: { lessonId: program.id, code: 'const double = (n) => 2 * n;', language: 'javascript' },
  });
  expect((await solved.json()).isCorrect).toBe(true);
  await page.goto(`/learn/${id}/finished`);
  await expect(page.getByRole('heading', { level: 1, name: 'You finished the course' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Certificate of completion/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.goto('/review');
  await expect(page.getByText('Nothing to review today')).toBeVisible();

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['tests/support/pass-review-days.ts', email, '4'],
    { env: { ...process.env, DATA_DIR: process.env.SITE_DATA_DIR! } },
  );
  expect(stdout).toContain('moved 3 reviews');
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /^3 things to review/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: /things to review/ }).click();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Check' }).press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('radio', { name: 'One' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Check' }).press('Enter');
  await expect(page.getByText('Not this time')).toBeVisible();
  await expect(page.getByText('It comes back tomorrow.')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  // What is said of all answers follows at once, and what waits.
  const waiting = page.getByTestId('learning-count');
  await expect(waiting).toHaveText('2');
  const row = page.getByRole('row').last();
  await expect(row.getByRole('cell').last()).toHaveText('0%');
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Second quiz' })).toBeFocused();
  await page.getByRole('button', { name: 'Snooze it for a week' }).press('Enter');
  await expect(waiting).toHaveText('1');

  // The program is written again, from its starter code.
  await expect(page.getByRole('heading', { name: 'Third: a program' })).toBeFocused();
  const editor = page.getByRole('textbox', { name: /JavaScript code/ });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.press('Enter');
  await expect(page.getByRole('heading', { name: 'Not quite right' })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  // The plain text field hands over to the editor for this screen.
  await expect(page.locator('.cm-editor, .monaco-editor').first()).toBeVisible();
  await expect(editor).toHaveCount(1);
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('const double = (n) => n * 2;');
  // What was written outlives a reload.
  await page.reload();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await run.press('Enter');
  await expect(page.getByText('You still know it')).toBeVisible();
  await expect(row.getByRole('cell').last()).toHaveText('50%');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'That is all for today' })).toBeFocused();

  await page.reload();
  await expect(row.getByRole('cell').last()).toHaveText('50%');
  await page.goBack();
  await expect(page.getByRole('link', { name: /to review/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
