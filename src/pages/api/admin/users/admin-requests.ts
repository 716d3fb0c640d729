import { openAdminRequests } from '#src/features/account/roles.server.ts';
import { listAdminRequests } from '#src/features/account/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const GET = endpoint(listAdminRequests, { access: 'admin' }, () => openAdminRequests());
