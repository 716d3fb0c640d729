import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { line, mailbox, text } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';

/** Characters (decision 5). */
export const CONTACT_LIMITS = { name: 80, email: 254, subject: 150, messageMin: 10, message: 5000 } as const;

/** A script is faster (decision 5). */
export const MIN_FILL_MS = 3000;

export const contactInput = z.object({
  firstName: nameLine('First Name', { max: CONTACT_LIMITS.name }),
  lastName: nameLine('Last Name', { max: CONTACT_LIMITS.name }),
  email: mailbox(),
  subject: line('Subject', { max: CONTACT_LIMITS.subject }),
  message: text('Message', { min: CONTACT_LIMITS.messageMin, max: CONTACT_LIMITS.message }),
  /** Invisible: scripts fill it. */
  website: z.string().optional(),
  /** From the page's load to the submission, where measurable. */
  elapsedMs: z.number().optional(),
});

export type ContactInput = z.output<typeof contactInput>;

export const sendContactMessage = contract({
  method: 'POST',
  path: '/api/contact',
  input: contactInput,
  output: z.object({ message: z.string() }),
});
