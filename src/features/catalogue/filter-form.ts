/**
 * Submits the filters as soon as one is chosen with the pointer, and leaves out of the address what stands at its
 * default. With the keyboard a list's value changes at every step on the way: there the Search button submits.
 */
export function tidyForm(form: HTMLFormElement): void {
  let byKeyboard = false;
  form.addEventListener('keydown', () => {
    byKeyboard = true;
  });
  form.addEventListener('pointerdown', () => {
    byKeyboard = false;
  });
  form.addEventListener('change', (event) => {
    if (event.target instanceof HTMLSelectElement && !byKeyboard) form.requestSubmit();
  });
  // Going back, the browser would restore what was chosen last, which is not what this page shows.
  window.addEventListener('pageshow', () => form.reset());
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) {
      const isDefault =
        value === '' || (name === 'level' && value === 'all') || (name === 'sort' && value === 'popular');
      if (isDefault) formData.delete(name);
    }
  });
}
