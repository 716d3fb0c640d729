import { asc, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { contactMessages } from '#db/schema/company.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';

async function rows(tx: Executor, { email, ownsEmail }: Person) {
  const messages = await tx
    .select({
      firstName: contactMessages.firstName,
      lastName: contactMessages.lastName,
      subject: contactMessages.subject,
      message: contactMessages.message,
      status: contactMessages.status,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(sql`${ownsEmail} and lower(${contactMessages.email}) = ${email}`)
    .orderBy(asc(contactMessages.id));
  return { contactMessages: messages };
}

async function erase(tx: Tx, { email, ownsEmail }: Person): Promise<void> {
  if (!ownsEmail) return;
  await tx.delete(contactMessages).where(sql`lower(${contactMessages.email}) = ${email}`);
  // The mails about the messages.
  await tx.delete(mailOutbox).where(sql`lower(${mailOutbox.replyTo}) = ${email}`);
}

export const contactData: PersonalDataPart = { rows, erase };
