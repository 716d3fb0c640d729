import { answerReview } from '#src/features/learn/review/review.server.ts';
import { answerReviewCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(answerReviewCall, { access: 'user' }, ({ user, params, input }) =>
  answerReview(user.id, params.id, input.version, input),
);
