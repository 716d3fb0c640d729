import { deleteBundle, updateBundle } from '#src/features/store/bundles/bundles.server.ts';
import { deleteBundleCall, updateBundleCall } from '#src/features/store/bundles/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(updateBundleCall, { access: 'admin' }, ({ actor, params, input }) =>
  updateBundle(actor, params.id, input),
);

export const DELETE = endpoint(deleteBundleCall, { access: 'admin' }, async ({ actor, params }) => {
  await deleteBundle(actor, params.id);
  return { success: true as const };
});
