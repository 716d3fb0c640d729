import { shareAsTeamCall } from '#src/features/learn/questions/schema.ts';
import { shareAsTeam } from '#src/features/learn/questions/team-questions.server.ts';
import { staffOf } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(shareAsTeamCall, { access: staffOf('question', 'grader') }, ({ params, input }) =>
  shareAsTeam(params.id, input.shared),
);
