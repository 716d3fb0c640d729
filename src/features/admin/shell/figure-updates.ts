/** Keeps the number of active courses current while courses are shown and hidden on the same page. */
export function followVisibility(figure: HTMLElement): void {
  window.addEventListener('course:visibility', (event) => {
    const { isActive } = (event as CustomEvent<{ isActive: boolean }>).detail;
    const shown = Number(figure.textContent.replaceAll(',', ''));
    figure.textContent = (shown + (isActive ? 1 : -1)).toLocaleString('en-US');
  });
}
