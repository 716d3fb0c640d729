import { ADMIN, makeCodingLesson, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';

const SHOP = `CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers (id), total numeric(8, 2));
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cy');
INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 2), (3, 2, NULL);`;
const RIGHT =
  'SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id);';

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`in ${scheme} colors`, () => {
    test.use({ colorScheme: scheme });

    test('a SQL lesson shows its tables, and which rows are wrong', { tag: '@phone' }, async ({
      page,
      isMobile,
    }) => {
      const lessonId = await makeCodingLesson(page, await signIn(page, ADMIN), {
        ...{ title: 'Who ordered nothing?', codingLanguage: 'sql' },
        ...{ content: SHOP, instructions: 'The names of customers without an order, as `name`.' },
        ...{
          starterCode: 'SELECT name FROM customers c JOIN orders o ON o.customer_id = c.id;',
          solution: RIGHT,
        },
        testCases: [
          { input: 'result', expectedOutput: 'name\nCy', description: 'Customers without orders' },
          {
            ...{ input: 'given: DELETE FROM orders;\nthen\nresult', expectedOutput: 'name\nAda\nBob\nCy' },
            ...{ description: 'Nobody has ordered', hidden: true },
          },
        ],
      });
      await page.goto(`/lesson/${lessonId}`);
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);

      await page.getByText('The tables of this lesson (SQL)').click();
      await expect(
        page.getByRole('img', { name: 'orders.customer_id points at customers.id' }),
      ).toBeVisible();
      const orders = page.getByRole('table', { name: 'orders' });
      await expect(orders.getByRole('row', { name: '3 2 NULL' })).toBeVisible();
      await page.getByText('The statements that make them').click();
      await expect(page.getByText('CREATE TABLE customers')).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);

      // The starter asks for those who have ordered.
      if (isMobile) await page.getByRole('button', { name: 'Code', exact: true }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).locator('visible=true').click();
      const asked = page.getByRole('table', { name: 'Asked for' });
      await expect(asked.getByRole('row', { name: 'missing Cy' })).toBeVisible();
      await expect(
        page.getByRole('table', { name: 'Yours' }).getByRole('row', { name: 'too much Ada' }),
      ).toHaveCount(2);
      await expectAccessible(page);
      await expectNoOverflow(page);
    });
  });
}
