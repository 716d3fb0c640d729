/** While the form changes, its part shows what the server's page for that state shows; nothing where that fails. */
export function followForm(form: HTMLFormElement, part: string): void {
  let last = 0;
  form.addEventListener('input', async () => {
    last += 1;
    const mine = last;
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (mine !== last) return;
    const typed = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const fresh = await fetch(`${form.action}?${new URLSearchParams(typed)}`)
      .then(async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html'))
      .catch(() => null);
    if (mine !== last) return;
    form.querySelector(part)!.replaceChildren(...(fresh?.querySelector(part)?.childNodes ?? []));
  });
}
