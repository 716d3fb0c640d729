import type { APIRoute } from 'astro';
import { receiveProviderEvent } from '#src/features/store/stripe/webhook.server.ts';

// Not an `endpoint()`: the signature covers the raw body, and the sender is the card provider.
export const POST: APIRoute = ({ request, locals }) => receiveProviderEvent(request, locals.requestId);
