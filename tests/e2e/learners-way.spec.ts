import type { Page } from '@playwright/test';
import { ADMIN, prove, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { findCourse, newShopper } from './shopper.ts';

// What a learner meets between the lessons: the way in, the way on, and the end of a course.

const isAwake = (page: Page) => expect(page.locator('main astro-island[ssr]')).toHaveCount(0);

/** Calls of an administrator, in a browser of its own. */
async function office(page: Page) {
  const context = await page.context().browser()!.newContext({ baseURL: process.env.SITE_URL! });
  const admin = await context.newPage();
  const headers = { authorization: `Bearer ${await signIn(admin, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  return { send, headers, request: admin.request, close: () => context.close() };
}

/** A course whose last lesson is this one, and a learner in it who has done the first. */
async function beforeTheLast(page: Page, last: object) {
  const { send, headers, request, close } = await office(page);
  const { id: courseId } = await send('/api/courses', {
    ...{ title: `To the end ${Date.now()}`, description: 'Two lessons.', thumbnail: '/favicon.svg' },
    ...{ price: '49.00', originalPrice: '79.00', duration: '2 hours', level: 'Beginner' },
    ...{ categoryId: 1, isActive: false },
  });
  const lessons = `/api/admin/courses/${courseId}/lessons`;
  const { id: first } = await send(lessons, { type: 'text', title: 'The first', content: 'Read this.' });
  const { id: lessonId } = await send(lessons, last);
  await prove(request, headers, courseId);
  const { user, token } = await newShopper(page);
  await send(`/api/admin/users/${(user as { id: number }).id}/enroll`, { courseId, reason: 'To learn' });
  await close();
  const done = await page.request.post(`/api/courses/${courseId}/content/${first}/complete`, {
    headers: { authorization: `Bearer ${token}` },
    data: {},
  });
  expect(done.ok(), await done.text()).toBe(true);
  return { courseId: courseId as number, lessonId: lessonId as number };
}

/** The one moment in which a course is finished, whatever its last lesson was. */
async function expectFinished(page: Page, courseId: number): Promise<void> {
  const moment = page.getByRole('dialog', { name: 'You finished the course' });
  await expect(moment).toBeVisible();
  await expect(moment.getByRole('link', { name: /Certificate of completion/ })).toHaveAttribute(
    'href',
    /^\/certificates\//,
  );
  await expect(moment.getByRole('link', { name: 'What to learn next' })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await moment.getByRole('link', { name: 'Show it to others' }).click();
  await page.waitForURL(`**/learn/${courseId}/finished`);
  await expect(page.getByRole('heading', { level: 2, name: 'Your certificate' })).toBeVisible();
}

test('a program that passes as the last lesson finishes the course', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const { courseId, lessonId } = await beforeTheLast(page, {
    ...{ type: 'interactive_coding', title: 'A program', content: '', codingLanguage: 'javascript' },
    ...{ instructions: 'Write `double(n)`.', starterCode: 'const double = (n) => 2 * n;' },
    ...{ solution: 'const double = (n) => n + n;', hints: [] },
    testCases: [{ input: 'double(4)', expectedOutput: '8', description: 'Doubles' }],
  });
  await page.goto(`/lesson/${lessonId}`);
  await isAwake(page);
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  await expectFinished(page, courseId);
  // It is said once: who comes back has finished already.
  await page.goto(`/lesson/${lessonId}`);
  await isAwake(page);
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
  await expect(page.getByRole('link', { name: /You finished the course/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('so does a quiz', { tag: '@phone' }, async ({ page }) => {
  const { courseId, lessonId } = await beforeTheLast(page, {
    type: 'quiz',
    title: 'A quiz',
    questions: [{ question: 'Which is even?', options: ['One', 'Two'], correctAnswer: 1, explanation: '' }],
  });
  await page.goto(`/learn/${courseId}?lesson=${lessonId}`);
  await isAwake(page);
  await page.getByRole('radio', { name: 'Two' }).check();
  await page.getByRole('button', { name: 'Submit answers' }).click();
  await expectFinished(page, courseId);
});

test('what costs nothing is taken with one press, and its first lesson opens', { tag: '@phone' }, async ({
  page,
}) => {
  await newShopper(page);
  const { id } = await findCourse(page, 'First Programs in Five Languages');
  // A link with the wish in it, which anybody may send, enrolls nobody.
  await page.goto(`/courses/${id}?buy=${id}`);
  await page.waitForURL(/\/checkout$/);
  await page.goto(`/courses/${id}`);
  await page.getByRole('button', { name: 'Enroll for free' }).first().click();
  await page.waitForURL(/\/(lesson|learn)\/\d+/);
  await expect(page.getByText('The course is yours', { exact: true })).toBeVisible();
  await expect(page.getByText(/Payment/)).toHaveCount(0);
  await page.goto(`/courses/${id}`);
  await expect(page.getByRole('link', { name: 'Go to Course' }).first()).toBeVisible();
});

test('on a phone little stands above a lesson, and the way on has a name @only-phone', async ({ page }) => {
  const { courseId, lessonId } = await beforeTheLast(page, {
    ...{ type: 'interactive_coding', title: 'A program', content: '', codingLanguage: 'javascript' },
    ...{ instructions: 'Write it.', starterCode: '1;', solution: '2;', hints: [], expectedOutput: '' },
    testCases: [{ input: '2', expectedOutput: '2', description: 'Two' }],
  });
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/learn/${courseId}`);
    await page.goto(`/learn/${courseId}?lesson=${lessonId}&view=course`);
    await isAwake(page);
    const lesson = await page.getByRole('article').boundingBox();
    expect(lesson!.y).toBeLessThanOrEqual(140);
    const content = page.getByRole('button', { name: /Course content, lessons done: 1 of 2/ });
    await content.click();
    await expect(page.getByRole('progressbar', { name: 'Course progress' })).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^The first/ })
      .click();
    await expect(page.getByRole('link', { name: 'Next: A program' })).toContainText('Next');
    await expectNoOverflow(page);
    await page.getByRole('link', { name: 'Next: A program' }).click();
    await page.waitForURL(`**/lesson/${lessonId}`);
    await isAwake(page);
    const task = await page.getByRole('heading', { level: 1 }).locator('..').boundingBox();
    expect(task!.y).toBeLessThanOrEqual(140);
    await expectNoOverflow(page);
  }
});

