import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import type { Opening } from '#src/features/lessons/opening.ts';
import type { FieldErrors } from '#src/shared/errors.ts';

/** What was typed about when a lesson opens. */
export function openingOf(typed: (name: string) => string, afterEarlier: boolean): Opening {
  const afterDays = typedNumber(typed('opening.afterDays'));
  const on = typed('opening.on');
  return {
    ...(afterDays !== undefined && { afterDays }),
    ...(on && { on }),
    ...(afterEarlier && { afterEarlier }),
  };
}

/** When a lesson opens for those who are enrolled. */
export function OpeningFields({
  opening,
  errors,
  onAfterEarlier,
}: {
  opening: Opening;
  errors: FieldErrors;
  onAfterEarlier: (checked: boolean) => void;
}) {
  return (
    <fieldset className="grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6">
      <legend className="sr-only">When it opens</legend>
      <p>
        <span className="block font-semibold">When it opens</span>
        <span className="block text-sm text-ink-soft">
          For everybody who is enrolled: at once, or by the latest of what you say here. A free preview is
          open all the same.
        </span>
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Days after the purchase"
          optional
          hint="Whole days."
          error={errors['opening.afterDays']}
        >
          <Input
            name="opening.afterDays"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={opening.afterDays ?? ''}
          />
        </Field>
        <Field label="Not before" optional hint="A day of UTC." error={errors['opening.on']}>
          <Input name="opening.on" type="date" defaultValue={opening.on ?? ''} />
        </Field>
      </div>
      <Checkbox
        label="After the lessons before it"
        hint="Once the learner has completed all required lessons that come before this one."
        defaultChecked={opening.afterEarlier === true}
        onCheckedChange={(checked) => onAfterEarlier(checked === true)}
      />
    </fieldset>
  );
}
