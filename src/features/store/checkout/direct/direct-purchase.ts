import type { BuyerDetails } from '#src/features/store/checkout/schema.ts';

/** Spec 2, purchase success page. */
const SUCCESS_PATH = '/purchase-success';

/** The provider appends the payment and its secret (spec 7). */
export function successPath(courseId: number, buyer: BuyerDetails | null, bundleId?: number): string {
  return `${SUCCESS_PATH}?${new URLSearchParams({
    course: String(courseId),
    ...(bundleId === undefined ? {} : { bundle: String(bundleId) }),
    ...(buyer && { email: buyer.email, firstName: buyer.firstName, lastName: buyer.lastName }),
  })}`;
}

/** 'Ada King Lovelace' → Ada, King Lovelace: a first guess. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...others] = name.trim().split(/\s+/);
  return { firstName, lastName: others.join(' ') };
}

export function paymentOf(address: URL): { paymentIntentId: string; clientSecret: string } | null {
  const paymentIntentId = address.searchParams.get('payment_intent') ?? '';
  const clientSecret = address.searchParams.get('payment_intent_client_secret') ?? '';
  const fits =
    /^pi_[A-Za-z0-9_]{1,200}$/.test(paymentIntentId) && /^pi_[A-Za-z0-9_]{1,300}$/.test(clientSecret);
  return fits ? { paymentIntentId, clientSecret } : null;
}
