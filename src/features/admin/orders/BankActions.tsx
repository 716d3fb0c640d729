import { Ban, Landmark, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { call } from '#src/shared/api.ts';
import { centsToDecimal, decimalToCents, formatCents } from '#src/shared/money.ts';
import { cancelBankOrderCall, recordSentBackCall, recordTransferCall, releaseOrderCall } from './schema.ts';

const DIRECTIONS = [
  { value: 'in', label: 'Came in' },
  { value: 'out', label: 'Was sent back' },
];

export function BankActions({
  orderId,
  isWaiting,
  outstandingCents,
}: {
  orderId: number;
  isWaiting: boolean;
  outstandingCents: number;
}) {
  return (
    <div className="flex flex-col gap-2.5">
      <RecordTransfer orderId={orderId} outstandingCents={outstandingCents} />
      {isWaiting && (
        <>
          <ActionButton
            block
            icon={<LockOpen aria-hidden="true" />}
            act={async () => (await call(releaseOrderCall, { params: { id: orderId } })).message}
          >
            Release before payment
          </ActionButton>
          <DecisionDialog
            block
            label={
              <>
                <Ban aria-hidden="true" /> Close the order
              </>
            }
            accessibleLabel="Close the order"
            title={`Close order #${orderId}?`}
            description="Nothing opens and nothing has to be paid. Money that comes in later opens it after all."
            reasonHint="Kept in the order’s log."
            reasonRequired
            confirmLabel="Close it"
            confirmVariant="danger"
            decide={async (reason) =>
              (await call(cancelBankOrderCall, { params: { id: orderId }, input: { reason } })).message
            }
          />
        </>
      )}
    </div>
  );
}

function RecordTransfer({ orderId, outstandingCents }: { orderId: number; outstandingCents: number }) {
  // One key for all presses: a transfer is recorded once.
  const [requestKey] = useState(() => crypto.randomUUID());
  const [direction, setDirection] = useState(outstandingCents < 0 ? 'out' : 'in');
  const [amount, setAmount] = useState(
    outstandingCents === 0 ? '' : centsToDecimal(Math.abs(outstandingCents)),
  );
  const [day, setDay] = useState('');
  const [errors, setErrors] = useState<{ amount?: string; day?: string }>({});
  const check = () => {
    const cents = decimalToCents(amount.trim());
    const found = {
      ...(cents === null || cents < 1 ? { amount: 'Amount must be dollars and cents, such as 12.50' } : {}),
      ...(day ? {} : { day: 'Day is required' }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  return (
    <DecisionDialog
      block
      variant="primary"
      label={
        <>
          <Landmark aria-hidden="true" /> Record a transfer
        </>
      }
      accessibleLabel="Record a transfer"
      title="Record a bank transfer"
      description="As it stands on the bank’s statement. The seats open by themselves when all is paid. A wrong entry is put right by one in the other direction."
      reasonLabel="Reference"
      reasonHint="The text of the statement, so that the entry can be found there."
      reasonRequired
      confirmLabel="Record it"
      check={check}
      decide={async (reference) => {
        const input = {
          direction: direction as 'in' | 'out',
          amount: amount.trim(),
          day,
          reference,
          requestKey,
        };
        return (await call(recordTransferCall, { params: { id: orderId }, input })).message;
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="The money">
          <Select name="direction" options={DIRECTIONS} value={direction} onValueChange={setDirection} />
        </Field>
        <Field label="Day" error={errors.day} required>
          <Input
            name="day"
            type="date"
            value={day}
            onChange={(event) => {
              setDay(event.target.value);
              setErrors(({ day: _, ...others }) => others);
            }}
          />
        </Field>
        <div className="sm:col-span-2">
          <Field label="Amount in US dollars" error={errors.amount} required>
            <Input
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              value={amount}
              onChange={(event) => {
                setAmount(event.target.value);
                setErrors(({ amount: _, ...others }) => others);
              }}
            />
          </Field>
        </div>
      </div>
    </DecisionDialog>
  );
}

export function RecordSentBack({ orderId, toSendCents }: { orderId: number; toSendCents: number }) {
  const [day, setDay] = useState('');
  const [error, setError] = useState('');
  return (
    <DecisionDialog
      variant="primary"
      label={
        <>
          <Landmark aria-hidden="true" /> Write down that it was sent
        </>
      }
      accessibleLabel="Write down that it was sent"
      title={`${formatCents(toSendCents)} was sent back?`}
      description="Send it at the bank first. The buyer then reads here that it was sent. If you sent a part of it, use “Record a transfer”."
      reasonLabel="Reference"
      reasonHint="The text of the statement, so that the entry can be found there."
      reasonRequired
      confirmLabel="It was sent"
      check={() => {
        setError(day ? '' : 'Day is required');
        return day !== '';
      }}
      decide={async (reference) => {
        const input = { amount: centsToDecimal(toSendCents), day, reference };
        return (await call(recordSentBackCall, { params: { id: orderId }, input })).message;
      }}
    >
      <Field label="Day" error={error} required>
        <Input
          name="day"
          type="date"
          value={day}
          onChange={(event) => {
            setDay(event.target.value);
            setError('');
          }}
        />
      </Field>
    </DecisionDialog>
  );
}
