import { showReview } from '#src/features/catalogue/reviews/reviews.server.ts';
import { showReviewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(showReviewCall, { access: 'admin' }, async ({ user, params, status }) => {
  await showReview({ id: user.id, name: user.username }, params.id);
  status(204);
  return undefined;
});
