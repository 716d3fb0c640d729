import { deleteRating, saveRating } from '#src/features/catalogue/ratings/ratings.server.ts';
import { deleteRatingCall, saveRatingCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(saveRatingCall, { access: 'user', limit: 'reviews' }, ({ user, params, input }) =>
  saveRating(user, params.id, input),
);

export const DELETE = endpoint(
  deleteRatingCall,
  { access: 'user', limit: 'reviews' },
  async ({ user, params, status }) => {
    await deleteRating(user, params.id);
    status(204);
    return undefined;
  },
);
