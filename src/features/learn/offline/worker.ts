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

// The service worker of the learner's app: lessons that were opened can be read without a line (decision 124). It is made
// into one script by the build and served at `WORKER_PATH`.

/** What TypeScript's library for pages does not know of a worker. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type Scope = {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: string, listen: (event: ExtendableEvent & MessageEvent) => void): void;
};
const worker = self as unknown as Scope;

/** Seconds after which a line counts as lost where the device has the page. */
const LINE_LOST_SECONDS = 8;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) =>
  event.waitUntil(
    Promise.all([worker.clients.claim(), forgetLessons((name) => name.startsWith(CURRENT))]).catch(() => {}),
  ),
);
// Storage that is full or refused is no fault that anybody could mend.
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
      // A document of a lesson; what a teacher or an administrator opens elsewhere is none.
      (url.pathname.startsWith('/files/') && /\/(learn|lesson)\//.test(request.referrer))) &&
    !request.headers.has('range'),
  ({ request, event }) => asWithout(request, () => lessonFile(request, event)),
);

/** Where nothing can be kept, the browser goes on as if there were no worker. */
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
          // Pictures of the catalogue are everybody's, and name nobody.
          const isPublic = new URL(request.url).pathname.startsWith('/media/') && response.status === 200;
          const isKept = isPublic || isOwn(response, account);
          return isKept && (await keptAccount()) === account ? keptForm(response) : null;
        },
        cacheDidUpdate: async () => forgetIfLeft(account),
      },
    ],
  }).handle({ request, event });
}

/** The newest answer of the server; without one, what this device has. */
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

/** Whether the session is another account's than the one that lessons are kept for, or nobody's any more. */
function isAnothers(response: Response, account: string | null): boolean {
  const told = response.headers.get(ACCOUNT_HEADER);
  return told !== null && told !== account;
}

/** Forgets the lessons of an account, unless somebody has signed in since it was looked up. */
async function forgetOwner(account: string | null): Promise<void> {
  if ((await keptAccount()) === account) await forgetLessons();
}

/** Keeps a page, or deletes what the server would not show any more. */
async function takeNotice(response: Response, address: string, account: string | null): Promise<void> {
  const leadsAway = response.type === 'opaqueredirect';
  // The session has ended: nobody is there whose lessons these are.
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
    // Once more at the end, so that what was opened last leaves last.
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

/** Somebody may have signed out while something of theirs was put away. */
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
      // An exercise has a page in its course and one of its own: the one that was opened last is enough.
      lessons.set(`${lesson.course} ${lesson.title}`, lesson);
    }
  }
  const course = /^\/learn\/(\d+)/.exec(url.pathname)?.[1];
  const listed = [...lessons.values()].filter((one) => course === undefined || one.course === course);
  const isLesson = /^\/(learn|lesson)\/\d+\/?$/.test(url.pathname);
  const headers = new Headers(frame?.headers ?? { 'content-type': 'text/html; charset=utf-8' });
  return new Response(offlinePage((await frame?.text()) ?? null, listed.reverse(), isLesson), { headers });
}

// The first page was there before its worker: it asks for itself and for what it has loaded.
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
