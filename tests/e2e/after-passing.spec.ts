import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const LOOP =
  'function sum(n) {\n  let total = 0;\n  for (let i = 0; i < n; i++) total += i;\n  return total;\n}';
const FORMULA = 'const sum = (n) => (n * (n - 1)) / 2;';

test('whoever has passed compares with the solution and with others, and keeps their own out', {
  tag: '@phone',
}, async ({ page, playwright, baseURL }) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id: courseId } = await post('/api/courses', {
    ...{ title: `Sums ${Date.now()}`, description: 'Two ways.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  const { id: lessonId } = await post(`/api/admin/courses/${courseId}/lessons`, {
    ...{ type: 'interactive_coding', title: 'Add up', content: '', codingLanguage: 'javascript' },
    ...{ instructions: 'Write `sum(n)`.', starterCode: 'function sum(n) {}', solution: FORMULA, hints: [] },
    testCases: [{ input: 'sum(4)', expectedOutput: '6', description: 'Adds' }],
  });

  // The author's part of it.
  await page.goto(`/admin/courses/${courseId}/content/${lessonId}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'What to notice in the solution' }).fill('There is **no loop**.');
  await page
    .getByRole('checkbox', { name: 'Show learners who have passed the programs of others, without names' })
    .check();
  await page.getByRole('button', { name: 'Save lesson' }).click();
  await expect(page).toHaveURL(/\/content(\?|#|$)/);

  /** A new learner of the course who has passed by a program. */
  const learner = async (code: string) => {
    const request = await playwright.request.newContext({ baseURL });
    const who = {
      email: `compare-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com`,
      password: 'first-steps',
    };
    const account = await request.post('/api/auth/register', {
      data: { ...who, username: 'Ada Byron', confirmPassword: who.password, role: 'student' },
    });
    const { token, user } = await account.json();
    await post(`/api/admin/users/${user.id}/enroll`, { courseId, reason: 'A test.' });
    const run = await request.post('/api/execute-code', {
      headers: { authorization: `Bearer ${token}` },
      data: { lessonId, code, language: 'javascript', timeSpent: 0, hintsUsed: 0 },
    });
    expect(await run.json()).toMatchObject({ isCorrect: true });
    await request.dispose();
    return who;
  };

  await learner(`// Ada Byron\n${FORMULA}`);
  const own = await learner(LOOP);
  await page.context().clearCookies();
  await signIn(page, own);
  await page.goto(`/lesson/${lessonId}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  const parts = page.getByRole('navigation', { name: 'Parts of the lesson' });
  const isNarrow = await parts.isVisible();

  // What is told before, and the way to say no.
  await expect(page.getByRole('heading', { name: 'Who sees your program' })).toBeVisible();
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/hidden-programs'));
  await page.getByRole('checkbox', { name: 'Keep my programs out' }).check();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Keep my programs out' })).toBeChecked();
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);

  if (isNarrow) await parts.getByRole('button', { name: 'Result' }).click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare' });
  await expect(dialog.getByRole('group', { name: 'Your program' })).toContainText('for (let i = 0');
  await expect(dialog.getByRole('group', { name: 'Solution' })).toContainText(FORMULA);
  await expect(dialog.getByText('There is no loop.')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await dialog.getByRole('button', { name: 'Another way 1' }).click();
  await expect(dialog.getByRole('group', { name: 'Another way 1' })).toContainText(FORMULA);
  await expect(dialog.getByText(/^1 learner wrote it like this\./)).toBeVisible();
  await expect(dialog).not.toContainText('Ada');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeFocused();
});
