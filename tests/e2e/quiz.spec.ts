import type { Browser, Page } from '@playwright/test';
import { ADMIN, buy, prove, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const QUESTIONS = [
  {
    question: 'Which is `2 + 2`?',
    options: ['3', '4'],
    correctAnswer: 1,
    feedback: ['One too few.', ''],
    explanation: 'Sums.',
  },
  {
    kind: 'several_answers',
    question: 'Which are even?',
    options: ['1', '2', '4'],
    correctAnswers: [1, 2],
    explanation: 'Halves.',
  },
  { kind: 'true_false', question: 'Zero is even.', isTrue: true, explanation: 'It is.' },
  {
    kind: 'short_text',
    question: 'What is half of two?',
    accepted: ['one', '1'],
    explanation: 'One.',
    points: 2,
  },
  {
    kind: 'number',
    question: 'How long is a mile?',
    value: 1.609,
    tolerance: 0.01,
    unit: 'km',
    explanation: 'Long.',
  },
  {
    kind: 'ordering',
    question: 'Order by size.',
    items: ['atom', 'cell', 'cat', 'whale'],
    explanation: 'Growing.',
  },
  {
    kind: 'matching',
    question: 'Which capital is whose?',
    pairs: [
      { prompt: 'France', match: 'Paris' },
      { prompt: 'Spain', match: 'Madrid' },
    ],
    distractors: ['Rome'],
    explanation: 'Maps.',
  },
  { kind: 'gaps', question: 'Fill the gaps.', text: 'Two and [[two]] are [[four|4]].', explanation: 'Sums.' },
];

// One answer is lost on purpose.
test.use({ allowed: [/ERR_CONNECTION_RESET/] });

async function looksRight(page: Page): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
}

