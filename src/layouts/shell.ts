// On every page; rarer scripts are fetched when needed.

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-course-search]')) {
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const input = form.elements.namedItem('search') as HTMLInputElement;
    input.value = input.value.trim();
    if (!input.value) event.preventDefault();
  });
}

// The drawn cover is below.
for (const picture of document.querySelectorAll<HTMLImageElement>('.cover > img')) {
  picture.decode().catch(() => {
    picture.hidden = true;
  });
}

// Cookie and stored token can disagree: one follows the other.
try {
  const hasToken = localStorage.getItem('auth_token') !== null;
  if (hasToken !== (document.documentElement.dataset.auth === 'in'))
    void import('#src/features/account/sign-in/sign-in-halves.ts').then(({ bringHalvesTogether }) =>
      bringHalvesTogether(),
    );
} catch {
  // Only the cookie counts.
}

// Suggestions load with the search box's focus.
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.form?.matches('[data-course-search]')) return;
  void import('#src/features/catalogue/search/search-suggestions.ts').then(({ suggestFor }) =>
    suggestFor(target),
  );
});

// The account menu loads at a sign-in, here or in another tab.
const account = document.getElementById('account-part');
const wakeIfSignedIn = (_?: unknown, observer?: MutationObserver) => {
  if (!account || document.documentElement.dataset.auth !== 'in') return false;
  observer?.disconnect();
  void import('./account-menu.ts').then(({ wakeAccountMenu }) => wakeAccountMenu(account));
  return true;
};
if (!account) {
  // Another tab's sign-in makes a visitor's page somebody's.
  window.addEventListener('storage', (event) => {
    if (event.key === 'auth_token' && event.newValue) location.reload();
  });
} else if (!wakeIfSignedIn()) {
  new MutationObserver(wakeIfSignedIn).observe(document.documentElement, { attributeFilter: ['data-auth'] });
}

// For pointer and keyboard, not touch.
const offerNote = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button, a[href]') : null;
  if (!button?.querySelector('svg')) return;
  void import('./icon-tooltips.ts').then(
    ({ offerTooltip }) => offerTooltip(button),
    // Offline: no note.
    () => {},
  );
};
document.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && offerNote(event));
document.addEventListener('focusin', (event) => {
  if (event.target instanceof Element && event.target.matches(':focus-visible')) offerNote(event);
});

document.addEventListener('click', ({ target }) => {
  const display = target instanceof Element && target.closest('button[data-display]');
  if (!display) return;
  display.closest<HTMLElement>('[popover]')?.hidePopover();
  void import('./display-settings.ts').then(({ openDisplaySettings }) => openDisplaySettings());
});
if (!('command' in HTMLButtonElement.prototype && 'closedBy' in HTMLDialogElement.prototype))
  void import('#src/components/dialog-fallback.ts').then(({ standInForDialogs }) => standInForDialogs());

// A modal dialog hides the scroll bar; theme.css reserves its place.
document.addEventListener(
  'beforetoggle',
  (event) => {
    if (!(event.target instanceof HTMLDialogElement) || event.newState !== 'open') return;
    const root = document.documentElement;
    root.style.setProperty('--scrollbar-width', `${innerWidth - root.clientWidth}px`);
  },
  true,
);

// The open drawer has no button past the breakpoint.
matchMedia('(min-width: 70rem)').addEventListener('change', () => {
  const menu = document.getElementById('site-menu');
  if (menu instanceof HTMLDialogElement) menu.close();
});
