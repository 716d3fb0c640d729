/** Submits the filters as soon as one is chosen, and leaves out of the address what stands at its default. */
export function tidyForm(form: HTMLFormElement): void {
  form.addEventListener('change', (event) => {
    if (event.target instanceof HTMLSelectElement) form.requestSubmit();
  });
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) {
      const isDefault =
        value === '' || (name === 'level' && value === 'all') || (name === 'sort' && value === 'popular');
      if (isDefault) formData.delete(name);
    }
  });
}
