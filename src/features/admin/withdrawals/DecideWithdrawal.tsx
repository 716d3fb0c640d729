import { Check } from 'lucide-react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { decideWithdrawalCall } from '#src/features/store/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { formatCents } from '#src/shared/money.ts';
import type { ListedWithdrawal } from './withdrawals.ts';

/** What accepting a withdrawal does, before it is done. */
function consequences({ leftCents, payment, seats }: Omit<ListedWithdrawal, 'id' | 'title'>): string {
  const money =
    leftCents === 0
      ? 'Nothing is left to pay back.'
      : payment === 'bank'
        ? `${formatCents(leftCents)} is owed to the buyer: it was paid by transfer, and you send it back by hand.`
        : `${formatCents(leftCents)} goes back to the buyer’s card.`;
  if (!seats) return `${money} The buyer’s access ends.`;
  const held =
    seats.held === 0
      ? 'nobody holds one'
      : `${counted(seats.held, 'person', 'people')} ${seats.held === 1 ? 'loses' : 'lose'} the course`;
  return `${money} ${counted(seats.open, 'seat')} ${seats.open === 1 ? 'ends' : 'end'}: ${held}.`;
}

/** Accepts or declines a withdrawal that is in doubt. */
export function DecideWithdrawal({ one }: { one: ListedWithdrawal }) {
  const { id, title } = one;
  const accept = async () => {
    try {
      const { message } = await call(decideWithdrawalCall, { params: { id }, input: { decision: 'accept' } });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (error) {
      const description = messageOf(error, 'That did not work. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
    }
  };
  return (
    <div className="flex flex-wrap gap-2">
      <AlertDialog
        title="Accept this withdrawal?"
        description={`“${title}”: ${consequences(one)}`}
        confirmLabel="Accept it"
        destructive
        onConfirm={accept}
        trigger={
          <Button
            variant="secondary"
            size="sm"
            className="min-h-11 sm:min-h-10"
            aria-label={`Accept: ${title}`}
          >
            <Check aria-hidden="true" />
            Accept
          </Button>
        }
      />
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
