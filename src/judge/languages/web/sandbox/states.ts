import { pointAt } from './environment.ts';

/** Elements that a visitor points at or has put the focus on, for tests of `:hover`, `:focus` and the like. */

const STATE = /:(hover|active|focus-visible|focus-within|focus)(?![\w-])/;
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';
/** Elements that are tried for one in whose state the selector matches something. */
const MOST_TRIED = 50;

/** Whether a selector asks for a state that only a visitor brings about. */
export const hasState = (selector: string): boolean => STATE.test(selector);

/** Puts an element into a state, by the name of the pseudo-class. */
function enter(element: Element, state: string): void {
  if (state === 'hover' || state === 'active') {
    pointAt(element, state === 'active');
    return;
  }
  const inside = state === 'focus-within' ? element.querySelector(FOCUSABLE) : null;
  ((element.matches(FOCUSABLE) || !inside ? element : inside) as HTMLElement).focus();
}

/**
 * Brings about the state that `selector` asks for, at the first element where it then matches something. Where there is
 * none, nothing matches it. The page is not fit for another test afterwards.
 */
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
