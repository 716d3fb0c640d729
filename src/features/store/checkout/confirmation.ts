import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { confirmPaymentCall } from '#src/features/store/checkout/schema.ts';
import { me } from '#src/features/account/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { loginPath } from '#src/shared/paths.ts';
import type { Payment } from './payment.ts';
import { ENROLLMENT_FAILED, LOGIN_AGAIN, PAID_NOT_ENROLLED, unpaidToast } from './payment-messages.ts';

export function goToLogin(returnPath = location.pathname + location.search): void {
  toastOnNextPage(LOGIN_AGAIN);
  location.assign(loginPath(returnPath));
}

/**
 * Before the charge, as only a sign-in can confirm it (spec 5).
 * @returns the address for a bank's page; null where the sign-in has ended
 */
export async function whileSignedIn(path: string, signIn: () => void): Promise<string | null> {
  const isEnded = (error: unknown) => error instanceof ApiError && error.status === 401;
  if (readAuth() && !(await call(me, {}).then(() => false, isEnded))) return location.origin + path;
  signIn();
  return null;
}

export function confirmation<T>(
  payment: Payment<T>,
  { finish, signIn }: { finish: (orderId: number) => void; signIn: (intentId: string) => void },
) {
  const confirm = async (intentId: string, quiet = false): Promise<void> => {
    if (!quiet) payment.show({ name: 'confirming' });
    try {
      const { orderId } = await call(confirmPaymentCall, { input: { paymentIntentId: intentId } });
      payment.show({ name: 'done' });
      finish(orderId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return signIn(intentId);
      const status = error instanceof ApiError && error.status === 402 ? String(error.body.status) : null;
      if (status === 'processing') return payment.show({ name: 'processing', intentId });
      if (status) {
        // Back from a bank without having paid: the same payment can be tried again.
        toast(unpaidToast(status, error instanceof ApiError && error.body.tried !== false));
        void payment.prepare();
        return;
      }
      const message = error instanceof ApiError ? messageOf(error, ENROLLMENT_FAILED) : PAID_NOT_ENROLLED;
      toast({ title: 'Payment Processing Error', description: message, variant: 'destructive' });
      payment.show({ name: 'unconfirmed', intentId, message });
    }
  };
  return {
    confirm,
    pollMs: 4_000,
    poll: (intentId: string | null) => void (intentId ? confirm(intentId, true) : payment.prepare(true)),
    onProcessing: (intentId: string) => {
      toast(unpaidToast('processing'));
      payment.show({ name: 'processing', intentId });
    },
  };
}
