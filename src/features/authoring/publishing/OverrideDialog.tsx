import { useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { ApiError, messageOf } from '#src/shared/api.ts';
import { REASON_MAX } from '#src/shared/fields.ts';

/** Asks for the reason why a finding may pass. A refusal is told in the dialog, which keeps what was typed. */
export function OverrideDialog({
  message,
  onOverride,
}: {
  message: string;
  onOverride: (reason: string) => Promise<void>;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const [refusal, setRefusal] = useState('');

  const submit = async () => {
    if (working) return;
    setWorking(true);
    setRefusal('');
    try {
      await onOverride(reason);
      setOpen(false);
    } catch (problem) {
      const named = problem instanceof ApiError ? problem.fields.reason : undefined;
      if (named) {
        setError(named);
        field.current?.focus();
      } else setRefusal(messageOf(problem, 'That did not work. Please try again.'));
    } finally {
      setWorking(false);
    }
  };

  return (
    <Dialog
      size="sm"
      title="Let this finding pass?"
      description={message}
      open={open}
      onOpenChange={(next) => !working && setOpen(next)}
      trigger={
        <Button variant="link" size="sm" aria-label={`Let it pass: ${message}`}>
          Let it pass
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => !working && setOpen(false)}>
            Cancel
          </Button>
          <Button loading={working} onClick={() => void submit()}>
            Let it pass
          </Button>
        </>
      }
    >
      {refusal && (
        <Alert tone="danger" live className="mb-5">
          {refusal}
        </Alert>
      )}
      <Field
        label="Reason"
        required
        hint="Shown beside the finding and kept in the audit log. It counts until the lesson changes."
        error={error}
      >
        <Textarea
          ref={field}
          name="reason"
          rows={3}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setError('');
          }}
        />
      </Field>
    </Dialog>
  );
}
