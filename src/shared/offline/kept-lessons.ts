// What a device keeps of lessons for reading without a line, as pages and the worker both know it (decision 124). Pages say
// whose it is, by the sign-in of the browser; the worker keeps only answers that the server made for that account.

/** Begins the names of all caches; the number changes when what they hold does, and the worker then drops the others. */
const ALL = 'learner-';
export const CURRENT = `${ALL}1-`;
const OWNER = `${CURRENT}owner`;
const OWNER_KEY = '/owner';

/** Says of a page or file to which account it was given, empty for a visitor; and of a call, whose it is. */
export const ACCOUNT_HEADER = 'x-account';
/** Says of a page that it is a lesson of the learner's own, as `{course}/{lesson}`; only those are kept. */
export const LESSON_HEADER = 'x-lesson';

/** The addresses of the learner's app, whose pages the worker serves; each is a scope of its own. */
export const SCOPES = ['/learn/', '/lesson/', '/dashboard', '/files/'] as const;
/** Where the worker's script is. */
export const WORKER_PATH = '/learner-worker.js';

/** The caches of an account. */
export const cachesOf = (account: string) => ({
  pages: `${CURRENT}pages-${account}`,
  files: `${CURRENT}files-${account}`,
  assets: `${CURRENT}assets`,
});

/** The account for which this browser keeps lessons; null where it keeps none. */
export async function keptAccount(): Promise<string | null> {
  try {
    const owner = await caches.match(OWNER_KEY, { cacheName: OWNER });
    return owner ? await owner.text() : null;
  } catch {
    return null;
  }
}

/** Deletes what is kept, but for the caches that `isKept` names. Storage that is refused holds nothing. */
export async function forgetLessons(isKept: (name: string) => boolean = () => false): Promise<void> {
  try {
    const names = (await caches.keys()).filter((name) => name.startsWith(ALL) && !isKept(name));
    await Promise.all(names.map((name) => caches.delete(name)));
  } catch {
    // As above.
  }
}

/** Makes an account the one for which this browser keeps lessons; what it had of another goes. */
export async function keepLessonsFor(account: string): Promise<void> {
  if ((await keptAccount()) === account) return;
  await forgetLessons();
  try {
    await (await caches.open(OWNER)).put(OWNER_KEY, new Response(account));
  } catch {
    // No room, or refused: nothing is kept.
  }
}
