/** Milliseconds after the `g`. */
const LETTER_WITHIN_MS = 1_500;
/** Typing or letter shortcuts. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role=textbox], [role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog], .monaco-editor';

/** `?` lists the keys; `g` and a link's `data-key` go to it. */
export function goByKeys(keys: HTMLDialogElement): void {
  // Not 0, when the page began: the first letter would count as the second.
  let armed = Number.NEGATIVE_INFINITY;
  document.addEventListener('keydown', (event) => {
    const isWord =
      event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key.length !== 1;
    const target = event.target instanceof Element ? event.target : null;
    const isBusy =
      target?.closest(TAKES_LETTERS) || document.querySelector('[role=dialog], [role=alertdialog]');
    if (event.defaultPrevented || isWord || isBusy) return;
    const isSecond = event.timeStamp - armed < LETTER_WITHIN_MS;
    armed = Number.NEGATIVE_INFINITY;
    if (isSecond) {
      const link = keys.querySelector<HTMLAnchorElement>(
        `[data-key="${CSS.escape(event.key.toLowerCase())}"]`,
      );
      if (!link) return;
      event.preventDefault();
      link.click();
    } else if (event.key === 'g') armed = event.timeStamp;
    else if (event.key === '?' && !keys.open) keys.showModal();
  });
}
