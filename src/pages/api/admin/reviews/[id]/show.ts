import { showReview } from '#src/features/catalogue/reviews/reviews.server.ts';
import { showReviewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(showReviewCall, { access: 'admin' }, async ({ actor, params, status }) => {
  await showReview(actor, params.id);
  status(204);
  return undefined;
});
