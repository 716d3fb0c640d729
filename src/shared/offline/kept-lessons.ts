// Offline lessons, for pages and worker (decision 124): pages say whose they are, and the worker stores only answers for that
// account.

/** Prefix of caches; a new number drops old ones. */
const ALL = 'learner-';
export const CURRENT = `${ALL}1-`;
const OWNER = `${CURRENT}owner`;
const OWNER_KEY = '/owner';

/** The account of a page, file or call; '' for a visitor. */
export const ACCOUNT_HEADER = 'x-account';
/** `{course}/{lesson}`; only pages with it are stored. */
export const LESSON_HEADER = 'x-lesson';

/** Scopes of the worker. */
export const SCOPES = ['/learn/', '/lesson/', '/dashboard', '/files/'] as const;
export const WORKER_PATH = '/learner-worker.js';

export const cachesOf = (account: string) => ({
  pages: `${CURRENT}pages-${account}`,
  files: `${CURRENT}files-${account}`,
  assets: `${CURRENT}assets`,
});

/** Null for none. */
export async function keptAccount(): Promise<string | null> {
  try {
    const owner = await caches.match(OWNER_KEY, { cacheName: OWNER });
    return owner ? await owner.text() : null;
  } catch {
    return null;
  }
}

/** Except caches that `isKept` names; refused storage has none. */
export async function forgetLessons(isKept: (name: string) => boolean = () => false): Promise<void> {
  try {
    const names = (await caches.keys()).filter((name) => name.startsWith(ALL) && !isKept(name));
    await Promise.all(names.map((name) => caches.delete(name)));
  } catch {
    // As above.
  }
}

/** Deletes those of another account. */
export async function keepLessonsFor(account: string): Promise<void> {
  if ((await keptAccount()) === account) return;
  await forgetLessons();
  try {
    await (await caches.open(OWNER)).put(OWNER_KEY, new Response(account));
  } catch {
    // No room, or refused.
  }
}
