import { exportOwnData } from '#src/features/account/schema.ts';
import { personalData } from '#src/features/admin/people/personal-data.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(
  exportOwnData,
  { access: 'user', limit: 'export-own-data' },
  async ({ user, headers }) => {
    headers.set('content-disposition', 'attachment; filename="my-data.json"');
    return personalData(user.id);
  },
);
