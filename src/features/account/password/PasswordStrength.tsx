import { useEffect, useRef, useState } from 'react';
import { classNames } from '#src/components/class-names.ts';
import type { Rated } from './password-estimator.ts';

const LABELS = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
const COLOURS = ['bg-danger', 'bg-danger', 'bg-warning', 'bg-success', 'bg-success'] as const;

/** Large: loaded at the first letter. */
const load = () => import('./password-estimator.ts');

/** Advises only; the server refuses. @param field name of the password field in the same form */
export function PasswordStrength({ field }: { field: string }) {
  const here = useRef<HTMLDivElement>(null);
  const [rated, setRated] = useState<Rated | null>(null);

  useEffect(() => {
    const form = here.current?.closest('form');
    if (!form) return;
    let latest = 0;
    const rate = async () => {
      latest += 1;
      const turn = latest;
      const values = new FormData(form);
      const typed = String(values.get(field) ?? '');
      if (!typed) return setRated(null);
      try {
        const { ratePassword } = await load();
        const about = ['username', 'email', 'firstName', 'lastName'].map((name) =>
          String(values.get(name) ?? ''),
        );
        if (turn === latest) setRated(ratePassword(typed, about.filter(Boolean)));
      } catch {
        // Without its word lists there is no advice; the form works as ever.
      }
    };
    const onInput = (event: Event) => {
      if ((event.target as HTMLInputElement).name === field) void rate();
    };
    form.addEventListener('input', onInput);
    void rate();
    return () => form.removeEventListener('input', onInput);
  }, [field]);

  return (
    <div ref={here} aria-live="polite" className="-mt-2 empty:hidden">
      {rated && (
        <>
          <div aria-hidden="true" className="grid grid-cols-4 gap-1">
            {[1, 2, 3, 4].map((step) => (
              <span
                key={step}
                className={classNames(
                  'h-1 rounded-full',
                  step <= Math.max(1, rated.score) ? COLOURS[rated.score] : 'bg-line',
                )}
              />
            ))}
          </div>
          <p className="mt-1.5 text-sm text-ink-soft">
            <span className="font-semibold text-ink">{LABELS[rated.score]} password.</span>{' '}
            {rated.score < 3 && rated.advice}
          </p>
        </>
      )}
    </div>
  );
}
