import { useEffect } from 'react';
import { toastOnNextPage } from '#src/components/toast.store.ts';

export function MissingResetLink() {
  useEffect(() => {
    const leaveMessage = () =>
      toastOnNextPage({
        title: 'Invalid reset link',
        description: 'The reset link is invalid or missing.',
        variant: 'destructive',
      });
    // Earlier, this page itself would show the message.
    addEventListener('pagehide', leaveMessage);
    location.replace('/forgot-password');
    return () => removeEventListener('pagehide', leaveMessage);
  }, []);
  return (
    <p className="text-ink-soft">
      The reset link is invalid or missing.{' '}
      <a href="/forgot-password" className="text-link">
        Request a new link
      </a>
    </p>
  );
}
