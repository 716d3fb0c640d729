import type { Page } from '@playwright/test';
import { ADMIN, chooseForCourse, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

// A PNG of one pixel.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let token = '';
let made: number[] = [];
test.beforeEach(async ({ page }) => {
  token = await signIn(page, ADMIN);
  made = [];
});
// Other tests look for the courses of the demo on the first page.
test.afterEach(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL! });
  for (const id of made) {
    await request.delete(`/api/courses/${id}`, { headers: { authorization: `Bearer ${token}` } });
  }
  await request.dispose();
});

const COURSE = {
  title: 'Compilers',
  description: 'How a language becomes a program.',
  thumbnail: '/favicon.svg',
  price: '49.00',
  originalPrice: '79.00',
  duration: '12 hours',
  level: 'Intermediate',
  categoryId: 1,
};

/** Makes a course by the call, for tests of something else; hidden, so that no other test counts it. */
async function makeCourse(page: Page, title: string, thumbnail = COURSE.thumbnail): Promise<{ id: number }> {
  const answer = await page.request.post('/api/courses', {
    headers: { authorization: `Bearer ${token}` },
    data: { ...COURSE, title, thumbnail, isActive: false },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const course = await answer.json();
  made.push(course.id);
  return course;
}

const unique = (name: string) => `${name} ${Date.now()}-${Math.round(Math.random() * 1e4)}`;

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const courseRow = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Courses' }).getByRole('listitem').filter({ hasText: title });

test.describe('a picture that is gone', () => {
  test.use({ allowed: [/status of 404/] });

  test('leaves the drawn cover with the title of the course', async ({ page }) => {
    const title = unique('Loaders');
    await makeCourse(page, title, '/gone.png');
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    const cover = courseRow(page, title).locator('.cover');
    await expect(cover.locator('img')).toBeHidden();
    const drawn = await cover.evaluate((element) => getComputedStyle(element, '::before').content);
    expect(drawn).toContain(title);
  });
});

test('a course is made with a picture, and found again by its filters', { tag: '@phone' }, async ({
  page,
}) => {
  const title = unique('Compilers');
  await page.goto('/admin');
  await page.getByRole('button', { name: 'New course' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create course' }).click();
  for (const message of [
    'Title is required',
    'Description is required',
    'Category is required',
    'Choose Beginner, Intermediate or Advanced',
    'Price is required',
    'Duration is required',
    'Thumbnail is required',
  ]) {
    await expect(dialog.getByText(message, { exact: true })).toBeVisible();
  }
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expectNoOverflow(page);

  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill('How a language becomes a program.');
  await choose(page, 'Category', 'Programming');
  await choose(page, 'Level', 'Advanced');
  await expect(dialog.getByLabel('Price', { exact: true })).toHaveAttribute('step', '0.01');
  await dialog.getByLabel('Price', { exact: true }).fill('0.20');
  await dialog.getByLabel('Duration').fill('12 hours');
  await dialog.getByLabel('Thumbnail', { exact: true }).fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Create course' }).click();
  await expect(dialog.getByText('Price must be 0 for a free course, or at least 0.50')).toBeVisible();
  await expect(
    dialog.getByText('Thumbnail must be an https:// address or a path of this site'),
  ).toBeVisible();
  await dialog.getByLabel('Price', { exact: true }).fill('59.5');
  await dialog.getByLabel('Upload a picture').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: PNG,
  });
  await expect(dialog.getByLabel('Thumbnail', { exact: true })).toHaveValue(/^\/media\/[\w-]+\/cover\.png$/);
  await dialog.getByRole('button', { name: 'Create course' }).click();

  await page.waitForURL(/\/admin\/courses\/\d+\/content$/);
  made.push(Number(/courses\/(\d+)/.exec(page.url())![1]));
  await expect(page.getByText('Course created', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No lessons yet' })).toBeVisible();

  await page.goto(`/admin?search=${encodeURIComponent(title)}&level=advanced&state=unproven&sort=title`);
  const row = courseRow(page, title);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Programming · Advanced · 0 lessons · 0 students');
  await expect(row).toContainText('$59.50');
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  await expect(row.getByRole('link', { name: 'No lessons' })).toHaveAttribute(
    'href',
    `/admin/courses/${made[0]}/content`,
  );
  await expectNoOverflow(page);
  await page.goto(`/admin?search=${encodeURIComponent(title)}&level=beginner`);
  await expect(page.getByRole('heading', { name: 'No courses match' })).toBeVisible();
});

test('“Manage content” adds a lesson with the six fields, and leads to the whole editor', {
  tag: '@phone',
}, async ({ page }) => {
  const title = unique('Archivists');
  const { id } = await makeCourse(page, title);
  await page.goto(`/admin?search=${encodeURIComponent(title)}`);
  await page.getByRole('button', { name: `Manage content of ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage content' });
  await expect(dialog.getByRole('link', { name: 'Open the whole editor' })).toHaveAttribute(
    'href',
    `/admin/courses/${id}/content`,
  );
  await dialog.getByRole('button', { name: 'Add Content' }).click();
  await expect(dialog.getByText('Title is required')).toBeVisible();
  await dialog.getByLabel('Lesson Title').fill('A first look');
  await choose(page, 'Content Type', 'Document');
  await dialog.getByLabel('Duration').fill('5 min');
  await dialog.getByLabel('Order').fill('1');
  await dialog.getByRole('button', { name: 'Add Content' }).click();
  await expect(dialog.getByText('File URL is required')).toBeVisible();
  await expect(dialog.getByLabel('Lesson Title')).toHaveValue('A first look');
  await dialog.getByLabel('File URL').fill('https://example.com/look.pdf');
  await dialog.getByLabel('Description').fill('What to look at.');
  await expectNoOverflow(page);
  await dialog.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('Content added', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(courseRow(page, title)).toContainText('1 lesson');
  const course = await (
    await page.request.get(`/api/courses/${id}`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  expect(course.content).toMatchObject([
    { title: 'A first look', type: 'document', duration: '5 min', fileUrl: 'https://example.com/look.pdf' },
  ]);

  // In the store learners have that lesson, so that another one waits.
  const headers = { authorization: `Bearer ${token}` };
  expect((await page.request.put(`/api/courses/${id}/toggle`, { headers })).ok()).toBe(true);
  await page.getByRole('button', { name: `Manage content of ${title}` }).click();
  await dialog.getByLabel('Lesson Title').fill('A second look');
  await dialog.getByLabel('Description').fill('What to look at then.');
  await dialog.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByRole('link', { name: 'Publish changes' })).toHaveAttribute(
    'href',
    `/admin/courses/${id}/publish`,
  );
  await expect(courseRow(page, title)).toContainText('1 lesson · 1 waits');
});

test.describe('a colleague who saves meanwhile', () => {
  test.use({ allowed: [/status of 409/] });

  test('a course is hidden, shown and edited on one page, and a colleague’s change is still found', async ({
    page,
  }) => {
    const title = unique('Linkers');
    const { id } = await makeCourse(page, title);
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    const dialog = page.getByRole('dialog');
    const row = courseRow(page, title);
    await chooseForCourse(page, title, 'Show');
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await chooseForCourse(page, title, 'Hide');
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible();
    await chooseForCourse(page, title, 'Edit');
    await dialog.getByLabel('Original price').fill('10');
    await dialog.getByRole('button', { name: 'Save course' }).click();
    await expect(dialog.getByText('Original price must not be below the price')).toBeVisible();
    await dialog.getByLabel('Original price').fill('90');
    await dialog.getByLabel('Price', { exact: true }).fill('55');
    await dialog.getByRole('button', { name: 'Save course' }).click();
    await expect(page.getByText('Course saved', { exact: true })).toBeVisible();
    await expect(row).toContainText('$55.00');

    const theirs = await page.request.put(`/api/courses/${id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { ...COURSE, title, price: '61.00' },
    });
    expect(theirs.status()).toBe(200);
    await chooseForCourse(page, title, 'Show');
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await chooseForCourse(page, title, 'Edit');
    await dialog.getByLabel('Price', { exact: true }).fill('70');
    await dialog.getByLabel('Duration').fill('13 hours');
    await dialog.getByRole('button', { name: 'Save course' }).click();
    await expect(dialog.getByText('Somebody else changed this course meanwhile')).toBeVisible();
    await expect(dialog.getByText('Duration:')).toBeHidden();
    await expect(dialog.getByText('Price: 61.00')).toBeVisible();
  });
});

/** A course with three lessons, on the page of its content. */
async function openThreeLessons(page: Page): Promise<void> {
  const { id } = await makeCourse(page, unique('Loaders'));
  for (const title of ['One', 'Two', 'Three']) {
    const added = await page.request.post(`/api/admin/courses/${id}/lessons`, {
      headers: { authorization: `Bearer ${token}` },
      data: { type: 'text', title, content: 'Words.' },
    });
    expect(added.ok()).toBe(true);
  }
  await page.goto(`/admin/courses/${id}/content`);
  // Of clicks that come before the script only the last is repeated: whoever sees nothing happen presses again.
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
}
const lessonTitles = (page: Page) => page.getByRole('link', { name: /^\d\. / }).allTextContents();

test('two quick moves of a lesson are both kept', async ({ page }) => {
  await openThreeLessons(page);
  // The first answer is late: the second move is asked for before it.
  await page.route('**/lesson-order', async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  const down = page.getByRole('button', { name: 'Move One down' });
  await down.click();
  await down.click();
  await expect(page.getByText('One is now lesson 3 of 3.')).toBeAttached();
  await page.reload();
  expect(await lessonTitles(page)).toEqual(['1. Two', '2. Three', '3. One']);
});

test.describe('a move that is refused', () => {
  test.use({ allowed: [/status of 503|^503 /] });

  test('takes the one back that was made on top of it', async ({ page }) => {
    await openThreeLessons(page);
    let asked = 0;
    // The refusal comes after the second move, however slow the machine is.
    await page.route('**/lesson-order', async (route) => {
      asked += 1;
      await new Promise((done) => setTimeout(done, 2000));
      await (asked === 1 ? route.fulfill({ status: 503, body: 'busy' }) : route.continue());
    });
    const down = page.getByRole('button', { name: 'Move One down' });
    await down.click();
    await down.click();
    await expect(page.getByText('Failed to save the order', { exact: true })).toBeVisible();
    expect(await lessonTitles(page)).toEqual(['1. One', '2. Two', '3. Three']);
    // What is on the screen is what is kept, and can be changed again.
    await down.click();
    await expect(page.getByText('One is now lesson 2 of 3.')).toBeAttached();
    await page.reload();
    expect(await lessonTitles(page)).toEqual(['1. Two', '2. One', '3. Three']);
    expect(asked).toBe(2);
  });
});

test.describe('a course that cannot be saved', () => {
  test.use({ allowed: [/status of (503|401|409)|^503 /] });

  test('says so in the words of the specification, and loses nothing', async ({ page, context }) => {
    const title = unique('Parsers');
    const { id } = await makeCourse(page, title);
    await page.goto(`/admin?search=${encodeURIComponent(title)}`);
    const dialog = page.getByRole('dialog');
    await chooseForCourse(page, title, 'Edit');
    await dialog.getByLabel('Duration').fill('13 hours');
    await dialog.getByLabel('Price', { exact: true }).fill('70');
    await page.route('**/api/courses/*', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await dialog.getByRole('button', { name: 'Save course' }).click();
    await expect(page.getByText('Failed to update course', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Duration')).toHaveValue('13 hours');
    await page.unroute('**/api/courses/*');

    // A colleague is faster.
    const theirs = await page.request.put(`/api/courses/${id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { ...COURSE, title, price: '59.00', version: 1 },
    });
    expect(theirs.status()).toBe(200);
    await dialog.getByRole('button', { name: 'Save course' }).click();
    await expect(dialog.getByText('Somebody else changed this course meanwhile')).toBeVisible();
    await expect(dialog.getByText('Price: 59.00')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save mine over theirs' }).click();
    await expect(page.getByText('Course saved', { exact: true })).toBeVisible();
    await expect(courseRow(page, title)).toContainText('$70.00');

    // Escape asks before it throws away what was typed.
    await chooseForCourse(page, title, 'Edit');
    await dialog.getByLabel('Duration').fill('14 hours');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toContainText('Close without saving?');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog.getByLabel('Duration')).toHaveValue('14 hours');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'New course' }).click();
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Description').fill('Text');
    await choose(page, 'Category', 'Design');
    await choose(page, 'Level', 'Beginner');
    await dialog.getByLabel('Price', { exact: true }).fill('10');
    await dialog.getByLabel('Duration').fill('1 hour');
    await dialog.getByLabel('Thumbnail', { exact: true }).fill('/favicon.svg');
    await page.route('**/api/courses', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await dialog.getByRole('button', { name: 'Create course' }).click();
    await expect(page.getByText('Failed to create course', { exact: true })).toBeVisible();
    await page.unroute('**/api/courses');
    // Signed out in another tab.
    await context.clearCookies();
    await page.evaluate(() => {
      localStorage.removeItem('auth_token');
      localStorage.removeItem('auth_user');
    });
    await dialog.getByRole('button', { name: 'Create course' }).click();
    await expect(page.getByText('You must be logged in to create courses', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Title')).toHaveValue(title);
  });
});

test('lessons are written with a preview, put into order, and deleted', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const { id } = await makeCourse(page, unique('Content'));
  await page.goto(`/admin/courses/${id}/content`);
  await page.getByRole('link', { name: 'Text', exact: true }).click();
  await page.waitForURL('**/content/new?type=text');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('Title is required', { exact: true })).toBeVisible();
  await expect(page.getByText('Content is required', { exact: true })).toBeVisible();
  await page.getByLabel('Lesson title').fill('Lexers');
  await page.getByLabel('Section').fill('Front end');
  await page
    .getByLabel('Content', { exact: true })
    .fill('# Tokens\n\nA **token** <script>alert(1)</script> ends.');
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  await expect(preview.locator('strong')).toHaveText('token');
  await expect(preview).toContainText('<script>alert(1)</script>');
  await page.getByLabel('Points').fill('5');
  await page.getByLabel('Free preview').click();
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);
  await expect(page.getByText('Lesson created', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Quiz', exact: true }).click();
  await page.getByLabel('Lesson title').fill('Check yourself');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('A quiz needs at least one question')).toBeVisible();
  await page.getByRole('button', { name: 'Add question' }).click();
  await page.getByLabel('Question', { exact: true }).fill('What does a lexer make?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tokens');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Trees');
  await page.getByRole('button', { name: 'Add Content' }).click();
  await expect(page.getByText('Choose the correct option')).toBeVisible();
  await page.getByRole('radio', { name: 'Option 1 is correct' }).check();
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);

  await page.getByRole('link', { name: 'Document', exact: true }).click();
  await page.getByLabel('Lesson title').fill('Grammar sheet');
  await page.getByLabel('Section').fill('Back end');
  await page.getByLabel('Upload a file').setInputFiles({
    name: 'grammar.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1'),
  });
  await expect(page.getByLabel('File URL')).toHaveValue(/^\/files\/[\w-]+\/grammar\.pdf$/);
  await page.getByRole('button', { name: 'Add Content' }).click();
  await page.waitForURL(`**/admin/courses/${id}/content`);

  const titles = () =>
    page
      .locator('section ol a.quiet-link')
      .evaluateAll((links) => links.map((link) => link.textContent!.replace(/\s+/g, ' ').trim()));
  await expect.poll(titles).toEqual(['1. Lexers', '2. Check yourself', '3. Grammar sheet']);
  await expectNoOverflow(page);

  // One step up first joins the section above, the next one passes a lesson.
  await page.getByRole('button', { name: 'Move Grammar sheet up' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Back end' }).getByRole('listitem')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect.poll(titles).toEqual(['1. Lexers', '2. Grammar sheet', '3. Check yourself']);
  await expect(page.getByText('Grammar sheet is now lesson 2 of 3 in Front end.')).toBeAttached();
  if (!isMobile) {
    const handle = (title: string) =>
      page.getByRole('listitem').filter({ hasText: title }).locator('[title="Drag to another place"]');
    await handle('Check yourself').dragTo(handle('Lexers'), { targetPosition: { x: 10, y: 2 } });
    await expect.poll(titles).toEqual(['1. Check yourself', '2. Lexers', '3. Grammar sheet']);
  }
  await page.getByRole('button', { name: 'Rename section Front end' }).click();
  await page.getByRole('dialog').getByLabel('Section').fill('Reading');
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Reading' })).toBeVisible();
  const kept = await titles();
  await expect(async () => {
    await page.reload();
    expect(await titles()).toEqual(kept);
    await expect(page.getByRole('heading', { level: 2, name: 'Reading' })).toBeVisible({ timeout: 1000 });
  }).toPass();

  await page.getByRole('button', { name: 'Delete Lexers' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    '“Lexers” will be removed for good. No learner has completed it.',
  );
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Lesson deleted', { exact: true })).toBeVisible();
  await expect.poll(titles).toHaveLength(2);
});

test.describe('two editors of one lesson', () => {
  test.use({ allowed: [/status of 409/] });

  test('do not overwrite each other unasked', async ({ page }) => {
    const { id } = await makeCourse(page, unique('Shared'));
    const headers = { authorization: `Bearer ${token}` };
    const body = { type: 'text', title: 'Scopes', content: 'First text' };
    const made = await (
      await page.request.post(`/api/admin/courses/${id}/lessons`, { headers, data: body })
    ).json();
    await page.goto(`/admin/courses/${id}/content/${made.id}`);
    await page.getByLabel('Lesson title').fill('Scopes and closures');
    const theirs = await page.request.put(`/api/admin/lessons/${made.id}`, {
      headers,
      data: { ...body, content: 'Their text', version: 1 },
    });
    expect(theirs.status()).toBe(200);
    await page.getByRole('button', { name: 'Save lesson' }).click();
    await expect(page.getByText('Somebody else changed this lesson meanwhile')).toBeVisible();
    await expect(page.getByText('Content: Their text')).toBeVisible();
    await expect(page.getByLabel('Lesson title')).toHaveValue('Scopes and closures');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.waitForURL(`**/admin/courses/${id}/content`);
    await expect(page.getByRole('link', { name: '1. Scopes and closures' })).toBeVisible();
  });
});

test.describe('content that is not there', () => {
  test.use({ allowed: [/status of 404/] });

  for (const path of ['/admin/courses/2147483647/content', '/admin/courses/1/content/2147483647']) {
    test(`${path} is said so`, async ({ page }) => {
      expect((await page.goto(path))!.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: /not found/ })).toBeVisible();
    });
  }
});