test('what waits in one’s courses is in the header of every page', { tag: '@phone' }, async ({ page }) => {
  const { courseId, lessonId } = await beforeTheLast(page, {
    type: 'text',
    title: 'A text',
    content: 'Why does the kingfisher dive?',
  });
  const link = page.getByRole('banner').getByRole('link', { name: /^My learning/ });
  await page.goto(`/learn/${courseId}?lesson=${lessonId}`);
  await expect(link).toHaveAccessibleName('My learning');
  await isAwake(page);
  // A line of the text is asked about.
  await page.getByText('Why does the kingfisher dive?').selectText();
  const ask = page.getByRole('button', { name: 'Ask about this line' });
  // It is where the line is, not at the end of the page.
  await expect(ask).toBeInViewport();
  await ask.click();
  const questions = page.getByRole('region', { name: 'Questions' });
  await questions.getByLabel('Your question').fill('For fish?');
  const asked = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await questions.getByRole('button', { name: 'Ask the team' }).click();
  const { id } = await (await asked).json();
  const { send, close } = await office(page);
  await send(`/api/admin/lesson-questions/${id}/replies`, { key: 'from-the-team', body: 'Yes.', version: 1 });
  await close();

  await page.goto('/about');
  await expect(link).toHaveAccessibleName('My learning, 1 answer waiting');
  await expect(page.getByTestId('learning-count')).toHaveText('1');
  await expectAccessible(page);
  await link.click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: 'A text' }).first().click();
  await expect(page.getByText('Yes.', { exact: true })).toBeVisible();
  await page.goto('/dashboard');
  await expect(link).toHaveAccessibleName('My learning');
});
