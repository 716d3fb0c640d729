import { afterEach, expect, it, vi } from 'vitest';

const [GONE, OPEN] = [6, 7];

afterEach(() => vi.unstubAllGlobals());

it('says what was taken along, and nothing of a course that has left the store', async () => {
  const stored = new Map(
    [GONE, OPEN].map((id) => [
      `kept_steps:${id}`,
      JSON.stringify({ 11: { code: '1', language: 'javascript' } }),
    ]),
  );
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('localStorage', Object.assign(storage, Object.fromEntries(stored)));
  vi.stubGlobal('location', { origin: 'http://site.test' });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (pathname === '/api/create-direct-payment') {
      return Response.json({ code: 'not_found', message: 'Course not found' }, { status: 404 });
    }
    if (pathname === '/api/execute-code') return Response.json({ isCorrect: true });
    if (pathname === `/api/courses/${OPEN}`) return Response.json({ content: [{ id: 11 }] });
    return Response.json([{ courseId: OPEN }]);
  });
  const said = new Promise<string>((resolve) => {
    // The course that is gone has its answer first.
    const replaceChildren = (text: string) => text.includes('1 step taken') && resolve(text);
    vi.stubGlobal('document', { querySelector: () => ({ replaceChildren }) });
  });
  await import('./taken-steps.ts');
  expect(await said).toBe('1 step taken along.');
  // It may come back.
  expect([...stored.keys()]).toEqual([`kept_steps:${GONE}`]);
});
