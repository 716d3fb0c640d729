import { buttonClass } from './button.ts';
import { element } from './element.ts';
import {
  $toast,
  dismissToast,
  removeToast,
  showToastFromLastPage,
  type ToastRecord,
  TOAST_DURATION_MS,
} from './toast.store.ts';

/** Longer than the leaving animation. */
const LEAVE_MS = 300;
const SWIPE_PX = 50;

/** Once per page; without React, to be there before it is needed. */
export function showToaster(place: HTMLElement): void {
  Object.assign(place, {
    role: 'region',
    ariaLabel: 'Notifications (F8)',
    tabIndex: -1,
    className:
      'pointer-events-none fixed inset-x-0 bottom-(--toast-bottom,0px) z-50 p-4 md:left-auto md:w-full md:max-w-[420px]',
  });
  let shown: number | undefined;
  let timer = 0;
  const hold = () => clearTimeout(timer);
  const wait = () => {
    hold();
    if (document.hasFocus() && !place.matches(':hover, :focus-within'))
      timer = window.setTimeout(dismissToast, TOAST_DURATION_MS);
  };
  for (const sign of ['pointerenter', 'focusin']) place.addEventListener(sign, hold);
  for (const sign of ['pointerleave', 'focusout']) place.addEventListener(sign, wait);
  addEventListener('blur', hold);
  addEventListener('focus', wait);
  addEventListener('keydown', ({ key }) => key === 'F8' && place.focus());
  place.addEventListener('keydown', ({ key }) => key === 'Escape' && dismissToast());
  $toast.subscribe((message) => {
    if (place.contains(document.activeElement)) place.focus();
    if (message && !message.open) {
      place.firstElementChild?.setAttribute('data-state', 'closed');
      setTimeout(removeToast, LEAVE_MS, message.id);
      return;
    }
    place.replaceChildren(...(message ? [draw(message)] : []));
    if (message?.id !== shown) wait();
    shown = message?.id;
  });
  showToastFromLastPage();
}

function draw({ id, title, description, action, variant }: ToastRecord): HTMLElement {
  const isBad = variant === 'destructive';
  const made = element('div', {
    'data-state': 'open',
    style: 'touch-action: pan-y; user-select: none',
    class: `pointer-events-auto relative flex w-full items-start gap-3 rounded-lg border bg-surface py-4 pr-12 pl-4.5 text-sm shadow-lg data-[state=open]:animate-rise-in data-[state=closed]:animate-sink-out data-[state=swiped]:animate-slide-out ${isBad ? 'border-danger-line' : 'border-line'}`,
  });
  const text = element('div', { class: 'flex min-w-0 flex-1 flex-col' });
  text.append(element('div', { class: isBad ? 'font-semibold text-danger' : 'font-semibold' }, title));
  if (description) text.append(element('div', { class: 'mt-0.5 text-ink-soft' }, description));
  if (action) {
    const { label, href, onClick } = action;
    const look = buttonClass({ variant: isBad ? 'danger' : 'secondary', size: 'sm' }, 'mt-2.5 self-start');
    const does = element(href ? 'a' : 'button', { ...(href ? { href } : {}), class: look }, label);
    does.onclick = onClick ?? null;
    text.append(does);
  }
  const close = element(
    'button',
    {
      'aria-label': 'Close notification',
      class:
        'absolute top-2.5 right-2.5 grid size-8 place-items-center rounded-sm text-xl text-ink-soft hover:bg-ink/6 hover:text-ink',
    },
    '×',
  );
  const sign = isBad
    ? 'mt-px grid size-5 place-items-center border-2 border-current text-xs font-bold text-danger'
    : 'mt-[0.4375rem] size-2 bg-spark';
  const mark = { 'aria-hidden': 'true', class: `shrink-0 rounded-full ${sign}` };
  made.append(element('span', mark, isBad ? '!' : ''), text, close);
  made.onclick = ({ target }) => isControl(target) && dismissToast(id);
  made.onpointerdown = ({ target, pointerId, clientX: start }) => {
    if (isControl(target)) return;
    made.setPointerCapture(pointerId);
    let by = 0;
    made.onpointermove = ({ clientX }) => {
      by = Math.max(0, clientX - start);
      made.style.translate = `${by}px`;
    };
    made.onlostpointercapture = () => {
      made.onpointermove = null;
      if (by < SWIPE_PX) made.style.translate = '';
      else {
        dismissToast(id);
        made.dataset.state = 'swiped';
      }
    };
  };
  return made;
}

const isControl = (target: EventTarget | null) => (target as Element).closest('a, button');
