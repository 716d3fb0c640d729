import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { AFTER_MAX, type Opening } from '#src/features/lessons/opening.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import type { ListedLesson } from '../lessons.ts';

export type OtherLesson = Pick<ListedLesson, 'id' | 'title' | 'section'>;

export type TickedOpening = Pick<Opening, 'afterEarlier' | 'after'>;

export function openingOf(typed: (name: string) => string, { afterEarlier, after }: TickedOpening): Opening {
  const afterDays = typedNumber(typed('opening.afterDays'));
  const on = typed('opening.on');
  return {
    ...(afterDays !== undefined && { afterDays }),
    ...(on && { on }),
    ...(afterEarlier && { afterEarlier }),
    ...(after?.length && { after }),
  };
}

/** When a lesson opens for learners. */
export function OpeningFields({
  opening,
  others,
  errors,
  onTick,
}: {
  opening: Opening;
  others: readonly OtherLesson[];
  errors: FieldErrors;
  onTick: (ticked: TickedOpening) => void;
}) {
  // A lesson that is gone could not be unticked.
  const [after, setAfter] = useState(() =>
    (opening.after ?? []).filter((id) => others.some((one) => one.id === id)),
  );
  return (
    <fieldset className="grid gap-5 card px-4 py-5 sm:px-6">
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
        name="opening.afterEarlier"
        label="After the lessons before it"
        hint="Once the learner has completed all required lessons that come before this one."
        error={errors['opening.afterEarlier']}
        defaultChecked={opening.afterEarlier === true}
        onCheckedChange={(checked) => onTick({ afterEarlier: checked === true })}
      />
      {others.length > 0 && (
        <AfterLessons
          others={others}
          chosen={after}
          error={errors['opening.after']}
          onChoose={(chosen) => {
            setAfter(chosen);
            onTick({ after: chosen });
          }}
        />
      )}
    </fieldset>
  );
}

function AfterLessons({
  others,
  chosen,
  error,
  onChoose,
}: {
  others: readonly OtherLesson[];
  chosen: readonly number[];
  error: string | undefined;
  onChoose: (chosen: number[]) => void;
}) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = others.filter(({ id, title }) => chosen.includes(id) || title.toLowerCase().includes(wanted));
  const isFull = chosen.length >= AFTER_MAX;
  return (
    <div className="grid gap-3">
      <Field
        label="After single lessons"
        optional
        hint={`Once the learner has completed each lesson that you tick, ${AFTER_MAX} at most. Type a part of a title to find it.`}
        error={error}
      >
        {/* Its name brings the rule's refusal here; the typed text is only a filter. */}
        <Input
          name="opening.after"
          type="search"
          autoComplete="off"
          value={search}
          onInput={(event) => event.stopPropagation()}
          onChange={(event) => {
            event.stopPropagation();
            setSearch(event.target.value);
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Field>
      <p role="status" className="text-sm text-ink-soft">
        {chosen.length} of {others.length} chosen
        {wanted && `, ${shown.length} shown`}
      </p>
      <fieldset
        aria-label="Lessons that it waits for"
        className="grid max-h-80 gap-4 overflow-y-auto rounded-md border border-line px-4 py-3"
      >
        {[...Map.groupBy(shown, ({ section }) => section)].map(([section, lessons]) => (
          <div key={section} className="grid gap-3">
            {section && <p className="text-sm font-semibold">{section}</p>}
            {lessons.map(({ id, title }) => (
              <Checkbox
                key={id}
                label={title}
                checked={chosen.includes(id)}
                disabled={isFull && !chosen.includes(id)}
                onCheckedChange={(checked) =>
                  onChoose(checked === true ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
            ))}
          </div>
        ))}
        {shown.length === 0 && <p className="text-ink-soft">No lesson has this in its title.</p>}
      </fieldset>
    </div>
  );
}
