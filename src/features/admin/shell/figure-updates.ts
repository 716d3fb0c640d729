import { $activeChange } from '#src/features/authoring/courses/active-change.store.ts';

/** As courses are shown and hidden on the page. */
export function followVisibility(figure: HTMLElement): void {
  const atFirst = Number(figure.textContent.replaceAll(',', ''));
  $activeChange.listen((change) => {
    figure.textContent = (atFirst + change).toLocaleString('en-US');
  });
}
