import { setWeeklyMailCall } from '#src/features/learn/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';

/**
 * Makes the form of the weekly mail save when its box is clicked.
 *
 * @param form the one of `WeeklyMailSwitch.astro`
 */
export function saveChangesAtOnce(form: HTMLFormElement): void {
  const box = form.querySelector<HTMLInputElement>('input[type=checkbox]')!;
  const status = form.querySelector<HTMLElement>('[role=status]')!;
  const unconfirmed = form.querySelector<HTMLElement>('[data-unconfirmed]');
  const show = (on: boolean, said: string) => {
    box.checked = on;
    unconfirmed?.toggleAttribute('hidden', !on);
    status.textContent = said;
  };

  async function save(wanted: boolean): Promise<void> {
    show(wanted, 'Saving…');
    try {
      await call(setWeeklyMailCall, { input: { on: wanted } });
      show(wanted, 'Saved.');
    } catch (error) {
      show(!wanted, messageOf(error, 'That did not reach our server. Please try again.'));
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save(box.checked);
  });
  box.addEventListener('change', () => void save(box.checked));
  // Clicked before this script was there.
  if (box.checked !== box.defaultChecked) void save(box.checked);
}
