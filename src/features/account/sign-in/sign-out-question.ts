import { buttonClass } from '#src/components/button.ts';
import { counted } from '#src/shared/counted.ts';
import { element, smallDialog } from '#src/components/element.ts';

export function askToDrop(count: number): Promise<boolean> {
  const dialog = smallDialog('sign-out-title');
  const form = element('form', { method: 'dialog', class: 'mt-6 flex flex-wrap justify-end gap-3' });
  form.append(
    element('button', { value: 'stay', class: buttonClass({ variant: 'secondary' }) }, 'Stay'),
    element('button', { value: 'drop', class: buttonClass({ variant: 'danger' }) }, 'Sign out and drop them'),
  );
  dialog.append(
    element(
      'h2',
      { id: 'sign-out-title', class: 'text-subheading' },
      `${counted(count, 'answer')} ${count === 1 ? 'is' : 'are'} not sent yet`,
    ),
    element('p', { class: 'mt-2 text-ink-soft' }, 'They are sent when you are online again and signed in.'),
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'drop');
    }),
  );
}
