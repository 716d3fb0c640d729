import { ADMIN, makeCodingLesson, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const SUM = `function total(prices) {
  let sum = 0;
  for (const price of prices) {
    sum = price;
  }
  console.log(sum);
  return sum;
}`;

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`in ${scheme} colors`, () => {
    test.use({ colorScheme: scheme });

    test('a failed test is walked through step by step, from where it went wrong', { tag: '@phone' }, async ({
      page,
      isMobile,
    }) => {
      const lessonId = await makeCodingLesson(page, await signIn(page, ADMIN), {
        ...{ title: 'What it costs', codingLanguage: 'javascript' },
        ...{ instructions: 'The sum of all prices.', starterCode: SUM },
        solution: SUM.replace('sum = price', 'sum += price'),
        testCases: [
          { input: 'total([4])', expectedOutput: '4', description: 'One price' },
          { input: 'total([2, 3])', expectedOutput: '5', description: 'Two prices' },
          { input: 'total([7, 8])', expectedOutput: '15', description: 'Others', hidden: true },
        ],
      });
      await page.goto(`/lesson/${lessonId}`);
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
      if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();

      // Neither the test that passed nor the hidden one.
      const showMe = page.getByRole('button', { name: /^Show me/ });
      await expect(showMe).toHaveCount(1);
      await showMe.click();
      const walk = page.getByRole('dialog', { name: 'Step by step' });
      await expect(
        walk.getByText("Here sum has become 3; in the author's program it becomes 5."),
      ).toBeVisible();
      const next = walk.locator('[aria-current="step"]');
      const sum = walk.getByRole('row', { name: /^sum/ });
      await expect(sum).toContainText('was 2');
      await expect(next).toContainText('console.log(sum)');
      await expect(walk.getByText('Nothing yet.')).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);

      await page.keyboard.press('ArrowRight');
      await expect(next).toContainText('return sum');
      await expect(walk.getByLabel('Printed so far').last()).toHaveText('3');
      await page.keyboard.press('Home');
      await expect(walk.getByText('total is called.')).toBeVisible();
      await expect(sum).toHaveCount(0);
      await walk.getByRole('button', { name: 'Step forward' }).click();
      await page.keyboard.press('ArrowRight');
      await expect(sum).toContainText('new');
      await page.keyboard.press('End');
      await expect(walk.getByText('The program has ended.')).toBeVisible();
      await page.keyboard.press('ArrowLeft');
      await expect(walk.getByText('total returns 3.')).toBeVisible();
      await walk.getByRole('button', { name: 'Go there' }).click();
      await expect(sum).toContainText('was 2');
      await page.keyboard.press('Escape');
      await expect(walk).toBeHidden();
      await expect(showMe).toBeFocused();
    });
  });
}
