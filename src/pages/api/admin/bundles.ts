import { createBundle, listBundles } from '#src/features/store/bundles/bundles.server.ts';
import { createBundleCall, listBundlesCall } from '#src/features/store/bundles/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listBundlesCall, { access: 'admin' }, () => listBundles());

export const POST = endpoint(createBundleCall, { access: 'admin' }, ({ actor, input, status }) => {
  status(201);
  return createBundle(actor, input);
});
