import type { Page } from '@playwright/test';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflowWhenNarrow, test } from './fixtures.ts';

/** An administrator with what makes courses. */
async function author(page: Page) {
  const headers = { authorization: `Bearer ${await signIn(page, ADMIN)}` };
  const post = async (path: string, data: unknown) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const course = (title: string) =>
    post('/api/courses', {
      ...{ title, description: 'In sections.', thumbnail: '/favicon.svg', price: '49.00' },
      ...{ originalPrice: '79.00', duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
    });
  const saved = (status = 200) =>
    page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/lesson-order') &&
        answer.request().method() === 'PUT' &&
        answer.status() === status,
    );
  return { headers, post, course, saved };
}

test('sections are added, renamed, moved and folded, and several lessons changed at once @phone', async ({
  page,
}) => {
  const { headers, post, course, saved } = await author(page);
  const now = Date.now();
  const [{ id }, other] = [await course(`Sections ${now}`), await course(`Other ${now}`)];
  for (const title of ['One', 'Two', 'Three'])
    await post(`/api/admin/courses/${id}/lessons`, {
      ...{ type: 'text', title, content: 'Words.', section: title === 'Three' ? 'Later' : 'Basics' },
    });
  await page.goto(`/admin/courses/${id}/content`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Add a section' }).click();
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Section is required')).toBeVisible();
  await page.getByLabel('Section', { exact: true }).fill('Basics');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('There is a section of this name already')).toBeVisible();
  await page.getByLabel('Section', { exact: true }).fill('Between');
  let answer = saved();
  await page.getByRole('button', { name: 'Save name' }).click();
  await answer;
  const moveUp = page.getByRole('button', { name: 'Move section Between up' });
  answer = saved();
  await moveUp.click();
  await answer;
  await expect(moveUp).toBeFocused();
  const names = page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .filter({ has: page.getByRole('button') });
  await expect(names).toHaveText([/^Basics/, /^Between/, /^Later/]);
  await expectAccessible(page);
  await expectNoOverflowWhenNarrow(page);

  // It is there after a reload, also folded.
  const basics = page.getByRole('button', { name: /^Basics/ });
  await basics.click();
  await expect(page.getByRole('link', { name: '1. One' })).toHaveCount(0);
  await page.reload();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(names).toHaveText([/^Basics/, /^Between/, /^Later/]);
  await expect(basics).toHaveAttribute('aria-expanded', 'false');
  await basics.click();
  await expect(page.getByRole('link', { name: '1. One' })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Choose One' }).click();
  await page.getByRole('checkbox', { name: 'Choose Two' }).click();
  const bar = page.getByRole('region', { name: 'Chosen lessons' });
  await expect(bar.getByText('2 lessons chosen')).toBeVisible();
  await expectAccessible(page);
  answer = saved();
  await bar.getByRole('combobox', { name: 'Move them to a section' }).click();
  await page.getByRole('option', { name: 'Between' }).click();
  await answer;
  await expect(page.getByRole('region', { name: 'Between' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Remove section Basics' })).toBeVisible();
  answer = saved();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await answer;
  await expect(page.getByRole('region', { name: 'Basics' }).getByRole('listitem')).toHaveCount(2);

  await page.getByRole('checkbox', { name: 'Choose Two' }).click();
  await bar.getByRole('button', { name: 'When they open' }).click();
  await page.getByLabel('Days after the purchase').fill('0');
  await page.getByRole('button', { name: 'Save for all' }).click();
  await expect(page.getByText(/Opens after must be 1 to/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Days after the purchase').fill('3');
  await page.getByRole('button', { name: 'Save for all' }).click();
  await expect(page.getByText('1 lesson open by the new rule').first()).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);

  await page.getByRole('checkbox', { name: 'Choose One' }).click();
  await bar.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByText('1 lesson duplicated').first()).toBeVisible();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Choose One' }).click();
  await bar.getByRole('button', { name: 'To another course' }).click();
  await page.getByRole('combobox', { name: 'Course' }).click();
  await page.getByRole('option', { name: `Other ${now}` }).click();
  await page.getByRole('button', { name: 'Move them there' }).click();
  await page.waitForURL(`**/admin/courses/${other.id}/content`);
  await expect(page.getByRole('link', { name: '1. One' })).toBeVisible();
  await page.goto(`/admin/courses/${id}/content`);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Choose all of them' }).first().click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(
    page.getByText('They will be removed for good. No learner has completed any of them.'),
  ).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 lessons deleted').first()).toBeVisible();
  await expect(page.getByRole('link', { name: '1. Three' })).toBeVisible();
  for (const one of [id, other.id]) await page.request.delete(`/api/courses/${one}`, { headers });
});

test.describe('with a save that is refused', () => {
  test.use({ allowed: [/status of 409/] });

  test('a course begins with sections, a lesson steps into a folded one, and a colleague’s section stays @phone', async ({
    page,
  }) => {
    const { headers, post, course, saved } = await author(page);
    const { id } = await course(`Begun ${Date.now()}`);
    const address = `/admin/courses/${id}/content`;
    const shown = async () => {
      await page.goto(address);
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    };
    const add = async (name: string, status = 200) => {
      await page.getByRole('button', { name: 'Add a section' }).click();
      await page.getByLabel('Section', { exact: true }).fill(name);
      const answer = saved(status);
      await page.getByRole('button', { name: 'Save name' }).click();
      await answer;
    };
    await shown();
    await expect(page.getByRole('heading', { name: 'No lessons yet' })).toBeVisible();
    await add('Later');
    await shown();
    await expect(page.getByRole('button', { name: /^Later/ })).toBeVisible();

    for (const [title, section] of [
      ['One', 'Basics'],
      ['Two', 'Later'],
    ])
      await post(`/api/admin/courses/${id}/lessons`, {
        ...{ type: 'text', title, content: 'Words.', section },
      });
    await shown();
    const later = page.getByRole('button', { name: /^Later/ });
    await later.click();
    await expect(later).toHaveAttribute('aria-expanded', 'false');
    const step = page.getByRole('button', { name: 'Move One down' });
    await step.focus();
    const answer = saved();
    await page.keyboard.press('Enter');
    await answer;
    await expect(later).toHaveAttribute('aria-expanded', 'true');
    await expect(step).toBeFocused();
    await expect(page.getByRole('region', { name: 'Later' }).getByRole('listitem')).toHaveCount(2);

    const box = page.getByRole('checkbox', { name: 'Choose One' }).locator('..');
    if (page.viewportSize()!.width < 640) {
      const { width, height } = (await box.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      await box.click({ position: { x: 3, y: 3 } });
      await expect(page.getByRole('checkbox', { name: 'Choose One' })).toBeChecked();
      await page.getByRole('button', { name: 'Choose none' }).click();
    }

    // Somebody else adds one meanwhile.
    const ids = await page
      .getByRole('link', { name: /^\d\. / })
      .evaluateAll((links) => links.map((link) => Number(link.getAttribute('href')!.split('/').at(-1))));
    const theirs = await page.request.put(`/api/admin/courses/${id}/lesson-order`, {
      headers,
      data: {
        before: ids,
        lessons: ids.map((lesson) => ({ id: lesson, section: 'Later' })),
        empty: [{ title: 'Theirs', before: null }],
        emptyBefore: [{ title: 'Basics', before: ids[0] }],
      },
    });
    expect(theirs.ok(), await theirs.text()).toBe(true);
    await add('Mine', 409);
    await expect(page.getByRole('button', { name: /^Mine/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Show theirs' }).first().click();
    await expect(page.getByRole('button', { name: /^Theirs/ })).toBeVisible();
    await page.request.delete(`/api/courses/${id}`, { headers });
  });
});
