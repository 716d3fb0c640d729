// Names icon buttons for pointer and keyboard. One note for islands and plain markup, loaded with the first use; screen readers
// know the name.

/** Milliseconds (spec 9). */
const OPEN_DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
const GAP = 6;
const EDGE = 8;

const tip = document.createElement('div');
tip.setAttribute('role', 'tooltip');
tip.setAttribute('aria-hidden', 'true');
tip.popover = 'manual';
tip.className = 'icon-tooltip';
document.body.append(tip);

let shownFor: Element | null = null;
let timer = 0;
let closedAt = Number.NEGATIVE_INFINITY;

/** Null for elements with visible words. */
export function nameOfIcon(element: Element): string | null {
  if (element instanceof HTMLElement && element.title) return null;
  const words = [...element.childNodes].some(
    (node) =>
      (node instanceof Text && node.data.trim() !== '') ||
      (node instanceof HTMLElement &&
        !node.matches('.sr-only, [aria-hidden=true], [hidden]') &&
        node.textContent.trim() !== ''),
  );
  if (words) return null;
  const name = element.getAttribute('aria-label') ?? element.querySelector('.sr-only')?.textContent ?? '';
  return name.trim() || null;
}

function show(element: Element, name: string): void {
  if (!element.isConnected || element.getAttribute('aria-expanded') === 'true') return;
  tip.textContent = name;
  tip.showPopover();
  const at = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.min(Math.max(at.left + (at.width - width) / 2, EDGE), innerWidth - width - EDGE);
  const above = at.top - height - GAP;
  tip.style.left = `${left}px`;
  tip.style.top = `${above >= EDGE ? above : at.bottom + GAP}px`;
}

/** At once where another was shown a moment ago. */
export function offerTooltip(element: Element): void {
  if (element === shownFor) return;
  close();
  const name = nameOfIcon(element);
  if (name === null) return;
  shownFor = element;
  const delay = performance.now() - closedAt < SKIP_DELAY_MS ? 0 : OPEN_DELAY_MS;
  timer = window.setTimeout(() => show(element, name), delay);
}

function close(): void {
  window.clearTimeout(timer);
  shownFor = null;
  if (!tip.matches(':popover-open')) return;
  tip.hidePopover();
  closedAt = performance.now();
}

const leaves = ({ target, relatedTarget }: PointerEvent | FocusEvent) => {
  if (shownFor?.contains(target as Node) && !shownFor.contains(relatedTarget as Node | null)) close();
};
document.addEventListener('pointerout', leaves);
document.addEventListener('focusout', leaves);
document.addEventListener('pointerdown', close);
document.addEventListener('scroll', close, true);
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close();
});
