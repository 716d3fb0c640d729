import { readReviewQueue } from '#src/features/review/review.server.ts';
import { readReviewQueueCall } from '#src/features/review/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(readReviewQueueCall, { access: 'user' }, ({ user }) => readReviewQueue(user.id));
