import { runReview } from '#src/features/review/review.server.ts';
import { runReviewCall } from '#src/features/review/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  runReviewCall,
  { access: 'user', limit: 'execute-code' },
  ({ user, params, input }) => runReview(user, params.id, input),
);
