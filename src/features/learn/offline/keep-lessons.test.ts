import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepLessons } from './keep-lessons.ts';

const register = vi.fn();
let asked: string[];

beforeEach(() => {
  asked = [];
  register.mockReset();
  const stored: Record<string, string> = {
    auth_token: 't',
    auth_user: JSON.stringify({ id: 7 }),
    'waiting:7': JSON.stringify([{ id: 'a', kind: 'complete', courseId: 1, lessonId: 2, title: 'A' }]),
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored[key] ?? null,
    removeItem: (key: string) => delete stored[key],
  });
  vi.stubGlobal('location', { origin: 'http://site.test' });
  vi.stubGlobal('navigator', {
    onLine: true,
    locks: { request: (_: string, work: () => Promise<void>) => work() },
    serviceWorker: { controller: {}, register },
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('BroadcastChannel', vi.fn());
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname);
    return Response.json({ message: 'Later' }, { status: 503 });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('sends what waits where no lessons are kept, too', async () => {
  await keepLessons();
  await vi.waitFor(() => expect(asked).toEqual(['/api/courses/1/content/2/complete']));
  expect(register).not.toHaveBeenCalled();
});
