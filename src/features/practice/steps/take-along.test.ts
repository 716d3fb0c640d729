import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readKept } from './kept-steps.ts';
import { type TakenAlong, takeAlong } from './take-along.ts';

const COURSE = 7;
const KEY = `kept_steps:${COURSE}`;
const LESSONS = [11, 12, 13, 14];

let stored: Map<string, string>;
let judged: number[];
let judge: (lessonId: number) => Response;
let enrollments: () => Response;

const refused = (status: number, code: string, message: string) =>
  Response.json({ code, message, requestId: 'r' }, { status });
const passed = () => Response.json({ isCorrect: true });

const keep = (ids: number[]) =>
  stored.set(
    KEY,
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, { code: `// ${id}`, language: 'javascript' }]))),
  );
const told = () =>
  new Promise<TakenAlong>((resolve) => {
    const end = takeAlong(COURSE, (outcome) => {
      resolve(outcome);
      queueMicrotask(end);
    });
  });

beforeEach(() => {
  stored = new Map();
  judged = [];
  judge = passed;
  enrollments = () => Response.json([{ courseId: COURSE }]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('location', { origin: 'http://site.test' });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async (url: URL, { body }: { body?: string }) => {
    if (url.pathname === '/api/execute-code') {
      const { lessonId } = JSON.parse(body!) as { lessonId: number };
      judged.push(lessonId);
      return judge(lessonId);
    }
    return url.pathname === `/api/courses/${COURSE}`
      ? Response.json({ content: LESSONS.map((id) => ({ id })) })
      : enrollments();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('what a browser kept is taken along', () => {
  it('in the order of the course, and is forgotten', async () => {
    keep([13, 11]);
    expect(await told()).toMatchObject({ taken: [11, 13], failed: 0, left: 0, enrolled: true });
    expect(judged).toEqual([11, 13]);
    expect(stored.size).toBe(0);
  });

  it('also behind a program that is refused for good: nothing is tried for ever', async () => {
    keep(LESSONS);
    judge = (lessonId) =>
      ({
        11: refused(400, 'invalid_input', 'This lesson is written in Python.'),
        12: refused(409, 'conflict', 'This lesson has nothing to check your code with.'),
        13: refused(404, 'not_found', 'Lesson not found.'),
      })[lessonId] ?? passed();
    expect(await told()).toMatchObject({ taken: [14], failed: 3, left: 0 });
    expect(stored.size).toBe(0);
  });

  it('as far as the judge has time, and the rest waits', async () => {
    keep([11, 12]);
    judge = (lessonId) =>
      lessonId === 11 ? passed() : refused(503, 'unavailable', 'Too many programs wait.');
    expect(await told()).toMatchObject({ taken: [11], left: 1, reason: 'Too many programs wait.' });
    expect([...readKept(COURSE).keys()]).toEqual([12]);
  });

  it('not at all where the course could not be taken: the next check has to take it', async () => {
    keep([11]);
    enrollments = () => refused(503, 'unavailable', 'Please try again.');
    expect(await told()).toMatchObject({ taken: [], left: 1, enrolled: false });
    expect(judged).toEqual([]);
  });

  it.each(['{', 'null', '[]', '{"a":1}', '{"11":{"code":1}}', '{"__proto__":{"code":"","language":""}}'])(
    'where it can be read, which %s cannot',
    (text) => {
      stored.set(KEY, text);
      expect(readKept(COURSE).size).toBe(0);
    },
  );
});
