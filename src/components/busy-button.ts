import { spinnerClass } from './spinner.ts';

/** Shows a spinner over a button's label and announces it, as `loading` of Button.tsx does; the width stays. */
export function setBusy(button: HTMLButtonElement, isBusy: boolean): void {
  button.querySelector('[role=status]')?.remove();
  button.toggleAttribute('data-loading', isBusy);
  // aria-disabled, not disabled: the focus stays where it is while the work goes on.
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
