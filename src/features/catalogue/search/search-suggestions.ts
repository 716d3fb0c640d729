import type { Suggestions } from '#src/features/catalogue/catalogue.ts';

const PAUSE_MS = 120;

const known = new Map<string, Suggestions>();
const served = new WeakSet<HTMLInputElement>();

const GROUP = 'px-4 pt-3 pb-1 text-xs font-semibold text-ink-soft';
const OPTION =
  'flex min-h-11 cursor-pointer items-center justify-between gap-3 px-4 py-2 text-[0.9375rem] leading-snug hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent-strong';
const LIST =
  'absolute top-full right-0 z-50 mt-2 max-h-[min(26rem,70dvh)] w-full overflow-y-auto card pb-2 text-ink shadow-lg';

function groupOf(
  listId: string,
  label: string,
  entries: { href: string; text: string; aside?: string }[],
): HTMLElement {
  const box = document.createElement('div');
  box.role = 'group';
  box.ariaLabel = label;
  const heading = document.createElement('p');
  heading.className = GROUP;
  heading.ariaHidden = 'true';
  heading.textContent = label;
  box.append(heading);
  for (const { href, text, aside } of entries) {
    const option = document.createElement('div');
    option.role = 'option';
    option.id = `${listId}-${href.replace(/\W+/g, '-')}`;
    option.className = OPTION;
    option.dataset.href = href;
    const name = document.createElement('span');
    name.textContent = text;
    option.append(name);
    if (aside) {
      const number = document.createElement('span');
      number.className = 'text-sm text-ink-soft tabular-nums';
      number.textContent = aside;
      option.append(number);
    }
    box.append(option);
  }
  return box;
}

/** A combobox by WAI-ARIA 1.2. A repeat does nothing. @param input in a form of class `relative` */
export function suggestFor(input: HTMLInputElement): void {
  if (served.has(input)) return;
  served.add(input);
  const list = document.createElement('div');
  list.id = `${input.id}-suggestions`;
  list.role = 'listbox';
  list.ariaLabel = 'Suggestions';
  // The header's box is narrower than most titles.
  list.className = input.closest('dialog') ? LIST : `${LIST} min-w-80`;
  list.hidden = true;
  const status = document.createElement('p');
  status.role = 'status';
  status.className = 'sr-only';
  input.form!.append(list, status);
  input.role = 'combobox';
  input.ariaAutoComplete = 'list';
  input.ariaExpanded = 'false';
  input.setAttribute('aria-controls', list.id);

  let pause: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  let chosen = -1;
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];

  function choose(index: number): void {
    const all = options();
    chosen = index;
    for (const [at, option] of all.entries()) option.ariaSelected = String(at === index);
    const option = all[index];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  function close(): void {
    clearTimeout(pause);
    // A late answer would open the list again.
    asking?.abort();
    open(false);
  }

  function open(isOpen: boolean): void {
    list.hidden = !isOpen;
    input.ariaExpanded = String(isOpen);
    if (!isOpen) choose(-1);
  }

  function offer({ courses, categories }: Suggestions): void {
    const before = options()[chosen]?.id;
    list.replaceChildren();
    if (courses.length > 0) {
      const entries = courses.map(({ id, title }) => ({ href: `/courses/${id}`, text: title }));
      list.append(groupOf(list.id, 'Courses', entries));
    }
    if (categories.length > 0) {
      const entries = categories.map(({ id, name, courses: count }) => ({
        href: `/courses?category=${id}`,
        text: name,
        aside: count.toLocaleString('en-US'),
      }));
      list.append(groupOf(list.id, 'Categories', entries));
    }
    const count = courses.length + categories.length;
    status.textContent = count === 0 ? 'No suggestions' : `${count} suggestion${count === 1 ? '' : 's'}`;
    // A late answer must not drop the choice.
    choose(options().findIndex(({ id }) => id === before));
    open(count > 0 && document.activeElement === input);
  }

  async function ask(): Promise<void> {
    const text = input.value.trim();
    asking?.abort();
    if (text === '') {
      open(false);
      return;
    }
    const found = known.get(text);
    if (found) {
      offer(found);
      return;
    }
    const own = new AbortController();
    asking = own;
    try {
      const answer = await fetch(`/api/suggestions?search=${encodeURIComponent(text)}`, {
        signal: own.signal,
      });
      if (!answer.ok) throw new Error(String(answer.status));
      const suggestions: Suggestions = await answer.json();
      known.set(text, suggestions);
      offer(suggestions);
    } catch {
      if (!own.signal.aborted) open(false);
    }
  }

  input.addEventListener('input', () => {
    // Typing drops the choice.
    choose(-1);
    clearTimeout(pause);
    pause = setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    const { key } = event;
    const all = options();
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) {
        void ask();
        return;
      }
      // Past either end comes the box with the typed text.
      const places = all.length + 1;
      choose(((chosen + 1 + (key === 'ArrowDown' ? 1 : -1) + places) % places) - 1);
    } else if (key === 'Enter' && !list.hidden && chosen >= 0) {
      event.preventDefault();
      location.assign(all[chosen]!.dataset.href!);
    } else if (key === 'Escape' && !list.hidden) {
      // Escape would also close the menu.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  input.addEventListener('blur', close);
  // The focus stays in the box.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role=option]');
    if (option) location.assign(option.dataset.href!);
  });
  if (input.value && document.activeElement === input && input.value !== input.defaultValue) void ask();
}
