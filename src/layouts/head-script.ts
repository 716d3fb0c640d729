// Runs before the first paint of each page; `inlineScript` in vite-plugins puts it there.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** Before the island's script. */
type Early = { typed: Map<Field, string | boolean>; act?: () => void };
/** Or another element whose script removes `ssr`; null once awake. */
type Island = HTMLElement & { early?: Early | null };

/** `html[data-auth]` is "in" or "out", for CSS. A page rendered for the request has it already. */
export function keepAuthState(view: Window): void {
  const root = view.document.documentElement;
  const read = () => {
    let token: string | null = null;
    try {
      token = view.localStorage.getItem('auth_token');
    } catch {
      // Storage is off: signed out.
    }
    root.dataset.auth = token ? 'in' : 'out';
  };
  if (!root.dataset.auth) read();
  view.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'auth_token') read();
  });
}

/** A hidden or left page aborts its transition: no error. */
export function letTransitionsEnd(view: Window): void {
  for (const type of ['pageswap', 'pagereveal'] as const) {
    view.addEventListener(type, ({ viewTransition }) => {
      viewTransition?.ready.catch(() => {});
      viewTransition?.finished.catch(() => {});
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

/**
 * Holds early input for islands and other elements with `ssr`. After waking, typed values are sent again, because frameworks
 * trust their own state, then the last submit or press, down and up for menus and tabs. Forms with `data-island` note the submit
 * for `useForm`.
 */
export function keepEarlyInput(view: Window & typeof globalThis): void {
  /** Null outside islands, and once awake. */
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
 * Returns a replay of the field's value. The first `input` makes React hydrate; the second must differ from React's value, so the
 * element's own setter is used.
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
