import { deleteReview, saveReview } from '#src/features/catalogue/reviews.server.ts';
import { deleteReviewCall, saveReviewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

const limit = { name: 'reviews', points: 30, seconds: 600, by: 'user' } as const;

export const PUT = endpoint(saveReviewCall, { access: 'user', limit }, ({ user, params, input }) =>
  saveReview(user, params.id, input),
);

export const DELETE = endpoint(
  deleteReviewCall,
  { access: 'user', limit },
  async ({ user, params, status }) => {
    await deleteReview(user, params.id);
    status(204);
    return undefined;
  },
);
