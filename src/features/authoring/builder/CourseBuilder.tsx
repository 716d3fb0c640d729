import { useRef } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { CourseField } from '#src/features/authoring/courses/CourseField.tsx';
import { BUILT_FIELDS, mayBuildWithout } from '#src/features/authoring/courses/course-fields.ts';
import { StoreChoice } from '#src/features/authoring/courses/StoreChoice.tsx';
import { isBlankDraft } from './builder.ts';
import { BuiltLessons } from './BuiltLessons.tsx';
import { createCourse } from './create-course.ts';
import { randomId, writeCourseDraft } from './draft-storage.ts';
import { useBuilder } from './use-builder.ts';

const timeOf = (moment: string) =>
  new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Builds a course with its lessons on this device, and makes it in one call (spec 2, 5). */
export function CourseBuilder({
  userId,
  categories,
  isProofRequired,
}: {
  userId: number;
  categories: { id: number; name: string }[];
  /** `PUBLISH_CHECK=required` */
  isProofRequired: boolean;
}) {
  const courseForm = useRef<HTMLFormElement>(null);
  const [state, dispatch] = useBuilder(userId, courseForm);
  const { draft, restoredFrom, keeping, errors, sending, announcement } = state;
  const { course, lessons } = draft;
  const isEmpty = isBlankDraft(draft);

  const focusFirstError = () =>
    requestAnimationFrame(() =>
      courseForm.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  const create = () => {
    if (!sending) void createCourse(draft, userId, dispatch, focusFirstError);
  };
  const discard = () => {
    writeCourseDraft(userId, null);
    dispatch({ do: 'discard', draftId: randomId() });
    courseForm.current?.querySelector('input')?.focus();
  };

  return (
    <div className="grid gap-10">
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {restoredFrom !== null && (
        <Alert tone="info" title="Your draft is back" live>
          <p>Kept on this device{restoredFrom && ` on ${timeOf(restoredFrom)}`}. Go on where you left off.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button size="sm" variant="secondary" onClick={() => dispatch({ do: 'hideRestored' })}>
              Go on
            </Button>
            <DiscardDraft
              onConfirm={discard}
              trigger={
                <Button size="sm" variant="secondary">
                  Discard draft
                </Button>
              }
            />
          </div>
        </Alert>
      )}
      {keeping === 'elsewhere' && (
        <Alert tone="warning" title="This draft was changed in another tab" live>
          <p>What you change here is not kept any more, so that neither tab writes over the other.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button size="sm" variant="secondary" onClick={() => location.reload()}>
              Show the other one
            </Button>
            <Button size="sm" variant="secondary" onClick={() => dispatch({ do: 'goOnHere' })}>
              Go on with this one
            </Button>
          </div>
        </Alert>
      )}

      <section aria-labelledby="course-heading">
        <h2 id="course-heading" className="text-heading">
          Course
        </h2>
        <form
          ref={courseForm}
          noValidate
          data-island=""
          className="mt-4 grid items-end gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:grid-cols-2 sm:px-6 sm:py-6 lg:grid-cols-3"
          onSubmit={(event) => {
            event.preventDefault();
            create();
          }}
          onKeyDown={(event) => {
            // The button stands below the lessons, outside of this form.
            if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            create();
          }}
        >
          {BUILT_FIELDS.map((name) => (
            <CourseField
              key={name}
              name={name}
              kept={{
                value: course[name],
                onChange: (value) => dispatch({ do: 'changeCourse', field: name, value }),
              }}
              error={errors[name]}
              categories={categories}
              isOptional={mayBuildWithout(name)}
            />
          ))}
          <StoreChoice
            whenProven={draft.whenProven}
            onChange={(whenProven) => dispatch({ do: 'place', whenProven })}
            isProofRequired={isProofRequired}
          />
        </form>
      </section>

      <BuiltLessons state={state} dispatch={dispatch} />

      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-6">
        <Button
          loading={sending}
          disabled={lessons.length === 0}
          aria-describedby="create-note"
          onClick={create}
        >
          Create course
        </Button>
        {!isEmpty && (
          <DiscardDraft
            onConfirm={discard}
            trigger={
              <Button variant="ghost" className="text-danger!">
                Discard draft
              </Button>
            }
          />
        )}
        <p id="create-note" className="text-sm text-ink-soft">
          {lessons.length === 0
            ? 'Add at least one lesson first.'
            : 'Its lessons are checked at once, and you get a mail if one of them does not work.'}{' '}
          {keeping === 'impossible'
            ? 'This browser keeps no drafts: what you write is lost when you leave.'
            : !isEmpty && keeping === 'yes' && 'Your draft is kept on this device.'}
        </p>
      </div>
    </div>
  );
}

function DiscardDraft({ onConfirm, trigger }: { onConfirm: () => void; trigger: React.ReactElement }) {
  return (
    <AlertDialog
      title="Discard this draft?"
      description="The course and its lessons are removed from this device. This cannot be taken back."
      confirmLabel="Discard draft"
      cancelLabel="Keep it"
      destructive
      onConfirm={onConfirm}
      trigger={trigger}
    />
  );
}
