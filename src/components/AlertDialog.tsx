import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import { dialogClass, dialogFooterClass, dialogSizes, overlayClass } from './dialog.ts';
import { useReturnFocus } from './return-focus.ts';

export interface AlertDialogProps {
  title: ReactNode;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  /** May be async: the dialog closes when it is done; a rejection leaves it open. */
  onConfirm: () => void | Promise<void>;
  /** `onConfirm` moves the focus; by default it returns. */
  movesFocus?: boolean;
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Before irreversible actions: starts on Cancel, and the backdrop does not close it. */
export function AlertDialog({
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  destructive = false,
  onConfirm,
  movesFocus = false,
  trigger,
  open: givenOpen,
  onOpenChange,
}: AlertDialogProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const confirmed = useRef(false);
  const returnFocus = useReturnFocus();
  const open = givenOpen ?? ownOpen;
  const setOpen = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const confirm = async () => {
    setWorking(true);
    try {
      await onConfirm();
      confirmed.current = true;
      setOpen(false);
    } finally {
      setWorking(false);
    }
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !working && setOpen(next)}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          className={classNames(dialogClass, dialogSizes.sm)}
          onOpenAutoFocus={() => {
            confirmed.current = false;
            returnFocus.onOpenAutoFocus();
          }}
          onCloseAutoFocus={(event) => {
            if (movesFocus && confirmed.current) event.preventDefault();
            else returnFocus.onCloseAutoFocus(event);
          }}
        >
          <div className="min-h-0 overflow-y-auto px-6 pt-6 pb-6 sm:px-8">
            <Radix.Title className="text-subheading">{title}</Radix.Title>
            <Radix.Description className="mt-2 text-ink-soft">{description}</Radix.Description>
          </div>
          <div className={dialogFooterClass}>
            <Radix.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </Radix.Cancel>
            <Button
              variant={destructive ? 'danger' : 'primary'}
              loading={working}
              onClick={() => void confirm()}
            >
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
