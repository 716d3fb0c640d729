import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const COURSE = 'First Programs in Five Languages';
const FOLDER = new URL('../../db/seed/courses/first-programs-in-five-languages/code/', import.meta.url);

/** The lessons of the course in their order; each leads to the next. */
const LESSONS = [
  { title: 'A greeting in JavaScript', solution: '01-a-greeting.solution.js' },
  { title: 'Warm days in Python', solution: '02-warm-days.solution.py' },
  { title: 'A recipe in HTML', solution: '03-a-recipe.solution.html' },
  { title: 'A card in CSS', solution: '04-a-card.solution.css' },
  { title: 'A counter in React', solution: '05-a-counter.solution.jsx' },
];

/** A new learner in the free course of five coding lessons; gives the ids of its lessons, in order. */
async function enroll(page: Page): Promise<number[]> {
  await page.goto('/demo');
  return page.evaluate(
    async ({ title, email }) => {
      const ask = async (path: string, body?: unknown) => {
        const token = localStorage.getItem('auth_token');
        const response = await fetch(path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return response.json();
      };
      const password = 'first-steps';
      const { token, user } = await ask('/api/auth/register', {
        username: 'Katherine Johnson',
        email,
        password,
        confirmPassword: password,
        role: 'student',
      });
      localStorage.setItem('auth_token', token);
      localStorage.setItem('auth_user', JSON.stringify(user));
      const found: { id: number; title: string }[] = await ask(
        `/api/courses?search=${encodeURIComponent(title)}`,
      );
      const courseId = found.find((course) => course.title === title)!.id;
      await ask('/api/cart', { courseId });
      await ask('/api/create-payment-intent', { amount: 0 });
      const enrollment: { course: { content: { id: number }[] } } = await ask(
        `/api/my-enrollments/${courseId}`,
      );
      return enrollment.course.content.map(({ id }) => id);
    },
    { title: COURSE, email: `coder-${Date.now()}-${Math.random().toString(36).slice(2)}@example.com` },
  );
}

/** Opens a lesson and waits until its scripts are there. */
async function open(page: Page, lessonId: number | undefined): Promise<void> {
  await page.goto(`/lesson/${lessonId}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
}

/** Waits until the editor that belongs to the screen is there. */
async function editorOf(page: Page, isMobile: boolean) {
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  const editor = page.locator(isMobile ? '.cm-editor' : '.monaco-editor').first();
  await expect(editor).toBeAttached({ timeout: 20_000 });
  await expect(page.locator('textarea[wrap="off"]:not(.monaco-editor *)')).toHaveCount(0);
  return editor;
}

/** Pastes where the caret is. */
async function paste(page: Page, code: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, code);
}

/** Replaces the program by a paste, which the editors take as it is. */
async function write(page: Page, isMobile: boolean, code: string): Promise<void> {
  const editor = await editorOf(page, isMobile);
  await editor.locator(isMobile ? '.cm-content' : '.view-lines').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await paste(page, code);
  if (isMobile) await page.getByRole('button', { name: 'Done', exact: true }).click();
}

/** The program as the editor shows it. */
async function shownCode(page: Page, isMobile: boolean): Promise<string> {
  const editor = await editorOf(page, isMobile);
  const text = await editor.locator(isMobile ? '.cm-content' : '.view-lines').textContent();
  return (text ?? '').replaceAll('\u00a0', ' ');
}

async function run(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
}

const verdict = (page: Page) => page.locator('section[aria-labelledby="run-verdict"]');
const toasts = (page: Page) => page.getByRole('region', { name: /notifications/i });

test.describe('a lesson in each language', () => {
  for (const [index, { title, solution }] of LESSONS.entries()) {
    // Another language changes nothing of what a small screen does.
    const tag = index === 0 ? '@phone' : [];
    test(`${title}: wrong, then right, then on`, { tag }, async ({ page, isMobile }) => {
      const ids = await enroll(page);
      await open(page, ids[index]);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Expected output' })).toBeVisible();
      await editorOf(page, isMobile);

      await run(page, isMobile);
      await expect(toasts(page).getByText('Not quite right', { exact: true })).toBeVisible({
        timeout: 20_000,
      });
      await expect(verdict(page)).toContainText('Not quite right');
      await expect(page.getByText('Got', { exact: true }).first()).toBeVisible();
      const attempts = page.getByRole('progressbar', { name: 'Attempts' });
      await expect(attempts).toHaveAttribute('aria-valuetext', '1 attempt');
      await expectNoOverflow(page);

      await write(page, isMobile, await readFile(new URL(solution, FOLDER), 'utf8'));
      await run(page, isMobile);
      await expect(verdict(page)).toContainText('Correct!', { timeout: 20_000 });
      await expect(verdict(page)).toContainText(/You earned 1\d points/);
      await expect(verdict(page)).toContainText(/20% of the course is done\. You have 1\d points in it\./);
      await expect(attempts).toHaveAttribute('aria-valuetext', '2 attempts');
      await expect(page.getByText('Completed', { exact: true })).toBeVisible();
      await expectNoOverflow(page);
      if (!isMobile) {
        // Its panes scroll, the page does not.
        const hidden = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
        expect(hidden).toBeLessThanOrEqual(1);
      }

      const progress = await page.evaluate(async () => {
        const headers = { authorization: `Bearer ${localStorage.getItem('auth_token')}` };
        return (await fetch('/api/progress', { headers })).json();
      });
      expect(progress[0].progress).toBe(20);

      const next = LESSONS[index + 1];
      if (next) {
        await verdict(page)
          .getByRole('link', { name: `Next lesson: ${next.title}` })
          .click();
        await page.waitForURL(`**/lesson/${ids[index + 1]}`);
        await expect(page.getByRole('heading', { level: 1, name: next.title })).toBeVisible();
      } else {
        await verdict(page).getByRole('link', { name: 'Back to the course' }).click();
        await page.waitForURL('**/learn/*');
      }
    });
  }
});

test('a program that cannot be read is told with its line, in the editor too', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const ids = await enroll(page);
  await open(page, ids[1]);
  await write(page, isMobile, 'def warm_days(temperatures, limit)\n    return 0\n');
  await expect(page.getByText(/Line 1: A line that begins with "def" ends with a colon/)).toBeVisible();
  await run(page, isMobile);
  const toast = toasts(page);
  await expect(toast.getByText('Execution Error', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(
    toast.getByText('There was an error running your code. Please check your syntax.', { exact: true }),
  ).toBeVisible();
  await expect(verdict(page)).toContainText('SyntaxError');
  await expectAccessible(page);
  await verdict(page)
    .getByRole('button', { name: /^Go to line 1/ })
    .click();
  await expect(page.locator('.failing-line')).toHaveCount(1);
  if (isMobile) await expect(page.getByRole('textbox', { name: /^Python code/ })).toBeFocused();
  else await expect(page.locator('.monaco-editor').locator(':focus')).toHaveCount(1);
});

test('with a finger: the keys that a phone hides, and room to write while its keyboard is there', {
  tag: '@only-phone',
}, async ({ page }) => {
  const ids = await enroll(page);
  await open(page, ids[1]);
  const tab = page.getByRole('button', { name: 'Code', exact: true });
  await tab.tap();
  await editorOf(page, true);
  // A keyboard takes the rest.
  await page.setViewportSize({ width: 390, height: 480 });
  const editor = page.getByRole('textbox', { name: /^Python code.*Escape, then Tab/ });
  await page.locator('.cm-line').first().tap();
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await paste(page, '\n'.repeat(11));
  const linesInSight = () =>
    page.locator('.cm-line').evaluateAll(
      (lines) =>
        lines.filter((line) => {
          const { left, top, height } = line.getBoundingClientRect();
          return line.contains(document.elementFromPoint(left + 20, top + height / 2));
        }).length,
    );
  await expect.poll(linesInSight).toBeGreaterThanOrEqual(9);
  await expect(page.locator('.cm-lineNumbers')).toContainText('12');

  const last = page.locator('.cm-line').last();
  await page.getByRole('button', { name: 'Tab: indent' }).tap();
  for (const key of '():_#=') {
    await page.getByRole('button', { name: `Insert ${key}`, exact: true }).tap();
  }
  await expect(last).toHaveText('    ():_#=');
  await expect(editor).toBeFocused();
  await page.keyboard.type('def');
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  await expect(last).toHaveText('        ():_#=def');
  await expectAccessible(page);
  await expectNoOverflow(page);

  // The same keys from a real keyboard, which can leave the editor.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Insert (', exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(editor).toBeFocused();

  // What it covered comes back.
  await page.getByRole('button', { name: 'Done', exact: true }).tap();
  await expect(editor).not.toBeFocused();
  await tab.tap();
  await page.locator('.cm-line').last().tap();
  await expect(editor).toBeFocused();
  await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').tap();
  await expect(verdict(page)).toContainText('could not be read', { timeout: 20_000 });
});

test('a hint stands apart from the headline, which is about the first test that failed', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  const ids = await enroll(page);
  await open(page, ids[3]);
  await write(page, isMobile, '.card h2 { color: #1a2947; }\n\n#card { background-color: white; }\n');
  await run(page, isMobile);
  await expect(verdict(page)).toContainText('2 of 6 tests passed.', { timeout: 20_000 });
  await expect(verdict(page)).toContainText('Test 1, “The card is white”');
  await expect(verdict(page)).not.toContainText('#card');
  const hint = page.getByRole('region', { name: 'This may be why' });
  await expect(hint).toHaveCount(1);
  await expect(hint).toContainText('Did you mean ".card"?');
  await expect(page.getByText('rgba(0, 0, 0, 0)').first()).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await hint.getByRole('button', { name: 'Go to line 3, column 1' }).click();
});

test('blank code is not run', { tag: '@phone' }, async ({ page, isMobile }) => {
  const ids = await enroll(page);
  await open(page, ids[0]);
  let called = false;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/execute-code')) called = true;
  });
  await write(page, isMobile, '  \n');
  await run(page, isMobile);
  await expect(toasts(page).getByText('Empty Code', { exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Attempts' })).toHaveAttribute('aria-valuenow', '0');
  expect(called).toBe(false);
});

test('hints come one at a time; a draft survives a reload; reset brings back the start', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  const ids = await enroll(page);
  await open(page, ids[0]);
  await editorOf(page, isMobile);
  if (isMobile) await page.getByRole('button', { name: 'Task', exact: true }).click();
  await page.getByRole('button', { name: 'Show hint 1 of 3' }).click();
  await expect(page.getByText('Hint 1', { exact: true })).toBeVisible();
  await expect(page.getByText('Hint 2', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show hint 2 of 3' }).click();
  await page.getByRole('button', { name: 'Show hint 3 of 3' }).click();
  await expect(page.getByText('You have seen all 3 hints.')).toBeVisible();
  await expectAccessible(page);

  await write(page, isMobile, 'const draft = "kept on this device";');
  await page.reload();
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  expect(await shownCode(page, isMobile)).toContain('kept on this device');
  await expect(page.getByText('Your draft was restored.')).toBeVisible();

  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await shownCode(page, isMobile)).toContain('kept on this device');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => shownCode(page, isMobile)).toContain('function');
  if (isMobile) await page.getByRole('button', { name: 'Task', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Show hint 1 of 3' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Your draft was restored.')).toHaveCount(0);
});

test('an earlier submission can be taken up again', { tag: '@phone' }, async ({ page, isMobile }) => {
  const ids = await enroll(page);
  await open(page, ids[0]);
  await write(page, isMobile, 'const greet = () => "first";');
  await run(page, isMobile);
  await expect(verdict(page)).toBeVisible({ timeout: 20_000 });
  await write(page, isMobile, 'const greet = () => "second";');
  await run(page, isMobile);
  await expect(page.getByRole('progressbar', { name: 'Attempts' })).toHaveAttribute('aria-valuenow', '2');
  if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Your submissions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your submissions' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore attempt 1' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => shownCode(page, isMobile)).toContain('first');
});

test('the keyboard reaches everything: Tab indents, Escape then Tab leaves, Ctrl+Enter runs', async ({
  page,
}) => {
  const ids = await enroll(page);
  await open(page, ids[0]);
  const editor = await editorOf(page, false);
  await editor.locator('.view-lines').click();
  const inEditor = () => page.evaluate(() => document.activeElement?.closest('.monaco-editor') != null);
  await page.keyboard.press('Tab');
  expect(await inEditor()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await inEditor()).toBe(false);
  await page.keyboard.press('Shift+Tab');
  expect(await inEditor()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await expect(verdict(page)).toBeVisible({ timeout: 20_000 });
});

test.describe('when the judge cannot answer', () => {
  test.use({ allowed: [/503/] });

  test('the program stays, nothing is counted, and the next run works', async ({ page, isMobile }) => {
    const ids = await enroll(page);
    await open(page, ids[0]);
    await page.route('**/api/execute-code', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '2' },
        contentType: 'application/json',
        body: JSON.stringify({
          message: 'Nothing was counted. Please try again.',
          code: 'unavailable',
          requestId: 'x',
        }),
      }),
    );
    await write(page, isMobile, 'const mine = 1;');
    await run(page, isMobile);
    const toast = toasts(page);
    await expect(toast.getByText('Not run', { exact: true })).toBeVisible();
    await expect(toast.getByText('Nothing was counted. Please try again.')).toBeVisible();
    expect(await shownCode(page, isMobile)).toContain('const mine');
    await expect(page.getByRole('progressbar', { name: 'Attempts' })).toHaveAttribute('aria-valuenow', '0');
    await page.unroute('**/api/execute-code');
    await run(page, isMobile);
    await expect(verdict(page)).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('progressbar', { name: 'Attempts' })).toHaveAttribute('aria-valuenow', '1');
  });
});

test.describe('the live preview', () => {
  test.use({ allowed: [/Blocked|sandbox|localStorage/] });

  test('follows what is typed, in a box that reaches nothing of the site', { tag: '@phone' }, async ({
    page,
    isMobile,
  }) => {
    const ids = await enroll(page);
    await open(page, ids[2]);
    const code =
      '<h1 id="a">Before</h1><script>let found;try{found=parent.localStorage.auth_token??"read"}catch{found="out of reach"}' +
      'document.querySelector("h1").textContent=found;try{while(true){}}catch(e){document.body.dataset.loop="stopped"}</script>';
    await write(page, isMobile, code);
    if (isMobile) await page.getByRole('button', { name: 'Result', exact: true }).first().click();
    const frame = page.frameLocator('iframe:not([aria-hidden])');
    await expect(frame.getByRole('heading', { name: 'out of reach' })).toBeVisible();
    await expect(frame.locator('body[data-loop="stopped"]')).toHaveCount(1);
    await expect(page.locator('iframe:not([aria-hidden])')).toHaveAttribute('sandbox', 'allow-scripts');
  });

  test('runs a React component', async ({ page, isMobile }) => {
    const ids = await enroll(page);
    await open(page, ids[4]);
    await write(page, isMobile, await readFile(new URL(LESSONS[4]!.solution, FOLDER), 'utf8'));
    if (isMobile) await page.getByRole('button', { name: 'Result', exact: true }).first().click();
    const frame = page.frameLocator('iframe:not([aria-hidden])');
    await expect(frame.getByText('Clicked 0 times')).toBeVisible();
    // The frame is made anew a moment after the last keystroke; a click on the old one is lost.
    await expect(async () => {
      await frame.getByRole('button', { name: 'Click' }).click({ timeout: 2_000 });
      await expect(frame.getByText(/^Clicked [1-9]\d* times?$/)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    await expectAccessible(page);
  });
});

test('a visitor plays a preview lesson, and is told that nothing is counted', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  await page.goto(`/courses?search=${encodeURIComponent(COURSE)}`);
  const lessonId = await page.evaluate(async (title) => {
    const found = await (await fetch(`/api/courses?search=${encodeURIComponent(title)}`)).json();
    const course = found.find((one: { title: string }) => one.title === title);
    const { content } = await (await fetch(`/api/courses/${course.id}`)).json();
    return content.find((lesson: { isPreview: boolean }) => lesson.isPreview).id as number;
  }, COURSE);
  await page.goto(`/lessons/${lessonId}?from=old`);
  await page.waitForURL(`**/lesson/${lessonId}?from=old`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  await expect(page.getByText('You are looking at a preview lesson.')).toBeVisible();
  await write(page, isMobile, 'const visitor = true;');
  await run(page, isMobile);
  await expect(page.getByRole('heading', { name: 'Test results' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  await expectNoOverflow(page);
});

test.describe('a lesson out of reach', () => {
  test.use({ allowed: [/status of 404/] });

  test('says so with the way on', async ({ page }) => {
    const response = await page.goto('/lesson/2000000000');
    expect(response?.status()).toBe(404);
    await expect(
      page.getByText("Lesson not found or you don't have access to it.", { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Sign In' })).toBeVisible();
  });
});

test('the demonstration runs in the browser alone', { tag: '@phone' }, async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The picture of the logo in the footer lies there too.
    if (pathname.startsWith('/api/') && request.resourceType() !== 'image') calls.push(pathname);
  });
  await page.goto('/demo');
  const editor = page.getByRole('textbox', { name: 'JavaScript' });
  const status = page.locator('[data-verdict]');
  const runButton = page.getByRole('button', { name: 'Run', exact: true });

  await editor.fill('   ');
  await runButton.click();
  await expect(status).toContainText('Empty Code');
  await editor.fill('console.log("Hello World")');
  await runButton.click();
  await expect(status).toContainText('Not quite right');
  await editor.fill('const a = ;');
  await runButton.click();
  await expect(status).toContainText(/Execution Error.*\(line 1\)/);
  await editor.fill('fetch("/api/courses").then(() => console.log("reached"))');
  await runButton.click();
  await expect(status).toContainText('Execution Error');
  await editor.fill('for (;;) {}');
  await runButton.click();
  await expect(status).toContainText('stopped after 2 seconds', { timeout: 10_000 });
  await editor.fill('for (;;) console.log("again and again")');
  await runButton.click();
  await expect(status).toContainText('Execution Error', { timeout: 10_000 });
  for (const number of [1, 2, 3])
    await page.getByRole('button', { name: `Show hint ${number} of 3` }).click();
  await expect(page.getByRole('button', { name: 'You have seen all 3 hints' })).toBeDisabled();
  await editor.fill("console.log('Hello, World!')");
  await page.keyboard.press('Control+Enter');
  await expect(status).toContainText('Correct!');
  await expect(page.locator('[data-output]')).toHaveText(/^Hello, World!\s*$/);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(editor).toHaveValue(/^\/\/ Print the greeting/);
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
  await expect(main.getByRole('link', { name: 'Browse courses' })).toHaveAttribute('href', '/courses');
  await expect(main.getByRole('link', { name: 'Create an interactive course' })).toHaveAttribute(
    'href',
    '/admin/create-interactive-course',
  );
  expect(calls).toEqual([]);
});
