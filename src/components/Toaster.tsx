import { CircleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useEffect, useState } from 'react';
import { buttonClass } from './button.ts';
import { classNames } from './class-names.ts';
import {
  $toast,
  dismissToast,
  removeToast,
  showToastFromLastPage,
  TOAST_DURATION_MS,
} from './toast.store.ts';
import { useStore } from '#src/components/use-store.ts';

/** Longer than the leaving animation. */
const LEAVE_MS = 300;

/** Once per page. F8 focuses it, a swipe of 50 px to the right closes. */
export function Toaster() {
  const message = useStore($toast);

  // Radix pauses for good after a toast closed by keyboard: each gets a fresh provider.
  const [shownId, setShownId] = useState(0);
  if (message && message.id !== shownId) setShownId(message.id);

  useEffect(showToastFromLastPage, []);

  const id = message?.id;
  const leaving = message ? !message.open : false;
  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => removeToast(id), LEAVE_MS);
    return () => clearTimeout(timer);
  }, [id, leaving]);

  const destructive = message?.variant === 'destructive';
  const actionClass = buttonClass(
    { variant: destructive ? 'danger' : 'secondary', size: 'sm' },
    'mt-2.5 self-start',
  );

  return (
    <Toast.Provider
      key={shownId}
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={50}
      label="Notification"
    >
      {message && (
        <Toast.Root
          key={message.id}
          open={message.open}
          type={destructive ? 'foreground' : 'background'}
          onOpenChange={(open) => {
            if (!open) dismissToast(message.id);
          }}
          className={classNames(
            'pointer-events-auto relative flex w-full items-start gap-3 rounded-lg border bg-surface py-4 pr-12 pl-4.5 text-sm shadow-lg',
            'data-[state=open]:animate-rise-in data-[state=closed]:animate-sink-out',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-toast-swipe',
            destructive ? 'border-danger-line' : 'border-line',
          )}
        >
          {destructive ? (
            <CircleAlert aria-hidden="true" className="mt-px size-5 shrink-0 text-danger" />
          ) : (
            <span aria-hidden="true" className="mt-[0.4375rem] size-2 shrink-0 rounded-full bg-spark" />
          )}
          <div className="flex min-w-0 flex-1 flex-col">
            <Toast.Title className={classNames('font-semibold', destructive && 'text-danger')}>
              {message.title}
            </Toast.Title>
            {message.description && (
              <Toast.Description className="mt-0.5 text-ink-soft">{message.description}</Toast.Description>
            )}
            {message.action && (
              <Toast.Action asChild altText={message.action.label}>
                {message.action.href ? (
                  <a href={message.action.href} className={actionClass}>
                    {message.action.label}
                  </a>
                ) : (
                  <button type="button" onClick={message.action.onClick} className={actionClass}>
                    {message.action.label}
                  </button>
                )}
              </Toast.Action>
            )}
          </div>
          <Toast.Close
            aria-label="Close notification"
            className="absolute top-2.5 right-2.5 grid size-8 place-items-center rounded-sm text-ink-soft hover:bg-ink/6 hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="pointer-events-none fixed inset-x-0 bottom-(--toast-bottom,0px) z-50 m-0 flex list-none flex-col p-4 md:left-auto md:w-full md:max-w-[420px]"
      />
    </Toast.Provider>
  );
}
