import { removeStaffCall } from '#src/features/authoring/staff/schema.ts';
import { removeStaff } from '#src/features/authoring/staff/staff.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const DELETE = endpoint(removeStaffCall, { access: 'admin' }, ({ actor, params }) =>
  removeStaff(actor, params.id, params.user),
);
