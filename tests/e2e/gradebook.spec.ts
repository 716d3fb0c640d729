import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('a grade is changed with a reason, another attempt given, and a learner excused, who reads it @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const title = `Graded ${Date.now()}`;
  const context = await browser.newContext({ baseURL: baseURL! });
  try {
    const admin = await context.newPage();
    const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
    const post = async (path: string, data: unknown) => {
      const answer = await admin.request.post(path, { headers, data });
      expect(answer.ok(), await answer.text()).toBe(true);
      return answer.json();
    };
    const { id } = await post('/api/courses', {
      ...{ title, description: 'To be graded.', thumbnail: '/favicon.svg', price: '49.00' },
      ...{ originalPrice: '79.00', duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
    });
    const quiz = await post(`/api/admin/courses/${id}/lessons`, {
      type: 'quiz',
      title: 'Sums',
      quizSettings: { attempts: 1 },
      questions: [{ question: '1 + 1?', options: ['3', '2'], correctAnswer: 1, explanation: 'Count.' }],
    });
    await post(`/api/admin/courses/${id}/lessons`, {
      type: 'text',
      title: 'Words',
      content: 'Read this.',
    });
    const learner = await newShopper(page);
    const { id: userId } = learner.user as { id: number };
    await post(`/api/admin/users/${userId}/enroll`, { courseId: id, reason: 'To be graded' });
    await page.goto(`/learn/${id}?lesson=${quiz.id}`);
    await page.getByRole('radio', { name: '3' }).click();
    await page.getByRole('button', { name: 'Submit answers' }).click();
    await expect(page.getByRole('region', { name: 'Quiz' }).getByText('0%').first()).toBeVisible();

    await admin.goto(`/admin/courses/${id}/content`);
    await admin.getByRole('link', { name: 'Grades', exact: true }).click();
    await expect(admin.getByRole('heading', { name: 'Gradebook', exact: true })).toBeVisible();
    await expectAccessible(admin);
    await expectNoOverflow(admin);
    // A phone shows a learner's lessons once they are unfolded.
    const folded = admin.getByRole('list', { name: 'Learners' }).locator('summary');
    if (await folded.isVisible()) await folded.click();
    await admin.getByRole('main').getByRole('link', { name: /Sums/ }).filter({ visible: true }).click();
    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
    await expectAccessible(admin);
    await expectNoOverflow(admin);

    await admin.getByRole('button', { name: /^Change the grade of/ }).click();
    await admin.getByLabel('Grade', { exact: true }).fill('101');
    await admin.getByRole('button', { name: 'Save the grade' }).click();
    await expect(admin.getByText('Grade must be a whole number from 0 to 100')).toBeVisible();
    await admin.getByLabel('Grade', { exact: true }).fill('40');
    await admin.getByLabel('Reason').fill('Half of it was right.');
    await admin.getByRole('button', { name: 'Save the grade' }).click();
    await expect(admin.getByText('Grade changed', { exact: true }).first()).toBeVisible();
    await expect(admin.getByText('Half of it was right.').first()).toBeVisible();
    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);

    await admin.getByRole('button', { name: /another attempt$/ }).click();
    await admin.getByRole('button', { name: 'Cancel' }).click();
    await expect(admin.getByRole('alertdialog')).toHaveCount(0);
    await admin.getByRole('button', { name: /another attempt$/ }).click();
    await expectAccessible(admin);
    await admin.getByRole('button', { name: 'Give it' }).click();
    await expect(admin.getByText(/has another attempt and is told by email$/).first()).toBeVisible();

    await page.goto(`/learn/${id}?lesson=${quiz.id}`);
    await expect(page.getByText('Your grade was changed to 40 of 100')).toBeVisible();
    await expect(page.getByText('You were given another attempt')).toBeVisible();
    await expectAccessible(page);

    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
    await admin.getByRole('button', { name: /^Excuse / }).click();
    await admin.getByLabel('Reason').fill('Ill all week.');
    await admin.getByRole('button', { name: 'Excuse', exact: true }).click();
    await expect(admin.getByText(/ is excused$/).first()).toBeVisible();
    // What is not asked of them is passed over.
    await page.goto(`/learn/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Words' })).toBeVisible();

    await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
    await admin.getByRole('button', { name: /^Take back the excuse/ }).click();
    await admin.getByRole('button', { name: 'Let it count' }).click();
    await expect(admin.getByText('The lesson counts again').first()).toBeVisible();
    await expectAccessible(admin);
    await expectNoOverflow(admin);
    const csv = await admin.request.get(`/admin/courses/${id}/gradebook.csv`);
    expect(await csv.text()).toContain('Sums: best grade');
    await admin.request.delete(`/api/courses/${id}`, { headers });
  } finally {
    await context.close();
  }
});
