import { afterEach, expect, it } from 'vitest';
import { GET } from '#src/pages/learner-worker.js.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { callRoute } from '../../support/api.ts';

afterEach(() => setEnvironment({ OFFLINE_LESSONS: 'on' }));

it('takes the worker and what it kept off a device where offline lessons are switched off', async () => {
  setEnvironment({ OFFLINE_LESSONS: 'off' });
  const { status, headers, text } = await callRoute(GET, {});
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(headers.get('content-type')).toContain('text/javascript');
  const log: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const work: Promise<unknown>[] = [];
  new Function('addEventListener', 'skipWaiting', 'caches', 'registration', text)(
    (name: string, listen: (event: object) => void) => listeners.set(name, listen),
    () => log.push('takes over'),
    {
      keys: async () => ['learner-1-pages-7', 'of-others'],
      delete: async (name: string) => log.push(`deletes ${name}`),
    },
    { unregister: async () => log.push('unregisters') },
  );
  listeners.get('install')!({});
  listeners.get('activate')!({ waitUntil: (one: Promise<unknown>) => work.push(one) });
  await Promise.all(work);
  expect(log).toEqual(['takes over', 'deletes learner-1-pages-7', 'unregisters']);
});
