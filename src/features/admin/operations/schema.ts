import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

const told = z.object({ message: z.string() });

/** Decision 5. */
export const MESSAGE_STATUSES = ['new', 'read', 'replied', 'spam'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const setMessageStatusCall = contract({
  method: 'PUT',
  path: '/api/admin/messages/{id}',
  params: z.object({ id: idInPath('Message') }),
  input: z.object({ status: z.enum(MESSAGE_STATUSES, { error: 'Choose new, read, replied or spam' }) }),
  output: z.object({ id: z.number(), status: z.enum(MESSAGE_STATUSES) }),
});

export const retryMailCall = contract({
  method: 'POST',
  path: '/api/admin/mail/{id}/retry',
  params: z.object({ id: idInPath('Mail') }),
  output: told,
});
