import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { dialogClass, dialogCloseClass, dialogFooterClass, dialogSizes, overlayClass } from './dialog.ts';
import { useReturnFocus } from './return-focus.ts';

export interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** Opens the dialog, unless `open` and `onOpenChange` control it. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  size?: keyof typeof dialogSizes;
  /** Stays in view while the body scrolls; submit buttons need `form`. */
  footer?: ReactNode;
  children?: ReactNode;
}

export function Dialog({ title, description, trigger, size = 'md', footer, children, ...root }: DialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root {...root}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          className={classNames(dialogClass, dialogSizes[size])}
          {...returnFocus}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <div className="px-6 pt-6 pr-16 pb-4 sm:px-8">
            <Radix.Title className="text-heading">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1.5 text-ink-soft">{description}</Radix.Description>
            )}
          </div>
          {children && (
            <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 sm:px-8">{children}</div>
          )}
          {footer && <div className={dialogFooterClass}>{footer}</div>}
          <Radix.Close aria-label="Close" className={dialogCloseClass}>
            <X aria-hidden="true" className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
