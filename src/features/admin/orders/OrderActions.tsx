import { MailPlus, RefreshCw, Ticket, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import { resendClaimLinkCall } from '#src/features/store/guests/schema.ts';
import { call } from '#src/shared/api.ts';
import { centsToDecimal, decimalToCents, formatCents } from '#src/shared/money.ts';
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

/** Decision 18. */
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

/** @param props.isAsked whether the note is the answer to a request for a refund */
export function SettleFlag({ orderId, flag, isAsked }: { orderId: number; flag: string; isAsked: boolean }) {
  return (
    <DecisionDialog
      label={isAsked ? 'Decline the refund' : 'Mark as settled'}
      accessibleLabel={`Mark as settled: order ${orderId}`}
      title={`Is order #${orderId} settled?`}
      description={`It is marked for: ${flag}. The mark comes back if the cause is still there at the next check.`}
      reasonLabel="Note"
      reasonHint={
        isAsked
          ? 'Your answer to the buyer, who gets it by mail and keeps the courses.'
          : 'What you found and did. Kept in the order’s log.'
      }
      reasonRequired
      confirmLabel="Mark as settled"
      decide={async (note) =>
        (await call(settleFlagCall, { params: { id: orderId }, input: { flag, note } })).message
      }
    />
  );
}

function SendRefundAgain({
  orderId,
  line,
  refundId,
}: {
  orderId: number;
  line: OrderLine;
  refundId: number;
}) {
  return (
    <ActionButton
      icon={<Undo2 aria-hidden="true" />}
      accessibleLabel={`Send refund again: ${line.title}`}
      act={async () =>
        (await call(resendRefundCall, { params: { id: orderId }, input: { refundId } })).message
      }
    >
      Send refund again
    </ActionButton>
  );
}

export function RefundLine({ orderId, line }: { orderId: number; line: OrderLine }) {
  if (line.unsentRefund) {
    return <SendRefundAgain orderId={orderId} line={line} refundId={line.unsentRefund.id} />;
  }
  if (line.refundableCents === 0) return null;
  return line.seats ? (
    <RefundSeats orderId={orderId} line={line} seats={line.seats} />
  ) : (
    <RefundDialog orderId={orderId} line={line} />
  );
}

function RefundSeats({
  orderId,
  line,
  seats: { unitCents, left },
}: {
  orderId: number;
  line: OrderLine;
  seats: NonNullable<OrderLine['seats']>;
}) {
  // One key for all presses: a refund is made once.
  const [requestKey] = useState(() => crypto.randomUUID());
  const most = Math.min(left, Math.floor(line.refundableCents / unitCents));
  const [seats, setSeats] = useState<number | undefined>(most);
  const [error, setError] = useState('');
  const fits = seats !== undefined && Number.isInteger(seats) && seats >= 1 && seats <= most;
  const shown = fits ? formatCents(seats * unitCents) : '';
  return (
    <DecisionDialog
      label={
        <>
          <Undo2 aria-hidden="true" /> Refund
        </>
      }
      accessibleLabel={`Refund ${line.title}`}
      title={shown ? `Refund ${shown}?` : 'Refund seats'}
      description={`“${line.title}”: the seats are paid back and end: to the buyer’s card, or off the invoice. Free ones end first, then open invitations, then seats whose learner has not begun, then the rest, each time the one given last. What a learner did is kept.`}
      reasonHint="Kept with the refund. The buyer does not see it."
      reasonRequired
      confirmLabel={shown ? `Refund ${shown}` : 'Refund'}
      confirmVariant="danger"
      check={() => {
        if (!fits) setError(`Seats must be a whole number from 1 to ${most}`);
        return fits;
      }}
      decide={async (reason) => {
        const input = { itemId: line.id, reason, seats: seats!, requestKey };
        return (await call(refundLineCall, { params: { id: orderId }, input })).message;
      }}
    >
      <Field
        label="Seats"
        required
        hint={`${formatCents(unitCents)} each; ${most} can be paid back.`}
        error={error}
      >
        <NumberInput
          value={seats}
          onChange={(value) => {
            setSeats(value);
            setError('');
          }}
        />
      </Field>
    </DecisionDialog>
  );
}

function RefundDialog({ orderId, line }: { orderId: number; line: OrderLine }) {
  const left = line.refundableCents;
  // One key for all presses: a refund is made once.
  const [requestKey] = useState(() => crypto.randomUUID());
  const [amount, setAmount] = useState(centsToDecimal(left));
  const [amountError, setAmountError] = useState('');
  /** By default access ends with the last of the money. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const cents = decimalToCents(amount.trim());
  const fits = cents !== null && cents >= 1 && cents <= left;
  const endsAccess = chosen ?? (cents === null || cents >= left);
  const hasAccess = line.refundedAt === null;
  const shown = fits ? formatCents(cents) : '';
  const send = async (reason: string) => {
    const input = {
      itemId: line.id,
      reason,
      amount: centsToDecimal(cents!),
      endsAccess: endsAccess || !hasAccess,
      requestKey,
    };
    return (await call(refundLineCall, { params: { id: orderId }, input })).message;
  };
  return (
    <DecisionDialog
      label={
        <>
          <Undo2 aria-hidden="true" /> Refund
        </>
      }
      accessibleLabel={`Refund ${line.title}`}
      title={shown ? `Refund ${shown}?` : 'Refund'}
      description={`“${line.title}” is paid back to the buyer’s card. ${
        !hasAccess
          ? 'Their access to the course has ended already.'
          : endsAccess
            ? 'Their access to the course ends; their progress is kept in case they buy it again.'
            : 'They keep their access to the course.'
      }`}
      reasonHint="Kept with the refund. The buyer does not see it."
      reasonRequired
      confirmLabel={shown ? `Refund ${shown}` : 'Refund'}
      confirmVariant="danger"
      check={() => {
        if (!fits)
          setAmountError(`Amount must be from $0.01 to ${formatCents(left)}, which is left of this line`);
        return fits;
      }}
      decide={send}
    >
      <div className="grid gap-4">
        <Field
          label="Amount in US dollars"
          required
          hint={`${formatCents(left)} is left of ${formatCents(line.priceCents)}.`}
          error={amountError}
        >
          <Input
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            value={amount}
            onChange={(event) => {
              setAmount(event.target.value);
              setAmountError('');
            }}
          />
        </Field>
        {hasAccess && (
          <Checkbox
            label="End access to the course"
            checked={endsAccess}
            onCheckedChange={(checked) => setChosen(checked === true)}
          />
        )}
      </div>
    </DecisionDialog>
  );
}
