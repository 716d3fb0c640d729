import { leavePreview, startPreview } from '#src/features/learn/preview/preview.server.ts';
import { leavePreviewCall, startPreviewCall } from '#src/features/learn/preview/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(startPreviewCall, { access: 'admin' }, ({ user, params, input, cookies }) =>
  startPreview(user.id, params.id, cookies, input),
);

export const DELETE = endpoint(leavePreviewCall, { access: 'admin' }, ({ user, params, cookies }) =>
  leavePreview(user.id, params.id, cookies),
);
