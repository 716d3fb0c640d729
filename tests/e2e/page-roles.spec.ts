import type { APIRequestContext } from '@playwright/test';
import { PAGES } from '../support/routes.ts';
import { ADMIN, buy, paidCourses, verificationLink } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// Every page by who asks for it, from the server's own answer: `open`, where it sends them, or what it says of itself.
// A page that is not in the table of routes fails `admin-routes.test.ts`, and one without a row here fails this.

const ROLES = ['visitor', 'student', 'owner', 'admin', 'former'] as const;
type Role = (typeof ROLES)[number];
type Row = Record<Role, string>;

const forAll = (what: string): Row => ({
  visitor: what,
  student: what,
  owner: what,
  admin: what,
  former: what,
});
const OPEN = forAll('open');
const ADMINS = { ...forAll('to /'), admin: 'open' };
const HAS_ACCOUNT = { ...forAll('to /dashboard'), visitor: 'open' };
const signedIn = (path: string): Row => ({ ...OPEN, visitor: `to /login?next=${encodeURIComponent(path)}` });
const buyers = (path: string): Row => ({ ...signedIn(path), student: '404', former: '404' });

/** Pages whose answer is another one for some; all others are open to everybody, or to administrators alone. */
const ROWS: Record<string, Row> = {
  '/404': forAll('404'),
  '/account': signedIn('/account'),
  // The address names nobody who learns.
  '/admin/courses/[id]/gradebook/[user]/[lesson]': { ...ADMINS, admin: '404' },
  // Nobody has the credential, the payment or the letter that these addresses would have to name.
  '/certificates/[number]': forAll('404'),
  '/purchase-success': forAll('403'),
  '/mail-choices': forAll('404'),
  '/review': signedIn('/review'),
  '/organisations': signedIn('/organisations'),
  '/teaching': signedIn('/teaching'),
  '/organisations/[id]': { ...forAll('404'), visitor: 'to /login?next=%2Forganisations%2FN' },
  '/organisations/[id]/buy': { ...forAll('404'), visitor: 'to /login?next=%2Forganisations%2FN%2Fbuy' },
  '/organisations/[id]/invoice': {
    ...forAll('404'),
    visitor: 'to /login?next=%2Forganisations%2FN%2Finvoice',
  },
  '/organisations/[id]/orders': { ...forAll('404'), visitor: 'to /login?next=%2Forganisations%2FN%2Forders' },
  '/organisations/[id]/webhooks': {
    ...forAll('404'),
    visitor: 'to /login?next=%2Forganisations%2FN%2Fwebhooks',
  },
  '/organisations/[id]/pay': { ...forAll('404'), visitor: 'to /login?next=%2Forganisations%2FN%2Fpay' },
  '/checkout': signedIn('/checkout'),
  '/contact/course': forAll('to /contact'),
  '/contact/send': forAll('to /contact'),
  // A paid course is played by its owners, in the classroom.
  '/course/[id]/steps': forAll('404'),
  '/steps': forAll('to /course/N/steps'),
  '/dashboard': signedIn('/dashboard'),
  // Its first lesson has a screen of its own.
  '/learn/[id]': { ...forAll('404'), visitor: '401', owner: 'to /lesson/N' },
  '/learn/[id]/finished': { ...forAll('404'), visitor: '401', owner: 'to /learn/N' },
  '/learn/[id]/news': { ...forAll('404'), visitor: '401', owner: 'open' },
  '/lesson/[id]': { ...forAll('404'), owner: 'open', admin: 'open' },
  '/lessons/[id]': forAll('to /lesson/N'),
  '/login': { ...HAS_ACCOUNT, admin: 'to /admin' },
  '/logout': forAll('to /'),
  '/my-courses': { ...OPEN, visitor: 'Please Log In' },
  '/my-courses/search': signedIn('/my-courses/search'),
  '/orders/[id]': buyers('/orders/N'),
  '/orders/[id]/invoice': buyers('/orders/N/invoice'),
  '/register': HAS_ACCOUNT,
  // A coding lesson is no simulation.
  '/scenario/[id]': forAll('404'),
  '/scenarios/[id]': forAll('to /scenario/N'),
};

