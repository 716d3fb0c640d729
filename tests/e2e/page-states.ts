import type { Page } from '@playwright/test';
import { ADMIN, buyAsGuest, paidCourses, STUDENT } from './admin-session.ts';
import { addressOf } from './addresses.ts';
import { expect } from './fixtures.ts';
import { mailTo } from './shopper.ts';

export type PageState = {
  /** What is to be seen. */
  name: string;
  as: { email: string; password: string } | null;
  /** Brings the page there. */
  open: (page: Page) => Promise<void>;
};

const at =
  (route: string): PageState['open'] =>
  async (page) =>
    void (await page.goto(await addressOf(route, page.request)));

const pages = (as: PageState['as'], who: string, routes: string[]): PageState[] =>
  routes.map((route) => ({ name: `${route} as ${who}`, as, open: at(route) }));

/** A visitor's purchase, in the page's own browser. */
async function purchase(page: Page) {
  const [course] = await paidCourses(page.request);
  return { course: course!, ...(await buyAsGuest(page.request, process.env.SITE_URL!, course!)) };
}

/** The real link of the receipt for a purchase without an account. */
export async function openClaim(page: Page): Promise<void> {
  const { email } = await purchase(page);
  await page.goto(/http:\S+\/claim\?token=[\w-]+/.exec(await mailTo(email, '/claim?token='))![0]);
  await expect(page.getByRole('heading', { level: 1, name: 'Get to your course' })).toBeVisible();
}

/** The page behind a payment, for the browser that paid. */
export async function openPurchaseSuccess(page: Page): Promise<void> {
  const { course } = await purchase(page);
  await page.goto(`/purchase-success?course=${course.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
}

/** Pages and what may become of them, for judges that look at one state at a time. */
export const PAGE_STATES: PageState[] = [
  ...pages(null, 'a visitor', [
    '/',
    '/about',
    '/services',
    '/clients',
    '/contact',
    '/courses',
    '/courses/[id]',
    '/marketplace',
    '/buy/[id]',
    '/login',
    '/register',
    '/forgot-password',
    '/lesson/[id]',
    '/certificates/[number]',
    '/404',
  ]),
  ...pages(STUDENT, 'a student', [
    '/dashboard',
    '/my-courses',
    '/account',
    '/cart',
    '/learn/[id]',
    '/lesson/[id]',
    '/scenario/[id]',
  ]),
  ...pages(ADMIN, 'an administrator', [
    '/admin',
    '/admin/orders',
    '/admin/users',
    '/admin/users/[id]',
    '/admin/analytics',
    '/admin/coupons',
    '/admin/health',
    '/admin/courses/[id]/content',
    '/admin/create-interactive-course',
  ]),
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
    name: 'a search that finds nothing',
    as: null,
    open: async (page) => void (await page.goto('/courses?search=zzzzqqqq')),
  },
  {
    name: 'the account menu, open',
    as: STUDENT,
    open: async (page) => {
      await page.goto('/dashboard');
      await page.getByRole('button', { name: 'Account menu' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  { name: "a guest's claim link", as: null, open: openClaim },
  { name: 'a purchase that succeeded', as: null, open: openPurchaseSuccess },
];
