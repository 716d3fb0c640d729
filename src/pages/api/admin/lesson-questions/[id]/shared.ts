import { shareAsTeamCall } from '#src/features/learn/questions/schema.ts';
import { shareAsTeam } from '#src/features/learn/questions/team-questions.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(shareAsTeamCall, { access: 'admin' }, ({ params, input }) =>
  shareAsTeam(params.id, input.shared),
);
