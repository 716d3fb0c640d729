// Runs in the head before the first paint, in every page: see `inlineScript` in vite-plugins for how it gets there.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** What somebody did in an island before its script was there. */
type Early = { typed: Map<Field, string | boolean>; act?: () => void };
/** An island, or another element whose script takes `ssr` off when it runs; null once it has woken. */
type Island = HTMLElement & { early?: Early | null };

/**
 * `html[data-auth]` says "in" or "out", so that the header's two versions can be chosen by CSS. A page rendered for this
 * request already carries the server's answer, which is left alone.
 */
export function keepAuthState(view: Window): void {
  const root = view.document.documentElement;
  const read = () => {
    let token: string | null = null;
    try {
      token = view.localStorage.getItem('auth_token');
    } catch {
      // Storage is switched off: nobody is signed in.
    }
    root.dataset.auth = token ? 'in' : 'out';
  };
  if (!root.dataset.auth) read();
  view.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'auth_token') read();
  });
}

/** A page that goes to the background, or is left again at once, ends the browser's transition: that is no error. */
export function letTransitionsEnd(view: Window): void {
  for (const type of ['pageswap', 'pagereveal'] as const) {
    view.addEventListener(type, ({ viewTransition }) => {
      viewTransition?.ready.catch(() => {});
      viewTransition?.finished.catch(() => {});
    });
  }
}

/** Theme, size of text and width of lines as they were chosen (display-settings.ts), on `html[data-…]` for CSS. */
export function keepDisplay(view: Window): void {
  const { dataset } = view.document.documentElement;
  const read = () => {
    let kept: Record<string, unknown> | null = null;
    try {
      kept = JSON.parse(view.localStorage.getItem('display') ?? '{}');
    } catch {
      // Storage is switched off, or somebody else wrote there: as the system has it.
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

/**
 * What a quick visitor does before the script of an island, or of another element with `ssr`, is there is kept for it.
 * What is typed or ticked is told once more when the island has woken, because a framework takes what its own state says for true; then the last form sent or
 * button pressed is sent or pressed again, down and up: menus and tabs answer to the first. A form with `data-island`
 * holds its values in the page: that it was sent is noted, and it makes up for it itself (`useForm`).
 */
export function keepEarlyInput(view: Window & typeof globalThis): void {
  /** The record of the island that an element is in; none outside of islands and once its script runs. */
  const earlyIn = (element: Element): Early | null | undefined => {
    const island = element.closest?.<Island>('astro-island, [ssr]');
    if (!island || island.early !== undefined || !island.hasAttribute('ssr')) return island?.early;
    const early: Early = { typed: new Map() };
    island.early = early;
    const waking = new view.MutationObserver(() => {
      if (island.hasAttribute('ssr')) return;
      waking.disconnect();
      view.setTimeout(() => {
        island.early = null;
        for (const field of [...early.typed].map((one) => keepField(view, ...one))) field();
        early.act?.();
      });
    });
    waking.observe(island, { attributeFilter: ['ssr'] });
    return early;
  };

  view.addEventListener(
    'input',
    ({ target }) => {
      const field = target as Field;
      if (field.form?.dataset.island !== undefined) return;
      const isTicked = /^(checkbox|radio)$/.test(field.type);
      earlyIn(field)?.typed.set(field, isTicked ? (field as HTMLInputElement).checked : field.value);
    },
    true,
  );
  view.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement & { submittedEarly?: boolean };
      const early = earlyIn(form);
      const isOwn = form.dataset.island === '';
      if (early || isOwn) event.preventDefault();
      if (isOwn) form.submittedEarly = true;
      else if (early) early.act = () => form.requestSubmit((event as SubmitEvent).submitter);
    },
    true,
  );
  view.addEventListener(
    'click',
    ({ target }) => {
      const button = (target as Element).closest?.('button');
      if (!button || button.type === 'submit') return;
      const early = earlyIn(button);
      if (!early) return;
      early.act = () => {
        for (const name of ['pointerdown', 'mousedown'])
          button.dispatchEvent(new view.PointerEvent(name, { bubbles: true, cancelable: true }));
        button.click();
      };
    },
    true,
  );
}

/**
 * Takes down where the cursor is, and gives what tells a field's value once more. The first of two `input` events has
 * React take over the island's markup; the second must find another value than React remembers, which only the element's
 * own setter lets it forget.
 */
function keepField(view: Window & typeof globalThis, field: Field, value: string | boolean): () => void {
  const tell = (name: string) => field.dispatchEvent(new view.Event(name, { bubbles: true }));
  const text = field as HTMLInputElement;
  const { selectionStart, selectionEnd } = text;
  return () => {
    tell('input');
    if (typeof value === 'boolean') {
      if (!value && field.type === 'radio') return;
      text.checked = !value;
      field.click();
      return;
    }
    if (field.type !== 'file') {
      field.value = '';
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value);
      if (selectionStart !== null) text.setSelectionRange?.(selectionStart, selectionEnd);
      tell('input');
    }
    tell('change');
  };
}
