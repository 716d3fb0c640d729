import type { APIContext } from 'astro';
import { db } from '#db/client.ts';
import { contactMessages } from '#db/schema/company.ts';
import { bodyBytes, errorResponse, parseInput, refuseForeignOrigin } from '#src/server/endpoint.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import type { ErrorBody, FieldErrors } from '#src/shared/errors.ts';
import { type ContactInput, contactInput, MIN_FILL_MS } from '#src/features/company/schema.ts';
import { siteFacts } from '#src/features/company/site-facts.server.ts';

function isAutomated({ website, elapsedMs }: ContactInput): boolean {
  return Boolean(website) || (elapsedMs !== undefined && !(elapsedMs >= MIN_FILL_MS));
}

/**
 * Stores a message of the contact form and queues a mail about it to the firm, in one transaction (decision 5).
 * What a script sent is stored as spam and mailed to nobody; the answer is the same, so that scripts learn nothing.
 *
 * @param ip whose messages are counted
 * @throws {AppError} too_many_requests after 10 messages in 10 minutes
 */
export async function receiveContactMessage(input: ContactInput, ip: string): Promise<void> {
  await consume('contact', `ip:${ip}`);
  if (input.elapsedMs === undefined) await consume('contact-untimed', `ip:${ip}`);
  const { firstName, lastName, email, subject, message } = input;
  const automated = isAutomated(input);
  const { email: inbox } = await siteFacts();
  await db().transaction(async (tx) => {
    const [stored] = await tx
      .insert(contactMessages)
      .values({ firstName, lastName, email, subject, message, status: automated ? 'spam' : 'new' })
      .returning({ id: contactMessages.id });
    if (automated) return;
    await queueMail(tx, {
      template: 'contact-message',
      to: inbox,
      replyTo: email,
      subject: `Contact form: ${subject}`,
      text: `${firstName} ${lastName} (${email}) wrote through the contact form:\n\n${message}`,
      dedupeKey: `contact-message:${stored!.id}`,
    });
  });
}

/** What the plain form came to: sent, or a refusal with everything that was typed. */
export type ContactFormOutcome =
  | { sent: true }
  | {
      sent: false;
      status: number;
      message: string;
      fields: FieldErrors;
      typed: Record<ContactFormField, string>;
      retryAfterSeconds: number | null;
    };

export const CONTACT_FORM_FIELDS = ['firstName', 'lastName', 'email', 'subject', 'message'] as const;
export type ContactFormField = (typeof CONTACT_FORM_FIELDS)[number];

/**
 * Takes the contact form as a browser without JavaScript posts it. Never throws: a refusal carries the typed texts, so
 * that the page can show them again.
 */
export async function receiveContactForm(
  context: Pick<APIContext, 'request' | 'locals'>,
): Promise<ContactFormOutcome> {
  const typed = Object.fromEntries(CONTACT_FORM_FIELDS.map((name) => [name, ''])) as Record<
    ContactFormField,
    string
  >;
  try {
    // Before the body is read: what another site posts is not repeated in our page.
    refuseForeignOrigin(context);
    const body = await bodyBytes(context.request, context.locals.requestId);
    const form = new URLSearchParams(new TextDecoder().decode(body));
    // Forms send line breaks as CRLF; counted so, a message within its limit could be too long.
    for (const name of CONTACT_FORM_FIELDS) typed[name] = (form.get(name) ?? '').replace(/\r\n?/g, '\n');
    const elapsed = form.get('elapsedMs');
    const input = parseInput(contactInput, {
      ...typed,
      website: form.get('website') ?? '',
      ...(elapsed ? { elapsedMs: Number(elapsed) || 0 } : {}),
    });
    await receiveContactMessage(input, context.locals.clientIp);
    return { sent: true };
  } catch (error) {
    const response = errorResponse(error, context.locals.requestId);
    const body = (await response.json()) as ErrorBody;
    return {
      sent: false,
      status: response.status,
      message: body.message,
      fields: body.fields ?? {},
      typed,
      retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
    };
  }
}
