import { receiveContactMessage } from '#src/features/company/contact/contact.server.ts';
import { sendContactMessage } from '#src/features/company/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const prerender = false;

export const POST = endpoint(sendContactMessage, { access: 'public' }, async ({ input, ip, status }) => {
  await receiveContactMessage(input, ip);
  status(201);
  return { message: 'Your message has arrived.' };
});
