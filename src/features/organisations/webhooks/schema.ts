import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line } from '#src/shared/fields.ts';
import { KIND_NAMES } from './webhooks.ts';

const organisation = z.object({ id: idInPath('Organisation') });
const webhook = z.object({ id: idInPath('Organisation'), webhook: idInPath('Webhook') });
const told = z.object({ message: z.string() });

export const ADDRESS_MAX = 500;
const address = line('Address', { max: ADDRESS_MAX }).refine((value) => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}, 'Address must begin with https:// and hold no user name or password');

const WRONG_KINDS = 'Choose at least one event';
const kinds = z
  .array(z.enum(KIND_NAMES, { error: `Events must be some of ${KIND_NAMES.join(', ')}` }), {
    error: WRONG_KINDS,
  })
  .min(1, WRONG_KINDS)
  .max(50, WRONG_KINDS)
  .transform((all) => KIND_NAMES.filter((kind) => all.includes(kind)));

/** For owners; only this answer has the secret. */
export const addWebhookCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/webhooks',
  params: organisation,
  input: z.object({ url: address, kinds }),
  output: z.object({ id: z.number(), secret: z.string() }),
});

export const changeWebhookCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}/webhooks/{webhook}',
  params: webhook,
  input: z.object({ kinds, paused: z.boolean({ error: 'paused must be true or false' }) }),
  output: told,
});

/** With its log. */
export const deleteWebhookCall = contract({
  method: 'DELETE',
  path: '/api/organisations/{id}/webhooks/{webhook}',
  params: webhook,
  output: told,
});

export const testWebhookCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/webhooks/{webhook}/test',
  params: webhook,
  output: told,
});

/** With its first id. */
export const sendAgainCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/deliveries/{delivery}/again',
  params: z.object({ id: idInPath('Organisation'), delivery: idInPath('Delivery') }),
  output: told,
});
