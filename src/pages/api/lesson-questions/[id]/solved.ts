import { solveQuestion } from '#src/features/learn/questions/questions.server.ts';
import { solveQuestionCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const PUT = endpoint(
  solveQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  ({ user, params, input }) => solveQuestion(user.id, params.id, input.solved),
);
