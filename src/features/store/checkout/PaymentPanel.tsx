import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type ReactNode, useMemo } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Card } from '#src/components/Card.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { toast } from '#src/components/toast.store.ts';
import { PaymentForm, type PaymentFormProps } from './PaymentForm.tsx';
import { paymentAppearance } from './payment-appearance.ts';
import { PAYMENT_SETUP_FAILED } from './payment-messages.ts';
import type { PaymentSettings } from './payment-settings.ts';

/**
 * The card around a payment: the test mode's notice above, the notice about security below (spec 2).
 *
 * @param hint shows which card number works in test mode
 * @param free there is nothing to pay: no notice is needed
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
      <Card>
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

/** Stands until there is a client secret (spec 2). */
export function Preparing({ label = 'Preparing secure payment...' }: { label?: string }) {
  return (
    <div className="py-10 text-center">
      <Spinner label={label} showLabel />
    </div>
  );
}

export function SetupFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <ErrorState title="Payment Setup Failed" level={3} onRetry={onRetry} className="py-6!">
      {message}
    </ErrorState>
  );
}

/** Said where the card provider's script or form does not come. */
export const FORM_NOT_LOADED =
  'The payment form could not be loaded. Check your connection, and whether something in your browser blocks the card provider.';

/** The provider's form for one payment. */
export function CardForm({
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

/** What the buyer should know about a changed order. */
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

/** The line under an order's summary (spec 2). */
export function TermsLine() {
  return (
    <p className="mt-6 text-sm text-ink-soft">
      By completing your purchase, you agree to our{' '}
      <LegalButton dialog="legal-terms">Terms of Service</LegalButton> and{' '}
      <LegalButton dialog="legal-privacy">Privacy Policy</LegalButton>.
    </p>
  );
}

function LegalButton({ dialog, children }: { dialog: string; children: string }) {
  // React does not know these attributes by type yet; the browser opens the dialog without script of ours.
  return (
    <button type="button" {...{ command: 'show-modal', commandfor: dialog }} className="text-link">
      {children}
    </button>
  );
}
