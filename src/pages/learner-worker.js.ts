import type { APIRoute } from 'astro';
import { env } from '#src/server/start/env.ts';

export const prerender = false;

/** Takes itself off the device, with what it has kept. */
const UNREGISTER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('learner-')) await caches.delete(name);
  await registration.unregister();
})()));`;

/** The service worker of the learner's app (decision 124). Browsers ask for it at each page of it. */
export const GET: APIRoute = async () => {
  // Made by the build alone; where it is off, nobody needs it.
  const { code } = env().offlineLessons
    ? await import('../features/learn/offline/worker.ts?inline-script')
    : { code: UNREGISTER };
  return new Response(code, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  });
};
