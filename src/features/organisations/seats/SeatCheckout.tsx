import { CircleCheck, SearchX } from 'lucide-react';
import { Alert } from '#src/components/Alert.tsx';
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
import { counted } from '#src/shared/counted.ts';
import { formatCents } from '#src/shared/money.ts';
import { seatPayment, type SeatPurchase } from './seat-payment.ts';

/** The checkout of an organisation's seats in a course. */
export function SeatCheckout(props: SeatPurchase) {
  const { organisation, course, seats, unitCents, totalCents } = props;
  const [payment, { phase, notices }] = usePayment(() => seatPayment(props));
  const total = formatCents(totalCents);
  const back = `/organisations/${organisation.id}/buy?course=${course.id}&seats=${seats}`;

  if (phase.name === 'gone') {
    return (
      <EmptyState
        title="These seats cannot be bought"
        level={1}
        icon={<SearchX />}
        actions={<Button href={`/organisations/${organisation.id}`}>Back to {organisation.name}</Button>}
      >
        The course has been withdrawn from sale, or you do not run the organisation any more.
      </EmptyState>
    );
  }
  return (
    <>
      <CheckoutHeading backTo={back}>Change the number of seats</CheckoutHeading>
      <Notices notices={notices} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <Card className="lg:order-2">
          <h2 className="text-subheading">Order Summary</h2>
          <dl className="mt-5 flex flex-col gap-2.5 tabular-nums [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
            <div>
              <dt className="min-w-0 [overflow-wrap:anywhere]">{course.title}</dt>
              <dd className="shrink-0">{formatCents(unitCents)} each</dd>
            </div>
            <div className="text-ink-soft">
              <dt>For {organisation.name}</dt>
              <dd>{counted(seats, 'seat')}</dd>
            </div>
            <div className="border-t border-line pt-4 text-lg font-semibold">
              <dt>Total</dt>
              <dd>{total}</dd>
            </div>
          </dl>
          <TermsLine />
        </Card>
        <div className="flex min-w-0 flex-col gap-6">
          <PaymentPanel
            title="Payment"
            payment={props.payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
          >
            {phase.name === 'unconfirmed' ? (
              <div role="alert">
                <Alert tone="warning" title="Your payment went through, the seats are not there yet">
                  {phase.message} Please do not pay again: we also finish it by ourselves within a few
                  minutes.
                </Alert>
                <Button className="mt-6" onClick={() => void payment.confirm(phase.intentId)}>
                  Check again
                </Button>
              </div>
            ) : phase.name === 'done' ? (
              <p className="flex items-center gap-3 py-6 font-medium">
                <CircleCheck aria-hidden="true" className="size-6 text-success" /> Payment Successful! Taking
                you to your seats...
              </p>
            ) : (
              <PaymentStep
                payment={payment}
                phase={phase}
                waiting="This page goes on by itself as soon as your bank has answered. You may also close it: we send your receipt by email, and the seats appear with your organisation. Please do not pay again."
                free={null}
                card={{ ...payment, label: `Pay ${total}` }}
              />
            )}
          </PaymentPanel>
        </div>
      </div>
    </>
  );
}
