import { resendClaimLink } from '#src/features/store/guests/claim-links.server.ts';
import { resendClaimLinkCall } from '#src/features/store/guests/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(resendClaimLinkCall, { access: 'admin' }, ({ actor, params }) =>
  resendClaimLink(params.id, actor),
);
