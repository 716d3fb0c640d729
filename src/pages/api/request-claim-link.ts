import { requestClaimLink } from '#src/features/store/guests/claim-links.server.ts';
import { requestClaimLinkCall } from '#src/features/store/guests/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  requestClaimLinkCall,
  { access: 'public', limit: 'request-claim-link' },
  ({ input, status }) => {
    status(202);
    return requestClaimLink(input.email);
  },
);
