import { putOffReview } from '#src/features/review/review.server.ts';
import { putOffReviewCall } from '#src/features/review/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(putOffReviewCall, { access: 'user' }, ({ user, params, input }) =>
  putOffReview(user.id, params.id, input.version, input.until),
);
