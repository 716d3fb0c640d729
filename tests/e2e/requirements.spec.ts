import type { APIRequestContext } from '@playwright/test';
import { ADMIN, paidCourses, STUDENT } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// The client's exact words, in the pages as the server sends them (docs/requirements.md, "Rows and their tests").

/** The words of a page without its markup, scripts and styles. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/&#(?:39|x27);/g, "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');
}

async function signedIn(
  request: APIRequestContext,
  who: { email: string; password: string },
): Promise<Record<string, string>> {
  const { token } = await (await request.post('/api/auth/login', { data: who })).json();
  return { authorization: `Bearer ${token}` };
}

test('an unknown path says so in the words of the specification', async ({ request }) => {
  const answer = await request.get('/no/such/page');
  expect(answer.status()).toBe(404);
  const words = wordsOf(await answer.text());
  expect(words).toContain('404 Page Not Found');
  expect(words).toContain('Did you forget to add the page to the router?');
});

test('header and footer are on every page, those of accounts too', async ({ request }) => {
  for (const path of [
    '/',
    '/about',
    '/courses',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=x',
    '/claim',
    '/verify-email?token=x',
    '/no/such/page',
  ]) {
    const html = await (await request.get(path)).text();
    const header = /<header class="sticky[\s\S]*?<\/header>/.exec(html)?.[0] ?? '';
    const footer = /<footer[\s\S]*?<\/footer>/.exec(html)?.[0] ?? '';
    for (const href of ['/', '/services', '/clients', '/marketplace', '/about', '/contact', '/login']) {
      expect([path, href, header.includes(`href="${href}"`)]).toEqual([path, href, true]);
    }
    for (const id of [1, 2, 3, 4, 5]) expect(footer).toContain(`/courses?category=${id}"`);
    for (const words of ['2022-2025', 'E-Verify', 'Instructors', 'Pricing', 'Blog', 'Privacy Policy']) {
      expect([path, wordsOf(footer)]).toEqual([path, expect.stringContaining(words)]);
    }
    expect([path, wordsOf(footer)]).toEqual([path, expect.not.stringContaining('coming')]);
    for (const link of [
      'href="/instructors">Instructors<',
      'href="/teams">Pricing<',
      'href="/insights">Blog<',
      'src="/api/galaxy-logo.png"',
    ])
      expect([path, link, footer.includes(link)]).toEqual([path, link, true]);
  }
});

test('the success page shows what its address says, and nothing that it would have to prove', async ({
  request,
}) => {
  const [course] = await paidCourses(request);
  const answer = await request.get(
    `/purchase-success?course=${course!.id}&email=grace%40example.com&firstName=Grace&lastName=Hopper`,
  );
  expect(answer.status()).toBe(200);
  const html = await answer.text();
  const words = wordsOf(html);
  expect(words).toContain('Payment Successful!');
  for (const [name, value] of [
    ['name', 'Grace Hopper'],
    ['email', 'grace@example.com'],
  ]) {
    const field = [...html.matchAll(/<input[^>]*>/g)].find(
      ([tag]) => tag.includes(`name="${name}"`) && tag.includes(`value="${value}"`),
    );
    expect([name, field?.[0]]).toEqual([name, expect.stringContaining('disabled')]);
  }
  const main = wordsOf(/<main[\s\S]*<\/main>/.exec(html)![0]);
  expect(main).toContain('Create your account');
  expect(main).not.toContain(course!.title);
  expect(main).not.toMatch(/\$\d|Order #|Invoice/);
  // Half of it says nothing.
  expect((await request.get(`/purchase-success?course=${course!.id}`)).status()).toBe(403);
});

test('a course page says English, certificate, lifetime access and, with a video lesson, HD video', async ({
  request,
}) => {
  const courses: { id: number; content: { type: string }[] }[] = await (
    await request.get('/api/courses')
  ).json();
  const withVideo = courses.filter(({ content }) => content.some(({ type }) => type === 'video'));
  expect(withVideo.length).toBeGreaterThan(0);
  for (const { id } of withVideo) {
    const words = wordsOf(await (await request.get(`/courses/${id}`)).text());
    for (const said of ['Overview', 'Curriculum', 'About', 'Buy Now', 'Add to Cart', 'Share & Refer']) {
      expect(words).toContain(said);
    }
    for (const said of [/English/, /[Cc]ertificate/, /[Ll]ifetime access/, /HD video/]) {
      expect(words).toMatch(said);
    }
  }
});

test('a course without lessons is in the store, and says that lessons are being added', async ({
  request,
}) => {
  const headers = await signedIn(request, ADMIN);
  const made = await request.post('/api/courses', {
    headers,
    data: {
      title: `Nothing yet ${Date.now()}`,
      description: 'Soon.',
      thumbnail: '/favicon.svg',
      price: '20.00',
      duration: '1 hour',
      level: 'beginner',
      categoryId: 5,
    },
  });
  const { id } = await made.json();
  try {
    expect(wordsOf(await (await request.get(`/courses/${id}`)).text())).toContain(
      'Lessons are being added to this course.',
    );
    expect((await request.get(`/buy/${id}`)).status()).toBe(200);
  } finally {
    await request.delete(`/api/courses/${id}`, { headers });
  }
});

test('the dashboard greets, says what is next, and shows its four figures', async ({ request }) => {
  await signedIn(request, STUDENT);
  const words = wordsOf(await (await request.get('/dashboard')).text());
  expect(words).toMatch(
    /Welcome, [^.]+\. .*Total Courses (?:\S+ )?In Progress (?:\S+ )?Completed (?:\S+ )?Avg\. Progress/,
  );
  for (const tab of ['My Courses', 'Progress', 'Purchase History']) expect(words).toContain(tab);
});

test('the logo is an image at its specified address', async ({ request }) => {
  const answer = await request.get('/api/galaxy-logo.png');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);
});
