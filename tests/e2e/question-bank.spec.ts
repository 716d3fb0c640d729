import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { newShopper } from './shopper.ts';

test('a quiz is drawn from the other quizzes of its course @phone', async ({ page, browser, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: object) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    title: `A bank ${Date.now()}`,
    description: 'Asked anew.',
    thumbnail: '/favicon.svg',
    price: '49.00',
    originalPrice: '79.00',
    duration: '2 hours',
    level: 'Beginner',
    categoryId: 1,
    isActive: false,
  });
  const question = (text: string, tags: string[]) => ({
    ...{ question: text, options: ['no', 'yes'], correctAnswer: 1, explanation: 'So it is.', tags },
  });
  await send(`/api/admin/courses/${id}/lessons`, {
    type: 'quiz',
    title: 'Where they stand',
    questions: [question('Is water wet?', ['final']), question('Is ice cold?', [])],
  });
  const exam = await send(`/api/admin/courses/${id}/lessons`, {
    type: 'quiz',
    title: 'The exam',
    questions: [question('Is fire hot?', ['other'])],
  });

  await admin.goto(`/admin/courses/${id}/content/${exam.id}`);
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  await admin.getByText('How it is asked').click();
  await admin.getByRole('button', { name: 'Draw from a tag' }).press('Enter');
  await admin.getByLabel('with the tag').fill('final');
  await admin.getByRole('checkbox', { name: 'From all quizzes of the course' }).press('Space');
  await expect(admin.getByText('of 0 questions here and those of other quizzes')).toBeVisible();
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin.getByRole('button', { name: /^Save/ }).first().click();
  await expect(admin).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  const learner = (await newShopper(page)).user as { id: number };
  await send(`/api/admin/users/${learner.id}/enroll`, { courseId: id, reason: 'To be examined' });
  await page.goto(`/learn/${id}?lesson=${exam.id}`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Is water wet?' })).toBeVisible();
  await expect(page.getByText('Is ice cold?')).toHaveCount(0);
  for (const name of ['Is fire hot?', 'Is water wet?']) {
    await page.getByRole('group', { name }).getByLabel('yes').check();
  }
  await page.getByRole('button', { name: 'Submit answers' }).click();
  await expect(page.getByText('2 of 2 right.')).toBeVisible();

  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
