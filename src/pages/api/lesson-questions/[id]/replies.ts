import { addToQuestion } from '#src/features/learn/questions/questions.server.ts';
import { addToQuestionCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  addToQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  ({ user, params, input }) => addToQuestion(user.id, params.id, input),
);
