import { atom } from 'nanostores';

/** How long a toast stays, in milliseconds (spec 9). */
export const TOAST_DURATION_MS = 5000;

/** Where a toast waits for the next page. */
export const NEXT_PAGE_KEY = 'toast_next_page';

export interface ToastMessage {
  title: string;
  description?: string;
  /** One button or link. `onClick` closes the toast after it ran. */
  action?: { label: string; href?: string; onClick?: () => void };
  variant?: 'default' | 'destructive';
}

export interface ToastRecord extends ToastMessage {
  id: number;
  /** False while it leaves the screen. */
  open: boolean;
}

/** The one visible toast (spec 4: only one at a time), or null. */
export const $toast = atom<ToastRecord | null>(null);

let lastId = 0;

/**
 * Shows a toast; one that is still visible makes room at once. Callable before `<Toaster>` is on the page.
 * Gives back its id and functions to change or close it.
 */
export function toast(message: ToastMessage): {
  id: number;
  update: (change: Partial<ToastMessage>) => void;
  dismiss: () => void;
} {
  lastId += 1;
  const id = lastId;
  $toast.set({ variant: 'default', ...message, id, open: true });
  // Fetches what shows it (Toasts.astro).
  globalThis.dispatchEvent?.(new Event('toast'));
  return { id, update: (change) => updateToast(id, change), dismiss: () => dismissToast(id) };
}

/** Changes the texts of a toast that is still shown; does nothing for any other. */
export function updateToast(id: number, change: Partial<ToastMessage>): void {
  const current = $toast.get();
  if (current?.id === id) $toast.set({ ...current, ...change });
}

/** Lets the toast leave the screen; without an id, whichever is shown. */
export function dismissToast(id?: number): void {
  const current = $toast.get();
  if (current && (id === undefined || current.id === id)) $toast.set({ ...current, open: false });
}

/** Takes the toast away at once; without an id, whichever is shown. */
export function removeToast(id?: number): void {
  const current = $toast.get();
  if (current && (id === undefined || current.id === id)) $toast.set(null);
}

/** This page is being left: what is kept for the next one is not for a `<Toaster>` that wakes late here. */
let isLeaving = false;

/** Shows the toast on the page opened next in this tab (sign in, then a redirect). An action's `onClick` is lost. */
export function toastOnNextPage(message: ToastMessage): void {
  isLeaving = true;
  try {
    sessionStorage.setItem(NEXT_PAGE_KEY, JSON.stringify(message));
  } catch {
    // Storage may be full or forbidden; the toast is then left out, the navigation is not.
  }
}

/** Shows what `toastOnNextPage` left behind; called once by `<Toaster>`. */
export function showToastFromLastPage(): void {
  if (isLeaving) return;
  try {
    const saved = sessionStorage.getItem(NEXT_PAGE_KEY);
    if (!saved) return;
    sessionStorage.removeItem(NEXT_PAGE_KEY);
    const message = JSON.parse(saved) as ToastMessage;
    if (typeof message.title === 'string') toast(message);
  } catch {
    // Unreadable storage has no toast to show.
  }
}
