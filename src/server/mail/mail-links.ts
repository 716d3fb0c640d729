import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#src/server/start/site-secrets.ts';

/**
 * The proof in a mailed link that switches a kind of mail off without a sign-in; it never ends.
 *
 * @param purpose names the mail and whose it is: a proof of one is none of another
 */
export async function mailLinkToken(purpose: string): Promise<string> {
  const secret = await siteSecret('weekly-mail-link', () => randomBytes(32).toString('base64url'));
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Whether a link carries the proof of this purpose. */
export async function isMailLinkToken(purpose: string, token: string | null): Promise<boolean> {
  const given = Buffer.from(token ?? '');
  const right = Buffer.from(await mailLinkToken(purpose));
  return given.length === right.length && timingSafeEqual(given, right);
}
