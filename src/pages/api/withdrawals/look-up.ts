import { lookUpWithdrawalCall } from '#src/features/store/schema.ts';
import { lookUpWithdrawal } from '#src/features/store/withdrawals/withdrawals.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  lookUpWithdrawalCall,
  { access: 'public', limit: 'withdrawals' },
  ({ input, user }) => lookUpWithdrawal(input, user),
);
