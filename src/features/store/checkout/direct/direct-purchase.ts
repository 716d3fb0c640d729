import type { BuyerDetails } from '#src/features/store/checkout/schema.ts';

/** Where a direct purchase ends (spec 2, purchase success page). */
export const SUCCESS_PATH = '/purchase-success';

/**
 * The return address of a direct payment, as a path: the provider appends the payment and its secret (spec 7).
 *
 * @param courseId one of the courses that were bought
 * @param bundleId the bundle that they were bought with
 */
export function successPath(courseId: number, buyer: BuyerDetails | null, bundleId?: number): string {
  return `${SUCCESS_PATH}?${new URLSearchParams({
    course: String(courseId),
    ...(bundleId === undefined ? {} : { bundle: String(bundleId) }),
    ...(buyer && { email: buyer.email, firstName: buyer.firstName, lastName: buyer.lastName }),
  })}`;
}

/** 'Ada King Lovelace' → Ada, King Lovelace: a first guess that the buyer can change. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...others] = name.trim().split(/\s+/);
  return { firstName, lastName: others.join(' ') };
}

/** The payment with its secret where an address holds both in the right form (decision 25); null otherwise. */
export function paymentOf(address: URL): { paymentIntentId: string; clientSecret: string } | null {
  const paymentIntentId = address.searchParams.get('payment_intent') ?? '';
  const clientSecret = address.searchParams.get('payment_intent_client_secret') ?? '';
  const fits =
    /^pi_[A-Za-z0-9_]{1,200}$/.test(paymentIntentId) && /^pi_[A-Za-z0-9_]{1,300}$/.test(clientSecret);
  return fits ? { paymentIntentId, clientSecret } : null;
}
