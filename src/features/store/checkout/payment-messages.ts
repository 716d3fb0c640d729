import type { ToastMessage } from '#src/components/toast.store.ts';

/** The texts of spec 8 about payments, for the page and the server alike. */
export const DECLINED = 'Your payment method was declined. Please try a different card.';
export const PROCESSING = 'Your payment is being processed. Please wait...';

export const NOT_PAID_YET = 'Nothing has been paid yet, and nothing was charged.';

/**
 * The result of a payment that did not succeed, in the words of the specification.
 *
 * @param status the status of its intent
 * @param wasTried whether a card was tried at all
 */
export function unpaidToast(status: string, wasTried = true): ToastMessage {
  if (!wasTried) return { title: 'Payment Incomplete', description: NOT_PAID_YET, variant: 'destructive' };
  if (status === 'requires_payment_method') {
    return { title: 'Payment Failed', description: DECLINED, variant: 'destructive' };
  }
  if (status === 'processing') return { title: 'Payment Processing', description: PROCESSING };
  return {
    title: 'Payment Incomplete',
    description: `Your payment was not completed. Payment status: ${status}`,
    variant: 'destructive',
  };
}

/** The same as one sentence. */
export function unpaidMessage(status: string, wasTried: boolean): string {
  return unpaidToast(status, wasTried).description ?? '';
}

export const PAYMENT_SUCCESS: ToastMessage = {
  title: 'Payment Successful!',
  description: 'Welcome to your new courses! Check your email for confirmation.',
};

/** Where nothing was to be paid. */
export const ENROLLED: ToastMessage = {
  title: 'You are enrolled',
  description: 'Everything is under My Courses from now on.',
};

export const PAYMENT_SETUP_FAILED: ToastMessage = {
  title: 'Payment Setup Failed',
  description: 'Unable to setup payment. Please try again.',
  variant: 'destructive',
};

/** Said where the card provider's script or form does not come. */
export const FORM_NOT_LOADED =
  'The payment form could not be loaded. Check your connection, and whether something in your browser blocks the card provider.';

export const PAYMENT_ERROR: ToastMessage = {
  title: 'Payment Error',
  description: 'An unexpected error occurred during payment processing.',
  variant: 'destructive',
};

export const LOGIN_AGAIN: ToastMessage = {
  title: 'Authentication Error',
  description: 'Please log in again to complete your purchase.',
  variant: 'destructive',
};

/** Shown where nothing could be found out about a coupon. */
export const COUPON_FAILED = 'The coupon could not be checked. Please try again.';

/** Shown where the confirmation call failed without a message of its own. */
export const ENROLLMENT_FAILED =
  'Failed to process enrollment. Please contact support with your payment confirmation.';
/** Shown where the payment went through and the confirmation call did not arrive. */
export const PAID_NOT_ENROLLED =
  'Payment succeeded but enrollment failed. Please contact support with your payment details.';
