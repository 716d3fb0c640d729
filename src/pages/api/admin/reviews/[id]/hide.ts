import { hideReview } from '#src/features/catalogue/reviews/reviews.server.ts';
import { hideReviewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  hideReviewCall,
  { access: 'admin' },
  async ({ actor, params, input, status }) => {
    await hideReview(actor, params.id, input.reason);
    status(204);
    return undefined;
  },
);
