import { Star } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { type OwnRating, STARS, RATING_TEXT_MAX } from './ratings.ts';
import { deleteRatingCall, saveRatingCall } from '#src/features/catalogue/schema.ts';
import type { FieldErrors, RefusedForm } from '#src/shared/errors.ts';
import { counted } from '#src/shared/counted.ts';

const starName = (stars: number) => counted(stars, 'star');

/** The server computes average and list: reload at the same place. */
function showAgain(title: string): void {
  toastOnNextPage({ title });
  history.replaceState(history.state, '', `${location.pathname}#reviews`);
  location.reload();
}

/** Decision 38. */
export function RatingEditor({
  courseId,
  own,
  may,
  opened = false,
  refused = null,
}: {
  courseId: number;
  own: OwnRating | null;
  /** False after access ended: a rating can still be deleted. */
  may: boolean;
  /** By a link, where no script runs. */
  opened?: boolean;
  refused?: RefusedForm | null;
}) {
  const [editing, setEditing] = useState(own === null || opened || refused !== null);
  const [errors, setErrors] = useState<FieldErrors>(refused?.fields ?? {});
  const [saving, setSaving] = useState(false);
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const isTurned = useRef(false);
  const params = { id: courseId };

  useEffect(() => {
    if (!isTurned.current) return;
    isTurned.current = false;
    if (editing) form.current?.querySelector<HTMLElement>('input:checked')?.focus();
    else editButton.current?.focus();
  }, [editing]);
  const turn = (toForm: boolean) => {
    isTurned.current = true;
    setEditing(toForm);
  };

  async function save(event: { preventDefault: () => void }): Promise<void> {
    event.preventDefault();
    const values = new FormData(form.current!);
    const rating = Number(values.get('rating'));
    if (rating === 0) {
      setErrors({ rating: 'Choose one to five stars' });
      form.current?.querySelector('input')?.focus();
      return;
    }
    setErrors({});
    setSaving(true);
    try {
      await call(saveRatingCall, { params, input: { rating, review: String(values.get('review')) } });
      showAgain(own ? 'Review changed' : 'Thank you for your review');
    } catch (error) {
      setSaving(false);
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(error.fields);
      else toast({ title: messageOf(error, 'The review could not be saved'), variant: 'destructive' });
    }
  }

  async function remove(): Promise<void> {
    try {
      await call(deleteRatingCall, { params });
      showAgain('Review deleted');
    } catch (error) {
      toast({ title: messageOf(error, 'The review could not be deleted'), variant: 'destructive' });
    }
  }

  if (own && !editing) {
    return (
      <div className="card p-5 sm:p-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold">Your review</h3>
          <span
            role="img"
            aria-label={`${own.rating} of ${STARS.length} stars`}
            className="inline-flex gap-0.5"
          >
            {STARS.map((stars) => (
              <StarShape key={stars} filled={stars <= own.rating} />
            ))}
          </span>
        </div>
        {own.review && <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">{own.review}</p>}
        {own.hiddenReason !== null && (
          <Alert tone="warning" className="mt-4">
            An administrator has hidden this review. {own.hiddenReason && `Reason: ${own.hiddenReason}`}
          </Alert>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          {may && (
            <>
              <Button
                ref={editButton}
                variant="secondary"
                size="sm"
                className="noscript:hidden"
                onClick={() => turn(true)}
              >
                Edit review
              </Button>
              <a href="?review=edit#reviews" className="hidden text-link text-sm noscript:block">
                Edit review
              </a>
            </>
          )}
          <AlertDialog
            title="Delete your review?"
            description={
              own.hiddenReason === null
                ? 'Its stars no longer count. You can write another one later.'
                : 'Its text is deleted. What you write in its place stays hidden until an administrator shows it.'
            }
            confirmLabel="Delete review"
            destructive
            onConfirm={remove}
            trigger={
              <Button variant="ghost" size="sm" className="noscript:hidden">
                Delete review
              </Button>
            }
          />
        </div>
      </div>
    );
  }
  return (
    <form
      ref={form}
      method="post"
      action={`/courses/${courseId}#reviews`}
      onSubmit={save}
      noValidate
      className="flex flex-col gap-5 card p-5 sm:p-6"
    >
      <h3 className="font-semibold">{own ? 'Change your review' : 'Write a review'}</h3>
      {refused && Object.keys(refused.fields).length === 0 && <Alert tone="danger">{refused.message}</Alert>}
      <fieldset aria-describedby={errors.rating ? `${name}-error` : undefined}>
        <legend className="mb-1 text-sm font-semibold">Rating</legend>
        {/* Works by CSS without a script. */}
        <div className="-mx-1.5 flex w-fit [&_label:has(:checked)]:text-spark [&_label:has(~label_:checked)]:text-spark [&_label:has(:checked)_svg]:fill-current [&_label:has(~label_:checked)_svg]:fill-current">
          {STARS.map((stars) => (
            <label
              key={stars}
              className="grid size-11 cursor-pointer text-line-strong place-items-center rounded-md has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="rating"
                value={stars}
                defaultChecked={stars === (refused ? Number(refused.typed.rating) : own?.rating)}
                className="sr-only"
                aria-label={starName(stars)}
              />
              <Star aria-hidden="true" className="size-7" />
            </label>
          ))}
        </div>
        <p aria-live="polite" id={`${name}-error`} className="text-sm text-danger empty:hidden">
          {errors.rating}
        </p>
      </fieldset>
      <Field
        label="Review"
        optional
        hint="What did you learn, and for whom is this course?"
        error={errors.review}
      >
        <Textarea
          name="review"
          rows={4}
          maxLength={RATING_TEXT_MAX}
          defaultValue={refused?.typed.review ?? own?.review ?? ''}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" loading={saving}>
          {own ? 'Save review' : 'Publish review'}
        </Button>
        {own && (
          <Button variant="ghost" onClick={() => turn(false)}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

function StarShape({ filled }: { filled: boolean }) {
  return (
    <Star
      aria-hidden="true"
      className={`size-4 ${filled ? 'fill-current text-spark' : 'text-line-strong'}`}
    />
  );
}
