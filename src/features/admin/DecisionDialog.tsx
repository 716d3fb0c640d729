import { type ReactNode, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button, type ButtonProps } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { messageOf } from '#src/shared/api.ts';

/** Characters of a reason at most, as the calls take it. */
const REASON_MAX = 500;

/** A button that asks for a reason, does something with it, and shows the page anew. A refusal is told in the dialog. */
export function DecisionDialog({
  label,
  accessibleLabel,
  variant = 'secondary',
  title,
  description,
  reasonHint,
  confirmLabel,
  confirmVariant = 'primary',
  done,
  decide,
}: {
  label: ReactNode;
  accessibleLabel: string;
  variant?: ButtonProps['variant'];
  title: string;
  description: string;
  reasonHint: string;
  confirmLabel: string;
  confirmVariant?: 'primary' | 'danger';
  /** What the next page says. */
  done: string;
  decide: (reason: string) => Promise<void>;
}) {
  const [open, setOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const [reason, setReason] = useState('');

  const submit = async () => {
    if (working) return;
    setWorking(true);
    setRefusal('');
    try {
      await decide(reason);
      toastOnNextPage({ title: done });
      location.reload();
    } catch (error) {
      setRefusal(messageOf(error, 'That did not work. Please try again.'));
      setWorking(false);
    }
  };

  return (
    <Dialog
      size="sm"
      title={title}
      description={description}
      open={open}
      onOpenChange={(next) => {
        if (working) return;
        setRefusal('');
        setOpen(next);
      }}
      trigger={
        <Button variant={variant} size="sm" className="max-sm:min-h-11" aria-label={accessibleLabel}>
          {label}
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => !working && setOpen(false)}>
            Cancel
          </Button>
          <Button variant={confirmVariant} loading={working} onClick={() => void submit()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {refusal && (
        <Alert tone="danger" live className="mb-5">
          {refusal}
        </Alert>
      )}
      <Field label="Reason" optional hint={reasonHint}>
        <Textarea
          name="reason"
          rows={3}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
