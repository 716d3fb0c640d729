import type { Page } from '@playwright/test';
import { buyAsGuest, paidCourses, STUDENT } from './admin-session.ts';
import { expect } from './fixtures.ts';
import { graduate, NAME } from './graduate.ts';
import { mailTo } from './shopper.ts';

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
    name: 'a purchase that succeeded',
    as: null,
    open: async (page) => {
      const { course } = await purchase(page);
      await page.goto(`/purchase-success?course=${course.id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible();
    },
  },
];
