import { RefreshCw } from 'lucide-react';
import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { retryMailCall } from './schema.ts';

export function RetryMail({ id, subject, recipient }: { id: number; subject: string; recipient: string }) {
  return (
    <ActionButton
      icon={<RefreshCw aria-hidden="true" />}
      accessibleLabel={`Send again: “${subject}” to ${recipient}`}
      act={async () => (await call(retryMailCall, { params: { id } })).message}
    >
      Send again
    </ActionButton>
  );
}
