import { withdrawCall } from '#src/features/store/schema.ts';
import { withdraw } from '#src/features/store/withdrawals/withdrawals.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(withdrawCall, { access: 'public', limit: 'withdrawals' }, ({ input, user }) =>
  withdraw(input, user),
);
