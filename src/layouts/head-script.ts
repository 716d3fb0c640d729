// Runs before the first paint of each page; `inlineScript` in vite-plugins puts it there.

/** `html[data-auth]` is "in" or "out", for CSS. A page rendered for the request has it already. */
export function keepAuthState(view: Window): void {
  const root = view.document.documentElement;
  const token = () => {
    try {
      return view.localStorage.getItem('auth_token');
    } catch {
      // Storage is off: only the cookie counts.
      return '';
    }
  };
  const read = () => {
    delete root.dataset.unsure;
    root.dataset.auth = token() ? 'in' : 'out';
  };
  if (!root.dataset.auth) read();
  // The cookie without its token shows nothing until sign-in-halves.ts has found out.
  else if (token() === null) root.dataset.unsure = root.dataset.auth;
  view.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'auth_token') read();
  });
}

/** A hidden or left page aborts its transition: no error. */
export function letTransitionsEnd(view: Window): void {
  for (const type of ['pageswap', 'pagereveal'] as const) {
    view.addEventListener(type, ({ viewTransition }) => {
      for (const name of ['ready', 'finished', 'updateCallbackDone'] as const)
        viewTransition?.[name].catch(() => {});
    });
  }
}

/** From display-settings.ts to `html[data-…]`, for CSS. */
export function keepDisplay(view: Window): void {
  const { dataset } = view.document.documentElement;
  const read = () => {
    let kept: Record<string, unknown> | null = null;
    try {
      kept = JSON.parse(view.localStorage.getItem('display') ?? '{}');
    } catch {
      // Storage is off or foreign: the system's values.
    }
    for (const name of ['theme', 'text', 'line']) {
      const choice = kept?.[name];
      if (typeof choice === 'string') dataset[name] = choice;
      else delete dataset[name];
    }
  };
  read();
  view.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'display') read();
  });
}

type Control = HTMLButtonElement | HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Posted or opened by the browser itself. React's hydration resets a textarea that came with text, and only a script
 * stores the token of a sign-in.
 */
const worksAlone = (control: Control) =>
  control.matches('[command], [popovertarget]') ||
  (control.type !== 'button' &&
    !control.matches(':is([action^="/login"], [action^="/register"]) [type=submit]') &&
    !!control.form?.matches('[action]:not(:has(textarea:not(:empty)))'));

/** Controls in islands and other elements with `ssr` are disabled until their script is there, except those that need none. */
export function disableAsleep(view: Window & typeof globalThis): void {
  const { document } = view;
  const find = (selector: string) => document.querySelectorAll<Control>(selector);
  const enable = (control: Control) => {
    control.disabled = false;
    delete control.dataset.asleep;
  };
  const settle = () => {
    for (const control of find('[data-asleep]')) if (!control.closest('[ssr]')) enable(control);
    for (const control of find('[ssr] :is(button, input, select, textarea):enabled, button[ssr]:enabled')) {
      if (worksAlone(control)) continue;
      control.disabled = true;
      control.dataset.asleep = '';
    }
  };
  const options = { childList: true, subtree: true, attributeFilter: ['ssr'] };
  new view.MutationObserver(settle).observe(document, options);
  // Firefox restores `disabled` after a reload.
  view.addEventListener('pagehide', () => find('[data-asleep]').forEach(enable));
  view.addEventListener('pageshow', settle);
}
