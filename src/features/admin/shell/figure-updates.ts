import { $activeChange } from '#src/features/authoring/courses/active-change.store.ts';

/** Keeps the number of active courses current while courses are shown and hidden on the same page. */
export function followVisibility(figure: HTMLElement): void {
  const atFirst = Number(figure.textContent.replaceAll(',', ''));
  $activeChange.listen((change) => {
    figure.textContent = (atFirst + change).toLocaleString('en-US');
  });
}
