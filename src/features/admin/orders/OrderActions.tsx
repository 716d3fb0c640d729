import { MailPlus, RefreshCw, Ticket, Undo2 } from 'lucide-react';
import { resendClaimLinkCall } from '#src/features/store/schema.ts';
import { call } from '#src/shared/api.ts';
import { formatCents } from '#src/shared/money.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import type { OrderDetail, OrderLine } from './orders.ts';
import {
  reconcileOrderCall,
  refundLineCall,
  resendReceiptCall,
  resendRefundCall,
  settleFlagCall,
} from './schema.ts';

const reconcile = (id: number) => async () => (await call(reconcileOrderCall, { params: { id } })).message;

/** What an administrator can do about an order as a whole. */
export function OrderActions({ order }: { order: Pick<OrderDetail, 'id' | 'can' | 'buyerEmail'> }) {
  const { id, can } = order;
  return (
    <div className="flex flex-col gap-2.5">
      {can.reconcile && (
        <ActionButton block icon={<RefreshCw aria-hidden="true" />} act={reconcile(id)}>
          Check with the provider
        </ActionButton>
      )}
      {can.resendReceipt && (
        <ActionButton
          block
          icon={<MailPlus aria-hidden="true" />}
          act={async () => (await call(resendReceiptCall, { params: { id } })).message}
        >
          Resend receipt
        </ActionButton>
      )}
      {can.resendClaimLink && (
        <ActionButton
          block
          icon={<Ticket aria-hidden="true" />}
          act={async () => (await call(resendClaimLinkCall, { params: { id } })).message}
        >
          Resend claim link
        </ActionButton>
      )}
    </div>
  );
}

/** Settles an order whose money is there and that is not complete, or whose buyer has no access (decision 18). */
export function FixOrder({ orderId }: { orderId: number }) {
  return (
    <ActionButton
      variant="primary"
      icon={<RefreshCw aria-hidden="true" />}
      accessibleLabel={`Fix order ${orderId}`}
      act={reconcile(orderId)}
    >
      Fix
    </ActionButton>
  );
}

/** Takes the mark for attention off an order. */
export function SettleFlag({ orderId, flag }: { orderId: number; flag: string }) {
  return (
    <DecisionDialog
      label="Mark as settled"
      accessibleLabel={`Mark as settled: order ${orderId}`}
      title={`Is order #${orderId} settled?`}
      description={`It is marked for: ${flag}. The mark comes back if the cause is still there at the next check.`}
      reasonLabel="Note"
      reasonHint="What you found and did. Kept in the order’s log."
      reasonRequired
      confirmLabel="Mark as settled"
      decide={async (note) =>
        (await call(settleFlagCall, { params: { id: orderId }, input: { flag, note } })).message
      }
    />
  );
}

/** Pays one line back, or sends its refund again where that did not get through. */
export function RefundLine({ orderId, line }: { orderId: number; line: OrderLine }) {
  if (line.refund?.isUnsent) {
    const { id } = line.refund;
    return (
      <ActionButton
        icon={<Undo2 aria-hidden="true" />}
        accessibleLabel={`Send refund again: ${line.title}`}
        act={async () =>
          (await call(resendRefundCall, { params: { id: orderId }, input: { refundId: id } })).message
        }
      >
        Send refund again
      </ActionButton>
    );
  }
  if (!line.isRefundable) return null;
  const amount = formatCents(line.priceCents);
  return (
    <DecisionDialog
      label={
        <>
          <Undo2 aria-hidden="true" /> Refund
        </>
      }
      accessibleLabel={`Refund ${line.title}`}
      title={`Refund ${amount}?`}
      description={`“${line.title}” is paid back to the buyer’s card. Their access to the course ends; their progress is kept in case they buy it again.`}
      reasonHint="Kept with the refund. The buyer does not see it."
      reasonRequired
      confirmLabel={`Refund ${amount}`}
      confirmVariant="danger"
      decide={async (reason) =>
        (
          await call(refundLineCall, {
            params: { id: orderId },
            input: { itemId: line.id, reason },
          })
        ).message
      }
    />
  );
}
