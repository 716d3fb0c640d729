import { showRating } from '#src/features/catalogue/ratings/ratings.server.ts';
import { showRatingCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(showRatingCall, { access: 'admin' }, async ({ actor, params, status }) => {
  await showRating(actor, params.id);
  status(204);
  return undefined;
});
