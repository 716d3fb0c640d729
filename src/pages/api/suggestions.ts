import { suggestCall } from '#src/features/catalogue/schema.ts';
import { suggest } from '#src/features/catalogue/search/suggestions.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(suggestCall, { access: 'public' }, ({ query }) => suggest(query.search));
