import { createRoot } from 'react-dom/client';
import { Toaster } from './Toaster.tsx';

/** Puts the notifications area into the page (Toasts.astro). */
export function showToaster(place: HTMLElement): void {
  createRoot(place).render(<Toaster />);
}
