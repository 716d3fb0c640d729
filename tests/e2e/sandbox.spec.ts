import { ADMIN, buy, paidCourses, signIn } from './admin-session.ts';
import { expect, expectNoOverflow, test } from './fixtures.ts';

test('a dispute that is opened in the sandbox rests access, and a won one gives it back', async ({
  page,
  browser,
}) => {
  const buyer = await browser.newContext({ baseURL: process.env.SITE_URL! });
  const [course] = await paidCourses(buyer.request);
  const { orderId, token } = await buy(buyer.request, 'Annie Easley', [course!]);
  const access = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const mine = await (await buyer.request.get('/api/my-enrollments', { headers })).json();
    return mine.some((one: { courseId: number }) => one.courseId === course!.id);
  };
  await expect.poll(access).toBe(true);

  await signIn(page, ADMIN);
  await page.goto('/admin/health');
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Sandbox' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payment sandbox' })).toBeVisible();
  await expectNoOverflow(page);

  await page.getByRole('button', { name: `Open a dispute: order ${orderId}` }).click();
  await expect(page.getByText('The dispute is open.').first()).toBeVisible();
  await expect.poll(access).toBe(false);
  await page.getByRole('button', { name: `Win the dispute: order ${orderId}` }).click();
  await expect(page.getByText('The dispute is won.').first()).toBeVisible();
  await expect.poll(access).toBe(true);
  await buyer.close();
});
