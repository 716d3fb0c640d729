import { readAuth } from '#src/shared/auth-storage.ts';
import { keepLessonsFor, SCOPES, WORKER_PATH } from '#src/shared/offline/kept-lessons.ts';
import { readWaiting } from '#src/shared/offline/waiting-answers.ts';

/** Registers the worker, and sends answers that waited for a connection. */
export async function keepLessons(): Promise<void> {
  const userId = readAuth()?.user?.id;
  if (!userId) return;
  const send = async () => {
    if (readWaiting(userId).length > 0) await (await import('./waiting.ts')).sendWaiting(userId);
  };
  addEventListener('online', () => {
    sayOnline();
    void send();
  });
  if (navigator.onLine) void send();
  // `OFFLINE_LESSONS` gives pages a manifest. Answers wait either way.
  if (!document.querySelector('link[rel=manifest]')) return;
  try {
    await startWorker(String(userId));
  } catch {
    // Works without it: refused by the browser, or offline.
  }
}

async function startWorker(account: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  await keepLessonsFor(account);
  // The first page was loaded before its worker.
  const isFirst = serviceWorker.controller === null;
  if (isFirst) {
    serviceWorker.addEventListener('controllerchange', () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const assets = loaded.filter((name) => name.startsWith(`${location.origin}/_astro/`));
      serviceWorker.controller?.postMessage({ keep: [location.href, ...assets] });
    });
  }
  await Promise.all(SCOPES.map((scope) => serviceWorker.register(WORKER_PATH, { scope })));
}

function sayOnline(): void {
  const note = document.querySelector('[data-kept-note] p');
  if (!note) return;
  const link = document.createElement('a');
  link.href = '';
  link.className = 'text-link';
  link.textContent = 'Load this page anew';
  note.replaceChildren('You are online again. ', link);
}
