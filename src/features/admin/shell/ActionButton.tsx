import { type ReactNode, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { messageOf } from '#src/shared/api.ts';

const FAILED = 'That did not work. Please try again.';

/** Reloads the page, which shows the result. */
export function ActionButton({
  icon,
  children,
  accessibleLabel,
  variant = 'secondary',
  block = false,
  question,
  act,
}: {
  icon: ReactNode;
  children: ReactNode;
  accessibleLabel?: string;
  variant?: 'primary' | 'secondary';
  block?: boolean;
  question?: { title: string; description: string; confirmLabel: string };
  act: () => Promise<string>;
}) {
  const [working, setWorking] = useState(false);
  const run = async () => {
    setWorking(true);
    try {
      toastOnNextPage({ title: await act() });
      location.reload();
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error, FAILED), variant: 'destructive' });
      setWorking(false);
    }
  };
  const button = (
    <Button
      variant={variant}
      size="sm"
      block={block}
      className="min-h-11 sm:min-h-10"
      aria-label={accessibleLabel}
      loading={working}
      onClick={question ? undefined : () => void run()}
    >
      {icon}
      {children}
    </Button>
  );
  return question ? <AlertDialog {...question} onConfirm={run} trigger={button} /> : button;
}
