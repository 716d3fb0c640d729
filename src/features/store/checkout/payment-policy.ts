import type { PaymentSettings } from './payment-script.ts';

type Policy = {
  insertScriptResource: (resource: string) => void;
  insertDirective: (directive: `connect-src ${string}` | `frame-src ${string}`) => void;
};

/** Allows the provider's script, frames and API; the sandbox's script is same-origin. */
export function allowPaymentScript(policy: Policy | undefined, payment: PaymentSettings | null): void {
  if (!policy || !payment || payment.scriptUrl) return;
  policy.insertScriptResource('https://js.stripe.com');
  policy.insertScriptResource('https://*.js.stripe.com');
  policy.insertDirective('connect-src https://api.stripe.com');
  policy.insertDirective('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com');
}
