import { buttonClass } from '#src/components/button.ts';
import { element, smallDialog } from '#src/components/element.ts';

/** For head script and theme.css; the first is the default and not stored. */
const CHOICES = [
  {
    name: 'theme',
    label: 'Theme',
    options: [
      ['system', 'As my device'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  },
  {
    name: 'text',
    label: 'Text of lessons',
    options: [
      ['usual', 'Usual'],
      ['large', 'Large'],
      ['largest', 'Largest'],
    ],
  },
  {
    name: 'line',
    label: 'Length of lines',
    options: [
      ['usual', 'Usual'],
      ['narrow', 'Short'],
      ['wide', 'Long'],
    ],
  },
] as const;

type Name = (typeof CHOICES)[number]['name'];

/** Choices apply at once. */
export function openDisplaySettings(): void {
  const dialog = smallDialog('display-title');
  dialog.setAttribute('closedby', 'any');
  const close = element('button', { type: 'button', class: buttonClass({ block: true }, 'mt-7') }, 'Done');
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(
    element('h2', { id: 'display-title', class: 'text-heading' }, 'Display'),
    element('p', { class: 'mt-1 text-sm text-ink-soft' }, 'Kept in this browser.'),
    ...CHOICES.map(fieldset),
    close,
  );
  document.body.append(dialog);
  dialog.showModal();
}

function fieldset({ name, label, options }: (typeof CHOICES)[number]): HTMLElement {
  const { dataset } = document.documentElement;
  const group = element('div', { class: 'mt-2 grid grid-cols-3 gap-2' });
  for (const [value, text] of options) {
    const radio = element('input', {
      type: 'radio',
      name: `display-${name}`,
      value,
      class: 'absolute inset-0 opacity-0',
    });
    radio.checked = (dataset[name] ?? options[0][0]) === value;
    radio.addEventListener('change', () => choose(name, value === options[0][0] ? undefined : value));
    const box = element('label', {
      class:
        'relative grid min-h-11 place-items-center rounded-md border border-line-strong px-2 py-1.5 text-center text-sm font-medium hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
    });
    box.append(radio, text);
    group.append(box);
  }
  const set = element('fieldset', { class: 'mt-5' });
  set.append(element('legend', { class: 'text-sm font-semibold' }, label), group);
  return set;
}

function choose(name: Name, value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
  const chosen = Object.fromEntries(CHOICES.map((one) => [one.name, dataset[one.name]]));
  try {
    localStorage.setItem('display', JSON.stringify(chosen));
  } catch {
    // Without storage the choice is for this page.
  }
}
