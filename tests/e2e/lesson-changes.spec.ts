import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { unzip, zipOf } from '../support/archives.ts';
import { newShopper } from './shopper.ts';

test('an author says what the change of a completed lesson is, and its learner is told once @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const made = await admin.request.post('/api/courses', {
    headers,
    data: {
      title: `Knots ${Date.now()}`,
      description: 'One after the other.',
      thumbnail: '/favicon.svg',
      price: '49.00',
      originalPrice: '79.00',
      duration: '2 hours',
      level: 'Beginner',
      categoryId: 1,
      isActive: false,
    },
  });
  const { id } = await made.json();
  const lessons: number[] = [];
  for (const title of ['The reef knot', 'The bowline']) {
    const answer = await admin.request.post(`/api/admin/courses/${id}/lessons`, {
      headers,
      data: { type: 'text', title, content: 'Words.' },
    });
    lessons.push((await answer.json()).id);
  }
  const { user, token } = await newShopper(page);
  const learner = user as { id: number };
  await admin.request.post(`/api/admin/users/${learner.id}/enroll`, {
    headers,
    data: { courseId: id, reason: 'To learn knots' },
  });
  await page.goto(`/learn/${id}`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();

  await admin.goto(`/admin/courses/${id}/content/${lessons[0]}`);
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  const title = admin.getByLabel('Lesson title');
  await title.fill('The square knot');
  await title.press('Enter');
  const question = admin.getByRole('dialog', { name: 'What is this change?' });
  await expect(question.getByText('1 learner has completed this lesson.')).toBeVisible();
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  await admin.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(title).toBeFocused();
  await expect(title).toHaveValue('The square knot');
  await title.press('Enter');
  await question.getByRole('button', { name: 'Save as new version' }).press('Enter');
  await expect(admin).toHaveURL(new RegExp(`/admin/courses/${id}/content$`));

  const notice = page.getByRole('article').getByText('Changed since you passed it');
  await page.goto(`/learn/${id}?lesson=${lessons[1]}`);
  await expect(page.locator(`li a[href="/learn/${id}?lesson=${lessons[0]}"]`)).toContainText(
    'Changed since you passed it',
  );
  await expect(notice).toHaveCount(0);
  await page.goto(`/learn/${id}?lesson=${lessons[0]}`);
  await expect(notice).toBeVisible();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'The square knot' })).toBeVisible();
  await expect(page.getByText('Changed since you passed it')).toHaveCount(0);

  // What has a screen of its own tells it there. The new version comes from files.
  const coding = await admin.request.post(`/api/admin/courses/${id}/lessons`, {
    headers,
    data: {
      type: 'interactive_coding',
      title: 'A knot in code',
      codingLanguage: 'javascript',
      instructions: 'Write `knot()`.',
      starterCode: 'function knot() {}',
      solution: 'const knot = () => "bowline";',
      testCases: [{ input: 'knot()', expectedOutput: 'bowline', description: 'ties it', hidden: false }],
    },
  });
  expect(coding.ok(), await coding.text()).toBe(true);
  const codingId: number = (await coding.json()).id;
  const run = await page.request.post('/api/execute-code', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      lessonId: codingId,
      code: 'const knot = () => "bowline";',
      language: 'javascript',
      timeSpent: 1,
      hintsUsed: 0,
    },
  });
  expect(await run.json()).toMatchObject({ isCorrect: true });
  const files = await unzip(await (await admin.request.get(`/admin/courses/${id}/export.zip`)).body());
  const name = [...files.keys()].find((path) => path.startsWith('lessons/') && path.includes('in-code'))!;
  files.set(name, Buffer.concat([files.get(name)!, Buffer.from('\nTie it twice.\n')]));
  await admin.goto('/admin/courses/import');
  await expect(admin.locator('astro-island[ssr]')).toHaveCount(0);
  await admin
    .getByLabel('Zip file')
    .setInputFiles({ name: 'course.zip', mimeType: 'application/zip', buffer: await zipOf(files) });
  await admin.getByRole('button', { name: 'Show what would change' }).click();
  await admin.getByRole('checkbox', { name: 'A new version of “A knot in code”' }).check();
  await expectAccessible(admin);
  await admin.getByRole('button', { name: 'Make these changes' }).click();
  await admin.waitForURL(/\/publish$/);
  await page.goto(`/learn/${id}?lesson=${codingId}`);
  await expect(page).toHaveURL(new RegExp(`/lesson/${codingId}$`));
  await expect(page.getByText('Changed since you passed it')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Tie it twice.')).toBeVisible();
  await expect(page.getByText('Changed since you passed it')).toHaveCount(0);

  await admin.request.delete(`/api/courses/${id}`, { headers });
  await context.close();
});
