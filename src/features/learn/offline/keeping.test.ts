import { describe, expect, it, vi } from 'vitest';
import { ACCOUNT_HEADER, LESSON_HEADER } from '#src/shared/offline/kept-lessons.ts';
import { isOwn, keptForm, keptLesson, lessonKey, pageKey, trim } from './keeping.ts';
import { offlinePage, withNote } from './offline-words.ts';

const SITE = 'https://academy.example';
const page = (title = 'Valleys', headers: Record<string, string> = {}) =>
  new Response(`<html><head><title>${title}</title></head><main id="main">Text</main></html>`, {
    headers: { [ACCOUNT_HEADER]: '7', [LESSON_HEADER]: '5/12', ...headers },
  });

/** A cache as browsers have it: what is put last is listed last. */
function cacheOf(entries: [string, number][]) {
  const kept = new Map(entries.map(([key, bytes]) => [key, bytes]));
  const cache = {
    keys: async () => [...kept.keys()],
    match: async (key: string) => new Response('', { headers: { 'x-kept-bytes': String(kept.get(key)) } }),
    delete: async (key: string) => kept.delete(key),
  };
  return { cache: cache as unknown as Cache, left: () => [...kept.keys()] };
}

describe('the address under which a lesson is kept', () => {
  it.each([
    ['/learn/5?lesson=12&t=90', '/learn/5?lesson=12'],
    ['/learn/5?view=course&lesson=12', '/learn/5?lesson=12&view=course'],
    ['/lesson/12?from=mail#code', '/lesson/12'],
  ])('%s is that of %s', (asked, kept) => {
    expect(pageKey(SITE + asked)).toBe(SITE + kept);
  });

  it('is the lesson’s own where the course was asked for', () => {
    expect(lessonKey(`${SITE}/learn/5`, page())).toBe(`${SITE}/learn/5?lesson=12`);
    expect(lessonKey(`${SITE}/lesson/12`, page())).toBe(`${SITE}/lesson/12`);
  });
});

describe('what is kept', () => {
  it('is an answer for this account alone, and no refusal', () => {
    expect(isOwn(page(), '7')).toBe(true);
    for (const other of ['', '8', '77']) expect(isOwn(page(), other)).toBe(false);
    expect(isOwn(page('x', { [ACCOUNT_HEADER]: '' }), '7')).toBe(false);
    expect(isOwn(new Response('', { status: 404, headers: { [ACCOUNT_HEADER]: '7' } }), '7')).toBe(false);
  });

  it('knows its title in any script, its course and its age', async () => {
    const kept = (await keptForm(page('Täler &amp; 谷 | The site', { 'content-encoding': 'gzip' })))!;
    expect(kept.headers.has('content-encoding')).toBe(false);
    const lesson = keptLesson(`${SITE}/learn/5`, kept);
    expect(lesson).toMatchObject({ href: '/learn/5?lesson=12', course: '5', title: 'Täler &amp; 谷' });
    expect(Date.now() - lesson.at.getTime()).toBeLessThan(60_000);
  });

  it('is nothing as large as a video', async () => {
    expect(await keptForm(new Response(new Uint8Array(13_000_000)))).toBeNull();
    // Nor is it read to find that out.
    const pulled = vi.fn();
    const body = new ReadableStream({ pull: pulled }, { highWaterMark: 0 });
    expect(await keptForm(new Response(body, { headers: { 'content-length': '13000000' } }))).toBeNull();
    expect(pulled).not.toHaveBeenCalled();
  });
});

describe('the bounds', () => {
  const FOUR: [string, number][] = [
    ['a', 10],
    ['b', 10],
    ['c', 50],
    ['d', 10],
  ];
  it.each([
    [{ entries: 10, bytes: 1000 }, ['a', 'b', 'c', 'd']],
    [{ entries: 2, bytes: 1000 }, ['c', 'd']],
    [{ entries: 10, bytes: 70 }, ['b', 'c', 'd']],
    [{ entries: 10, bytes: 5 }, []],
  ])('of %o let the oldest go first', async (bounds, left) => {
    const kept = cacheOf(FOUR);
    await trim(kept.cache, bounds);
    expect(kept.left()).toEqual(left);
  });
});

describe('the words of a device without a line', () => {
  const FRAME = '<head><title>Old</title></head><header>H</header><main id="main">Old text $1</main>';
  it('stand above a kept lesson', () => {
    const html = withNote(FRAME, new Date('2026-03-04T10:00:00Z'));
    expect(html).toMatch(
      /<main id="main"><div.*You are offline\..*March 4, 2026.*<\/div>Old text \$1<\/main>/s,
    );
  });

  it('stand in the frame of a kept page, with the lessons that are there', () => {
    const lessons = [{ href: '/lesson/1', course: '5', title: 'A &lt;b&gt;', at: new Date() }];
    const html = offlinePage(FRAME, lessons, true);
    expect(html).toContain('<title>This lesson is not on this device yet</title>');
    expect(html).toContain('href="/lesson/1">A &lt;b&gt;</a>');
    expect(html).toContain('<header>H</header>');
    expect(html).not.toContain('Old');
    const without = offlinePage(null, [], false);
    expect(without).toContain('<title>You are offline</title>');
    // A list of nothing is said as a list.
    expect(without).not.toContain('<ul');
  });
});
