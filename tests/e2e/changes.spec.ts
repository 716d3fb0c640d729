import { ADMIN, buy, prove, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test.use({ allowed: [/status of 409/] });

test(
  'what is changed in a published course is seen, previewed, refused, taken back and published together',
  {
    tag: '@phone',
  },
  async ({ page, browser, baseURL }, { project }) => {
    test.setTimeout(180_000);
    const title = `Changes that wait ${project.name} ${Date.now()}`;
    const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
    const send = async (method: 'post' | 'put', path: string, data?: unknown) => {
      const answer = await page.request[method](path, { headers, data });
      expect(answer.ok(), await answer.text()).toBe(true);
      return answer.json();
    };
    const { id } = await send('post', '/api/courses', {
      title,
      description: 'A course that is worked on while it is sold.',
      thumbnail: '/favicon.svg',
      price: '20.00',
      duration: '1 hour',
      level: 'Beginner',
      categoryId: 1,
    });
    const add = (data: object) => send('post', `/api/admin/courses/${id}/lessons`, data);
    const read = await add({ type: 'text', title: 'Read', content: 'Words of before.' });
    const CODING = {
      type: 'interactive_coding',
      title: 'Write',
      instructions: 'Write `double(n)`.',
      codingLanguage: 'javascript',
      starterCode: 'const double = (n) => n;',
      solution: 'const double = (n) => n * 2;',
      testCases: [
        { input: 'double(2)', expectedOutput: '4', description: 'Two', mode: 'call' },
        { input: 'double(5)', expectedOutput: '10', description: 'Five', mode: 'call' },
      ],
    };
    const write = await add(CODING);
    expect((await prove(page.request, headers, id)).ready).toBe(true);

    // Somebody has bought it and completed the first lesson.
    const learner = await browser.newContext({ baseURL: baseURL! });
    const { token } = await buy(learner.request, `Grace ${project.name}`, [{ id, title, price: '20.00' }]);
    await send('put', `/api/courses/${id}/toggle`);
    const as = { authorization: `Bearer ${token}` };
    await expect(async () => {
      expect(await (await learner.request.get('/api/enrollments', { headers: as })).json()).toHaveLength(1);
    }).toPass();
    const done = await learner.request.post(`/api/courses/${id}/content/${read.id}/complete`, {
      headers: as,
      data: {},
    });
    expect(done.ok(), await done.text()).toBe(true);
    const theirs = await learner.newPage();
    await theirs.addInitScript((kept) => localStorage.setItem('auth_token', kept), token);

    await page.goto(`/admin/courses/${id}/content`);
    await expect(page.getByText('This course is published')).toBeVisible();
    await page.getByRole('link', { name: 'Edit Read' }).click();
    await expect(page.getByRole('toolbar', { name: 'Markdown' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Content' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Words of after.');
    await expect(page.locator('textarea[name="content"]')).toHaveValue('Words of after.');
    await page.getByRole('button', { name: 'Save lesson' }).click();
    await page.waitForURL(`**/admin/courses/${id}/content`);
    await expect(page.getByText('Changed, not published')).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
    // A wrong expected output, and a new lesson.
    const { version } = write;
    await send('put', `/api/admin/lessons/${write.id}`, {
      ...CODING,
      version,
      testCases: [CODING.testCases[0], { ...CODING.testCases[1], expectedOutput: '11' }],
    });
    await add({ type: 'text', title: 'More', content: 'A lesson more.' });
    await theirs.goto(`/learn/${id}?lesson=${read.id}`);
    await expect(theirs.getByText('Words of before.')).toBeVisible();

    await page.reload();
    await expect(page.getByText('2 lessons changed, 1 new lesson.')).toBeVisible();
    await page.getByRole('link', { name: 'Review and publish' }).click();
    await page.waitForURL(`**/admin/courses/${id}/publish`);
    const changes = page.getByRole('region', { name: 'Changes that learners do not have yet' });
    const change = (name: string) =>
      page
        .getByRole('region', { name: 'Lessons' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name }) });
    await change('Read').getByText('What is different').click();
    await expect(change('Read').locator('del')).toHaveText('− Words of before.');
    await expect(change('Read').locator('ins')).toHaveText('+ Words of after.');
    await change('Read')
      .getByRole('radio', { name: /^A new version/ })
      .click();
    await expectNoOverflow(page);
    await expectAccessible(page);

    // As a learner: with the changes, and as it is now.
    await changes.getByRole('button', { name: 'Preview as learner' }).click();
    const bar = page.getByRole('region', { name: 'Preview' });
    await expect(bar).toContainText('with the changes that are not published');
    await expect(page.getByText('Words of after.')).toBeVisible();
    await expectNoOverflow(page);
    await bar.getByRole('button', { name: 'See it as it is now' }).click();
    await expect(bar).toContainText('as learners have it now');
    await expect(page.getByText('Words of before.')).toBeVisible();
    await bar.getByRole('button', { name: 'Leave preview' }).click();
    await page.waitForURL(`**/admin/courses/${id}/content`);

    await page.goto(`/admin/courses/${id}/publish`);
    await changes.getByRole('button', { name: 'Publish changes' }).click();
    await expect(changes.getByText('Nothing was published', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    await theirs.reload();
    await expect(theirs.getByText('Words of before.')).toBeVisible();
    await expectAccessible(page);

    // What does not pass is taken back; the rest goes out at once.
    await change('Write').getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('Discard the change of “Write”?');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(question).toHaveCount(0);
    await expect(change('Write').getByRole('button', { name: 'Discard' })).toHaveCount(0);
    await change('Read')
      .getByRole('radio', { name: /^A new version/ })
      .click();
    await changes.getByRole('button', { name: 'Publish changes' }).click();
    await expect(
      page.getByText('Learners have it now: 1 lesson changed, 1 new lesson.', { exact: true }),
    ).toBeVisible({
      timeout: 60_000,
    });
    await expect(changes).toHaveCount(0);
    await theirs.goto(`/learn/${id}?lesson=${read.id}`);
    await expect(theirs.getByText('Words of after.')).toBeVisible();
    // On a phone the list of lessons is folded.
    await expect(theirs.getByText('More', { exact: true })).not.toHaveCount(0);

    // Everything taken back, with a question before it.
    await page.goto(`/admin/courses/${id}/content`);
    await page.getByRole('button', { name: 'Delete More' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Learners keep “More” until you publish');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('1 lesson removed.')).toBeVisible();
    await page.goto(`/admin/courses/${id}/publish`);
    await expect(change('More').getByText('Removed', { exact: true })).toBeVisible();
    await changes.getByRole('button', { name: 'Discard all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(changes).toHaveCount(0);
    await page.goto(`/admin/courses/${id}/content`);
    await expect(page.getByRole('link', { name: 'Edit More' })).toBeVisible();
    await learner.close();
  },
);
