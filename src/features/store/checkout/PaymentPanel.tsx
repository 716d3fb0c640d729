import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { ArrowLeft, CircleCheck, ShieldCheck } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { toast } from '#src/components/toast.store.ts';
import { PaymentForm, type PaymentFormProps } from './PaymentForm.tsx';
import type { Payment, Phase } from './payment.ts';
import { paymentAppearance } from './payment-appearance.ts';
import { PAYMENT_SETUP_FAILED, PROCESSING } from './payment-messages.ts';
import type { PaymentSettings } from './payment-script.ts';

/**
 * The card around a payment (spec 2).
 * @param hint shows a card number for test mode
 * @param free hides both notices
 */
export function PaymentPanel({
  title,
  payment,
  hint,
  free = false,
  children,
}: {
  title: string;
  payment: PaymentSettings | null;
  hint: boolean;
  free?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <Card className="noscript:hidden">
        <h2 className="mb-5 text-subheading">{title}</h2>
        {payment?.testMode && !free && (
          <Alert tone="warning" title="Test mode: no card is charged" className="mb-6">
            {hint && 'Use the card number 4242 4242 4242 4242 with any future date and any CVC.'}
          </Alert>
        )}
        {children}
      </Card>
      {!free && (
        <Alert tone="success" title="Secure Payment Processing">
          Your payment is processed securely by our card payment provider. All transactions are encrypted, and
          your card details are never stored on our servers.
        </Alert>
      )}
    </>
  );
}

export function PaymentStep<T>({
  payment,
  phase,
  waiting,
  free,
  card,
}: {
  payment: Payment<T>;
  phase: Phase;
  waiting: string;
  free: ReactNode;
  card: Pick<PaymentFormProps, 'id' | 'label' | 'beforePaying' | 'onPaid' | 'onProcessing' | 'onClosed'>;
}) {
  switch (phase.name) {
    case 'setup-failed':
      return (
        <ErrorState
          title="Payment Setup Failed"
          level={3}
          onRetry={() => void payment.prepare()}
          className="py-6!"
        >
          {phase.message}
        </ErrorState>
      );
    case 'paying':
      return (
        <CardForm
          {...card}
          stripe={phase.stripe}
          clientSecret={phase.clientSecret}
          onLoadFailed={(message) => payment.show({ name: 'setup-failed', message })}
        />
      );
    case 'free':
      return free;
    case 'processing':
      return (
        <div className="py-6">
          <Spinner label={PROCESSING} showLabel className="font-medium" />
          <p className="mt-4 text-ink-soft">{waiting}</p>
        </div>
      );
    case 'unconfirmed':
      return <Unconfirmed {...phase} onConfirm={() => card.onPaid(phase.intentId)} />;
    case 'done':
      return (
        <p className="flex items-center gap-3 py-6 font-medium">
          <CircleCheck aria-hidden="true" className="size-6 text-success" /> Payment Successful! One moment...
        </p>
      );
    case 'confirming':
      return <Preparing label="Completing your order..." />;
    default:
      return <Preparing />;
  }
}

function Unconfirmed({
  intentId,
  message,
  onConfirm,
}: {
  intentId: string;
  message: string;
  onConfirm: () => void;
}) {
  return (
    <div role="alert">
      <Alert tone="warning" title="Your payment went through, your order is not finished yet">
        {message} Please do not pay again: we also finish it by ourselves within a few minutes.
      </Alert>
      <p className="mt-4 text-sm text-ink-soft">
        Payment confirmation: <code className="font-mono text-ink break-all">{intentId}</code>
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={onConfirm}>Check again</Button>
        <Button href="/contact" variant="secondary">
          Contact support
        </Button>
      </div>
    </div>
  );
}

export function FreeForm({
  id,
  busy = false,
  onSubmit,
  children,
}: {
  id?: string;
  busy?: boolean;
  onSubmit: () => void;
  children: string;
}) {
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      <p className="flex gap-3 text-ink-soft">
        <ShieldCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
        {children}
      </p>
      <Button type="submit" size="lg" block loading={busy} className="mt-6">
        Enroll for free
      </Button>
    </form>
  );
}

export function CheckoutHeading({ backTo, children }: { backTo: string; children: string }) {
  return (
    <div className="mb-8 sm:mb-10">
      <a href={backTo} className="text-link inline-flex min-h-11 items-center gap-2 text-sm font-medium">
        <ArrowLeft aria-hidden="true" className="size-4" /> {children}
      </a>
      <h1 className="mt-2 text-title">Checkout</h1>
    </div>
  );
}

function Preparing({ label = 'Preparing secure payment...' }: { label?: string }) {
  return (
    <div className="min-h-[20.55rem] py-10 text-center">
      <Spinner label={label} showLabel />
    </div>
  );
}

function CardForm({
  stripe,
  onLoadFailed,
  ...form
}: Omit<PaymentFormProps, 'onLoadFailed'> & {
  stripe: Stripe;
  onLoadFailed: (message: string) => void;
}) {
  const appearance = useMemo(paymentAppearance, []);
  return (
    <Elements
      key={form.clientSecret}
      stripe={stripe}
      options={{ clientSecret: form.clientSecret, appearance }}
    >
      <PaymentForm
        {...form}
        onLoadFailed={() => {
          toast(PAYMENT_SETUP_FAILED);
          onLoadFailed(PAYMENT_SETUP_FAILED.description ?? '');
        }}
      />
    </Elements>
  );
}

export function Notices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <Alert tone="info" live className="mb-8">
      {notices.length === 1 ? (
        notices[0]
      ) : (
        <ul className="list-disc pl-5">
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

export function TermsLine({ refund }: { refund?: string | false | undefined }) {
  return (
    <p className="mt-6 text-sm text-ink-soft">
      {refund && `${refund} `}
      By completing your purchase, you agree to our{' '}
      <LegalButton dialog="legal-terms">Terms of Service</LegalButton> and{' '}
      <LegalButton dialog="legal-privacy">Privacy Policy</LegalButton>.
    </p>
  );
}

function LegalButton({ dialog, children }: { dialog: string; children: string }) {
  // React has no types for these attributes, with which the browser opens the dialog.
  return (
    <button type="button" {...{ command: 'show-modal', commandfor: dialog }} className="text-link">
      {children}
    </button>
  );
}
