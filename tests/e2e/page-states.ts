import type { Page } from '@playwright/test';
import {
  ADMIN,
  chooseForCourse,
  buyAsGuest,
  buyer,
  keepSignIn,
  paidCourses,
  reviewer,
  STUDENT,
} from './admin-session.ts';
import { expect } from './fixtures.ts';
import { graduate, NAME } from './graduate.ts';
import { asAdmin, fillCart, findCourse, mailTo, newCoupon, newShopper } from './shopper.ts';

export type PageState = {
  /** What is to be seen. */
  name: string;
  as: { email: string; password: string } | null;
  /**
   * For the first judge alone, in both themes: what stands on pages that the table of pages has, and open dialogs, behind
   * which the second judge still looks.
   */
  isBrief?: boolean;
  /** Brings the page there; `judge` has what stands on the way judged too, as briefly. */
  open: (page: Page, judge: () => Promise<void>) => Promise<void>;
};

/** A visitor's purchase, in the page's own browser. */
async function purchase(page: Page) {
  const [course] = await paidCourses(page.request);
  return { course: course!, ...(await buyAsGuest(page.request, process.env.SITE_URL!, course!)) };
}

/** Asks for an account of an administrator, in a browser of its own or the page's. */
async function applicant(page: Page, request = page.request) {
  const email = `applicant-${process.pid}-${Date.now()}@example.com`;
  const person = { username: 'Annie Easley', email, password: 'centaur-1963', role: 'admin' };
  const answer = await request.post('/api/auth/register', {
    data: { ...person, confirmPassword: person.password },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return { email, ...(await answer.json()) } as { email: string; token: string; user: object };
}

/** A browser beside the page's, for what somebody else does by calls. */
async function elsewhere<Result>(page: Page, act: (request: Page['request']) => Promise<Result>) {
  const context = await page.context().browser()!.newContext({ baseURL: process.env.SITE_URL! });
  const result = await act(context.request);
  await context.close();
  return result;
}

/** Its scripts run: a click before that would be lost. */
const isAwake = (page: Page) => expect(page.locator('main astro-island[ssr]')).toHaveCount(0);

/** A page that shows this state by its address alone, known by what it says. */
const at = (
  name: string,
  path: string,
  says: string,
  as: PageState['as'] = null,
  isBrief = false,
): PageState => ({
  name,
  as,
  isBrief,
  open: async (page) => {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(says).first()).toBeVisible();
  },
});

async function fillCartWithBundle(page: Page, { token }: { token: string }) {
  const answer = await page.request.post('/api/cart', {
    headers: { authorization: `Bearer ${token}` },
    data: { bundleId: 1 },
  });
  expect(answer.status(), await answer.text()).toBe(200);
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
      await isAwake(page);
      await page.getByLabel('Password', { exact: true }).fill('password1');
      await expect(page.getByText('Very weak password.')).toBeVisible();
      await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
      await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
    },
  },
  {
    name: 'a sign-in that is refused',
    as: null,
    open: async (page) => {
      await page.goto('/login');
      await isAwake(page);
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
  {
    name: 'a reset link that was asked for',
    as: null,
    isBrief: true,
    open: async (page) => {
      await page.goto('/forgot-password');
      await isAwake(page);
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByRole('main').getByRole('button', { name: 'Send reset link' }).click();
      await expect(page.getByText('Check your email')).toBeVisible();
    },
  },
  {
    name: 'suggestions of the search',
    as: null,
    isBrief: true,
    open: async (page) => {
      await page.goto('/about');
      // What was typed on the way is asked for too; the last answer lays the list anew.
      const answered = page.waitForResponse((response) =>
        response.url().endsWith('suggestions?search=progr'),
      );
      await page.locator('#search-header').pressSequentially('progr');
      await answered;
      const list = page.getByRole('listbox', { name: 'Suggestions' });
      await expect(list.getByRole('option', { name: /^Programming/ })).toBeVisible();
      await page.locator('#search-header').press('ArrowDown');
      await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    },
  },
  {
    name: 'a course with reviews',
    as: null,
    isBrief: true,
    open: async (page) => {
      const course = (await paidCourses(page.request)).find(
        ({ title }) => title === 'AI Literacy for Teams',
      )!;
      await reviewer(page, course, { rating: 4, review: 'Good order.' });
      await page.goto(`/courses/${course.id}`);
      await expect(
        page.getByRole('region', { name: 'Reviews' }).getByText('Good order.').first(),
      ).toBeVisible();
    },
  },
  at(
    'a search that finds nothing',
    '/courses?search=zzzzqqqq&category=1&level=beginner&sort=price-high',
    'zzzzqqqq',
  ),
  at(
    'an address that asks for what is not there',
    '/courses?category=99&level=expert&sort=cheapest&page=777&search=',
    'No level “expert”',
    null,
    true,
  ),
  at('a course that is not for sale', '/buy/999999', 'Course not found', null, true),
  at('a course that one does not own', '/learn/2000000000', 'Course Not Found', STUDENT, true),
  at('the books, compared', '/admin/reconciliation', 'Paid without access', ADMIN, true),
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
    name: 'a search of one’s own courses',
    as: STUDENT,
    isBrief: true,
    open: async (page) => {
      await page.goto('/my-courses/search?search=function');
      await expect(page.locator('main mark').first()).toBeVisible();
    },
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
    name: 'the proof that it is you, and the deletion of an account',
    as: STUDENT,
    isBrief: true,
    open: async (page, judge) => {
      await page.goto('/account');
      await isAwake(page);
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
      await expect(page.getByRole('dialog').getByLabel('Your password')).toBeVisible();
      await judge();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await expect(page.getByRole('dialog').getByText('What stays, and why')).toBeVisible();
    },
  },
  {
    name: 'a wait for administrator access',
    as: null,
    isBrief: true,
    open: async (page, judge) => {
      await keepSignIn(page, await applicant(page));
      const notice = page.getByText('Your request for administrator access is waiting');
      await page.goto('/dashboard');
      await expect(notice).toBeVisible();
      await judge();
      await page.goto('/account');
      await expect(notice).toBeVisible();
    },
  },
  {
    name: 'the dashboard of a newcomer',
    as: null,
    isBrief: true,
    open: async (page) => {
      await newShopper(page);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await isAwake(page);
    },
  },
  {
    name: 'what people ask of the administration',
    as: ADMIN,
    isBrief: true,
    open: async (page, judge) => {
      const { email } = await elsewhere(page, (request) => applicant(page, request));
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Open requests for administrator access' }).click();
      await expect(page.getByRole('list', { name: 'Open requests' })).toContainText(email);
      await judge();
      const subject = `Two engineers ${Date.now()}`;
      const sent = await page.request.post('/api/contact', {
        headers: { origin: process.env.SITE_URL! },
        data: {
          ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', subject },
          ...{ message: 'We need two engineers.\nWhen can they start?', elapsedMs: 20_000 },
        },
      });
      expect(sent.ok(), await sent.text()).toBe(true);
      await page.goto('/admin/messages');
      await expect(page.getByText(subject).first()).toBeVisible();
    },
  },
  {
    name: 'what can be done with a course',
    as: ADMIN,
    isBrief: true,
    open: async (page, judge) => {
      await page.goto('/admin?search=JavaScript+Fundamentals');
      await isAwake(page);
      await chooseForCourse(page, 'JavaScript Fundamentals', 'Delete');
      await expect(page.getByRole('alertdialog')).toContainText('“JavaScript Fundamentals”');
      await judge();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'New course' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create course' }).click();
      await expect(page.getByRole('dialog').getByText('Title is required')).toBeVisible();
      await judge();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More for JavaScript Fundamentals', exact: true }).click();
      await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
    },
  },
  {
    name: 'a course without lessons',
    as: ADMIN,
    isBrief: true,
    open: async (page) => {
      const { id } = await asAdmin(page, 'POST', '/api/courses', {
        ...{ title: `Knots ${Date.now()}`, description: 'Nothing in it.', thumbnail: '/favicon.svg' },
        ...{ price: '49.00', duration: '2 hours', level: 'Beginner', categoryId: 1, isActive: false },
      });
      await page.goto(`/admin/courses/${id}/content`);
      await expect(page.getByRole('heading', { name: 'No lessons yet' })).toBeVisible();
    },
  },
  {
    name: 'a coding lesson in its editor',
    as: ADMIN,
    isBrief: true,
    open: async (page) => {
      const { id } = await findCourse(page, 'JavaScript by Practice');
      const { content } = await (await page.request.get(`/api/courses/${id}`)).json();
      const lesson = content.find(({ type }: { type: string }) => type === 'interactive_coding');
      await page.goto(`/admin/courses/${id}/content/${lesson.id}`);
      await isAwake(page);
      await expect(page.getByRole('region', { name: 'Try as learner' })).toBeVisible();
      await expect(page.getByRole('textbox', { name: /^Reference solution. Press Escape/ })).toBeAttached();
    },
  },
  {
    name: 'a paid order, as the administration sees it',
    as: ADMIN,
    isBrief: true,
    open: async (page) => {
      const [course] = await paidCourses(page.request);
      const { orderId } = await elsewhere(page, (request) =>
        buyAsGuest(request, process.env.SITE_URL!, course!),
      );
      await expect(async () => {
        await page.goto(`/admin/orders/${orderId}`);
        await expect(page.getByText(/the order was completed with invoice/)).toBeVisible({ timeout: 1000 });
      }).toPass({ timeout: 20_000 });
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
      await fillCartWithBundle(page, shopper);
      await page.goto('/cart');
      await expect(page.getByRole('link', { name: 'Proceed to Checkout' })).toBeVisible();
      await isAwake(page);
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
  {
    name: 'a purchase of one’s own, its order and its invoice',
    as: null,
    isBrief: true,
    open: async (page, judge) => {
      const [course] = await paidCourses(page.request);
      const { orderId } = await buyer(page, course!);
      await page.goto(`/purchase-success?course=${course!.id}`);
      await expect(page.getByText(`You own “${course!.title}”.`)).toBeVisible();
      await judge();
      await page.goto('/dashboard?tab=purchases');
      await expect(page.getByText('completed', { exact: true })).toBeVisible();
      await judge();
      await page.goto(`/orders/${orderId}`);
      await expect(page.getByText(/ paid by card\.$/)).toBeVisible();
      await judge();
      await page.goto(`/orders/${orderId}/invoice`);
      await expect(page.getByText('Tax', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'a checkout of what one owns',
    as: STUDENT,
    isBrief: true,
    open: async (page) => {
      const [{ courseId }] = await (await page.request.get('/api/enrollments')).json();
      await page.goto(`/courses/${courseId}/checkout`);
      await expect(
        page.getByRole('heading', { level: 1, name: 'You already own this course' }),
      ).toBeVisible();
    },
  },
  {
    name: 'an order that is not paid',
    as: null,
    isBrief: true,
    open: async (page, judge) => {
      const shopper = await newShopper(page);
      await fillCart(page, shopper, 'SQL and PostgreSQL in Practice');
      const { price } = await findCourse(page, 'SQL and PostgreSQL in Practice');
      const begun = await page.request.post('/api/create-payment-intent', {
        headers: { authorization: `Bearer ${shopper.token}` },
        data: { amount: Number(price.slice(1)) },
      });
      expect(begun.status(), await begun.text()).toBe(200);
      const { orderId } = await begun.json();
      await page.goto(`/orders/${orderId}`);
      await expect(page.getByText('Not paid yet. Nothing has been charged.', { exact: false })).toBeVisible();
      await judge();
      await page.goto(`/orders/${orderId}/invoice`);
      await expect(page.getByRole('heading', { level: 1, name: 'There is no invoice yet' })).toBeVisible();
    },
  },
  {
    name: "a guest's order by its receipt",
    as: null,
    isBrief: true,
    open: async (page) => {
      const { email } = await elsewhere(page, async (request) => {
        const [course] = await paidCourses(request);
        return buyAsGuest(request, process.env.SITE_URL!, course!);
      });
      const mail = await mailTo(email, 'Your receipt');
      await page.goto(/http:\S+?\/orders\/\d+\?token=[\w-]{43}/.exec(mail)![0]);
      await expect(page.getByRole('link', { name: 'Get to your course' })).toBeVisible();
    },
  },
  {
    name: "a guest's checkout that a coupon covers",
    as: null,
    isBrief: true,
    open: async (page) => {
      const code = await newCoupon(page, { kind: 'percent', percentOff: 100 });
      const { id } = await findCourse(page, 'SQL and PostgreSQL in Practice');
      await page.goto(`/buy/${id}?coupon=${code}`);
      await expect(page.getByText('Your coupon covers the whole price. No card is needed.')).toBeVisible();
    },
  },
];
