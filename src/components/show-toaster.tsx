import { createRoot } from 'react-dom/client';
import { Toaster } from './Toaster.tsx';

export function showToaster(place: HTMLElement): void {
  createRoot(place).render(<Toaster />);
}
