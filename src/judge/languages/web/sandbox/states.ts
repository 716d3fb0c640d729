import { pointAt } from './environment.ts';

const STATE = /:(hover|active|focus-visible|focus-within|focus)(?![\w-])/;
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';
const MOST_TRIED = 50;

export const hasState = (selector: string): boolean => STATE.test(selector);

function enter(element: Element, state: string): void {
  if (state === 'hover' || state === 'active') {
    pointAt(element, state === 'active');
    return;
  }
  const inside = state === 'focus-within' ? element.querySelector(FOCUSABLE) : null;
  ((element.matches(FOCUSABLE) || !inside ? element : inside) as HTMLElement).focus();
}

/** At the first element where it then matches something. */
export function enterState(selector: string): void {
  const { index, 1: state } = STATE.exec(selector)!;
  const part = selector.slice(selector.lastIndexOf(',', index) + 1, index).trim();
  const isWhole = part !== '' && !/[\s>+~]$/.test(selector.slice(0, index));
  const holders = document.querySelectorAll(isWhole ? part : `${part} *`.trim());
  for (const holder of [...holders].slice(0, MOST_TRIED)) {
    enter(holder, state!);
    if (document.querySelector(selector)) return;
  }
}
