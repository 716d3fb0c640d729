import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { findCourse } from './shopper.ts';

test('the editor of a TypeScript lesson knows types, on large screens alone', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await signIn(page, ADMIN);
  const { id } = await findCourse(page, 'TypeScript by Practice');
  const { content } = await (await page.request.get(`/api/courses/${id}`)).json();
  await page.goto(`/lesson/${content[0].id}`);
  await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
  if (isMobile) {
    await page.getByRole('button', { name: 'Code', exact: true }).click();
    await expect(page.locator('.cm-content')).toBeVisible({ timeout: 20_000 });
    expect(workers).toEqual([]);
    return;
  }
  const editor = page.locator('.monaco-editor').first();
  await expect(editor).toBeVisible({ timeout: 20_000 });
  await editor.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('const total: number = "four";\nconst list = [1, 2];\nlist');
  await expect(editor.locator('.squiggly-error')).toHaveCount(1, { timeout: 20_000 });
  await page.keyboard.press('F8');
  await expect(page.getByText("Type 'string' is not assignable to type 'number'.").first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await editor.getByText('list', { exact: true }).first().hover();
  await expect(page.locator('.monaco-hover').filter({ visible: true })).toContainText('const list: number[]');
});
