export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

export const smallDialog = (titleId: string): HTMLDialogElement =>
  element('dialog', {
    'aria-labelledby': titleId,
    class:
      'native-dialog m-auto w-[calc(100%-2rem)] max-w-[30rem] rounded-xl bg-surface p-6 text-ink shadow-lg sm:p-8',
  });
