import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#src/server/start/site-secrets.ts';

/**
 * Proof for a link without sign-in; never ends.
 * @param purpose mail and reader: a proof is for one purpose
 */
export async function mailLinkToken(purpose: string): Promise<string> {
  const secret = await siteSecret('weekly-mail-link', () => randomBytes(32).toString('base64url'));
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

export async function isMailLinkToken(purpose: string, token: string | null): Promise<boolean> {
  const given = Buffer.from(token ?? '');
  const right = Buffer.from(await mailLinkToken(purpose));
  return given.length === right.length && timingSafeEqual(given, right);
}
