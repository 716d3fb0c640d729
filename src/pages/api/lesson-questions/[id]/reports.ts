import { reportQuestion } from '#src/features/learn/questions/questions.server.ts';
import { reportQuestionCall } from '#src/features/learn/questions/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  reportQuestionCall,
  { access: 'user', limit: 'lesson-questions' },
  ({ user, params, input }) => reportQuestion(user, params.id, input.reason),
);
