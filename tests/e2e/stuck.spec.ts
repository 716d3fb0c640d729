import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const SOLUTION = 'function double(n) {\n  return n * 2;\n}';
const WRONG = 'function double(n) {\n  n * 2;\n}';
const WRONG_TOO = 'const double = (number) => {\n  // mine\n  number * 2;\n};';
const HINT = 'What does the caller get back?';

test('two learners make one mistake, and one sentence leads the second on @only-phone', async ({
  page,
  playwright,
  baseURL,
}) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id: courseId } = await post('/api/courses', {
    ...{ title: `Doubling ${Date.now()}`, description: 'One mistake.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  const { id: lessonId } = await post(`/api/admin/courses/${courseId}/lessons`, {
    ...{ type: 'interactive_coding', title: 'Twice as much', content: '', codingLanguage: 'javascript' },
    ...{ instructions: 'Write `double(n)`.', starterCode: 'function double(n) {}', solution: SOLUTION },
    ...{ hints: [], testCases: [{ input: 'double(4)', expectedOutput: '8', description: 'Doubles' }] },
  });

  /** A new learner of the course who has handed the programs in; gives what they are offered. */
  const learner = async (programs: string[]) => {
    const request = await playwright.request.newContext({ baseURL });
    const who = {
      email: `stuck-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com`,
      password: 'first-steps',
    };
    const account = await request.post('/api/auth/register', {
      data: { ...who, username: 'Ada Byron', confirmPassword: who.password, role: 'student' },
    });
    const { token, user } = await account.json();
    await post(`/api/admin/users/${user.id}/enroll`, { courseId, reason: 'A test.' });
    const own = { authorization: `Bearer ${token}` };
    let offered: { hints: unknown[] } = { hints: [] };
    for (const code of programs) {
      const run = await request.post('/api/execute-code', {
        headers: own,
        data: { lessonId, code, language: 'javascript', timeSpent: 0, hintsUsed: 0 },
      });
      expect(run.ok(), await run.text()).toBe(true);
      const { submissionId } = await run.json();
      const asked = await request.post(`/api/submissions/${submissionId}/group-hint`, { headers: own });
      offered = await asked.json();
    }
    await request.dispose();
    return { who, isOffered: offered.hints.length > 0 };
  };

  await learner([WRONG]);
  await page.goto(`/admin/courses/${courseId}/content`);
  await page.getByRole('link', { name: 'Stuck learners' }).click();
  await expect(page.getByText('0 of 1 learner')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Twice as much' }).click();
  await expect(page.getByRole('group', { name: 'Program of mistake 1' })).toContainText('n * 2');
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Hint for mistake 1' }).fill(HINT);
  await page.getByRole('button', { name: 'Save hint 1' }).click();
  await expect(page.getByText('Hint saved').first()).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  const second = await learner([WRONG_TOO, WRONG_TOO]);
  await page.context().clearCookies();
  await signIn(page, second.who);
  await page.goto(`/lesson/${lessonId}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Result', exact: true }).click();
  await expect(page.getByText('Others were here')).toBeVisible();
  await expect(page.getByText(HINT)).toHaveCount(0);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Show this hint' }).click();
  await expect(page.getByText(HINT)).toBeVisible();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('textbox', { name: / code\. Press Escape/ }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('const double = (n) => n * 2;');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  // Of a course's only lesson the end of the course is told over the result, which is out of reach as long.
  const finished = page.getByRole('dialog', { name: 'You finished the course' });
  await expect(finished).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await expect(finished).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Correct!' })).toBeVisible();
});
