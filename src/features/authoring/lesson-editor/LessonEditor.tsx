import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { More } from '#src/components/More.tsx';
import { Select } from '#src/components/Select.tsx';
import { useForm } from '#src/components/use-form.ts';
import { LEVELS, type Level, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { lessonType } from '#src/features/lessons/registry.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import {
  CHOSEN_FIELDS,
  emptyLesson,
  KEPT_FIELDS,
  type KeptValues,
  type LessonFields,
  POINTS_MAX,
  typedFields,
} from './lesson-fields.ts';
import type { TickName } from './lessons.ts';
import { EDITOR_PARTS } from './editor-parts.tsx';
import { EXERCISE_MAX } from '#src/features/lessons/types/coding/limits.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { MarkdownEditor } from '#src/features/authoring/text-editor/MarkdownEditor.tsx';
import { useSaveKey } from '#src/features/authoring/text-editor/use-save-key.ts';
import { OpeningFields, openingOf, type OtherLesson, type TickedOpening } from './opening/OpeningFields.tsx';
import { NewerChange } from './NewerChange.tsx';
import type { ChangedFields } from '#src/features/authoring/courses/schema.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { pick } from '#src/shared/pick.ts';

/** `order` is null where it was not touched. */
export type LessonValues = Omit<LessonFields, 'order'> & { order: number | null };

interface Props<S extends z.ZodType> {
  lesson: LessonFields;
  input: S;
  toInput: (values: LessonValues) => unknown;
  /** `stays` where the author goes on writing. */
  onSave: (input: z.input<S>, stays: boolean) => Promise<void>;
  onFailure: (error: unknown) => void;
  onSubmit?: (values: LessonValues) => void;
  onDraft: (values: LessonValues) => void;
  isUnsaved: boolean;
  pointsOf: (typed: string) => number;
  /** Null in the builder, whose list says so. */
  place: { lessonCount: number; sections: string[]; others: readonly OtherLesson[] } | null;
  html: { content: string; instructions: string } | null;
  newer?: ChangedFields | null;
  onOverwrite?: () => void;
  onDiscard?: () => void;
  saveLabel: string;
  cancel: ReactNode;
}

