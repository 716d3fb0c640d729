import type { Page } from '@playwright/test';
import { ADMIN, buyAsGuest, paidCourses, STUDENT } from './admin-session.ts';
import { expect } from './fixtures.ts';
import { graduate, NAME } from './graduate.ts';
import { fillCart, mailTo, newShopper } from './shopper.ts';

export type PageState = {
  /** What is to be seen. */
  name: string;
  as: { email: string; password: string } | null;
  /** Brings the page there. */
  open: (page: Page) => Promise<void>;
};

/** A visitor's purchase, in the page's own browser. */
async function purchase(page: Page) {
  const [course] = await paidCourses(page.request);
  return { course: course!, ...(await buyAsGuest(page.request, process.env.SITE_URL!, course!)) };
}

/** A page that shows this state by its address alone, known by what it says. */
const at = (name: string, path: string, says: string, as: PageState['as'] = null): PageState => ({
  name,
  as,
  open: async (page) => {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(says).first()).toBeVisible();
  },
});

/** What becomes of pages, and pages that no address alone leads to: they need a certificate, a mailed link or a payment. */
export const PAGE_STATES: PageState[] = [
  {
    name: 'the terms, open',
    as: null,
    open: async (page) => {
      await page.goto('/about');
      await page.getByRole('button', { name: 'Terms of Service' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'a registration with mistakes',
    as: null,
    open: async (page) => {
      await page.goto('/register');
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
      await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
      await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
    },
  },
  {
    name: 'a sign-in that is refused',
    as: null,
    open: async (page) => {
      await page.goto('/login');
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('wrong password');
      await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page.getByText('Invalid email or password.', { exact: true })).toHaveCount(2);
    },
  },
  {
    name: 'a message with mistakes',
    as: null,
    open: async (page) => {
      await page.goto('/contact');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByText('First Name is required')).toBeVisible();
    },
  },
  at('a search that finds nothing', '/courses?search=zzzzqqqq', 'zzzzqqqq'),
  at('a search of the administration that finds nothing', '/admin?search=xyzzy', 'No courses match', ADMIN),
  at('mail that could not be sent', '/admin/mail?status=failed', 'Mail', ADMIN),
  at('an order that is not there', '/admin/orders/2147483647', 'Order not found', ADMIN),
  at('a certificate that is not there', '/certificates/0000-0000-0000-0001', 'Certificate not found'),
  at('a lesson out of reach', '/lesson/2000000000', "Lesson not found or you don't have access to it."),
  at('a scenario out of reach', '/scenario/99999', "Scenario not found or you don't have access to it."),
  at(
    'a search of one’s own courses that is too long',
    `/my-courses/search?search=${'granny '.repeat(60)}`,
    'Only the first 200 characters were looked for.',
    STUDENT,
  ),
  {
    name: 'the account menu, open',
    as: STUDENT,
    open: async (page) => {
      await page.goto('/dashboard');
      await page.getByRole('button', { name: 'Account menu' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'the certificate of a finished course',
    as: null,
    open: async (page) => {
      const { number } = await graduate(page, `Real pages ${Date.now()}`);
      await page.goto(`/certificates/${number}`);
      await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
      await expect(page.getByText('The signature is right.')).toBeVisible();
    },
  },
  {
    name: "a guest's claim link",
    as: null,
    open: async (page) => {
      const { email } = await purchase(page);
      await page.goto(/http:\S+\/claim\?token=[\w-]+/.exec(await mailTo(email, '/claim?token='))![0]);
      await expect(page.getByRole('heading', { level: 1, name: 'Get to your course' })).toBeVisible();
    },
  },
  {
    name: 'a filled cart',
    as: null,
    open: async (page) => {
      const shopper = await newShopper(page);
      await fillCart(page, shopper, 'JavaScript Fundamentals', 'SQL and PostgreSQL in Practice');
      await page.goto('/cart');
      await expect(page.getByRole('link', { name: 'Proceed to Checkout' })).toBeVisible();
      await expect(page.locator('main astro-island[ssr]')).toHaveCount(0);
    },
  },
  {
    name: 'a purchase that succeeded',
    as: null,
    open: async (page) => {
      const { course } = await purchase(page);
      await page.goto(`/purchase-success?course=${course.id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    },
  },
];
