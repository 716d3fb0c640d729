import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost } from '#src/shared/api.ts';
import { ACCOUNT_HEADER } from '#src/shared/offline/kept-lessons.ts';
import { readWaiting, writeWaiting } from '#src/shared/offline/waiting-answers.ts';
import { newAnswer, sendOrKeep, sendWaiting } from './waiting.ts';

const ME = 7;
const quiz = (lessonId: number, answer = 0) => ({
  ...({ kind: 'quiz', title: `Quiz ${lessonId}` } as const),
  ...{ lessonId, input: { answers: { '1': answer } } },
});
const taken = () => Response.json({ attempt: { score: 100, passed: true } });
const lost = () => Promise.reject(new TypeError('Failed to fetch'));

let stored: Map<string, string>;
let isFull: boolean;
let sent: { path: string; requestId: string; account: string | null }[];
let answer: (path: string) => Promise<Response>;

beforeEach(() => {
  stored = new Map([
    ['auth_token', 't'],
    ['auth_user', JSON.stringify({ id: ME, username: 'u', email: 'e', role: 'student' })],
  ]);
  isFull = false;
  sent = [];
  answer = async () => taken();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => isFull || stored.delete(key),
  });
  vi.stubGlobal('location', { origin: 'http://site.test', pathname: '/' });
  vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => Promise<void>) => work() } });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener() {}
      postMessage() {}
    },
  );
  vi.stubGlobal('fetch', (url: URL, { body, headers }: { body: string; headers: Record<string, string> }) => {
    const { requestId } = JSON.parse(body ?? '{}') as { requestId: string };
    sent.push({ path: url.pathname, requestId, account: new Headers(headers).get(ACCOUNT_HEADER) });
    return answer(url.pathname);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Hands in; what it came to, which is never told of an answer that waits. */
async function handIn(one: ReturnType<typeof quiz>, userId = ME): Promise<'taken' | 'waits' | unknown> {
  return new Promise((done) => {
    sendOrKeep(userId, newAnswer(one, userId), () => done('waits')).then(() => done('taken'), done);
  });
}

describe('what waits', () => {
  it('is sent once where the browser cannot forget it, and holds nothing else up', async () => {
    writeWaiting(ME, [newAnswer(quiz(1), ME), newAnswer(quiz(2), ME)]);
    isFull = true;
    await sendWaiting(ME);
    expect(sent.map(({ path }) => path)).toEqual(['/api/lessons/1/quiz', '/api/lessons/2/quiz']);
  });

  it.each([
    ['/learn/3', false, 1],
    ['/dashboard', false, 1],
    ['/courses/3', false, 0],
    ['/learn/3', true, 0],
  ])('is shown by the page %s once it is sent (storage full: %s)', async (pathname, full, times) => {
    const reload = vi.fn();
    vi.stubGlobal('location', { origin: 'http://site.test', pathname, reload });
    writeWaiting(ME, [newAnswer(quiz(1), ME), newAnswer(quiz(2), ME)]);
    isFull = full;
    await sendWaiting(ME);
    expect(sent).toHaveLength(2);
    expect(reload).toHaveBeenCalledTimes(times);
  });

  it('goes out in the name of the account whose it is', async () => {
    writeWaiting(ME, [newAnswer(quiz(1), ME)]);
    await sendWaiting(ME);
    expect(sent[0]!.account).toBe(String(ME));
  });

  it('stays beside what another tab kept while this one lost its line', async () => {
    answer = (path) => {
      if (path.includes('/3/')) writeWaiting(ME, [newAnswer(quiz(4), ME)]);
      return lost();
    };
    expect(await handIn(quiz(3))).toBe('waits');
    expect(readWaiting(ME).map(({ lessonId }) => lessonId)).toEqual([4, 3]);
  });

  it('is nothing in a preview, where nobody would send it', async () => {
    answer = lost;
    expect(await handIn(quiz(5), 99)).toBeInstanceOf(ConnectionLost);
    expect(readWaiting(99)).toEqual([]);
  });
});

describe('the same answers handed in again', () => {
  it.each([
    [
      'where the browser keeps nothing',
      () => {
        isFull = true;
      },
    ],
    ['where its tabs cannot take turns', () => vi.stubGlobal('navigator', {})],
  ])('are the same hand-in %s, until they arrive', async (_, refuse) => {
    refuse();
    answer = lost;
    expect(await handIn(quiz(6))).toBeInstanceOf(ConnectionLost);
    answer = async () => taken();
    expect(await handIn(quiz(6))).toBe('taken');
    expect(await handIn(quiz(6))).toBe('taken');
    const [first, second, third] = sent.map(({ requestId }) => requestId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('are another one where the answers are others', async () => {
    isFull = true;
    answer = lost;
    await handIn(quiz(8, 0));
    await handIn(quiz(8, 1));
    expect(sent[1]!.requestId).not.toBe(sent[0]!.requestId);
  });
});
