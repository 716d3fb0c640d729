import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { createAccountAfterPurchase } from '#src/features/store/guests/claims.server.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { createAccountAfterPurchaseCall } from '#src/features/store/guests/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  createAccountAfterPurchaseCall,
  { access: 'public', limit: 'claim-purchase' },
  async ({ input, ip, request, cookies, status }) => {
    const { answer, cookieSecret } = await createAccountAfterPurchase(
      input,
      {
        intentId: input.paymentIntentId,
        clientSecret: input.clientSecret,
        claimSecret: readClaimCookie(cookies),
      },
      { ip, userAgent: request.headers.get('user-agent'), presented: presentedBy(request, cookies) },
    );
    if (cookieSecret) setSessionCookie(cookies, cookieSecret);
    status(answer.status === 'created' ? 201 : answer.status === 'mailed' ? 202 : 200);
    return answer;
  },
);
