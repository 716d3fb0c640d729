import sharp from 'sharp';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

test('a course shows who teaches it, and demo reviews that search engines are not told of', {
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
  const reviews = page.getByRole('region', { name: 'Reviews' });
  await expect(reviews.getByText('Demo review', { exact: true })).toHaveCount(2);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!);
  expect(data.hasCourseInstance.instructor.name).toBe('Noor Castellane');
  expect(data.hasCourseInstance.instructor.image).toMatch(/^http.*\/media\/.*\/portrait\.webp$/);
  expect(JSON.stringify(data)).not.toMatch(/rating|review/i);
  await expectNoOverflow(page);
  await expectAccessible(page);
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
