import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { setWeeklyMailCall } from '#src/features/learn/schema.ts';

interface Props {
  initial: boolean;
  email: string;
  /** Mail goes only to an address that its owner has confirmed. */
  confirmed: boolean;
}

/** Switches the weekly mail on and off. */
export function WeeklyMailSwitch({ initial, email, confirmed }: Props) {
  const [on, setOn] = useState(initial);
  const [said, setSaid] = useState('');

  async function change(wanted: boolean) {
    setOn(wanted);
    setSaid('Saving…');
    try {
      await call(setWeeklyMailCall, { input: { on: wanted } });
      setSaid('Saved.');
    } catch (error) {
      setOn(!wanted);
      setSaid(messageOf(error, 'That did not reach our server. Please try again.'));
    }
  }

  return (
    <div>
      <Checkbox
        label="Send me a weekly mail with what is next"
        hint={`Mondays, to ${email}, while you have a course to finish or have studied.`}
        checked={on}
        onCheckedChange={(wanted) => void change(wanted === true)}
      />
      {on && !confirmed && (
        <p className="mt-2 pl-8 text-sm text-ink-soft">
          It starts once you have{' '}
          <a href="/verify-email" className="text-link">
            confirmed your address
          </a>
          .
        </p>
      )}
      <p role="status" className="pl-8 text-sm text-ink-soft not-empty:mt-2">
        {said}
      </p>
    </div>
  );
}
