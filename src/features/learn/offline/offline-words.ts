import { buttonClass } from '#src/components/button.ts';
import { emptyState } from '#src/components/empty-state.ts';
import { alertClass } from '#src/components/surface.ts';
import type { KeptLesson } from './keeping.ts';

const MAIN = /(<main\b[^>]*>)([\s\S]*)(<\/main>)/;

export function withNote(html: string, at: Date): string {
  const when = at.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
  const note = `<div class="page-column py-4"><div data-kept-note role="status" class="${alertClass('info')}"><p>You are offline. This is the lesson as you last opened it on ${when}.</p></div></div>`;
  return html.replace(MAIN, (_, open, inside, close) => `${open}${note}${inside}${close}`);
}

/**
 * @param frame a stored page whose frame is used; null for none
 * @param lessons readable offline
 */
export function offlinePage(frame: string | null, lessons: readonly KeptLesson[], isLesson: boolean): string {
  const title = isLesson ? 'This lesson is not on this device yet' : 'You are offline';
  const list = lessons.map(
    ({ href, title: name }) => `<li><a class="text-link" href="${href}">${name}</a></li>`,
  );
  const says = lessons.length
    ? 'Lessons that you have opened can be read without a connection:'
    : 'Lessons that you open while you are online can be read without a connection afterwards.';
  const content = `<div class="${emptyState.box}"><h1 class="${emptyState.title}">${title}</h1><div class="${emptyState.text}"><p>${isLesson ? 'You are offline. ' : ''}${says}</p>${lessons.length ? `<ul class="mt-4 grid gap-3">${list.join('')}</ul>` : ''}</div><div class="${emptyState.actions}"><a class="${buttonClass({ variant: 'secondary' })}" href="">Try again</a></div></div>`;
  if (!frame)
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><main id="main">${content}</main></html>`;
  return frame
    .replace(/<title>[^<]*<\/title>/, `<title>${title}</title>`)
    .replace(MAIN, (_, open, __, close) => `${open}${content}${close}`);
}
