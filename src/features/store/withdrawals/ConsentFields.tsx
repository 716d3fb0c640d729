import { type ReactNode, useId, useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import type { ConsentsInput } from '#src/features/store/schema.ts';
import type { ConsentWording } from '#src/features/store/withdrawals/consents.ts';
import type { FieldErrors } from '#src/shared/errors.ts';

/** What a buyer ticked, as it is sent, and the boxes that stand above Pay. */
export type ConsentForm = {
  /** Nothing where the site does not ask. */
  ticked: ConsentsInput | undefined;
  fields: ReactNode;
  /** Says at the boxes what is wrong with them; false where it is about something else. */
  showErrors: (errors: FieldErrors) => boolean;
};

/**
 * The consents of a consumer before a payment (decision 99). The ticks stay whatever becomes of the payment's form.
 *
 * @param wording null where the site does not ask
 */
export function useConsents(wording: ConsentWording | null): ConsentForm {
  const [begin, setBegin] = useState(false);
  const [loss, setLoss] = useState(false);
  const [problem, setProblem] = useState('');
  const headingId = useId();
  if (!wording) return { ticked: undefined, fields: null, showErrors: () => false };

  const alone = (missing: 'begin' | 'loss') => wording.alone.replace('{missing}', wording[missing].name);
  const change = (set: (isTicked: boolean) => void) => (checked: boolean | 'indeterminate') => {
    setProblem('');
    set(checked === true);
  };
  return {
    ticked: { begin, loss, version: wording.version },
    fields: (
      <section aria-labelledby={headingId} className="mt-6 border-t border-line pt-5">
        <h3 id={headingId} className="font-semibold">
          {wording.heading}
        </h3>
        <p className="mt-2 mb-4 text-sm text-ink-soft">{wording.text}</p>
        <div className="flex flex-col gap-3">
          <Checkbox
            label={wording.begin.text}
            error={problem || (loss && !begin && alone('begin'))}
            checked={begin}
            onCheckedChange={change(setBegin)}
          />
          <Checkbox
            label={wording.loss.text}
            error={begin && !loss && alone('loss')}
            checked={loss}
            onCheckedChange={change(setLoss)}
          />
        </div>
      </section>
    ),
    showErrors: (errors) => {
      const message = Object.entries(errors).find(([field]) => /^consents\b/.test(field))?.[1];
      setProblem(message ?? '');
      return message !== undefined;
    },
  };
}
