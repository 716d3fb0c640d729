import sharp from 'sharp';
import { ADMIN, buy, prove, signIn } from './admin-session.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  expectNoOverflowWhenNarrow,
  expectSoundIds,
  test,
} from './fixtures.ts';

const CODE = [
  '```js',
  'const sum = numbers.filter((one) => Number.isFinite(one)).reduce((so, one) => so + one, 0); // long',
  '```',
].join('\n');

test(
  'a question with code, a formula and a picture is written and answered',
  { tag: '@phone' },
  async ({ page, browser, baseURL }, { project }) => {
    const admin = await browser.newContext({ baseURL: baseURL! });
    const author = await admin.newPage();
    const headers = { authorization: `Bearer ${await signIn(author, ADMIN)}` };
    const title = `Formatted questions ${project.name} ${Date.now()}`;
    const made = await admin.request.post('/api/courses', {
      headers,
      data: {
        title,
        description: 'Questions with code.',
        thumbnail: '/favicon.svg',
        price: '20.00',
        duration: '1 hour',
        level: 'Beginner',
        categoryId: 1,
      },
    });
    expect(made.ok(), await made.text()).toBe(true);
    const { id } = await made.json();

    await author.goto(`/admin/courses/${id}/content/new?type=quiz`);
    await expect(author.locator('astro-island[ssr]')).toHaveCount(0);
    await author.getByLabel('Lesson title').fill('Formats');
    await author.getByRole('button', { name: 'Add question' }).click();
    const group = author.getByRole('group', { name: 'Question 1, Single choice' });
    const toolbar = group.getByRole('toolbar', { name: 'Markdown' });
    const asked = group.getByRole('textbox', { name: 'Question', exact: true });
    await expect(asked).toBeFocused();
    await expect(toolbar).toHaveCount(0);
    // The editor comes with the focus, once its tools are unfolded.
    await group.getByText('More', { exact: true }).click();
    await expect(group.getByRole('checkbox', { name: 'Formatted text' })).toBeChecked();
    await asked.focus();
    await expect(toolbar).toHaveCount(1);
    await asked.fill(`# What is \`sum\`?\n\n${CODE}\n\nAnd $a^2$?\n\n`);
    const chooser = author.waitForEvent('filechooser');
    await toolbar.getByRole('button', { name: 'Picture', exact: true }).click();
    const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: '#3366cc' } });
    await (await chooser).setFiles({
      name: 'plan.png',
      mimeType: 'image/png',
      buffer: await picture.png().toBuffer(),
    });
    const chosen = group.getByRole('group', { name: /^Picture plan/ });
    await chosen.getByLabel('Alternative text').fill('A blue plan');
    await chosen.getByRole('button', { name: /^(Insert|Put)/ }).click();
    await expect(group.getByRole('group', { name: 'Preview' }).first().locator('img')).toHaveAttribute(
      'alt',
      'A blue plan',
    );

    await group.getByRole('textbox', { name: 'Option 1' }).fill(CODE);
    await group
      .getByRole('textbox', { name: 'Option 2' })
      .fill('A **number**\n\n- of $x$\n- [and](/about) more');
    await group.getByRole('radio', { name: 'Option 2 is correct' }).check();
    await group.getByRole('textbox', { name: 'Explanation' }).fill('Because it *adds*.');
    await expectNoOverflow(author);
    await expectAccessible(author);
    await author.getByRole('button', { name: 'Add Content' }).click();
    await author.waitForURL(`**/admin/courses/${id}/content`);

    // Opened again, no editor is there before somebody goes into a field; the list shows the words.
    await author.goto(`/admin/courses/${id}/questions`);
    await expect(author.getByRole('checkbox', { name: /^What is sum\? const sum/ })).toBeVisible();
    await author.getByRole('link', { name: 'Formats, question 1' }).click();
    await expect(author.locator('astro-island[ssr]')).toHaveCount(0);
    await expect(toolbar).toHaveCount(0);
    await group.getByText('More', { exact: true }).click();
    await asked.focus();
    await expect(toolbar).toHaveCount(1);
    await expect(asked).toBeFocused();

    const proof = await prove(admin.request, headers, id);
    expect(proof.ready, JSON.stringify(proof)).toBe(true);
    const { token } = await buy(page.request, `Ada ${title}`, [{ id, title, price: '20.00' }]);
    await expect(async () => {
      const mine = await page.request.get('/api/enrollments', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await mine.json()).toHaveLength(1);
    }).toPass();
    await admin.request.put(`/api/courses/${id}/toggle`, { headers });
    await admin.close();

    await page.addInitScript((value) => localStorage.setItem('auth_token', value), token);
    await page.goto(`/learn/${id}`);
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    const quiz = page.getByRole('region', { name: 'Quiz' });
    const question = quiz.getByRole('group', { name: /What is sum\?/ });
    await expect(question.locator('pre code')).toContainText('const sum');
    await expect(question.locator('math').first()).toBeVisible();
    const shown = question.getByRole('img', { name: 'A blue plan' });
    await shown.scrollIntoViewIfNeeded();
    await expect
      .poll(() => shown.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    await expect(question.getByRole('heading')).toHaveCount(0);
    await expect(question.locator('label').locator('p, pre, ul, li, a, div')).toHaveCount(0);
    await expectNoOverflowWhenNarrow(page);
    await expectAccessible(page);
    await expectSoundIds(page);
    await expect(quiz.getByText('Because it')).toHaveCount(0);

    // A click on code inside an option chooses it.
    await question.locator('label code').first().click();
    await expect(question.getByRole('radio').first()).toBeChecked();
    await question.getByText('number', { exact: true }).click();
    await expect(question.getByRole('radio', { name: /A number/ })).toBeChecked();
    await quiz.getByRole('button', { name: 'Submit answers' }).click();
    const finished = page.getByRole('dialog', { name: 'You finished the course' });
    await expect(finished).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(finished).toHaveCount(0);
    await expect(quiz.getByText('100%', { exact: true }).first()).toBeVisible();
    await expect(quiz.locator('em', { hasText: 'adds' })).toBeVisible();
    await expectNoOverflowWhenNarrow(page);
    await expectAccessible(page);
  },
);
