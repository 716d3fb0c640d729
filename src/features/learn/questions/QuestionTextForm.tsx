import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { ApiError, messageOf } from '#src/shared/api.ts';
import type { Draft } from '#src/shared/drafts.ts';
import { QUESTION_MAX } from './schema.ts';

/** One key per text: a repeat does nothing. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Text that cannot be sent stays; retries send it once. */
export function QuestionTextForm({
  label,
  hint,
  initial = '',
  draft,
  confirmLabel,
  focusOn,
  children,
  send,
  onCancel,
}: {
  label: string;
  hint?: string;
  initial?: string;
  draft?: Draft;
  confirmLabel: string;
  /** Takes the focus at each change; undefined never does. */
  focusOn?: unknown;
  children?: ReactNode;
  send: (body: string, key: string) => Promise<void>;
  onCancel?: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const key = useRef('');
  const [body, setBody] = useState(() => draft?.read() ?? initial);
  const [error, setError] = useState('');
  const [refusal, setRefusal] = useState('');
  const [sending, setSending] = useState(false);

  useEffect(() => {
    if (focusOn === undefined) return;
    field.current?.scrollIntoView({ block: 'center' });
    field.current?.focus({ preventScroll: true });
  }, [focusOn]);

  const change = (text: string) => {
    key.current = '';
    setBody(text);
    setError('');
    draft?.write(text);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending) return;
    const length = [...body.trim()].length;
    const problem =
      length === 0
        ? 'Text is required'
        : length > QUESTION_MAX
          ? `Text must be at most ${QUESTION_MAX} characters`
          : '';
    setError(problem);
    setRefusal('');
    if (problem) return field.current?.focus();
    key.current ||= newKey();
    setSending(true);
    try {
      await send(body, key.current);
      change('');
      draft?.clear();
    } catch (failure) {
      const named = failure instanceof ApiError ? failure.fields.body : undefined;
      if (named) {
        setError(named);
        field.current?.focus();
      } else
        setRefusal(
          messageOf(failure, 'This could not be sent. What you wrote is still here. Please try again.'),
        );
    } finally {
      setSending(false);
    }
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <Field label={label} required error={error} {...(hint && { hint })}>
        <Textarea
          ref={field}
          rows={4}
          value={body}
          onChange={(event) => change(event.target.value)}
          className="field-sizing-content max-h-96 min-h-28"
        />
      </Field>
      {children}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" loading={sending}>
          {confirmLabel}
        </Button>
        {onCancel && (
          <Button size="sm" variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
