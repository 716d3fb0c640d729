import { expect, expectAccessible, test } from './fixtures.ts';

// The phone's browser asks for dark pages and the desktop's for light ones (playwright.config.ts), so that every page
// is judged in both.
test('theme and size of text are chosen, shown at once and kept', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  await page.goto('/courses');
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const [light, dark] = ['rgb(250, 248, 244)', 'rgb(14, 20, 32)'];
  expect(await ground()).toBe(isMobile ? dark : light);

  await page.getByRole('button', { name: 'Display' }).click();
  const dialog = page.getByRole('dialog', { name: 'Display' });
  await expect(dialog.getByRole('radio', { name: 'As my device' })).toBeChecked();
  await dialog.getByRole('radio', { name: isMobile ? 'Light' : 'Dark' }).check();
  await expect.poll(ground).toBe(isMobile ? light : dark);
  await dialog
    .getByRole('group', { name: 'Text of lessons' })
    .getByRole('radio', { name: 'Largest' })
    .check();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // Before any script of the page's own has run, so that nothing flashes.
  await page.goto('/about', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', isMobile ? 'light' : 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-text', 'largest');

  await page.getByRole('button', { name: 'Display' }).click();
  await dialog.getByRole('radio', { name: 'As my device' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
  expect(await ground()).toBe(isMobile ? dark : light);
});
