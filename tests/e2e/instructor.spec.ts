import sharp from 'sharp';
import { ADMIN, paidCourses, reviewer, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test('a course shows who teaches it, and search engines are told of no rating without reviews', {
  tag: '@phone',
}, async ({ page, request }) => {
  const [course] = await (await request.get('/api/courses?search=javascript+fundamentals')).json();
  await page.goto(`/courses/${course.id}`);
  const instructor = page.getByRole('region', { name: 'Your instructor' });
  await expect(instructor.getByRole('heading', { name: 'Noor Castellane' })).toBeVisible();
  const portrait = instructor.getByRole('img', { name: 'Portrait of Noor Castellane' });
  await portrait.scrollIntoViewIfNeeded();
  await expect
    .poll(() => portrait.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
    .toBe(320);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!);
  expect(data.hasCourseInstance.instructor.name).toBe('Noor Castellane');
  expect(data.hasCourseInstance.instructor.image).toMatch(/^http.*\/media\/.*\/noor-castellane\.webp$/);
  expect(JSON.stringify(data)).not.toMatch(/rating|review/i);
  await expectNoOverflow(page);
});

test.describe('the form of an instructor', () => {
  test.use({ allowed: [/status of 415/] });

  test('an author changes the own portrait and words on the account page', async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto('/account');
    const card = page.getByRole('region', { name: 'You as an instructor' });
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await card.getByLabel('Upload a portrait').setInputFiles({
      name: 'me.txt.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await expect(card.getByRole('alert')).not.toBeEmpty();
    const buffer = await sharp({ create: { width: 500, height: 300, channels: 3, background: '#2145cf' } })
      .png()
      .toBuffer();
    await card
      .getByLabel('Upload a portrait')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await expect(card.getByRole('img', { name: /^Portrait of/ })).toBeVisible();
    await card.getByLabel('Words').fill('I look after the courses.');
    await card.getByRole('button', { name: 'Save words' }).click();
    await expect(page.getByText('The words have been saved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(card.getByLabel('Words')).toHaveValue('I look after the courses.');
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await card.getByRole('button', { name: 'Remove portrait' }).click();
    await expect(card.getByLabel('Upload a portrait')).toBeAttached();
    await card.getByLabel('Words').fill('');
    await card.getByRole('button', { name: 'Save words' }).click();
    await expect(page.getByText('The words have been saved', { exact: true })).toBeVisible();
  });
});

test('the team answers a review where it stands, changes and removes the answer', async ({
  page,
  request,
  browser,
}) => {
  const course = (await paidCourses(request)).find(
    ({ title }) => title === 'Python for Everyday Automation',
  )!;
  const written = await reviewer(page, course, { rating: 4, review: 'Good order.' });
  const address = `/courses/${course.id}`;
  await signIn(page, ADMIN);
  await page.goto(address);
  const reviews = page.getByRole('region', { name: 'Reviews' });
  await reviews.scrollIntoViewIfNeeded();
  const answer = reviews.getByRole('button', { name: 'Answer to Jonas W.’s review' });
  await expect(page.locator('astro-island[ssr]', { has: answer })).toHaveCount(0);
  await answer.click();
  const field = reviews.getByRole('textbox', { name: 'Answer' });
  await expect(field).toBeFocused();
  await reviews.getByRole('button', { name: 'Publish answer' }).click();
  await expect(reviews.getByText('Answer is required')).toBeVisible();
  await field.fill('Thank you, Jonas.\n<b>More</b> is coming.');
  await reviews.getByRole('button', { name: 'Publish answer' }).click();
  await expect(page.getByText('The answer is published', { exact: true })).toBeVisible();
  await expect(reviews).toContainText('Answer from the course team');
  await expectAccessible(page);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(new URL(address, page.url()).href);
  await expect(visitor.getByRole('region', { name: 'Reviews' })).toContainText('<b>More</b> is coming.');
  await expect(visitor.getByRole('button', { name: /^Edit answer/ })).toHaveCount(0);
  await visitor.context().close();

  const change = reviews.getByRole('button', { name: 'Edit answer to Jonas W.’s review' });
  await expect(page.locator('astro-island[ssr]', { has: change })).toHaveCount(0);
  await change.click();
  await field.fill('Thank you, Jonas.');
  await reviews.getByRole('button', { name: 'Save answer' }).click();
  await expect(page.getByText('The answer is changed', { exact: true })).toBeVisible();
  await expect(reviews).toContainText(', edited');

  await page.goto('/admin/reviews?search=everyday+automation');
  const about = 'the answer to Jonas W.’s review of Python for Everyday Automation';
  const hide = page.getByRole('button', { name: `Hide answer: ${about}` });
  await expect(page.locator('astro-island[ssr]', { has: hide })).toHaveCount(0);
  await hide.click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Too short.');
  await page.getByRole('button', { name: 'Hide the answer' }).click();
  await expect(page.getByText('Hidden by an administrator: Too short.')).toBeVisible();
  const show = page.getByRole('button', { name: `Show answer again: ${about}` });
  await expect(page.locator('astro-island[ssr]', { has: show })).toHaveCount(0);
  await show.click();
  await expect(hide).toBeVisible();

  const remove = page.getByRole('button', { name: 'Remove answer to Jonas W.’s review' });
  await expect(page.locator('astro-island[ssr]', { has: remove })).toHaveCount(0);
  await remove.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove answer' }).click();
  await expect(page.getByText('The answer is removed', { exact: true })).toBeVisible();
  await expect(page.getByText('Answer from the course team')).toHaveCount(0);
  await written.close();
});

for (const [title, kind, heading] of [
  ['css by practice', 'editor', 'How the exercises look'],
  ['incident response', 'scenario', 'How the simulations look'],
] as const) {
  test(`a course with what ${kind} shows is seen at work, in the theme of the reader`, {
    tag: '@phone',
  }, async ({ page, request }) => {
    const [course] = await (await request.get(`/api/courses?search=${title.replaceAll(' ', '+')}`)).json();
    const asked: string[] = [];
    page.on('request', (one) => {
      const { pathname } = new URL(one.url());
      if (pathname.startsWith('/product/')) asked.push(pathname);
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`/courses/${course.id}`);
    const section = page.getByRole('region', { name: heading });
    const picture = section.getByRole('img');
    await expect(picture).toHaveCount(1);
    const { width, height } = (await picture.boundingBox())!;
    expect(height / width).toBeCloseTo(660 / 1080, 1);
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(300);
    expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(
      new RegExp(`/product/${kind}-dark-(720|1440)\\.avif$`),
    );
    const after = (await picture.boundingBox())!;
    expect([after.width, after.height]).toEqual([width, height]);
    expect(asked.every((path) => path.startsWith(`/product/${kind}-dark-`))).toBe(true);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect
      .poll(() => section.getByRole('img').evaluate((img: HTMLImageElement) => img.currentSrc))
      .toContain(`${kind}-light-`);
  });
}

test('a course to read shows no picture of what it does not hold', async ({ page, request }) => {
  const [course] = await (await request.get('/api/courses?search=smartphone+photography')).json();
  await page.goto(`/courses/${course.id}`);
  await expect(page.getByRole('heading', { name: 'Your instructor' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^How the .* look$/ })).toHaveCount(0);
});
