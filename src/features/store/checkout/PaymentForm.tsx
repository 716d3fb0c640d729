import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { Lock } from 'lucide-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { dismissToast, toast } from '#src/components/toast.store.ts';
import { DECLINED, PAYMENT_ERROR, unpaidToast } from './payment-messages.ts';

export type PaymentFormProps = {
  clientSecret: string;
  label: string;
  id?: string;
  /** Runs before the charge; gives the return address for a bank's page, null to stop. */
  beforePaying: () => Promise<string | null>;
  onPaid: (paymentIntentId: string) => void;
  onProcessing: (paymentIntentId: string) => void;
  /** The payment can no longer be paid: the cart changed in another window. */
  onClosed: () => void;
  onLoadFailed: () => void;
};

export function PaymentForm(props: PaymentFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [phase, setPhase] = useState<'idle' | 'checking' | 'sending'>('idle');
  const [problem, setProblem] = useState<{ title?: string; text: string } | null>(null);
  // State comes one render late: two clicks in one frame must not both get through (fault P20).
  const running = useRef(false);

  const pay = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!stripe || !elements || !ready || running.current) return;
    running.current = true;
    setPhase('checking');
    setProblem(null);
    dismissToast();
    let goesOn = false;
    try {
      goesOn = await confirm();
    } catch {
      toast(PAYMENT_ERROR);
      setProblem({ text: PAYMENT_ERROR.description ?? '' });
    }
    running.current = false;
    if (!goesOn) setPhase('idle');
  };

  const confirm = async (): Promise<boolean> => {
    if (!stripe || !elements) return false;
    const returnUrl = await props.beforePaying();
    if (returnUrl === null) return false;
    const submitted = await elements.submit();
    if (submitted.error) return false;
    setPhase('sending');
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      clientSecret: props.clientSecret,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    });
    const intent = paymentIntent ?? error?.payment_intent;
    if (intent?.status === 'succeeded') {
      props.onPaid(intent.id);
      return true;
    }
    if (intent?.status === 'processing') {
      props.onProcessing(intent.id);
      return true;
    }
    if (intent?.status === 'canceled') {
      props.onClosed();
      return true;
    }
    if (error) {
      const fallback = unpaidToast('requires_payment_method').description ?? '';
      const message = error.message ?? fallback;
      if (error.type !== 'validation_error') {
        toast({ title: 'Payment Failed', description: message, variant: 'destructive' });
      }
      setProblem(error.code === 'card_declined' ? { title: message, text: DECLINED } : { text: message });
      return false;
    }
    const result = unpaidToast(intent?.status ?? 'unknown');
    toast(result);
    setProblem({ text: result.description ?? '' });
    return false;
  };

  return (
    <form id={props.id} noValidate onSubmit={(event) => void pay(event)} aria-busy={phase !== 'idle'}>
      <div className="grid grid-cols-1">
        {!ready && (
          <div className="col-start-1 row-start-1 min-h-[20.55rem] py-10 text-center">
            <Spinner label="Preparing secure payment..." showLabel />
          </div>
        )}
        <div
          className={`col-start-1 row-start-1 ${ready ? '' : 'invisible'}`}
          inert={!ready || phase === 'sending'}
        >
          <PaymentElement onReady={() => setReady(true)} onLoadError={props.onLoadFailed} />
        </div>
      </div>
      {problem && (
        <Alert tone="danger" live title={problem.title} className="mt-5">
          {problem.text}
        </Alert>
      )}
      {ready && (
        <Button type="submit" size="lg" block loading={phase !== 'idle'} className="mt-6">
          <Lock aria-hidden="true" /> {props.label}
        </Button>
      )}
    </form>
  );
}
