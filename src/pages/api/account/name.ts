import { renameAccount } from '#src/features/account/own-account.server.ts';
import { changeName } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  changeName,
  { access: 'user', limit: { name: 'change-name', points: 20, seconds: 3600, by: 'user' } },
  async ({ user, input }) => ({ user: await renameAccount(user.id, input.username) }),
);
