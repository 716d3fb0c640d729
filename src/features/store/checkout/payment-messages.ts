import type { ToastMessage } from '#src/components/toast.store.ts';

/** Spec 8. */
export const DECLINED = 'Your payment method was declined. Please try a different card.';
export const PROCESSING = 'Your payment is being processed. Please wait...';

export const NOT_PAID_YET = 'Nothing has been paid yet, and nothing was charged.';

/** @param status of the intent @param wasTried whether a card was tried */
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

export function unpaidMessage(status: string, wasTried: boolean): string {
  return unpaidToast(status, wasTried).description ?? '';
}

export const PAYMENT_SUCCESS: ToastMessage = {
  title: 'Payment Successful!',
  description: 'Welcome to your new courses! Check your email for confirmation.',
};

export const ENROLLED: ToastMessage = {
  title: 'You are enrolled',
  description: 'Everything is under My Courses from now on.',
};

export const PAYMENT_SETUP_FAILED: ToastMessage = {
  title: 'Payment Setup Failed',
  description: 'Unable to setup payment. Please try again.',
  variant: 'destructive',
};

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

export const COUPON_FAILED = 'The coupon could not be checked. Please try again.';

export const ENROLLMENT_FAILED =
  'Failed to process enrollment. Please contact support with your payment confirmation.';
export const PAID_NOT_ENROLLED =
  'Payment succeeded but enrollment failed. Please contact support with your payment details.';
