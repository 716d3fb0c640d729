import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { buyer, paidCourses, STUDENT, signIn } from './admin-session.ts';
import { newShopper } from './shopper.ts';

const COURSE = 'Accessible Web Design';

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

/** Four fifths of a video go by; that the server's clock allows no more than there was time for, is proven elsewhere. */
async function watchMostOf(email: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/support/watch-most-of.ts', email], {
    env: { ...process.env, DATA_DIR: process.env.SITE_DATA_DIR! },
  });
  expect(stdout).toContain('watched most of 1 videos');
}

const next = (page: Page) =>
  page.getByRole('navigation', { name: 'Lessons' }).getByRole('link', { name: /^Next: / });

async function complete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mark Complete' }).click();
  await expect(
    page.getByRole('navigation', { name: 'Lessons' }).getByText('Completed', { exact: true }),
  ).toBeVisible();
}

async function goOn(page: Page, heading: string | RegExp): Promise<void> {
  await next(page).click();
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  // The page answers once its script runs.
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
}

test('a learner takes a whole course: text, video, quiz, assignment, document', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const course = (await paidCourses(page.request)).find(({ title }) => title === COURSE)!;
  const { email } = await buyer(page, course);

  await page.goto('/my-courses');
  await page.getByRole('link', { name: `Start Course: ${COURSE}` }).click();
  await page.waitForURL('**/learn/*');
  const progress = page.getByRole('progressbar', { name: 'Course progress' });
  await expect(progress).toHaveAttribute('aria-valuenow', '0');
  if (isMobile) {
    await page.getByRole('button', { name: 'Course content' }).click();
  }
  const content = page.getByRole('complementary', { name: 'Course content' });
  await expect(content.getByRole('link', { name: /Video · 2 min ?, not completed/ })).toBeVisible();
  await expect(content.getByText('0 of 11 lessons done')).toBeVisible();
  if (isMobile) await page.getByRole('button', { name: 'Course content' }).click();

  // Text
  await complete(page);
  await expect(progress).toHaveAttribute('aria-valuenow', '10');
  await goOn(page, 'Structure that can be heard');
  await expect(page.locator('.hljs-name').first()).toBeVisible();
  await complete(page);
  await goOn(page, 'Color, contrast and text');
  // The next lesson is done elsewhere; then the browser shows this page again as it was before.
  await page.evaluate(async () => {
    const headers = {
      authorization: `Bearer ${localStorage.auth_token}`,
      'content-type': 'application/json',
    };
    const [courseId, lessonId] = [
      location.pathname.split('/').at(-1),
      new URL(location.href).searchParams.get('lesson'),
    ];
    await fetch(`/api/courses/${courseId}/content/${lessonId}/complete`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(progress).toHaveAttribute('aria-valuenow', '30');

  // Video: must be watched, goes on where it stopped, its notes know its time
  await goOn(page, 'Video: the path of the focus');
  await expect(page.getByText('0% watched, 90% needed')).toBeVisible();
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.readyState)).toBeGreaterThan(0);
  await page.getByLabel('Speed').selectOption('2×');
  await video.focus();
  await page.keyboard.press('k');
  await expect(
    page.getByRole('paragraph').filter({ hasText: /^The first Tab shows the skip link/ }),
  ).toBeVisible();
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime))
    .toBeGreaterThan(8);
  await page.keyboard.press('k');
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.paused)).toBe(true);
  await expect(page.getByText(/^[1-9]\d?% watched, 90% needed$/)).toBeVisible();
  await page.getByRole('button', { name: 'Insert the video’s time' }).click();
  await page.keyboard.type('the ring moves');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await looksRight(page);

  await page.reload();
  await expect(page.getByText(/^Resumed at 0:\d\d/)).toBeVisible();
  const resumedAt = await video.evaluate((player: HTMLVideoElement) => player.currentTime);
  expect(resumedAt).toBeGreaterThan(7);
  await expect(page.getByLabel('Speed')).toHaveValue('2');
  await expect(page.getByRole('textbox', { name: 'Your notes on this lesson' })).toHaveValue(
    /^\[0:\d\d\] the ring moves$/,
  );
  const moment = page.getByRole('navigation', { name: 'Moments in your notes' }).getByRole('link');
  await expect(moment).toHaveAttribute('href', /[?&]t=\d+$/);
  await page.getByRole('button', { name: 'Start over' }).click();
  await moment.click();
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime))
    .toBeGreaterThan(6);
  await watchMostOf(email);
  await video.evaluate((player: HTMLVideoElement) => {
    player.currentTime = player.duration * 0.78;
  });
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toHaveCount(0);
  await video.focus();
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Mark Complete' })).toBeVisible({ timeout: 60_000 });
  await complete(page);

  for (const title of ['Keyboard and focus', 'Forms people can finish', 'Images, video and motion']) {
    await goOn(page, title);
    await complete(page);
  }

  // Quiz: unanswered, wrong, then right
  await goOn(page, 'Quiz: operable and clear');
  await expect(page.getByText('Completed by passing it')).toBeVisible();
  const quiz = page.getByRole('region', { name: 'Quiz' });
  // A phone asks them one by one.
  const goTo = async (index: number) => {
    if (isMobile && index > 0) await quiz.getByRole('button', { name: 'Next question' }).click();
  };
  for (let index = 0; index < 6; index += 1) await goTo(index);
  await quiz.getByRole('button', { name: 'Submit answers' }).click();
  await expect(quiz.getByText('Question 1 has no answer')).toBeVisible();
  await expect(quiz.getByRole('radio').first()).toBeFocused();
  const questions = quiz.getByRole('group');
  const count = 6;
  await expect(questions).toHaveCount(isMobile ? 1 : count);
  for (let index = 0; index < count; index += 1) {
    await goTo(index);
    // By keyboard: the first option of every question.
    await questions
      .nth(isMobile ? 0 : index)
      .getByRole('radio')
      .first()
      .focus();
    await page.keyboard.press('Space');
  }
  await expect(quiz.getByText(isMobile ? 'Question 6 of 6' : '6 of 6 answered')).toBeVisible();
  await expectNoOverflow(page);
  await quiz.getByRole('button', { name: 'Submit answers' }).click();
  await expect(quiz.getByText('Not passed yet')).toBeVisible();
  await expect(progress).toHaveAttribute('aria-valuenow', '70');
  await expectNoOverflow(page);
  const right: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const label = questions.nth(index).locator('label', { hasText: /Right/ });
    right.push((await label.getByRole('radio').getAttribute('value'))!);
  }
  await quiz.getByRole('button', { name: 'Try again' }).click();
  for (const [index, value] of right.entries()) {
    await goTo(index);
    await questions
      .nth(isMobile ? 0 : index)
      .locator(`input[value="${value}"]`)
      .check();
  }
  await page.reload();
  await expect(quiz.getByText(isMobile ? 'Question 1 of 6' : '6 of 6 answered')).toBeVisible();
  for (let index = 0; index < count; index += 1) await goTo(index);
  await quiz.getByRole('button', { name: 'Submit answers' }).click();
  await expect(quiz.getByText('Passed', { exact: true }).first()).toBeVisible();
  await expect(quiz.getByText('best so far 100%')).toBeVisible();
  await expect(progress).toHaveAttribute('aria-valuenow', '80');
  await quiz.getByText('Your attempts').click();
  await expect(quiz.getByRole('row')).toHaveCount(3);
  await looksRight(page);

  await goOn(page, 'Testing in layers');
  await complete(page);

  // Assignment: a text, then a file in its place
  await goOn(page, 'Project: a small audit');
  const work = page.getByRole('region', { name: 'Your work' });
  await work.getByRole('button', { name: 'Hand in' }).click();
  await expect(work.getByText('Write something before you hand it in')).toBeVisible();
  await work.getByLabel('Your text').fill('Six findings, two of them by hand.');
  await work.getByRole('button', { name: 'Hand in' }).click();
  // The end: handing in completes the lesson, and that the course.
  const finished = page.getByRole('dialog', { name: 'You finished the course' });
  await expect(finished).toBeVisible();
  await expect(finished.getByText('11', { exact: true })).toBeVisible();
  await looksRight(page);
  await page.keyboard.press('Escape');
  await expect(progress).toHaveAttribute('aria-valuenow', '100');
  await expect(work.getByText('Handed in', { exact: true })).toBeVisible();
  await expect(work.getByRole('row', { name: /^Findings .* up to 40$/ })).toBeVisible();
  await work.getByRole('button', { name: 'Replace it' }).click();
  await work.getByLabel('Upload a file').check();
  await work.getByLabel('File', { exact: true }).setInputFiles({
    name: 'page.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<p>'),
  });
  await expect(work.getByText(/^This kind of file is not taken/)).toBeVisible();
  await looksRight(page);
  await work.getByLabel('File', { exact: true }).setInputFiles({
    name: 'Audit Report.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x')]),
  });
  await work.getByRole('button', { name: 'Hand in' }).click();
  const file = work.getByRole('link', { name: 'Audit Report.pdf' });
  await expect(file).toBeVisible();
  await expect(work.getByText('2,930 KB')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await file.click();
  expect((await downloading).suggestedFilename()).toBe('Audit Report.pdf');
  await looksRight(page);

  // Document: optional, and still there
  await goOn(page, 'Accessibility checklist (PDF)');
  await expect(page.getByText('You have completed this course')).toBeVisible();
  const document = page.getByRole('link', { name: /^Download \(\d+ KB\)$/ });
  const href = (await document.getAttribute('href'))!;
  expect((await page.request.get(href)).headers()['content-type']).toBe('application/pdf');
  const range = await page.request.get(href, { headers: { range: 'bytes=0-4' } });
  expect([range.status(), await range.text()]).toEqual([206, '%PDF-']);
  await complete(page);

  await page.goto('/dashboard?tab=progress');
  await expect(
    page.getByRole('region', { name: 'Study days' }).getByText('1 day', { exact: true }).first(),
  ).toBeVisible();
  await expect(page.getByRole('cell', { name: /11 lessons completed/ })).toBeAttached();
  await expect(
    page.getByRole('region', { name: 'Progress' }).getByText('Completed', { exact: true }),
  ).toBeVisible();
  await looksRight(page);
});

