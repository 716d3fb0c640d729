import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import {
  ACCOUNT_HEADER,
  CURRENT,
  cachesOf,
  forgetLessons,
  keptAccount,
  LESSON_HEADER,
} from '#src/shared/offline/kept-lessons.ts';
import {
  ASSETS,
  FILES,
  isOwn,
  type KeptLesson,
  keptAt,
  keptForm,
  keptLesson,
  lessonKey,
  PAGES,
  pageKey,
  trim,
} from './keeping.ts';
import { offlinePage, withNote } from './offline-words.ts';

// The service worker: opened lessons are readable offline (decision 124). The build serves it at `WORKER_PATH`.

/** Missing in TypeScript's DOM library. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type Scope = {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: string, listen: (event: ExtendableEvent & MessageEvent) => void): void;
};
const worker = self as unknown as Scope;

/** Seconds. */
const LINE_LOST_SECONDS = 8;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) =>
  event.waitUntil(
    Promise.all([worker.clients.claim(), forgetLessons((name) => name.startsWith(CURRENT))]).catch(() => {}),
  ),
);
// Full or refused storage is no error of the site.
worker.addEventListener('unhandledrejection', (event) => event.preventDefault());

const isPage = (url: URL) => /^\/(learn|lesson|dashboard)(\/|$)/.test(url.pathname);

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && isPage(url) && request.mode === 'navigate',
  ({ request, event }) => openPage(request, event),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/_astro/'),
  ({ request, event }) => asWithout(request, () => assets(request, event)),
);
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin &&
    ((/^\/(pictures|media)\//.test(url.pathname) && request.destination === 'image') ||
      // Only documents of the learner's side.
      (url.pathname.startsWith('/files/') && /\/(learn|lesson)\//.test(request.referrer))) &&
    !request.headers.has('range'),
  ({ request, event }) => asWithout(request, () => lessonFile(request, event)),
);

/** Behaves as without a worker. */
const asWithout = (request: Request, serve: () => Promise<Response>) => serve().catch(() => fetch(request));

async function assets(request: Request, event: ExtendableEvent): Promise<Response> {
  const account = await keptAccount();
  if (!account) return fetch(request);
  const cacheWillUpdate = async ({ response }: { response: Response }) =>
    response.status === 200 && (await keptAccount()) === account ? keptForm(response) : null;
  return new CacheFirst({ cacheName: cachesOf(account).assets, plugins: [{ cacheWillUpdate }] }).handle({
    request,
    event,
  });
}

async function lessonFile(request: Request, event: ExtendableEvent): Promise<Response> {
  const account = await keptAccount();
  if (!account) return fetch(request);
  const { files } = cachesOf(account);
  return new NetworkFirst({
    cacheName: files,
    networkTimeoutSeconds: LINE_LOST_SECONDS,
    matchOptions: { ignoreVary: true },
    plugins: [
      {
        cacheWillUpdate: async ({ response }) => {
          // Public pictures of the catalogue.
          const isPublic = new URL(request.url).pathname.startsWith('/media/') && response.status === 200;
          const isKept = isPublic || isOwn(response, account);
          return isKept && (await keptAccount()) === account ? keptForm(response) : null;
        },
        cacheDidUpdate: async () => forgetIfLeft(account),
      },
    ],
  }).handle({ request, event });
}

/** Network first. */
async function openPage(request: Request, event: ExtendableEvent): Promise<Response> {
  const account = await keptAccount();
  const kept = account ? await pageAt(account, pageKey(request.url)) : undefined;
  const network = fetch(request).then(async (response) => {
    if (isAnothers(response, account)) await forgetOwner(account);
    else event.waitUntil(takeNotice(response.clone(), request.url, account).catch(() => {}));
    return response;
  });
  try {
    return await (kept ? Promise.race([network, lostAfter(LINE_LOST_SECONDS)]) : network);
  } catch {
    event.waitUntil(network.catch(() => {}));
    // The sign-in may have ended meanwhile.
    const reader = await keptAccount();
    if (kept && reader === account) {
      return new Response(withNote(await kept.text(), keptAt(kept)), { headers: kept.headers });
    }
    return showOffline(new URL(request.url), reader);
  }
}

const lostAfter = (seconds: number) =>
  new Promise<never>((_, fail) => setTimeout(() => fail(new Error('The line is lost.')), seconds * 1000));

async function pageAt(account: string, key: string): Promise<Response | undefined> {
  try {
    return await caches.match(key, { cacheName: cachesOf(account).pages, ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Whether the session is of another account, or of none. */
function isAnothers(response: Response, account: string | null): boolean {
  const told = response.headers.get(ACCOUNT_HEADER);
  return told !== null && told !== account;
}

/** Unless another account has signed in since the look-up. */
async function forgetOwner(account: string | null): Promise<void> {
  if ((await keptAccount()) === account) await forgetLessons();
}

/** Stores a page, or deletes it where the server refuses it. */
async function takeNotice(response: Response, address: string, account: string | null): Promise<void> {
  const leadsAway = response.type === 'opaqueredirect';
  // A redirect to sign in: the session has ended.
  if (leadsAway && new URL(address).pathname === '/dashboard') return forgetLessons();
  if (!account) return;
  const names = cachesOf(account);
  const cache = await caches.open(names.pages);
  if (leadsAway || [403, 404, 410].includes(response.status)) {
    await Promise.all([cache.delete(pageKey(address)), caches.delete(names.files)]);
    return;
  }
  if (!response.headers.has(LESSON_HEADER) || !isOwn(response, account)) return;
  const form = await keptForm(response);
  if (!form || (await keptAccount()) !== account) return forgetIfLeft(account);
  for (const key of new Set([pageKey(address), lessonKey(address, form)])) {
    // Puts it at the end: the oldest goes first.
    await cache.delete(key);
    await cache.put(key, form.clone());
  }
  await Promise.all([
    trim(cache, PAGES),
    trim(await caches.open(names.files), FILES),
    trim(await caches.open(names.assets), ASSETS),
  ]);
  await forgetIfLeft(account);
}

/** The account may have signed out meanwhile. */
async function forgetIfLeft(account: string): Promise<void> {
  const now = await keptAccount();
  if (now === account) return;
  if (now === null) return forgetLessons();
  const { pages, files } = cachesOf(account);
  await Promise.all([caches.delete(pages), caches.delete(files)]);
}

async function showOffline(url: URL, account: string | null): Promise<Response> {
  const lessons = new Map<string, KeptLesson>();
  let frame: Response | undefined;
  if (account) {
    const cache = await caches.open(cachesOf(account).pages);
    for (const key of await cache.keys()) {
      const page = (await cache.match(key, { ignoreVary: true }))!;
      frame = page;
      const lesson = keptLesson(key.url, page);
      // An exercise has two pages; the latest is enough.
      lessons.set(`${lesson.course} ${lesson.title}`, lesson);
    }
  }
  const course = /^\/learn\/(\d+)/.exec(url.pathname)?.[1];
  const listed = [...lessons.values()].filter((one) => course === undefined || one.course === course);
  const isLesson = /^\/(learn|lesson)\/\d+\/?$/.test(url.pathname);
  const headers = new Headers(frame?.headers ?? { 'content-type': 'text/html; charset=utf-8' });
  return new Response(offlinePage((await frame?.text()) ?? null, listed.reverse(), isLesson), { headers });
}

// The first page sends its own address and those of what it loaded.
worker.addEventListener('message', (event) => {
  const { keep = [] } = (event.data ?? {}) as { keep?: string[] };
  const work = keep.map((address) => {
    const url = new URL(address, location.origin);
    const isAsset = url.pathname.startsWith('/_astro/');
    const request = new Request(url);
    return (isAsset ? assets(request, event) : openPage(request, event)).catch(() => {});
  });
  event.waitUntil(Promise.all(work));
});
