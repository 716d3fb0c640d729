import type { Page } from '@playwright/test';
import { ADMIN, buy, prove } from './admin-session.ts';
import { expect } from './fixtures.ts';

export const NAME = 'Hedy Lamarr';

/** An administrator publishes a course of one lesson, somebody buys it and completes it; all by calls. */
export async function graduate(page: Page, title: string) {
  const browser = page.context().browser()!;
  const origin = new URL(page.url() === 'about:blank' ? process.env.SITE_URL! : page.url()).origin;
  const admin = await browser.newContext({ baseURL: origin });
  const { token: adminToken } = await (await admin.request.post('/api/auth/login', { data: ADMIN })).json();
  const asAdmin = { authorization: `Bearer ${adminToken}` };
  const course = await admin.request.post('/api/courses', {
    headers: asAdmin,
    data: {
      title,
      description: 'One lesson, for a certificate.',
      thumbnail: '/favicon.svg',
      price: '20.00',
      duration: '1 hour',
      level: 'beginner',
      categoryId: 1,
      isActive: false,
      certificateMonths: 24,
    },
  });
  expect(course.status(), await course.text()).toBe(201);
  const { id: courseId } = await course.json();
  const lesson = await admin.request.post(`/api/admin/courses/${courseId}/lessons`, {
    headers: asAdmin,
    data: { title: 'The only lesson', type: 'text', content: 'Read this.', duration: '1 min' },
  });
  expect(lesson.ok(), await lesson.text()).toBe(true);
  const { id: lessonId } = await lesson.json();

  await prove(admin.request, asAdmin, courseId);
  // In the catalogue only while it is bought: other tests count what is there.
  const toggle = () => admin.request.put(`/api/courses/${courseId}/toggle`, { headers: asAdmin });
  expect((await toggle()).ok()).toBe(true);
  const learner = await browser.newContext({ baseURL: origin });
  const { email, token } = await buy(learner.request, NAME, [{ id: courseId, title, price: '20.00' }]);
  const headers = { authorization: `Bearer ${token}` };
  await expect(async () => {
    const owned = await (await learner.request.get('/api/enrollments', { headers })).json();
    expect(owned).toHaveLength(1);
  }).toPass();
  expect((await toggle()).ok()).toBe(true);
  const done = await learner.request.post(`/api/courses/${courseId}/content/${lessonId}/complete`, {
    headers,
    data: {},
  });
  expect(done.status(), await done.text()).toBe(200);
  const { certificateNumber } = await done.json();
  await Promise.all([admin.close(), learner.close()]);
  return { email, number: certificateNumber as string };
}
