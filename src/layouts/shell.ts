// The few lines of script every page shares: the course search, and what is fetched only by those who need it.

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-course-search]')) {
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const input = form.elements.namedItem('search') as HTMLInputElement;
    input.value = input.value.trim();
    if (!input.value) event.preventDefault();
  });
}

// The server goes by the cookie, and a sign-in is the token in local storage: where they disagree, one follows the other.
try {
  const hasToken = localStorage.getItem('auth_token') !== null;
  if (hasToken !== (document.documentElement.dataset.auth === 'in'))
    void import('#src/features/account/sign-in/sign-in-halves.ts').then(({ bringHalvesTogether }) =>
      bringHalvesTogether(),
    );
} catch {
  // Storage is refused: the cookie alone carries.
}

// Suggestions are fetched, script and all, by those who come to the search box.
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.form?.matches('[data-course-search]')) return;
  void import('#src/features/catalogue/search/search-suggestions.ts').then(({ suggestFor }) =>
    suggestFor(target),
  );
});

// The account's part is fetched by those who have one: at once, or when they sign in here or in another tab.
const account = document.getElementById('account-part');
const wakeIfSignedIn = (_?: unknown, observer?: MutationObserver) => {
  if (!account || document.documentElement.dataset.auth !== 'in') return false;
  observer?.disconnect();
  void import('./account-menu.ts').then(({ wakeAccountMenu }) => wakeAccountMenu(account));
  return true;
};
if (!account) {
  // A page that was rendered for a visitor becomes somebody's when another tab signs in.
  window.addEventListener('storage', (event) => {
    if (event.key === 'auth_token' && event.newValue) location.reload();
  });
} else if (!wakeIfSignedIn()) {
  new MutationObserver(wakeIfSignedIn).observe(document.documentElement, { attributeFilter: ['data-auth'] });
}

// What a button that is only an icon does is told to mice and keyboards; a finger sees no note.
const offerNote = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button, a[href]') : null;
  if (!button?.querySelector('svg')) return;
  void import('./icon-tooltips.ts').then(
    ({ offerTooltip }) => offerTooltip(button),
    // Nobody misses a note where the line is lost.
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

// The scroll bar goes while a modal dialog is open; theme.css keeps its place free.
document.addEventListener(
  'beforetoggle',
  (event) => {
    if (!(event.target instanceof HTMLDialogElement) || event.newState !== 'open') return;
    const root = document.documentElement;
    root.style.setProperty('--scrollbar-width', `${innerWidth - root.clientWidth}px`);
  },
  true,
);

// A drawer that is open when the window grows past the breakpoint has no button to close it.
matchMedia('(min-width: 70rem)').addEventListener('change', () => {
  const menu = document.getElementById('site-menu');
  if (menu instanceof HTMLDialogElement) menu.close();
});
