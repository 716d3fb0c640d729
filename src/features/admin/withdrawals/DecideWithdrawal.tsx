import { Check } from 'lucide-react';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { decideWithdrawalCall } from '#src/features/store/schema.ts';
import { call } from '#src/shared/api.ts';

/** Accepts or declines a withdrawal that is in doubt. */
export function DecideWithdrawal({ id, title }: { id: number; title: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton
        icon={<Check aria-hidden="true" />}
        accessibleLabel={`Accept: ${title}`}
        act={async () =>
          (await call(decideWithdrawalCall, { params: { id }, input: { decision: 'accept' } })).message
        }
      >
        Accept
      </ActionButton>
      <DecisionDialog
        label="Decline"
        accessibleLabel={`Decline: ${title}`}
        title="Decline this withdrawal?"
        description={`“${title}” is not paid back, and its buyer keeps it.`}
        reasonHint="The buyer gets it by mail."
        reasonRequired
        confirmLabel="Decline it"
        confirmVariant="danger"
        decide={async (reason) =>
          (await call(decideWithdrawalCall, { params: { id }, input: { decision: 'decline', reason } }))
            .message
        }
      />
    </div>
  );
}
