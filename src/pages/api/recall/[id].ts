import { answerReviewItem } from '#src/features/review/review.server.ts';
import { answerReviewItemCall } from '#src/features/review/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(answerReviewItemCall, { access: 'user' }, ({ user, params, input }) =>
  answerReviewItem(user.id, params.id, input.version, input),
);
