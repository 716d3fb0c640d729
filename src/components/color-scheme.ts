/** By choice, else by the system. Browser only. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? systemIsDark().matches : theme === 'dark';
}

/** @returns ends it */
export function onThemeChange(tell: () => void): () => void {
  const system = systemIsDark();
  const choice = new MutationObserver(tell);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', tell);
  return () => {
    choice.disconnect();
    system.removeEventListener('change', tell);
  };
}

let sample: HTMLElement | undefined;

/** For what our style sheets do not reach. */
export function shownColor(token: `--color-${string}`): string {
  // Styles nothing else.
  sample ??= document.head.appendChild(document.createElement('span'));
  sample.style.color = `var(${token})`;
  return getComputedStyle(sample).color;
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}
