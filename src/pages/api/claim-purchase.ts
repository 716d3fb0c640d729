import { presentedBy, setSessionCookie } from '#src/features/account/session.server.ts';
import { claimPurchase } from '#src/features/store/guests/claims.server.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { claimPurchaseCall } from '#src/features/store/guests/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  claimPurchaseCall,
  { access: 'public', limit: 'claim-purchase' },
  async ({ user, input, ip, request, cookies, status }) => {
    const { answer, cookieSecret } = await claimPurchase(
      input,
      {
        intentId: input.paymentIntentId,
        clientSecret: input.clientSecret,
        claimSecret: readClaimCookie(cookies),
      },
      user,
      { ip, userAgent: request.headers.get('user-agent'), presented: presentedBy(request, cookies) },
    );
    if (cookieSecret) setSessionCookie(cookies, cookieSecret);
    status(answer.status === 'created' ? 201 : answer.status === 'mailed' ? 202 : 200);
    return answer;
  },
);
