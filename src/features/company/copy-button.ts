// Decision 6.

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const status = button.parentElement!.querySelector<HTMLElement>('[data-copy-status]')!;
  button.addEventListener('click', async () => {
    // Emptied so that a second copy is announced.
    status.textContent = '';
    const { copy, copied, copyFailed } = button.dataset;
    const message = await navigator.clipboard.writeText(copy!).then(
      () => copied!,
      () => copyFailed!,
    );
    status.textContent = message;
  });
}
