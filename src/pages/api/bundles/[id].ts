import { offeredBundle, storeBundle } from '#src/features/store/bundles/bundles.server.ts';
import { getBundleCall } from '#src/features/store/bundles/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(getBundleCall, { access: 'public' }, async ({ params }) =>
  storeBundle((await offeredBundle(params.id)).bundle),
);
