import { hideRating } from '#src/features/catalogue/ratings/ratings.server.ts';
import { hideRatingCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  hideRatingCall,
  { access: 'admin' },
  async ({ actor, params, input, status }) => {
    await hideRating(actor, params.id, input.reason);
    status(204);
    return undefined;
  },
);
