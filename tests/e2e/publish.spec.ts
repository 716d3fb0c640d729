import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { unzip, zipOf } from '../support/archives.ts';
import { ADMIN, chooseForCourse, buy, prove, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const VIDEO = resolve(
  import.meta.dirname,
  '../../db/seed/courses/accessible-web-design/files/focus-path.mp4',
);

const SCENARIO = {
  title: 'The full disk',
  description: 'A server is full.',
  type: 'debugging',
  difficulty: 'beginner',
  timeLimit: 10,
  state: { free: false },
  panels: [{ title: 'Disk', facts: [{ label: 'Has room', value: { var: 'free' } }] }],
  goals: [{ id: 'room', title: 'There is room', weight: 1, required: true, when: { var: 'free' } }],
  rules: [
    {
      id: 'clean',
      title: 'Delete old logs',
      phrases: ['delete old logs'],
      effects: [{ op: 'replace', path: '/free', value: true }],
      feedback: 'There is room again.',
    },
  ],
};

// The store refuses to show what is not proven.
test.use({ allowed: [/status of 409/] });

test('a course with a lesson of each type is refused, fixed, published, bought and passed', async ({
  page,
  browser,
  baseURL,
}, { project }) => {
  const title = `Every kind ${project.name} ${Date.now()}`;
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const send = async (method: 'post' | 'put', path: string, data: unknown) => {
    const answer = await page.request[method](path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('post', '/api/courses', {
    title,
    description: 'One lesson of each type.',
    thumbnail: '/favicon.svg',
    price: '20.00',
    duration: '1 hour',
    level: 'Beginner',
    categoryId: 1,
  });
  const upload = async (file: File): Promise<string> => {
    const form = new FormData();
    form.append('file', file);
    const uploaded = await page.request.post('/api/admin/files', { headers, multipart: form });
    const { fileUrl } = await uploaded.json();
    expect(fileUrl, await uploaded.text()).toMatch(/^\/files\//);
    return fileUrl;
  };
  const notes = await upload(new File(['What to remember.'], 'notes.txt', { type: 'text/plain' }));
  const clip = await upload(new File([await readFile(VIDEO)], 'clip.mp4', { type: 'video/mp4' }));
  const add = (data: object) => send('post', `/api/admin/courses/${id}/lessons`, data);
  const text = await add({ type: 'text', title: 'Read', content: 'Words to read.' });
  const film = await add({ type: 'video', title: 'Watch', fileUrl: clip, content: '' });
  const sheet = await add({ type: 'document', title: 'Keep', fileUrl: notes, content: '' });
  const quiz = await add({
    type: 'quiz',
    title: 'Answer',
    questions: [{ question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' }],
  });
  const CODING = {
    type: 'interactive_coding',
    title: 'Write',
    instructions: 'Write `double(n)`.',
    codingLanguage: 'javascript',
    starterCode: 'const double = (n) => n;',
    testCases: [
      { input: 'double(2)', expectedOutput: '4', description: 'Two', hidden: false, mode: 'call' },
      { input: 'double(5)', expectedOutput: '10', description: 'Five', hidden: true, mode: 'call' },
    ],
  };
  // The author's own answer is wrong.
  const coding = await add({ ...CODING, solution: 'const double = (n) => n * n;' });
  const scenario = await add({ type: 'scenario', title: 'Act', content: 'Act.', scenario: SCENARIO });

  // The list says what is not proven of it, and leads there.
  await page.goto(`/admin?search=${encodeURIComponent(title)}`);
  const row = page.getByRole('list', { name: 'Courses' }).getByRole('listitem').filter({ hasText: title });
  await expectNoOverflow(page);
  await row.getByRole('link', { name: 'Changes to publish' }).click();
  await page.waitForURL(`**/admin/courses/${id}/publish`);

  await page.getByRole('button', { name: 'Check the course' }).click();
  const lesson = (name: string) =>
    page
      .getByRole('region', { name: 'Lessons' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name }) });
  await expect(lesson('Write').getByText('To fix', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(
    lesson('Write').getByText(
      /The reference solution gives a wrong answer\. Test 2, “double\(5\)”, expects “10”/,
    ),
  ).toBeVisible();
  await expect(lesson('Read').getByText('Proven', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 });
  await expect(
    page.getByRole('heading', { name: 'In the store, with changes that are not proven' }),
  ).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  // Its link leads to the field.
  await lesson('Write')
    .getByRole('link', { name: /^Fix Reference solution/ })
    .click();
  await page.waitForURL(`**/admin/courses/${id}/content/${coding.id}#solution`);
  await send('put', `/api/admin/lessons/${coding.id}`, {
    ...CODING,
    solution: 'const double = (n) => n * 2;',
    version: coding.version,
  });
  await page.goto(`/admin/courses/${id}/publish`);
  await expect(lesson('Write').getByText('Changed since', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await expect(page.getByRole('heading', { name: 'In the store, and proven' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('main').getByText('Active', { exact: true })).toBeVisible();

  const learner = await browser.newContext({ baseURL: baseURL! });
  const { token } = await buy(learner.request, 'Barbara Liskov', [{ id, title, price: '20.00' }]);
  // In the catalogue only while it is bought: other tests count what is there.
  await send('put', `/api/courses/${id}/toggle`, undefined);
  const as = { authorization: `Bearer ${token}` };
  await expect(async () => {
    expect(await (await learner.request.get('/api/enrollments', { headers: as })).json()).toHaveLength(1);
  }).toPass();
  const act = async (path: string, data: unknown) => {
    const answer = await learner.request.post(path, { headers: as, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  for (const { id: lessonId } of [text, film, sheet]) {
    await act(`/api/courses/${id}/content/${lessonId}/complete`, {});
  }
  const asked = await (await learner.request.get(`/api/lessons/${quiz.id}/quiz`, { headers: as })).json();
  const answers = { [asked.questions[0].id]: 1 };
  expect((await act(`/api/lessons/${quiz.id}/quiz`, { answers })).bestScore).toBe(100);
  const run = await act('/api/execute-code', {
    lessonId: coding.id,
    code: 'const double = (n) => n + n;',
    language: 'javascript',
    timeSpent: 5,
    hintsUsed: 0,
  });
  expect(run.isCorrect).toBe(true);
  const screen = (await learner.request.get(`/learn/${id}?lesson=${scenario.id}`)).url();
  const scenarioId = Number(/\/scenario\/(\d+)$/.exec(screen)?.[1]);
  await act(`/api/scenarios/${scenarioId}/start`, {});
  const end = await act('/api/execute-scenario-action', { scenarioId, action: 'delete old logs' });
  expect(end.completed).toBe(true);
  const [mine] = await (await learner.request.get('/api/enrollments', { headers: as })).json();
  expect(mine.progress).toBe(100);
  await learner.close();
});

test('a finding is let pass with a reason, taken back, and counts again', async ({ page }, { project }) => {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    title: `Let it pass ${project.name} ${Date.now()}`,
    description: 'A course with a test that is too weak.',
    thumbnail: '/favicon.svg',
    price: '20.00',
    duration: '1 hour',
    level: 'Beginner',
    categoryId: 1,
    isActive: false,
  });
  try {
    // The starter passes already, which the check refuses.
    await send(`/api/admin/courses/${id}/lessons`, {
      type: 'interactive_coding',
      title: 'Write',
      instructions: 'Write `double(n)`.',
      codingLanguage: 'javascript',
      starterCode: 'const double = (n) => n * 2;',
      solution: 'const double = (n) => n * 2;',
      testCases: [
        { input: 'double(2)', expectedOutput: '4', description: 'Two', hidden: false, mode: 'call' },
        { input: 'double(5)', expectedOutput: '10', description: 'Five', hidden: true, mode: 'call' },
      ],
    });
    const report = await prove(page.request, headers, id);
    expect(report.ready).toBe(false);
    await page.goto(`/admin/courses/${id}/publish`);
    await expect(page.getByText('To fix', { exact: true })).toBeVisible();
    const pass = page.getByRole('button', { name: /^Let it pass: / });
    await expect(pass).toHaveCount(1);
    await pass.click();
    const dialog = page.getByRole('dialog', { name: 'Let this finding pass?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Let it pass' }).click();
    await expect(dialog.getByText('Reason is required')).toBeVisible();
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await dialog.getByLabel('Reason').fill('The lesson shows a program that works.');
    await dialog.getByRole('button', { name: 'Let it pass' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('The lesson shows a program that works.')).toBeVisible();
    await expect(page.getByText('To fix', { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.reload();
    await expect(page.getByText('The lesson shows a program that works.')).toBeVisible();
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect(page.getByText('To fix', { exact: true })).toBeVisible();
    await expect(pass).toHaveCount(1);
  } finally {
    await page.request.delete(`/api/courses/${id}`, { headers });
  }
});

test.describe('a course as files', () => {
  // An archive that was cut off is tried.
  test.use({ allowed: [/status of 400/] });

  test('a course leaves as files and comes back, and shows what would change', async ({ page, isMobile }) => {
    // The two screens share the site: each copies a course of its own.
    const title = isMobile ? 'Prepare for a Technical Interview' : 'First Programs in Five Languages';
    const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    const downloading = page.waitForEvent('download');
    await chooseForCourse(page, title, 'Export');
    const path = await (await downloading).path();

    await page.goto('/admin/courses/import');
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await expect(page.getByText('Choose a file', { exact: true })).toBeVisible();
    const whole = await readFile(path);
    const zip = (buffer: Buffer) => ({ name: 'course.zip', mimeType: 'application/zip', buffer });
    const show = page.getByRole('button', { name: 'Show what would change' });
    await page.getByLabel('Zip file').setInputFiles(zip(whole.subarray(0, Math.floor(whole.length * 0.99))));
    await show.click();
    await expect(page.getByRole('heading', { name: 'The files are no course yet' })).toBeFocused();
    await expect(page.getByText('is no zip file, or is cut off or broken')).toBeVisible();

    // The first part never arrives: it is paused, given up, begun anew, and goes on after a pause.
    const begun: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/admin\/course-uploads(\/|$)/.test(request.url())) begun.push(request.method());
    });
    const uploads = '**/api/admin/course-uploads/*';
    await page.route(uploads, (route) =>
      route.request().method() === 'DELETE' ? route.continue() : undefined,
    );
    const bar = page.getByRole('progressbar', { name: /^Upload/ });
    for (const next of ['Cancel', 'Pause'] as const) {
      await page.getByLabel('Zip file').setInputFiles(path);
      const part = page.waitForRequest((request) => request.method() === 'PATCH');
      await show.click();
      await part;
      await expect(bar).toBeVisible();
      await page.getByRole('button', { name: next, exact: true }).click();
      if (next === 'Cancel') await expect(bar).toHaveCount(0);
    }
    await expect(page.getByRole('progressbar', { name: 'Upload, paused' })).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'What would change' })).toBeFocused();
    expect(begun).toEqual(['POST', 'PATCH', 'DELETE', 'POST', 'PATCH', 'HEAD', 'PATCH']);
    // The course that it came from is proposed, and nothing of it would change.
    await expect(page.getByText(`In “${title}”: nothing.`)).toBeVisible();
    await expect(page.getByLabel('Read it into')).toContainText(title);
    await page.getByLabel('Zip file').setInputFiles(await withPicture(path));
    await page.getByLabel('Read it into').click();
    await page.getByRole('option', { name: 'A new course', exact: true }).click();
    // While the list closes, everything beside it is hidden from assistive technology.
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await expect(page.getByRole('heading', { name: 'What would change' })).toBeFocused();
    await expect(
      page.getByText(`A new course, “${title}”: 5 new lessons. 1 picture would be added to its library.`),
    ).toBeVisible();
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Make the course' }).click();
    await page.waitForURL(/\/admin\/courses\/\d+\/publish$/);
    const id = Number(/courses\/(\d+)/.exec(page.url())![1]);
    try {
      await expect(page.getByRole('main').getByText('Inactive', { exact: true })).toBeVisible();
      await expect(page.getByText('Not checked', { exact: true })).toHaveCount(5);
      const report = await prove(page.request, headers, id);
      expect(report.ready).toBe(true);
      await page.goto(`/courses/${id}`);
      await page.getByRole('tab', { name: 'Curriculum' }).click();
      await page.locator('summary').filter({ hasText: 'Preview' }).first().click();
      const figure = page.getByRole('figure').filter({ hasText: 'Drawn by hand' });
      await figure.scrollIntoViewIfNeeded();
      const picture = figure.getByRole('img', { name: 'A green square' });
      await expect(picture).toHaveJSProperty('complete', true);
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    } finally {
      await page.request.delete(`/api/courses/${id}`, { headers });
    }
  });
});

/** A course's archive whose first lesson shows a picture. */
async function withPicture(path: string) {
  const files = await unzip(await readFile(path));
  const lesson = [...files.keys()].find((name) => name.startsWith('lessons/01-'))!;
  const shown = '\n![A green square](../pictures/square.png "Drawn by hand")\n';
  files.set(lesson, Buffer.concat([files.get(lesson)!, Buffer.from(shown)]));
  const square = { width: 300, height: 300, channels: 3 as const, background: '#00aa55' };
  files.set('pictures/square.png', await sharp({ create: square }).png().toBuffer());
  return { name: 'course.zip', mimeType: 'application/zip', buffer: await zipOf(files) };
}
