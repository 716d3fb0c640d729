/** Where the editor shows a field that the address names; other fields are found by their control's name. */
const PLACES: Record<string, string> = {
  starterCode: '#starter-code-hint',
  solution: '#reference-solution-hint',
  testCases: '#tests-heading',
  expectedMistakes: '#mistakes-heading',
  moreCaptions: '#captions-heading',
  questions: '#questions-heading',
  scenario: '#scenario-heading',
};

/**
 * Brings the field that the address names (`#testCases`) into view and puts the focus there, now and whenever the
 * address names another one.
 */
export function followFieldInAddress(): void {
  const show = () => {
    const field = location.hash.slice(1);
    if (!/^[a-zA-Z]+$/.test(field)) return;
    const place = document.querySelector<HTMLElement>(PLACES[field] ?? `main [name="${field}"]`);
    if (!place) return;
    if (!place.matches('input, select, textarea, button, a[href], [tabindex]')) place.tabIndex = -1;
    const folded = place.closest('details');
    if (folded) folded.open = true;
    // Below the header, which stays at the top.
    place.scrollIntoView({ block: 'center' });
    place.focus({ preventScroll: true });
  };
  addEventListener('hashchange', show);
  // Islands are there before this runs, and become alive without changing what is focused.
  show();
}
