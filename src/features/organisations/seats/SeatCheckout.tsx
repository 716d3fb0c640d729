import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import {
  CheckoutHeading,
  Notices,
  PaymentPanel,
  PaymentStep,
  TermsLine,
} from '#src/features/store/checkout/PaymentPanel.tsx';
import { usePayment } from '#src/features/store/checkout/payment.ts';
import { type Billing, billingInput } from '#src/features/store/invoices/billing.ts';
import { NameBilling } from '../orders/BillingForms.tsx';
import { thingName } from '#src/features/store/seats/seat-thing.ts';
import { counted } from '#src/shared/counted.ts';
import { formatCents } from '#src/shared/money.ts';
import { choiceQuery } from './seat-choice.ts';
import { seatPayment, type SeatPurchase } from './seat-payment.ts';

/** Billing details, then payment. Typed text survives the reload after a price change. */
export function SeatCheckout(props: SeatPurchase) {
  const [named, setNamed] = useState<Billing | null>(null);
  const [typed, setTyped] = useState(props.billing);
  useEffect(() => {
    const kept = billingInput.safeParse(history.state?.billing);
    if (kept.success) setNamed(kept.data);
  }, []);
  if (named || props.returnedIntent) {
    return <SeatPayment {...props} billing={named ?? props.billing} onChange={() => setNamed(null)} />;
  }
  return (
    <>
      <CheckoutHeading backTo={backTo(props)}>Change the number of seats</CheckoutHeading>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <SeatSummary {...props} />
        <Card>
          <h2 className="mb-5 text-subheading">Whom the invoice names</h2>
          <NameBilling
            billing={typed}
            onNamed={(billing) => {
              history.replaceState({ ...history.state, billing }, '');
              setTyped(billing);
              setNamed(billing);
            }}
          />
        </Card>
      </div>
    </>
  );
}

const backTo = ({ organisation, choice }: SeatPurchase) =>
  `/organisations/${organisation.id}/buy?${choiceQuery(choice.lines)}`;

function SeatPayment({ onChange, ...props }: SeatPurchase & { onChange: () => void }) {
  const { organisation, billing } = props;
  const [payment, { phase, notices }] = usePayment(() => seatPayment(props));
  const total = formatCents(props.choice.totalCents);

  if (phase.name === 'gone') {
    return (
      <EmptyState
        title="These seats cannot be bought"
        level={1}
        icon={<SearchX />}
        actions={<Button href={`/organisations/${organisation.id}`}>Back to {organisation.name}</Button>}
      >
        Something of it is not for sale any more, or you do not run the organization any more.
      </EmptyState>
    );
  }
  return (
    <>
      <CheckoutHeading backTo={backTo(props)}>Change the number of seats</CheckoutHeading>
      <Notices notices={notices} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <SeatSummary {...props} />
        <div className="flex min-w-0 flex-col gap-6">
          {(phase.name === 'paying' || phase.name === 'setup-failed') && (
            <p className="flex flex-wrap items-center justify-between gap-x-4 text-ink-soft">
              <span className="min-w-0 [overflow-wrap:anywhere]">The invoice names {billing.company}.</span>
              <Button variant="link" className="px-0" onClick={onChange}>
                Change billing details
              </Button>
            </p>
          )}
          <PaymentPanel
            title="Payment"
            payment={props.payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
          >
            <PaymentStep
              payment={payment}
              phase={phase}
              waiting="This page goes on by itself as soon as your bank has answered. You may also close it: we send your receipt by email, and the seats appear with your organization. Please do not pay again."
              free={null}
              card={{ ...payment, label: `Pay ${total}` }}
            />
          </PaymentPanel>
        </div>
      </div>
    </>
  );
}

function SeatSummary({ organisation, choice: { lines, totalCents } }: SeatPurchase) {
  return (
    <Card className="lg:order-2">
      <h2 className="text-subheading">Order Summary</h2>
      <dl className="mt-5 flex flex-col gap-2.5 tabular-nums [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
        {lines.map((line) => (
          <div key={thingName(line)}>
            <dt className="min-w-0 [overflow-wrap:anywhere]">
              {line.title}
              <span className="block text-sm text-ink-soft">
                {counted(line.seats, 'seat')} at {formatCents(line.unitCents)}
                {line.courses.length > 0 && `, each with ${line.courses.length} courses`}
              </span>
            </dt>
            <dd className="shrink-0">{formatCents(line.totalCents)}</dd>
          </div>
        ))}
        <div className="text-ink-soft">
          <dt>For {organisation.name}</dt>
        </div>
        <div className="border-t border-line pt-4 text-lg font-semibold">
          <dt>Total</dt>
          <dd>{formatCents(totalCents)}</dd>
        </div>
      </dl>
      <TermsLine />
    </Card>
  );
}
