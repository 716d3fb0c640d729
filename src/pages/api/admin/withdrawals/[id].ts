import { decideWithdrawalCall } from '#src/features/store/schema.ts';
import { decideWithdrawal } from '#src/features/store/withdrawals/withdrawals.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(decideWithdrawalCall, { access: 'admin' }, ({ actor, params, input }) =>
  decideWithdrawal(params.id, input, actor),
);
