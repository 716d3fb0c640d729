// Copies the address where the device cannot share.
const button = document.querySelector<HTMLButtonElement>('[data-share-certificate]');
const said = document.querySelector<HTMLElement>('[data-share-status]');

async function shareOrCopy(url: string, title: string): Promise<string> {
  try {
    if ('share' in navigator) {
      await navigator.share({ url, title });
      return '';
    }
  } catch (error) {
    // The share sheet was closed.
    if (error instanceof DOMException && error.name === 'AbortError') return '';
  }
  return navigator.clipboard.writeText(url).then(
    () => 'The link is copied.',
    () => `Copy the link yourself: ${url}`,
  );
}

button?.addEventListener('click', async () => {
  const { shareCertificate, shareTitle } = button.dataset;
  said!.textContent = '';
  said!.textContent = await shareOrCopy(shareCertificate!, shareTitle!);
});

export {};
