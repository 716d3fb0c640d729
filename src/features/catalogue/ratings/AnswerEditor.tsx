import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { answerRatingCall, removeAnswerCall } from '#src/features/catalogue/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { ANSWER_MAX } from './ratings.ts';

function showAgain(title: string): void {
  toastOnNextPage({ title });
  location.reload();
}

export function AnswerEditor({
  reviewId,
  by,
  answer,
}: {
  reviewId: number;
  by: string;
  answer: string | null;
}) {
  const [editing, setEditing] = useState(false);
  const [error, setError] = useState('');
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const turnedTo = useRef<'form' | 'button' | null>(null);
  const params = { id: reviewId };

  // The pressed button is gone once the form appears or closes.
  useEffect(() => {
    if (turnedTo.current !== (editing ? 'form' : 'button')) return;
    turnedTo.current = null;
    (editing ? field.current : button.current)?.focus();
  }, [editing]);
  const turn = (toForm: boolean) => {
    turnedTo.current = toForm ? 'form' : 'button';
    setError('');
    setEditing(toForm);
  };

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const body = field.current?.value ?? '';
    if (!body.trim()) {
      setError('Answer is required');
      field.current?.focus();
      return;
    }
    setError('');
    setSaving(true);
    try {
      await call(answerRatingCall, { params, input: { body } });
      showAgain(answer === null ? 'The answer is published' : 'The answer is changed');
    } catch (failure) {
      setSaving(false);
      const named = failure instanceof ApiError ? failure.fields.body : undefined;
      setError(named ?? messageOf(failure, 'The answer could not be saved'));
    }
  }

  async function remove(): Promise<void> {
    try {
      await call(removeAnswerCall, { params });
      showAgain('The answer is removed');
    } catch (failure) {
      toast({ title: messageOf(failure, 'The answer could not be removed'), variant: 'destructive' });
    }
  }

  if (!editing) {
    const label = answer === null ? 'Answer' : 'Edit answer';
    return (
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          ref={button}
          variant="secondary"
          size="sm"
          aria-label={`${label} to ${by}’s review`}
          onClick={() => turn(true)}
        >
          {label}
        </Button>
        {answer !== null && (
          <AlertDialog
            title="Remove this answer?"
            description="It leaves the course’s page. The review stays, and can be answered again."
            confirmLabel="Remove answer"
            destructive
            onConfirm={remove}
            trigger={
              <Button variant="ghost" size="sm" aria-label={`Remove answer to ${by}’s review`}>
                Remove answer
              </Button>
            }
          />
        )}
      </div>
    );
  }
  return (
    <form onSubmit={save} noValidate className="mt-4 flex max-w-prose flex-col gap-3">
      <Field
        label="Answer"
        hint="Everybody reads it below the review. Its author gets the first one by mail, if they want such mails."
        error={error || undefined}
        required
      >
        <Textarea ref={field} name="body" rows={4} maxLength={ANSWER_MAX} defaultValue={answer ?? ''} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={saving}>
          {answer === null ? 'Publish answer' : 'Save answer'}
        </Button>
        <Button variant="ghost" size="sm" onClick={() => turn(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
