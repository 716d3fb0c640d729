import { putStaffCall } from '#src/features/authoring/staff/schema.ts';
import { putStaff } from '#src/features/authoring/staff/staff.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(putStaffCall, { access: 'admin' }, ({ actor, params, input }) =>
  putStaff(actor, params.id, input),
);