/** What the server answers, in the words of the table. */
async function outcome(request: APIRequestContext, path: string): Promise<string> {
  const answer = await request.get(path, { maxRedirects: 0 });
  const { location } = answer.headers();
  if (location) return `to ${location}`;
  if (answer.status() !== 200) return String(answer.status());
  const html = await answer.text();
  return /(Access Denied|Please Log In|Course Not Found)\s*<\/h\d>/.exec(html)?.[1] ?? 'open';
}

/** A course that begins with a coding lesson and has one that is for its owners alone, and another course. */
async function courseWithProgram(request: APIRequestContext) {
  const courses = await paidCourses(request);
  for (const course of courses) {
    const { content } = await (await request.get(`/api/courses/${course.id}`)).json();
    const lessons = content as { id: number; type: string; isPreview: boolean }[];
    const isProgram = ({ type }: { type: string }) => type === 'interactive_coding';
    const lesson = lessons.find((one) => isProgram(one) && !one.isPreview);
    if (lesson && isProgram(lessons[0]!))
      return { course, lesson, other: courses.find(({ id }) => id !== course.id)! };
  }
  throw new Error('The demo catalogue sells no course with a coding lesson.');
}

test('every page lets in whom it should, and nobody else', async ({ playwright, baseURL }) => {
  const people = {} as Record<Role, APIRequestContext>;
  for (const role of ROLES) people[role] = await playwright.request.newContext({ baseURL: baseURL! });
  const { course, lesson, other } = await courseWithProgram(people.visitor);
  const login = await people.admin.post('/api/auth/login', { data: ADMIN });
  const headers = { authorization: `Bearer ${(await login.json()).token}` };
  const { orderId } = await buy(people.owner, 'Page Owner', [course]);
  await expect(async () => {
    const mine = await (await people.owner.get('/api/my-enrollments')).json();
    expect(JSON.stringify(mine)).toContain(`"courseId":${course.id}`);
  }).toPass({ timeout: 20_000 });
  await buy(people.student, 'Page Student', [other]);
  const { email } = await buy(people.former, 'Page Former', [other]);
  const verified = await people.former.post('/verify-email', {
    headers: { origin: new URL(baseURL!).origin },
    form: { token: new URL(await verificationLink(email)).searchParams.get('token')! },
  });
  expect(verified.status()).toBe(200);
  const list = await (await people.admin.get(`/admin/users?search=${encodeURIComponent(email)}`)).text();
  const formerId = /\/admin\/users\/(\d+)/.exec(list)![1]!;
  for (const role of ['admin', 'student'] as const) {
    const changed = await people.admin.put(`/api/admin/users/${formerId}/role`, {
      headers,
      data: { role, reason: 'Tried out' },
    });
    expect(changed.status(), await changed.text()).toBe(200);
    // While they are one, they get in: the table below would prove nothing otherwise.
    expect(await outcome(people.former, '/admin/orders')).toBe(role === 'admin' ? 'open' : 'to /');
  }

  const ids: Record<string, string> = {
    '/admin/courses/[id]': String(course.id),
    '/admin/orders/[id]': String(orderId),
    '/admin/users/[id]': formerId,
    '/orders/[id]': String(orderId),
    '/lesson/[id]': String(lesson.id),
    '/lessons/[id]': String(lesson.id),
    '/scenario/[id]': String(lesson.id),
    '/scenarios/[id]': String(lesson.id),
    '/bundles/[id]': '1',
    '/clients/[id]': 'tidepath-routes',
    '/insights/[id]': 'the-open-seat-is-rarely-one-job',
  };
  const addressOf = (page: string) =>
    page
      .replace('[lesson]', String(lesson.id))
      .replace('[number]', 'none')
      .replace(
        '[id]',
        Object.entries(ids).find(([start]) => page.startsWith(start))?.[1] ?? String(course.id),
      );

  const found: Record<string, Row> = {};
  const wanted: Record<string, Row> = {};
  for (const [page, access] of Object.entries(PAGES)) {
    const row = {} as Row;
    for (const role of ROLES)
      row[role] = (await outcome(people[role], addressOf(page))).replaceAll(
        /(?<=to .*(?:[/=]|%2F))\d+/g,
        'N',
      );
    found[page] = row;
    wanted[page] = ROWS[page] ?? (access === 'admin' ? ADMINS : OPEN);
  }
  for (const person of Object.values(people)) await person.dispose();
  expect(found).toEqual(wanted);
});
