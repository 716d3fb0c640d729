import { readReviews } from '#src/features/learn/review/review.server.ts';
import { listReviewsCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listReviewsCall, { access: 'user' }, ({ user }) => readReviews(user.id));