test.describe('who may open a course', () => {
  // The page's own status is 401 or 404, and the browser's console says so.
  test.use({ allowed: [/status of 40[14]/] });

  test('nobody who is signed out, and nobody who is not enrolled', async ({ page }) => {
    await page.goto('/courses?search=SQL');
    const href = await page
      .getByRole('link', { name: /SQL and PostgreSQL/ })
      .first()
      .getAttribute('href');
    const course = href!.split('/').at(-1);
    await page.goto(`/learn/${course}?lesson=1`);
    await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
    await page.goto('/my-courses');
    await expect(page.getByRole('heading', { level: 1, name: 'Please Log In' })).toBeVisible();
    await newShopper(page, 'Guest');
    for (const address of [`/learn/${course}`, '/learn/2000000000', '/learn/abc']) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: 'Course Not Found' })).toBeVisible();
    }
  });
});

test.describe('notes', () => {
  // A save that is made to fail, and one that another tab was faster with.
  test.use({ allowed: [/ERR_FAILED|status of 409/] });

  test('outlive a failed save and another tab', { tag: '@phone' }, async ({ page, context, isMobile }) => {
    await signIn(page, STUDENT);
    await page.goto('/my-courses');
    await page.getByRole('link', { name: 'Continue Learning: JavaScript Fundamentals' }).click();
    await page.waitForURL('**/learn/*');
    const lesson = await page
      .getByRole('complementary', { name: 'Course content' })
      .getByRole('link', {
        name: isMobile ? 'Objects and records' : 'Errors and debugging',
        includeHidden: true,
      })
      .getAttribute('href');
    await page.goto(lesson!);
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    const notes = page.getByRole('textbox', { name: 'Your notes on this lesson' });

    await page.route('**/api/lessons/*/notes', (route) => route.abort());
    await notes.fill('Kept although the line was down');
    await expect(page.getByText('Not saved. Trying again.')).toBeVisible();
    await page.reload();
    await expect(notes).toHaveValue('Kept although the line was down');
    await page.unroute('**/api/lessons/*/notes');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 15_000 });

    const other = await context.newPage();
    await other.goto(lesson!);
    await expect(other.locator('astro-island[ssr]')).toHaveCount(0);
    await other.getByRole('textbox', { name: 'Your notes on this lesson' }).fill('From the other tab');
    await expect(other.getByText('Saved', { exact: true })).toBeVisible();
    await notes.fill('From this tab');
    const conflict = page.getByRole('status').filter({ hasText: 'Changed somewhere else' });
    await expect(conflict).toContainText('From the other tab');
    await looksRight(page);
    await conflict.getByRole('button', { name: 'Keep what is here' }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await other.reload();
    await expect(other.getByRole('textbox', { name: 'Your notes on this lesson' })).toHaveValue(
      'From this tab',
    );
    await other.close();
  });
});
