import type { PaymentSettings } from './payment-script.ts';

/** As far as a page's content security policy is concerned. */
type Policy = {
  insertScriptResource: (resource: string) => void;
  insertDirective: (directive: `connect-src ${string}` | `frame-src ${string}`) => void;
};

/** Lets one page load the provider's own script, frames and API; the stand-in's come from this site. */
export function allowPaymentScript(policy: Policy | undefined, payment: PaymentSettings | null): void {
  if (!policy || !payment || payment.scriptUrl) return;
  policy.insertScriptResource('https://js.stripe.com');
  policy.insertScriptResource('https://*.js.stripe.com');
  policy.insertDirective('connect-src https://api.stripe.com');
  policy.insertDirective('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com');
}
