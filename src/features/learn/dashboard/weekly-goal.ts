import { setWeeklyGoalCall } from '#src/features/learn/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';

/** @param form of `ThisWeek.astro` */
export function saveGoalAtOnce(form: HTMLFormElement): void {
  const select = form.querySelector('select')!;
  const status = form.querySelector<HTMLElement>('[role=status]')!;
  let saved = select.value;
  select.addEventListener('change', async () => {
    const wanted = select.value;
    status.textContent = 'Saving…';
    try {
      const { days } = await call(setWeeklyGoalCall, { input: { days: Number(wanted) } });
      saved = wanted;
      document.querySelector('[data-goal-days]')!.textContent = counted(days, 'day');
      status.textContent = 'Saved.';
    } catch (error) {
      select.value = saved;
      status.textContent = messageOf(error, 'That did not reach our server. Please try again.');
    }
  });
}
