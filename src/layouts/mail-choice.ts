import type { AstroGlobal } from 'astro';

/** What a mailed link found, and what its page was asked for. */
export interface MailChoice {
  /** Whether the mail is sent from now on. */
  isOn: boolean;
  /** It was chosen just now. */
  posted: boolean;
}

/**
 * Reads what the page behind a mailed link was asked for, and keeps it. It needs neither a sign-in nor our own origin:
 * whoever has the mail may switch it off, and mail programs do it by themselves (RFC 8058). Programs that only look at
 * links change nothing: they neither post nor run scripts.
 *
 * @param wasOn whether the mail is sent now; null for a link that proves nothing, which makes the answer a 404
 * @param save keeps a choice
 */
export async function mailChoice(
  { request, response }: Pick<AstroGlobal, 'request' | 'response'>,
  wasOn: boolean | null,
  save: (isOn: boolean) => Promise<unknown>,
): Promise<MailChoice> {
  response.headers.set('cache-control', 'no-store');
  // The address proves whose mail it is: no other site learns it.
  response.headers.set('referrer-policy', 'same-origin');
  const posted = request.method === 'POST';
  if (wasOn === null) {
    response.status = 404;
    return { isOn: false, posted };
  }
  if (!posted) return { isOn: wasOn, posted };
  const form = await request.formData().catch(() => null);
  const isOn = form?.get('mail') === 'on';
  await save(isOn);
  return { isOn, posted };
}
