import { type ReactNode, useRef, useState } from 'react';
import { ApiError, messageOf } from '#src/shared/api.ts';
import { REASON_MAX } from '#src/shared/fields.ts';
import { Alert } from './Alert.tsx';
import { Button, type ButtonProps } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { Textarea } from './Textarea.tsx';
import { toastOnNextPage } from './toast.store.ts';

/** Asks for a reason; then reloads or closes. A refusal shows in the dialog, and typed text stays. */
export function DecisionDialog({
  label,
  accessibleLabel,
  variant = 'secondary',
  title,
  description,
  reasonLabel = 'Reason',
  reasonHint,
  reasonRequired = false,
  confirmLabel,
  confirmVariant = 'primary',
  block = false,
  children,
  check,
  decide,
}: {
  label: ReactNode;
  accessibleLabel: string;
  variant?: ButtonProps['variant'];
  title: string;
  description: ReactNode;
  reasonLabel?: string;
  reasonHint: string;
  reasonRequired?: boolean;
  confirmLabel: string;
  confirmVariant?: 'primary' | 'danger';
  block?: boolean;
  /** Fields before the reason, which `decide` reads. */
  children?: ReactNode;
  /** Marks missing fields; true for none. */
  check?: () => boolean;
  /** Returns the message after the reload; undefined where the caller shows the result. */
  decide: (reason: string) => Promise<string | undefined>;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const further = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const [reason, setReason] = useState('');
  const [reasonError, setReasonError] = useState('');

  const submit = async () => {
    if (working) return;
    const isReasonMissing = reasonRequired && !reason.trim();
    if (isReasonMissing) setReasonError(`${reasonLabel} is required`);
    if (check?.() === false) {
      // After the marks are drawn.
      requestAnimationFrame(() => further.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    if (isReasonMissing) {
      field.current?.focus();
      return;
    }
    setWorking(true);
    setRefusal('');
    try {
      const said = await decide(reason);
      if (said !== undefined) {
        toastOnNextPage({ title: said });
        location.reload();
        return;
      }
      setOpen(false);
    } catch (error) {
      const named = error instanceof ApiError ? error.fields.reason : undefined;
      if (named) {
        setReasonError(named);
        field.current?.focus();
      } else setRefusal(messageOf(error, 'That did not work. Please try again.'));
    }
    setWorking(false);
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
        setReasonError('');
        setOpen(next);
      }}
      trigger={
        <Button
          variant={variant}
          size="sm"
          block={block}
          className="max-sm:min-h-11"
          aria-label={accessibleLabel}
        >
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
      {children && (
        <div ref={further} className="mb-5">
          {children}
        </div>
      )}
      <Field
        label={reasonLabel}
        optional={!reasonRequired}
        required={reasonRequired}
        hint={reasonHint}
        error={reasonError}
      >
        <Textarea
          ref={field}
          name="reason"
          rows={3}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setReasonError('');
          }}
        />
      </Field>
    </Dialog>
  );
}
