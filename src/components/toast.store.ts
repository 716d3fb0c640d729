import { atom } from 'nanostores';

/** Milliseconds (spec 9). */
export const TOAST_DURATION_MS = 5000;

export const NEXT_PAGE_KEY = 'toast_next_page';

export interface ToastMessage {
  title: string;
  description?: string;
  /** Closes after `onClick`. */
  action?: { label: string; href?: string; onClick?: () => void };
  variant?: 'default' | 'destructive';
}

export interface ToastRecord extends ToastMessage {
  id: number;
  /** False while leaving. */
  open: boolean;
}

/** One at a time (spec 4). */
export const $toast = atom<ToastRecord | null>(null);

let lastId = 0;

/**
 * Replaces a visible one; works before `<Toaster>`.
 * @returns id and functions to change or close it
 */
export function toast(message: ToastMessage): {
  id: number;
  update: (change: Partial<ToastMessage>) => void;
  dismiss: () => void;
} {
  lastId += 1;
  const id = lastId;
  $toast.set({ variant: 'default', ...message, id, open: true });
  // Loads the toaster (Toasts.astro).
  globalThis.dispatchEvent?.(new Event('toast'));
  return { id, update: (change) => updateToast(id, change), dismiss: () => dismissToast(id) };
}

/** Only while it is shown. */
export function updateToast(id: number, change: Partial<ToastMessage>): void {
  const current = $toast.get();
  if (current?.id === id) $toast.set({ ...current, ...change });
}

/** Default: the one shown. */
export function dismissToast(id?: number): void {
  const current = $toast.get();
  if (current && (id === undefined || current.id === id)) $toast.set({ ...current, open: false });
}

/** At once; default: the one shown. */
export function removeToast(id?: number): void {
  const current = $toast.get();
  if (current && (id === undefined || current.id === id)) $toast.set(null);
}

/** A `<Toaster>` that wakes late here must not take the next page's toast. */
let isLeaving = false;

/** For the next page in this tab; `onClick` is lost. */
export function toastOnNextPage(message: ToastMessage): void {
  isLeaving = true;
  try {
    sessionStorage.setItem(NEXT_PAGE_KEY, JSON.stringify(message));
  } catch {
    // Full or forbidden storage drops the toast.
  }
}

export function showToastFromLastPage(): void {
  if (isLeaving) return;
  try {
    const saved = sessionStorage.getItem(NEXT_PAGE_KEY);
    if (!saved) return;
    sessionStorage.removeItem(NEXT_PAGE_KEY);
    const message = JSON.parse(saved) as ToastMessage;
    if (typeof message.title === 'string') toast(message);
  } catch {
    // Unreadable storage has none.
  }
}
