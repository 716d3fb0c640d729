import { listCategories as readCategories } from '#src/features/catalogue/catalogue.server.ts';
import { listCategories } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listCategories, { access: 'public' }, () => readCategories());
