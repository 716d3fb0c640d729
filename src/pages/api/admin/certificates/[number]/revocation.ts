import { setRevocation } from '#src/features/learn/certificates/certificates.server.ts';
import { restoreCertificateCall, revokeCertificateCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(revokeCertificateCall, { access: 'admin' }, ({ actor, params, input }) =>
  setRevocation(actor, params.number, input.reason),
);

export const DELETE = endpoint(restoreCertificateCall, { access: 'admin' }, ({ actor, params }) =>
  setRevocation(actor, params.number, null),
);
