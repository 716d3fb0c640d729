import { beforeEach, expect, it, vi } from 'vitest';
import { ACCOUNT_HEADER, keepLessonsFor, LESSON_HEADER } from '#src/shared/offline/kept-lessons.ts';

const SITE = 'https://academy.example';
const kept = new Map<string, Map<string, Response>>();
const listeners = new Map<string, (event: unknown) => void>();

const keyOf = (asked: Request | string) => new URL(typeof asked === 'string' ? asked : asked.url, SITE).href;
const cacheAt = (name: string) => {
  const entries = kept.get(name) ?? new Map<string, Response>();
  kept.set(name, entries);
  return {
    keys: async () => [...entries.keys()].map((url) => new Request(url)),
    match: async (asked: Request | string) => entries.get(keyOf(asked))?.clone(),
    put: async (asked: Request | string, response: Response) => void entries.set(keyOf(asked), response),
    delete: async (asked: Request | string) => entries.delete(keyOf(asked)),
  };
};
vi.stubGlobal('caches', {
  keys: async () => [...kept.keys()],
  open: async (name: string) => cacheAt(name),
  delete: async (name: string) => kept.delete(name),
  match: async (asked: string, { cacheName }: { cacheName: string }) =>
    kept.get(cacheName)?.get(keyOf(asked))?.clone(),
});
vi.stubGlobal('location', new URL(SITE));
vi.stubGlobal('registration', { scope: `${SITE}/learn/` });
vi.stubGlobal('self', {
  addEventListener: (type: string, listen: (event: unknown) => void) => listeners.set(type, listen),
});
await import('./worker.ts');

beforeEach(() => kept.clear());

/** Opens a lesson's page, which the server makes for the account that its session is of; null is a lost line. */
async function open(address: string, session: string | null): Promise<{ text: string; pages: string[] }> {
  const headers = { [ACCOUNT_HEADER]: session ?? '', [LESSON_HEADER]: '5/12' };
  const page = () => new Response(`<main id="main">Lesson of ${session}</main>`, { headers });
  vi.stubGlobal('fetch', async () => {
    if (session === null) throw new TypeError('offline');
    return page();
  });
  const request = new Request(SITE + address);
  Object.defineProperty(request, 'mode', { value: 'navigate' });
  const work: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  listeners.get('fetch')!({
    request,
    waitUntil: (one: Promise<unknown>) => work.push(one),
    respondWith: (one: Promise<Response>) => {
      answer = one;
    },
  });
  const text = await (await answer!).text();
  // As it is when the page has its answer.
  const pages = [...kept].flatMap(([name, entries]) => (name.includes('pages-') ? [...entries.keys()] : []));
  await Promise.all(work);
  return { text, pages };
}

it('shows without a line what the account of this device has opened', async () => {
  await keepLessonsFor('7');
  await open('/lesson/12', '7');
  expect((await open('/lesson/12', null)).text).toContain('Lesson of 7');
});

it.each(['8', ''])(
  'forgets the lessons of an account before it gives a page that was made for another, "%s"',
  async (other) => {
    await keepLessonsFor('7');
    await open('/lesson/12', '7');
    const { text, pages } = await open('/lesson/13', other);
    expect([text, pages]).toEqual([`<main id="main">Lesson of ${other}</main>`, []]);
    expect((await open('/lesson/12', null)).text).not.toContain('Lesson of 7');
  },
);

it('keeps the lessons of somebody who signs in while a page of the account before is on its way', async () => {
  await keepLessonsFor('7');
  const opened = open('/lesson/12', '7');
  await keepLessonsFor('8');
  await opened;
  await open('/lesson/13', '8');
  expect((await open('/lesson/13', null)).text).toContain('Lesson of 8');
});