/** A course of these lessons that somebody has bought, who is signed in. */
async function boughtCourse(
  page: Page,
  browser: Browser,
  baseURL: string,
  title: string,
  lessons: object[],
): Promise<number> {
  const admin = await browser.newContext({ baseURL });
  const headers = { authorization: `Bearer ${await signIn(await admin.newPage(), ADMIN)}` };
  const send = async (path: string, data: unknown) => {
    const answer = await admin.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send('/api/courses', {
    title,
    description: 'One question of each kind.',
    thumbnail: '/favicon.svg',
    price: '20.00',
    duration: '1 hour',
    level: 'Beginner',
    categoryId: 1,
  });
  for (const lesson of lessons) await send(`/api/admin/courses/${id}/lessons`, lesson);
  expect((await prove(admin.request, headers, id)).ready).toBe(true);
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
  return id;
}

test(
  'a quiz of every kind is answered by keyboard, kept through a reload and a lost connection, and marked',
  {
    tag: '@phone',
  },
  async ({ page, browser, baseURL, isMobile }, { project }) => {
    const id = await boughtCourse(
      page,
      browser,
      baseURL!,
      `A quiz of every kind ${project.name} ${Date.now()}`,
      [
        {
          type: 'quiz',
          title: 'Every kind',
          questions: QUESTIONS,
          quizSettings: { attempts: 2, passPercent: 60, shuffleOptions: true },
        },
      ],
    );
    await page.goto(`/learn/${id}`);
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    const quiz = page.getByRole('region', { name: 'Quiz' });
    const question = (text: string) => quiz.getByRole('group', { name: text });
    const button = (name: string) => quiz.getByRole('button', { name, exact: true });
    /** A phone asks one question at a time. */
    const show = async (text: string) => {
      while (isMobile && (await button('Back').isVisible())) await button('Back').click();
      while (isMobile && !(await question(text).isVisible())) await button('Next question').click();
    };
    const submit = async () => {
      await show('Fill the gaps.');
      await button('Submit answers').click();
    };
    await expect(
      quiz.getByText('8 questions · 60% passes · the best score counts · 2 attempts left'),
    ).toBeVisible();
    await submit();
    await expect(question('Which is 2 + 2?').getByRole('radio').first()).toBeFocused();
    await show('Order by size.');
    await expect(quiz.getByText('Question 6 has no answer')).toBeVisible();
    await expectNoOverflow(page);

    // By keyboard alone.
    await show('Which is 2 + 2?');
    await question('Which is 2 + 2?').getByRole('radio', { name: '3' }).focus();
    await page.keyboard.press('Space');
    await show('Which are even?');
    await question('Which are even?').getByRole('checkbox', { name: '4' }).focus();
    await page.keyboard.press('Space');
    await show('Zero is even.');
    await question('Zero is even.').getByRole('radio', { name: 'True' }).focus();
    await page.keyboard.press('Space');
    await show('What is half');
    await question('What is half').getByLabel('Your answer').fill('One');
    await show('How long');
    await question('How long').getByLabel('Your number').fill('1.6 miles');
    await show('Order by size.');
    const order = question('Order by size.');
    // Up until it cannot go further, from wherever it stands: the button keeps the focus.
    for (const item of ['whale', 'cat', 'cell', 'atom']) {
      for (let step = 0; step < 3; step += 1) {
        await order.getByRole('button', { name: `Move ${item} up` }).focus();
        await page.keyboard.press('Enter');
      }
    }
    await expect(order.getByRole('listitem')).toHaveText([/atom/, /cell/, /cat/, /whale/]);
    await show('Which capital');
    await question('Which capital').getByLabel('France').selectOption('Paris');
    await question('Which capital').getByLabel('Spain').selectOption('Rome');
    await show('Fill the gaps.');
    await question('Fill the gaps.').getByLabel('Gap 1 of 2').fill('two');
    await submit();
    await expect(quiz.getByText('Question 5 needs a number, such as 12.5 km')).toBeVisible();
    if (!isMobile) await expect(quiz.getByText('6 of 8 answered')).toBeVisible();
    await looksRight(page);
    await show('Fill the gaps.');
    await expect(quiz.getByText('Question 8 has an empty gap')).toBeVisible();
    await show('How long');
    await question('How long').getByLabel('Your number').fill('1.6');

    await page.reload();
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    if (!isMobile) await expect(quiz.getByText('7 of 8 answered')).toBeVisible();
    await show('Order by size.');
    await expect(order.getByRole('listitem')).toHaveText([/atom/, /cell/, /cat/, /whale/]);
    await show('Fill the gaps.');
    await expect(question('Fill the gaps.').getByLabel('Gap 1 of 2')).toHaveValue('two');
    await question('Fill the gaps.').getByLabel('Gap 2 of 2').fill('5');

    // The answer to the first request gets lost; the second one is no further attempt.
    let lost = 0;
    await page.route('**/api/lessons/*/quiz', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await submit();
    await expect(page.getByText('Not submitted', { exact: true }).first()).toBeVisible();
    await expect(question('Fill the gaps.').getByLabel('Gap 2 of 2')).toHaveValue('5');
    await submit();
    // Of 9 points: 0 + 0.5 + 1 + 2 + 1 + 1 + 0.5 + 0.5.
    await expect(quiz.getByText('72%', { exact: true }).first()).toBeVisible();
    // The only lesson is done with it, and so is the course.
    await expect(page.getByRole('dialog', { name: 'You finished the course' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(quiz.getByText('1 attempt left')).toBeVisible();
    await expect(quiz.getByText('Passed', { exact: true }).first()).toBeVisible();
    await expect(question('Which is 2 + 2?').getByText('One too few.')).toBeVisible();
    await expect(question('Which are even?').getByText('Partly right: 0.5 of 1 point')).toBeVisible();
    await expect(question('What is half').getByText('2 of 2 points')).toBeVisible();
    await expect(question('Which capital').getByText('Right answer: Madrid')).toBeVisible();
    await expect(question('Fill the gaps.').getByText('Right answer: four')).toBeVisible();
    await looksRight(page);

    await quiz.getByRole('button', { name: 'Try again' }).click();
    await expect(quiz.getByText(isMobile ? 'Question 1 of 8' : '0 of 8 answered')).toBeVisible();
    if (!isMobile) await expectNoOverflow(page);
  },
);

test(
  'a quiz with feedback after each question keeps first answers, practises what was wrong, and leads on',
  {
    tag: '@phone',
  },
  async ({ page, browser, baseURL }, { project }) => {
    const SINGLES = ['One', 'Two', 'Three'].map((question) => ({
      question: `${question}?`,
      options: ['wrong', 'right'],
      correctAnswer: 1,
      explanation: `Because of ${question}.`,
    }));
    const id = await boughtCourse(page, browser, baseURL!, `Told quiz ${project.name} ${Date.now()}`, [
      {
        type: 'quiz',
        title: 'Told',
        questions: SINGLES,
        quizSettings: { feedback: 'each', passPercent: 60 },
      },
      { type: 'text', title: 'What follows', content: 'Read this.' },
    ]);
    const open = async () => {
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    };
    await page.goto(`/learn/${id}`);
    await open();
    const quiz = page.getByRole('region', { name: 'Quiz' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await expect(quiz.getByText('feedback after each question')).toBeVisible();
    await expect(quiz.getByRole('group')).toHaveCount(1);
    await button('Check').click();
    await expect(quiz.getByText('Question 1 has no answer')).toBeVisible();
    await quiz.getByRole('radio', { name: 'wrong' }).check();
    await button('Check').click();
    await expect(quiz.getByText('Because of One.')).toBeVisible();
    await expect(quiz.getByText('Not right', { exact: true })).toBeVisible();
    await looksRight(page);

    // Leaving the page is no way to another first answer.
    await page.reload();
    await open();
    await expect(quiz.getByRole('group', { name: 'Two?' })).toBeVisible();
    for (const question of ['Two', 'Three']) {
      await quiz
        .getByRole('group', { name: `${question}?` })
        .getByRole('radio', { name: 'right' })
        .check();
      await button('Check').click();
      await expect(quiz.getByText(`Because of ${question}.`)).toBeVisible();
      if (question === 'Two') await button('Next question').click();
    }
    await button('See the result').click();

    const practice = page.getByRole('region', { name: 'Once more: the one that was wrong' });
    await expect(practice.getByText('your score stays')).toBeVisible();
    await practice.getByRole('radio', { name: 'wrong' }).check();
    await button('Check').click();
    await expect(practice.getByText('Not right yet. It comes back.')).toBeVisible();
    await looksRight(page);
    await button('Next question').click();
    await practice.getByRole('radio', { name: 'right' }).check();
    await button('Check').click();
    await expect(practice.getByText('Right.', { exact: true })).toBeVisible();
    await button('See the result').click();

    await expect(quiz.getByText('66%', { exact: true }).first()).toBeVisible();
    await expect(quiz.getByText('2 of 3 right.')).toBeVisible();
    await looksRight(page);
    await quiz.getByRole('link', { name: 'Next lesson: What follows' }).click();
    await expect(page.getByRole('heading', { name: 'What follows', level: 1 })).toBeVisible();
  },
);

test(
  'an author writes a question of every kind, and is told what is missing where',
  {
    tag: '@phone',
  },
  async ({ page }, { project }) => {
    const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
    const made = await page.request.post('/api/courses', {
      headers,
      data: {
        title: `Questions ${project.name} ${Date.now()}`,
        description: 'To be written.',
        thumbnail: '/favicon.svg',
        price: '20.00',
        duration: '1 hour',
        level: 'Beginner',
        categoryId: 1,
        isActive: false,
      },
    });
    const { id } = await made.json();
    try {
      await page.goto(`/admin/courses/${id}/content`);
      await page.getByRole('link', { name: 'Quiz', exact: true }).click();
      await page.getByLabel('Lesson title').fill('Every kind');
      for (const kind of [
        'Single choice',
        'Several answers',
        'True or false',
        'Short text',
        'Number',
        'Ordering',
        'Matching',
        'Fill the gaps',
      ]) {
        await page.getByRole('combobox', { name: 'Kind of the new question' }).click();
        await page.getByRole('option', { name: kind, exact: true }).click();
        await page.getByRole('button', { name: 'Add question' }).click();
      }
      await page.getByText('How it is asked').click();
      await page.getByRole('button', { name: 'Draw from a tag' }).click();
      await page.getByLabel('Pass mark in percent').fill('101');
      await page.getByRole('button', { name: 'Add Content' }).click();
      const group = (number: number) => page.getByRole('group', { name: new RegExp(`^Question ${number},`) });
      await expect(group(1).getByText('Question is required')).toBeVisible();
      await expect(group(1).getByText('Option is required').first()).toBeVisible();
      await expect(group(2).getByText('Choose at least one correct option')).toBeVisible();
      await expect(group(4).getByText('Accepted answer is required')).toBeVisible();
      await expect(group(5).getByText('The right number must be a number')).toBeVisible();
      await expect(group(6).getByText('Item is required').first()).toBeVisible();
      await expect(group(7).getByText('Match is required').first()).toBeVisible();
      await expect(group(8).getByText('Text with gaps is required')).toBeVisible();
      await expect(page.getByText('The pass mark must be at most 100')).toBeVisible();
      await expect(page.getByText('Tag is required')).toBeVisible();
      await looksRight(page);

      await page.getByRole('button', { name: 'Remove drawing 1' }).click();
      await page.getByLabel('Pass mark in percent').fill('80');
      const fill = (number: number, label: string, text: string) =>
        group(number).getByRole('textbox', { name: label, exact: true }).fill(text);
      for (const number of [1, 2, 3, 4, 5, 6, 7]) {
        await group(number).getByRole('textbox', { name: 'Question' }).fill(`Number ${number}?`);
      }
      for (const number of [1, 2]) {
        await fill(number, 'Option 1', 'yes');
        await fill(number, 'Option 2', 'no');
      }
      await group(1).getByRole('radio', { name: 'Option 1 is correct' }).check();
      await group(2).getByRole('checkbox', { name: 'Option 2 is correct' }).check();
      await group(3).getByRole('radio', { name: 'False' }).click();
      await fill(4, 'Accepted answer 1', 'Paris');
      await group(5).getByLabel('Right number').fill('3.5');
      await group(5).getByLabel('Unit').fill('kg');
      await fill(6, 'Item 1', 'second');
      await fill(6, 'Item 2', 'first');
      await group(6).getByRole('button', { name: 'Move item 2 up' }).click();
      await fill(7, 'Prompt 1', 'a');
      await fill(7, 'Match 1', '1');
      await fill(7, 'Prompt 2', 'b');
      await fill(7, 'Match 2', '2');
      await group(8).getByLabel('Text with gaps').fill('It is [[raining|snowing]].');
      await expect(group(8).getByText('1 gap.')).toBeVisible();
      await group(1).getByRole('button', { name: 'Duplicate question 1' }).click();
      await expect(group(2).getByRole('textbox', { name: 'Option 1', exact: true })).toHaveValue('yes');
      await group(2).getByRole('button', { name: 'Remove question 2' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(group(2).getByRole('textbox', { name: 'Option 1', exact: true })).toHaveValue('yes');
      await group(2).getByRole('button', { name: 'Remove question 2' }).click();
      await page.getByRole('button', { name: 'Add Content' }).click();
      await page.waitForURL(`**/admin/courses/${id}/content`);
      await page.getByRole('link', { name: 'Every kind' }).first().click();
      await expect(page.getByLabel('Pass mark in percent')).toHaveValue('80');
      // One question is open, the others are a line each.
      const unfold = (number: number) => group(number).locator('summary').first().click();
      await expect(group(1).getByRole('textbox', { name: 'Question' })).toBeVisible();
      await expect(group(6).getByText('Number 6?').first()).toBeVisible();
      await unfold(6);
      await expect(group(1).getByRole('textbox')).toHaveCount(0);
      await expect(group(6).getByRole('textbox', { name: 'Item 1', exact: true })).toHaveValue('first');
      await unfold(3);
      await expect(group(3).getByRole('radio', { name: 'False' })).toBeChecked();
      await unfold(8);
      await expect(group(8).getByLabel('Text with gaps')).toHaveValue('It is [[raining|snowing]].');
    } finally {
      await page.request.delete(`/api/courses/${id}`, { headers });
    }
  },
);
