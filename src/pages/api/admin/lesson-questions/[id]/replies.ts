import { answerQuestionCall } from '#src/features/learn/questions/schema.ts';
import { answerQuestion } from '#src/features/learn/questions/team-questions.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(answerQuestionCall, { access: 'admin' }, ({ user, params, input }) =>
  answerQuestion(user, params.id, input),
);
