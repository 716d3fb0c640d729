import { createHmac } from 'node:crypto';

/** As the payment provider signs: `t=<seconds>,v1=<HMAC-SHA256 of "seconds.body">`. */
export function webhookSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
