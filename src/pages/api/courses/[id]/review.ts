import { deleteReview, saveReview } from '#src/features/catalogue/reviews/reviews.server.ts';
import { deleteReviewCall, saveReviewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(saveReviewCall, { access: 'user', limit: 'reviews' }, ({ user, params, input }) =>
  saveReview(user, params.id, input),
);

export const DELETE = endpoint(
  deleteReviewCall,
  { access: 'user', limit: 'reviews' },
  async ({ user, params, status }) => {
    await deleteReview(user, params.id);
    status(204);
    return undefined;
  },
);
