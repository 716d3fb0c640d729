import { setWeeklyGoal } from '#src/features/learn/dashboard/dashboard.server.ts';
import { setWeeklyGoalCall } from '#src/features/learn/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(setWeeklyGoalCall, { access: 'user' }, ({ user, input }) =>
  setWeeklyGoal(user.id, input.days),
);
