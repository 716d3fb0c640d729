import { setWeeklyMailCall } from '#src/features/learn/schema.ts';
import { setWeeklyMail } from '#src/features/learn/dashboard/weekly-mail.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setWeeklyMailCall, { access: 'user' }, ({ user, input }) =>
  setWeeklyMail(user.id, input.on),
);
