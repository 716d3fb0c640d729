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

/** `POST /api/organisations/{id}/webhooks`: an owner adds an address that events are sent to; its secret is told here alone. */
export const addWebhookCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/webhooks',
  params: organisation,
  input: z.object({ url: address, kinds }),
  output: z.object({ id: z.number(), secret: z.string() }),
});

/** `PUT /api/organisations/{id}/webhooks/{webhook}`: which events it gets, and whether it rests. */
export const changeWebhookCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}/webhooks/{webhook}',
  params: webhook,
  input: z.object({ kinds, paused: z.boolean({ error: 'paused must be true or false' }) }),
  output: told,
});

/** `DELETE /api/organisations/{id}/webhooks/{webhook}`: with its log. */
export const deleteWebhookCall = contract({
  method: 'DELETE',
  path: '/api/organisations/{id}/webhooks/{webhook}',
  params: webhook,
  output: told,
});

/** `POST /api/organisations/{id}/webhooks/{webhook}/test`: sends an event of type `test` to it. */
export const testWebhookCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/webhooks/{webhook}/test',
  params: webhook,
  output: told,
});

/** `POST /api/organisations/{id}/deliveries/{delivery}/again`: sends an event again, with the id that it had. */
export const sendAgainCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/deliveries/{delivery}/again',
  params: z.object({ id: idInPath('Organisation'), delivery: idInPath('Delivery') }),
  output: told,
});
