document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-chapter]') : null;
  const player = link?.closest('nav')?.parentElement?.querySelector('video');
  if (!link || !player || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  player.currentTime = Number(link.dataset.chapter);
  player.scrollIntoView({ block: 'nearest' });
  void player.play().catch(() => {
    // The browser may require a click in the player.
  });
});
