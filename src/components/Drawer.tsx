import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { dialogCloseClass, overlayClass } from './dialog.ts';
import { useReturnFocus } from './return-focus.ts';

export interface DrawerProps {
  title: ReactNode;
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** A modal panel from the right, 72 units wide. */
export function Drawer({ title, trigger, children, ...root }: DrawerProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root {...root}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-72 max-w-[calc(100vw-2rem)] flex-col bg-canvas shadow-lg outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
        >
          <Radix.Title className="px-5 pt-6 pr-16 pb-4 text-subheading">{title}</Radix.Title>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-6">{children}</div>
          <Radix.Close aria-label="Close" className={dialogCloseClass}>
            <X aria-hidden="true" className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
