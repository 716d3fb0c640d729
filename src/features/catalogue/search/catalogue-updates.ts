/** Then placeholders show. */
const PATIENCE_MS = 150;
/** Arrow keys change a list's value at every step. */
const KEYBOARD_PAUSE_MS = 400;

type Step = { push?: string; focus?: boolean; scroll?: number };

/**
 * Fetches each state's own page, so that it shows what the server would.
 * @param region the list with its chips and pages
 */
export function updateInPlace(form: HTMLFormElement, region: HTMLElement): void {
  const status = document.querySelector<HTMLElement>('[data-found]')!;
  const placeholders = document.querySelector<HTMLTemplateElement>('template[data-placeholders]')!;
  let current: AbortController | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let byKeyboard = false;
  let shown = location.pathname + location.search;

  async function show(address: string, { push, focus = false, scroll }: Step): Promise<void> {
    clearTimeout(pause);
    current?.abort();
    const own = new AbortController();
    current = own;
    region.ariaBusy = 'true';
    const waiting = setTimeout(
      () => region.replaceChildren(placeholders.content.cloneNode(true)),
      PATIENCE_MS,
    );
    try {
      const answer = await fetch(address, { signal: own.signal, headers: { accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const found = page.querySelector('[data-found]');
      if (!found || own.signal.aborted) throw new Error('not the catalogue');
      if (push) {
        history.replaceState({ ...history.state, top: scrollY }, '');
        history.pushState({}, '', push);
      }
      region.replaceChildren(...page.querySelector('[data-results]')!.childNodes);
      document.querySelector('[data-intro]')!.replaceWith(page.querySelector('[data-intro]')!);
      shown = location.pathname + location.search;
      document.title = page.title;
      for (const link of ['prev', 'next', 'canonical']) {
        document.querySelector(`head link[rel=${link}]`)?.remove();
        const other = page.querySelector(`head link[rel=${link}]`);
        if (other) document.head.append(other);
      }
      takeOver(page);
      // The element must stay for screen readers to announce it.
      status.textContent = found.textContent;
      if (focus) {
        region.parentElement!.scrollIntoView({ block: 'nearest' });
        if (region.parentElement!.getBoundingClientRect().top < 0) region.parentElement!.scrollIntoView();
        status.focus({ preventScroll: true });
      }
      if (scroll !== undefined) scrollTo({ top: scroll, behavior: 'instant' });
    } catch {
      if (current === own) location.assign(address);
    } finally {
      clearTimeout(waiting);
      if (current === own) region.ariaBusy = null;
    }
  }

  function takeOver(page: Document): void {
    for (const { id } of document.querySelectorAll('form [name]')) {
      const mine = document.getElementById(id) as HTMLInputElement | HTMLSelectElement;
      const theirs = page.getElementById(id) as HTMLInputElement | null;
      if (!theirs) continue;
      // Options moved singly would change the selection.
      if (mine instanceof HTMLSelectElement) mine.innerHTML = theirs.innerHTML;
      else if (mine !== document.activeElement) {
        mine.defaultValue = theirs.defaultValue;
        mine.value = theirs.value;
      }
    }
  }

  function addressOfForm(): string {
    const state = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      const text = String(value).trim();
      const isDefault =
        !text || (name === 'level' && text === 'all') || (name === 'sort' && text === 'popular');
      if (!isDefault) state.set(name, text);
    }
    return state.size ? `/courses?${state}` : '/courses';
  }

  const go = (focus = false) => {
    const address = addressOfForm();
    void show(address, { push: address, focus });
  };

  form.addEventListener('keydown', () => {
    byKeyboard = true;
  });
  form.addEventListener('pointerdown', () => {
    byKeyboard = false;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    go();
  });
  form.addEventListener('change', (event) => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    clearTimeout(pause);
    pause = setTimeout(go, byKeyboard ? KEYBOARD_PAUSE_MS : 0);
  });
  document.getElementById('main')!.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    // In-page links are the browser's.
    if (link?.pathname !== '/courses' || link.hash || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void show(link.href, { push: link.href, focus: true });
  });
  window.addEventListener('popstate', ({ state }) => {
    if (location.pathname + location.search !== shown) void show(location.href, { scroll: state?.top ?? 0 });
  });
  // Back restores a form state that differs from the page.
  window.addEventListener('pageshow', () => form.reset());
}
