import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { expect } from './fixtures.ts';

const pagesFolder = resolve(import.meta.dirname, '../../src/pages');

/** Routes of every page file, `[id]` still in them. */
export const ROUTES = globSync('**/*.astro', { cwd: pagesFolder })
  .map((file) => `/${file.replace(/(^|\/)index\.astro$/, '').replace(/\.astro$/, '')}`)
  .filter((route) => !route.startsWith('/dev/'))
  .sort();

interface Course {
  id: number;
  title: string;
  content: { id: number; type: string; isPreview: boolean }[];
}

const firstCourse = async (request: APIRequestContext): Promise<Course> => {
  const [{ id }] = await (await request.get('/api/courses?pageSize=1')).json();
  return (await request.get(`/api/courses/${id}`)).json();
};

/** A course of the demo student; everybody else has no access to it, which is a page too. */
const enrolledCourseId = async (request: APIRequestContext): Promise<number> => {
  const answer = await request.get('/api/enrollments');
  return answer.ok() ? ((await answer.json())[0]?.courseId ?? 1) : 1;
};

/** A coding lesson that everybody may look at. */
const codingLessonId = async (request: APIRequestContext): Promise<number> => {
  for (const { id } of await (await request.get('/api/courses?search=react%20practice')).json()) {
    const course: Course = await (await request.get(`/api/courses/${id}`)).json();
    const lesson = course.content.find(({ type, isPreview }) => type === 'interactive_coding' && isPreview);
    if (lesson) return lesson.id;
  }
  throw new Error('The demo catalogue has no coding lesson to try.');
};

/** An order of the caller's; for those who have none, a number that leads to the page that says so. */
const orderId = async (request: APIRequestContext): Promise<number> => {
  const answer = await request.get('/api/orders');
  return answer.ok() ? ((await answer.json())[0]?.id ?? 1) : 1;
};

/** An organisation that the caller runs; for others, a number that leads to the page that says so. */
const organisationId = async (request: APIRequestContext): Promise<string> =>
  /\/organisations\/(\d+)/.exec(await (await request.get('/organisations')).text())?.[1] ?? '1';

const listedOrderId = async (request: APIRequestContext): Promise<string> =>
  /\/admin\/orders\/(\d+)/.exec(await (await request.get('/admin/orders')).text())?.[1] ?? '1';

/** The address for each route with a parameter; a new page with one belongs here. */
const ADDRESSES: Record<string, (request: APIRequestContext) => Promise<string>> = {
  '/admin/courses/[id]/content': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/content`,
  '/admin/courses/[id]/content/[lesson]': async (request) => {
    const course = await firstCourse(request);
    return `/admin/courses/${course.id}/content/${course.content[0]!.id}`;
  },
  '/admin/courses/[id]/content/[lesson]/stuck': async (request) => {
    const course = await firstCourse(request);
    return `/admin/courses/${course.id}/content/${course.content[0]!.id}/stuck`;
  },
  '/admin/courses/[id]/content/[lesson]/versions': async (request) => {
    const course = await firstCourse(request);
    return `/admin/courses/${course.id}/content/${course.content[0]!.id}/versions`;
  },
  '/admin/courses/[id]/gradebook': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/gradebook`,
  // Nobody has begun: a cell that is not there.
  '/admin/courses/[id]/gradebook/[user]/[lesson]': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/gradebook/2000000000/2000000000`,
  '/admin/courses/[id]/news': async (request) => `/admin/courses/${(await firstCourse(request)).id}/news`,
  '/admin/courses/[id]/analytics': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/analytics`,
  '/admin/courses/[id]/staff': async (request) => `/admin/courses/${(await firstCourse(request)).id}/staff`,
  '/admin/courses/[id]/publish': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/publish`,
  '/admin/courses/[id]/questions': async (request) =>
    `/admin/courses/${(await firstCourse(request)).id}/questions`,
  '/admin/courses/[id]/stuck': async (request) => `/admin/courses/${(await firstCourse(request)).id}/stuck`,
  '/admin/orders/[id]': async (request) => `/admin/orders/${await listedOrderId(request)}`,
  '/admin/users/[id]': async () => '/admin/users/2',
  '/bundles/[id]': async () => '/bundles/1',
  '/buy/[id]': async (request) => `/buy/${(await firstCourse(request)).id}`,
  '/certificates/[number]': async () => '/certificates/none',
  '/clients/[id]': async () => '/clients/tidepath-routes',
  '/course/[id]': async (request) => `/course/${(await firstCourse(request)).id}`,
  // The page is told which course it is by the address that leads there.
  '/course/[id]/steps': async (request) => new URL((await request.get('/steps')).url()).pathname,
  '/courses/[id]': async (request) => `/courses/${(await firstCourse(request)).id}`,
  '/courses/[id]/checkout': async (request) => `/courses/${(await firstCourse(request)).id}/checkout`,
  '/insights/[id]': async () => '/insights/the-open-seat-is-rarely-one-job',
  '/learn/[id]': async (request) => `/learn/${await enrolledCourseId(request)}?view=course`,
  '/learn/[id]/finished': async (request) => `/learn/${await enrolledCourseId(request)}/finished`,
  '/learn/[id]/news': async (request) => `/learn/${await enrolledCourseId(request)}/news`,
  '/lesson/[id]': async (request) => `/lesson/${await codingLessonId(request)}`,
  '/lessons/[id]': async (request) => `/lessons/${await codingLessonId(request)}`,
  '/organisations/[id]': async (request) => `/organisations/${await organisationId(request)}`,
  '/organisations/[id]/buy': async (request) => `/organisations/${await organisationId(request)}/buy`,
  '/organisations/[id]/invoice': async (request) => {
    const course = (await firstCourse(request)).id;
    return `/organisations/${await organisationId(request)}/invoice?of=course-${course}&seats=5`;
  },
  '/organisations/[id]/orders': async (request) => `/organisations/${await organisationId(request)}/orders`,
  '/organisations/[id]/webhooks': async (request) =>
    `/organisations/${await organisationId(request)}/webhooks`,
  '/organisations/[id]/pay': async (request) => `/organisations/${await organisationId(request)}/pay`,
  '/orders/[id]': async (request) => `/orders/${await orderId(request)}`,
  '/orders/[id]/invoice': async (request) => `/orders/${await orderId(request)}/invoice`,
  // Without a token it leads on by itself.
  '/reset-password': async () => '/reset-password?token=none',
  '/scenario/[id]': async () => '/scenario/1',
  '/scenarios/[id]': async () => '/scenarios/1',
};

/** The address of a page's route for whoever asks. */
export async function addressOf(route: string, request: APIRequestContext): Promise<string> {
  const address = ADDRESSES[route];
  if (route.includes('[') && !address) throw new Error(`${route} needs an entry in ADDRESSES`);
  return address ? address(request) : route;
}

/** Takes a free course, so that there is an order to look at. */
export async function takeFreeCourse(request: APIRequestContext): Promise<void> {
  const courses: { id: number; price: string }[] = await (await request.get('/api/courses')).json();
  const free = courses.find(({ price }) => Number(price) === 0)!;
  const answer = await request.post('/api/create-direct-payment', {
    data: { courseId: free.id, amount: 0 },
    headers: { origin: new URL((await request.get('/')).url()).origin },
  });
  expect([200, 409]).toContain(answer.status());
}
