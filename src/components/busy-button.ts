import { spinnerClass } from './spinner.ts';

/** As `loading` of Button.tsx. */
export function setBusy(button: HTMLButtonElement, isBusy: boolean): void {
  button.querySelector('[role=status]')?.remove();
  button.toggleAttribute('data-loading', isBusy);
  // Not disabled, which would lose the focus.
  for (const name of ['aria-busy', 'aria-disabled']) {
    if (isBusy) button.setAttribute(name, 'true');
    else button.removeAttribute(name);
  }
  if (!isBusy) return;
  const status = document.createElement('span');
  status.role = 'status';
  status.className = 'absolute inset-0 grid place-items-center rounded-[inherit] bg-inherit';
  const ring = document.createElement('span');
  ring.ariaHidden = 'true';
  ring.className = spinnerClass;
  const text = document.createElement('span');
  text.className = 'sr-only';
  text.textContent = 'Loading';
  status.append(ring, text);
  button.append(status);
}
