import { setRevocation } from '#src/features/learn/certificates/certificates.server.ts';
import { restoreCertificateCall, revokeCertificateCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(revokeCertificateCall, { access: 'admin' }, ({ user, params, input }) =>
  setRevocation({ id: user.id, name: user.username }, params.number, input.reason),
);

export const DELETE = endpoint(restoreCertificateCall, { access: 'admin' }, ({ user, params }) =>
  setRevocation({ id: user.id, name: user.username }, params.number, null),
);
