import { suggestCall } from '#src/features/catalogue/schema.ts';
import { suggest } from '#src/features/catalogue/search/suggestions.server.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { CATALOGUE_TAG } from '#src/server/rendering/cache-tags.ts';

export const GET = endpoint(suggestCall, { access: 'public' }, ({ query, shows }) => {
  shows([CATALOGUE_TAG]);
  return suggest(query.search);
});
