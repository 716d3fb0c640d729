import { renameAccount } from '#src/features/account/own-account.server.ts';
import { changeName } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  changeName,
  { access: 'user', limit: 'change-name' },
  async ({ user, input }) => ({ user: await renameAccount(user.id, input.username) }),
);
