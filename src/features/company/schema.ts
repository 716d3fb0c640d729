import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { line, mailbox, text } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';

/** Characters of the contact form's fields (decision 5). */
export const CONTACT_LIMITS = { name: 80, email: 254, subject: 150, messageMin: 10, message: 5000 } as const;

/** A person needs longer than this to write a message; a script does not (decision 5). */
export const MIN_FILL_MS = 3000;

/** What the contact form sends. */
export const contactInput = z.object({
  firstName: nameLine('First Name', { max: CONTACT_LIMITS.name }),
  lastName: nameLine('Last Name', { max: CONTACT_LIMITS.name }),
  email: mailbox(),
  subject: line('Subject', { max: CONTACT_LIMITS.subject }),
  message: text('Message', { min: CONTACT_LIMITS.messageMin, max: CONTACT_LIMITS.message }),
  /** A field that people do not see: whoever fills it is a script. */
  website: z.string().optional(),
  /** Milliseconds between the page's arrival and the submission, where the browser could measure them. */
  elapsedMs: z.number().optional(),
});

export type ContactInput = z.output<typeof contactInput>;

/** Sends a message to the firm. */
export const sendContactMessage = contract({
  method: 'POST',
  path: '/api/contact',
  input: contactInput,
  output: z.object({ message: z.string() }),
});
