/** A part of a form follows what is typed. */
export function followForm(id: string): void {
  const part = document.getElementById(id)!;
  const form = part.closest('form')!;
  let last = '';
  form.addEventListener('input', async () => {
    const to = `${form.action}?${new URLSearchParams([...new FormData(form)] as [string, string][])}`;
    last = to;
    const answer = await fetch(to).catch(() => null);
    const html = await answer?.text();
    if (!answer?.ok || to !== last) return;
    const page = new DOMParser().parseFromString(html!, 'text/html');
    part.replaceChildren(...(page.getElementById(id)?.childNodes ?? []));
  });
}
