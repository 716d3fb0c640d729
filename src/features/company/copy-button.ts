// Buttons that copy what they show and say so (decision 6).

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const status = button.parentElement!.querySelector<HTMLElement>('[data-copy-status]')!;
  button.addEventListener('click', async () => {
    // Emptied first, so that a second copy is announced too.
    status.textContent = '';
    const { copy, copied, copyFailed } = button.dataset;
    const message = await navigator.clipboard.writeText(copy!).then(
      () => copied!,
      () => copyFailed!,
    );
    status.textContent = message;
  });
}
