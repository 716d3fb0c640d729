import { db } from '#db/client.ts';
import { contactMessages } from '#db/schema/company.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { type ContactInput, MIN_FILL_MS } from '#src/features/company/schema.ts';
import { siteFacts } from '#src/features/company/site-facts.server.ts';

function isAutomated({ website, elapsedMs }: ContactInput): boolean {
  return Boolean(website) || (elapsedMs !== undefined && !(elapsedMs >= MIN_FILL_MS));
}

/**
 * Stores a message and queues its mail in one transaction (decision 5). Spam is stored, and gets the same answer.
 * @param ip counts messages
 * @throws {AppError} too_many_requests after 10 in 10 minutes
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
