import { createHmac } from 'node:crypto';

/**
 * The header `Webhook-Signature` of a body, as the payment provider signs: `t=<seconds>,v1=<hex>`, where `v1` is the
 * HMAC-SHA256 of `<seconds>.<body>` with the endpoint's secret. The time is signed too, so that an old request cannot be
 * played to the receiver again.
 */
export function webhookSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