/** The form of a lesson of any type: in the course builder, and on an existing lesson's page. */
export function LessonEditor<S extends z.ZodType>(props: Props<S>) {
  const { place, newer } = props;
  // Callers with drafts pass a new lesson at each change; the form holds its own.
  const [lesson] = useState(props.lesson);
  const { type } = lesson;
  const { text, needs } = lessonType(type);
  const [kept, setKept] = useState<KeptValues>(lesson);
  const [edits, setEdits] = useState(0);
  const changes = useRef(0);
  const now = useLatest({ props, kept });

  const changed = () => {
    changes.current += 1;
    setEdits((count) => count + 1);
  };

  // Not read from the form: its boxes get their fields only after the first drawing, too late for an early
  // submit.
  const chosen = useRef(pick(lesson, CHOSEN_FIELDS));
  const ticked = useRef<TickedOpening>({
    afterEarlier: lesson.opening.afterEarlier,
    after: lesson.opening.after?.filter((id) => place?.others.some((one) => one.id === id)),
  });
  const tick = (name: TickName) => ({
    defaultChecked: lesson[name],
    onCheckedChange: (checked: boolean | 'indeterminate') => {
      chosen.current[name] = checked === true;
      changed();
    },
  });

  // In the builder the specification calls every lesson's text its instructions.
  const textName = place ? text.field : 'instructions';
  const valuesOf = (typed: (name: string) => string): LessonValues => {
    const { kept, props } = now.current;
    const { exercise } = kept;
    const isText = text.field === 'content';
    const otherText = hasFixture(lesson.exercise.codingLanguage) ? '' : lesson.content;
    return {
      ...typedFields(typed),
      ...chosen.current,
      ...pick(kept, KEPT_FIELDS),
      type,
      version: lesson.version,
      section: place ? typed('section') : lesson.section,
      order: typed('order') === String(lesson.order) ? null : (typedNumber(typed('order')) ?? null),
      content: isText ? typed(textName) : hasFixture(exercise.codingLanguage) ? kept.content : otherText,
      opening: place ? openingOf(typed, ticked.current) : lesson.opening,
      points: props.pointsOf(typed('points')),
      exercise: isText ? exercise : { ...exercise, instructions: typed('instructions') },
    };
  };
  const typedIn = (form: HTMLFormElement) => {
    const data = new FormData(form);
    return (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
  };
  const [schema] = useState(() =>
    formFor(props.input, (typed) => now.current.props.toInput(valuesOf(typed))),
  );

  const { errors, sending, ...form } = useForm(
    schema,
    async (input) => {
      const before = changes.current;
      await props.onSave(input, isByKey());
      const element = form.ref.current;
      if (changes.current !== before && element) now.current.props.onDraft(valuesOf(typedIn(element)));
    },
    (_message, error) => props.onFailure(error),
  );

  const isByKey = useSaveKey(form.ref, place !== null);

  // At once: the page may be left right after a key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was changed
  useLayoutEffect(() => {
    const element = form.ref.current;
    if (edits > 0 && element) now.current.props.onDraft(valuesOf(typedIn(element)));
  }, [edits]);

  const own = EDITOR_PARTS[type];
  const part = own && (
    <own.Part
      lesson={lesson}
      values={kept}
      errors={errors}
      tick={tick}
      onChange={(update) => {
        if (update) setKept((before) => ({ ...before, ...update(before) }));
        changed();
      }}
    />
  );

  return (
    <form
      {...form}
      noValidate
      aria-busy={sending || undefined}
      className="grid gap-8"
      onSubmit={(event) => {
        props.onSubmit?.(valuesOf(typedIn(event.currentTarget)));
        form.onSubmit(event);
      }}
      onInput={(event) => {
        changed();
        form.onInput(event);
      }}
      onChange={form.onChange}
    >
      {newer && (
        <NewerChange
          what="lesson"
          newer={newer}
          onDiscard={props.onDiscard}
          onOverwrite={() => {
            props.onOverwrite?.();
            form.ref.current?.requestSubmit();
          }}
        />
      )}

      <LessonHead lesson={lesson} place={place} errors={errors} />

      {own?.isAboveText && part}

      <MarkdownEditor
        name={textName}
        label={place ? text.label : 'Instructions'}
        hint="Markdown: # heading, **bold**, - list, ```js code, > [!NOTE], $formula$."
        required={!place || needs.some(({ field, toSave }) => field === text.field && toSave)}
        short={own !== undefined && !own.hasLongText}
        initial={text.field === 'content' ? lesson.content : lesson.exercise.instructions}
        initialHtml={props.html?.[text.field] ?? null}
        maxLength={textName === 'content' ? LESSON_MAX.content : EXERCISE_MAX.instructions}
        error={errors[textName]}
      />

      {!own?.isAboveText && part}

      <div className="grid gap-5 card px-4 py-5 sm:px-6">
        <Field
          label="Points"
          className="sm:max-w-60"
          hint={
            place
              ? `0 to ${POINTS_MAX.toLocaleString('en-US')}.`
              : `0 to ${POINTS_MAX.toLocaleString('en-US')}; ${props.pointsOf('')} where you leave it empty.`
          }
          error={errors.points}
        >
          <Input name="points" inputMode="numeric" autoComplete="off" defaultValue={lesson.points} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Checkbox
            {...tick('requiredToComplete')}
            label="Required"
            hint="The course is complete when all required lessons are."
          />
          <Checkbox
            {...tick('isPreview')}
            label="Free preview"
            hint="Everybody can open it without buying the course."
          />
        </div>
      </div>

      <MoreOfLesson
        lesson={lesson}
        place={place}
        errors={errors}
        onDifficulty={(difficulty) => {
          chosen.current.difficulty = difficulty;
          changed();
        }}
        onTick={(update) => {
          ticked.current = { ...ticked.current, ...update };
          changed();
        }}
      />

      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-t border-line bg-canvas py-3">
        <Button type="submit" loading={sending}>
          {props.saveLabel}
        </Button>
        {props.cancel}
        <p role="status">{props.isUnsaved && <Badge tone="warning">Not saved yet</Badge>}</p>
      </div>
    </form>
  );
}

function LessonHead({
  lesson,
  place,
  errors,
}: Pick<Props<z.ZodType>, 'lesson' | 'place'> & { errors: FieldErrors }) {
  return (
    <div className={place ? 'grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]' : 'grid gap-5'}>
      <Field label="Lesson title" required error={errors.title}>
        <Input name="title" defaultValue={lesson.title} maxLength={LESSON_MAX.title} />
      </Field>
      {place && (
        <>
          <Field label="Section" optional error={errors.section}>
            <Input
              name="section"
              defaultValue={lesson.section}
              maxLength={LESSON_MAX.section}
              list="sections"
              autoComplete="off"
            />
          </Field>
          <datalist id="sections">
            {place.sections.map((section) => (
              <option key={section} value={section} />
            ))}
          </datalist>
        </>
      )}
    </div>
  );
}

function MoreOfLesson({
  lesson,
  place,
  errors,
  onDifficulty,
  onTick,
}: Pick<Props<z.ZodType>, 'lesson' | 'place'> & {
  errors: FieldErrors;
  onDifficulty: (difficulty: Level) => void;
  onTick: (ticked: TickedOpening) => void;
}) {
  const usual = emptyLesson(lesson.type);
  const isUsual =
    lesson.duration === usual.duration &&
    lesson.difficulty === usual.difficulty &&
    Object.keys(lesson.opening).length === 0;
  return (
    <More open={!isUsual}>
      <div className="grid gap-5 card px-4 py-5 sm:grid-cols-3 sm:px-6">
        <Field label="Duration" optional hint="Such as 10 min." error={errors.duration}>
          <Input name="duration" defaultValue={lesson.duration} maxLength={LESSON_MAX.duration} />
        </Field>
        <Field label="Difficulty" hint="Of this lesson." error={errors.difficulty}>
          <Select
            defaultValue={lesson.difficulty}
            onValueChange={(value) => onDifficulty(value as Level)}
            options={LEVELS.map((level) => ({ value: level, label: levelLabel(level) }))}
          />
        </Field>
        {place && (
          <Field label="Order" hint="Its place in the course." error={errors.order}>
            <Input
              name="order"
              type="number"
              min="1"
              max={place.lessonCount}
              step="1"
              inputMode="numeric"
              defaultValue={lesson.order}
            />
          </Field>
        )}
      </div>
      {place && (
        <OpeningFields opening={lesson.opening} errors={errors} others={place.others} onTick={onTick} />
      )}
    </More>
  );
}
