import { type ReactNode, useState } from 'react';
import { Button } from '#src/components/Button.tsx';

type Opened = { open: boolean; onOpenChange: (open: boolean) => void };

/** A button with a dialog, which is not loaded before somebody asks. */
export function OpensLater({
  className,
  children,
  dialog,
}: {
  className: string;
  children: ReactNode;
  dialog: (opened: Opened) => ReactNode;
}) {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <div className={className}>
      <Button size="sm" variant="secondary" className="max-sm:min-h-11" onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open !== null && dialog({ open, onOpenChange: setOpen })}
    </div>
  );
}
