const PLACES: Record<string, string> = {
  starterCode: '#starter-code-hint',
  solution: '#reference-solution-hint',
  testCases: '#tests-heading',
  expectedMistakes: '#mistakes-heading',
  moreCaptions: '#captions-heading',
  questions: '#questions-heading',
  scenario: '#scenario-heading',
};

/** Scrolls to and focuses the field that the address names (`#testCases`), now and at each change. */
export function followFieldInAddress(): void {
  const show = () => {
    const field = location.hash.slice(1);
    if (!/^[a-zA-Z]+$/.test(field)) return;
    const place = document.querySelector<HTMLElement>(PLACES[field] ?? `main [name="${field}"]`);
    if (!place) return;
    if (!place.matches('input, select, textarea, button, a[href], [tabindex]')) place.tabIndex = -1;
    const folded = place.closest('details');
    if (folded) folded.open = true;
    // Clears the sticky header.
    place.scrollIntoView({ block: 'center' });
    place.focus({ preventScroll: true });
  };
  addEventListener('hashchange', show);
  show();
}
